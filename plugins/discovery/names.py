"""Find the proper names in a text, without any list of names.

    >>> [name.text for name in find_names("Rowan met Captain Vane at Harrow Hall.")]
    ['Rowan', 'Captain Vane', 'Harrow Hall']

Each capitalised word is scored by the sum of its keys' weights (see `lexical`), as in logistic
regression: `p(name) = 1 / (1 + exp(-score))`. A word beside one that belongs to a name, or after a
title, gains `_COUPLING`; a set phrase (*Guild of Masons*) gains `KNOWN`. Adjacent accepted words
form one name, also across *de*, *of* and the like where the words allow it. A name's type is the
softmax over the weights of its own words, counted once, and of the neighbours of each of its
mentions in the text; it is None if no type is probable enough.

Recognise the names of animals, which do much that people do, by how they are introduced.

    our dog Waffles         his old mare, Juno, stood still
    a cat called Miso       Waffles, our dog, barked

In speech, whoever is named after a comma may be addressed: "I have seen her dog, Ann."
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from . import lexical
from .model import KNOWN, TYPES, NameModel, Scores, add_scores, load_model
from .words import ANIMAL_NOUNS, EPITHETS, NAMED_BY_OF, TITLES, VEHICLE_NOUNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexical import Candidate


_NAMED: Final = frozenset({"called", "named"})
_ANNOUNCING: Final = ANIMAL_NOUNS | _NAMED | {f"{noun}," for noun in ANIMAL_NOUNS}
_OWNERS: Final = ("my", "our", "his", "her", "their")
_BEHIND: Final = tuple(f", {owner} " for owner in (*_OWNERS, "a", "an"))
_NOUN: Final = rf"(?:[a-z-]+\s)?(?:{'|'.join(sorted(ANIMAL_NOUNS))})"
_BEFORE: Final = re.compile(
    rf"(?:\b(?:{'|'.join(_OWNERS)}|your)|['’]s)\s{_NOUN}(?P<comma>,)?\s\Z"
    rf"|\ban?\s{_NOUN},?\s(?:{'|'.join(_NAMED)})\s\Z",
    re.IGNORECASE,
)
_APPOSITION: Final = re.compile(rf",\s[a-z]+\s{_NOUN}(?:[.;:!?)]|,(?! and | or ))")
_ENDING: Final = (",", ".", ";", ":", ")")
_QUOTE: Final = re.compile(r"[\"“”«»„‘]|(?<!\w)'")
_REACH: Final = 40


def is_animal(page: str, start: int, end: int, before: str) -> bool:
    """Say whether the words around a name introduce it as an animal's; `before` is the last one."""
    if before in _ANNOUNCING:
        found = _BEFORE.search(page, max(0, start - _REACH), start)
        if found is not None:
            return found["comma"] is None or (
                page.startswith(_ENDING, end) and not _is_spoken(page, start)
            )
    if not page.startswith(_BEHIND, end):
        return False
    return _APPOSITION.match(page, end) is not None and not _is_spoken(page, start)


def _is_spoken(page: str, start: int) -> bool:
    """Say whether the line up to here has any quotation mark."""
    return _QUOTE.search(page, page.rfind("\n", 0, start) + 1, start) is not None


_THRESHOLD: Final = 0.1
_COUPLING: Final = 2.0
_LIKELY: Final = 0.5
_CLOSE: Final = 8
_OF: Final = frozenset({" of ", " of the "})
_PARTICLES: Final = frozenset(
    f" {particle} "
    for particle in (
        "de", "de la", "du", "des", "von", "von der", "van", "van der", "van den",
        "di", "da", "dei", "degli", "della", "delle", "del", "le", "la", "bin", "ibn", "ap",
    )
)  # fmt: skip
_LEADING: Final = re.compile(
    r"(?<=\s)(?:de|de la|de las|de los|du|von|von der|van der|van den|van de|della|ibn|ap) \Z"
)
"""Matches particles, which are not English words, before a surname alone."""
_LAST_PARTICLES: Final = frozenset(
    {"ap", "de", "della", "den", "der", "du", "ibn", "la", "las", "los", "von"}
)
JOINING: Final = _PARTICLES | _OF
"""What stands between the words of one name, with the spaces around it."""

_WIDEST: Final = max(map(len, JOINING))

ADDRESS: Final = "address"
"""The type of a name in a dateline."""


class FoundName(NamedTuple):
    """A proper name in a text, its type if the text shows it, and the confidence that it is one.

    `type_share` is the probability that the model gives to the type, 1.0 if words tell it.
    """

    start: int
    end: int
    text: str
    type: str | None
    confidence: float
    type_share: float = 1.0


@dataclass(slots=True)
class _Span:
    """A name under construction: its first and last word, and the scores of all its words."""

    first: Candidate
    last: Candidate
    scores: list[float]


def find_names(
    text: str, *, skip: Sequence[tuple[int, int]] = (), model: NameModel | None = None
) -> list[FoundName]:
    """Find the proper names in `text`, in order and without overlaps.

    A name includes its title and particles (*Mr. Darcy*, *Lady Catherine de Bourgh*), but no
    article, possessive or quotation mark. Offsets are code points of `text`. `skip` has the spans
    that are not prose; no name reaches into one.
    """
    model = model or load_model()
    page = lexical.blank_out(text, skip) if skip else text
    candidates = lexical.read_candidates(page)
    scores = model.score(candidates, page)
    spans = _join(page, candidates, scores)
    types = _determine_types(model, spans)
    animals = {
        (span.first.word, span.last.word)
        for span in spans
        if is_animal(page, span.first.start, span.last.end, span.first.before)
    }
    return [
        FoundName(
            start := _include_particle(page, span.first),
            end := span.last.end,
            text[start:end],
            "creature" if (span.first.word, span.last.word) in animals else type_,
            round(_squash(sum(span.scores) / len(span.scores)), 3),
            share,
        )
        for span, (type_, share) in zip(spans, types, strict=True)
    ]


def _join(page: str, candidates: list[Candidate], scores: list[float]) -> list[_Span]:
    """Accept words with sufficient scores, and join those that form one name."""
    spans: list[_Span] = []
    end = 0
    for candidate, score in zip(candidates, _couple(candidates, scores, page), strict=True):
        span = spans[-1] if spans else None
        if score <= _THRESHOLD:
            if span and page[end : candidate.start] == " " and _is_of(page, span):
                span.last, end = candidate, candidate.end
                span.scores.append(_THRESHOLD)
            continue
        if span and _continues(span.last, page[end : candidate.start], candidate):
            span.last = candidate
            span.scores.append(score)
        else:
            spans.append(_Span(candidate, candidate, [score]))
        end = candidate.end
    said = {span.last.word for span in spans if span.first.before != lexical.IN_HEADING}
    return [span for span in spans if not _is_doubtful(span, said)]


def _is_of(page: str, span: _Span) -> bool:
    """Say whether a name goes on behind "of", so that a next capital belongs to it too."""
    return " of " in page[span.first.start : span.last.end]


def _include_particle(page: str, first: Candidate) -> int:
    """Return the start of a name, which may be before its first capital: *de la Cruz*."""
    if first.before not in _LAST_PARTICLES:
        return first.start
    found = _LEADING.search(page, max(0, first.start - _WIDEST), first.start)
    return found.start() if found else first.start


def _is_doubtful(span: _Span, said: set[str]) -> bool:
    """Say whether a span is a title without a name, or a word that occurs in headings only."""
    if span.first is not span.last:
        return False
    word = span.first.word
    in_heading = span.first.before == lexical.IN_HEADING
    return (word.endswith(".") and word[:-1] in TITLES) or (in_heading and word not in said)


def _couple(candidates: list[Candidate], scores: list[float], page: str) -> list[float]:
    """Raise the scores of words that a neighbour in the same phrase supports."""
    coupled = scores.copy()
    for index, (left, right) in enumerate(pairwise(candidates)):
        if right.start - left.end > _CLOSE:
            continue
        gap = page[left.end : right.start]
        if not _continues(left, gap, right):
            continue
        if _is_set_phrase(left.word, gap, right.word):
            coupled[index] += KNOWN
            coupled[index + 1] += KNOWN
        if scores[index] > _THRESHOLD or lexical.classify(left.word) in ("T", "P"):
            coupled[index + 1] += _COUPLING
        if coupled[index + 1] > _THRESHOLD:
            coupled[index] += _COUPLING
    return coupled


def _is_set_phrase(left: str, gap: str, right: str) -> bool:
    """Recognise *Guild of Masons*, *Rudolf the Third* and *Aunt May*, whatever their scores."""
    kind = lexical.classify(left)
    if gap in _OF:
        return kind in ("P", "O")
    return gap == " the " or (kind == "T" and lexical.classify(right) == "C")


def _continues(last: Candidate, gap: str, candidate: Candidate) -> bool:
    """Say whether `candidate`, after `gap`, continues the name that ends in `last`."""
    if not gap.strip(" "):
        return bool(gap)
    if len(gap) > _WIDEST:
        return False
    if gap in _PARTICLES:
        return True
    if gap in ("'s ", "’s "):
        return lexical.classify(candidate.word) in ("P", "O")
    if gap in _OF:
        return last.word in NAMED_BY_OF or lexical.classify(last.word) in ("P", "O")
    return gap == " the " and candidate.word in EPITHETS


def _determine_types(model: NameModel, spans: list[_Span]) -> list[tuple[str | None, float]]:
    """Determine the type of every name by all its mentions, with its probability.

    Full names support their parts.
    The neighbours count for each mention, but the name's own words only once: otherwise they would
    outweigh the text.
    """
    summed: dict[tuple[str, str], Scores] = {}
    for span in spans:
        (_, _, first, before, _), (_, _, last, _, after) = span.first, span.last
        key = first, last
        sides = model.weigh_sides(first, last, before, after)
        summed[key] = add_scores(summed.get(key) or model.weigh_name(first, last), sides)
    people = {
        word
        for (first, last), (person, place, organization) in summed.items()
        if first != last and person > max(place, organization)
        for word in (first, last)
        if word.rstrip(".") not in TITLES
    }
    alone = {
        first
        for (first, last), (person, place, organization) in summed.items()
        if first == last and person > max(place, organization)
    }
    decided: dict[tuple[str, str], tuple[str | None, float]] = {}
    for key, (person, place, organization) in summed.items():
        if key[0] in (people if key[0] == key[1] else alone) and not lexical.classify(key[1]):
            person += 2.0
        decided[key] = _choose((person, place, organization))
    return [
        ("vehicle", 1.0)
        if span.first.before.lower() in VEHICLE_NOUNS
        else decided[span.first.word, span.last.word]
        for span in spans
    ]


def _choose(scores: Scores) -> tuple[str | None, float]:
    person, place, organization = scores
    highest = max(scores)
    odds = math.exp(person - highest) + math.exp(place - highest) + math.exp(organization - highest)
    share = 1.0 / odds
    return (TYPES[scores.index(highest)] if share >= _LIKELY else None), round(share, 3)


def _squash(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score))
