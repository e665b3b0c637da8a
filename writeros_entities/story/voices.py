"""How somebody speaks, in figures: how much at once, with which words, and what she calls whom.

    voice = describe_voice(speeches, ann.id)
    voice.favourites[0].word                  # "reckon"

What somebody says in one paragraph is one speech here. Favourite words are those by which her
speeches differ most from everybody else's: by the log-odds ratio of a word with an informative
Dirichlet prior, divided by its standard deviation (Monroe, Colaresi and Quinn: Fightin' Words.
Political Analysis 16(4), 2008, equations 16, 18 and 22):

    δ = ln((y + α) / (n + α₀ − y − α)) − ln((y′ + α) / (n′ + α₀ − y′ − α))
    ζ = δ / √(1 / (y + α) + 1 / (y′ + α))

She says the word y times among n words, all others y′ times among n′; α is the word's share of all
that is said, times α₀: a fifth of all words, and at most as many as the prior is worth (`PRIOR`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.story.speeches import FoundSpeech

ENOUGH = 8
"""The fewest speeches of which words and habits are told."""

PRIOR, OF_ALL = 500, 0.2
"""How many words the prior is worth at most, and as a share of all that is said (α₀)."""

SURE = 1.96
"""The least ζ of a favourite word: one in forty words exceeds it by chance."""

OFTEN = 3
"""The fewest speeches that have a favourite word."""

MOST = 5
"""Most favourite words to tell, and most forms of address."""

TWICE = 2
"""The fewest times that somebody is called something, for it to be a habit."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_APOSTROPHE = re.compile("['’]")
_SHORT, _LETTERS = 2, 3
"""The most letters of what is left out before or behind an apostrophe; the fewest of a word."""

_PART = re.compile(r"[^,;:!?.…—–\"“”«»„‚‹›]+")
"""Matches a part of a speech between two marks."""

_ASKING, _CALLING = ("?", "？", "؟"), ("!", "！")


class Favourite(NamedTuple):
    """A word that somebody uses more than others: in how many speeches, and how surely (ζ)."""

    word: str
    speeches: int
    score: float


class Address(NamedTuple):
    """What somebody calls another, whose id is given, and how often."""

    form: str
    to: int
    times: int


@dataclass(frozen=True, slots=True)
class Voice:
    """How somebody speaks. The shares are those of speeches that ask, or exclaim, anything."""

    speeches: int
    notes: int
    confidence: float
    median_words: float
    questions: float
    exclamations: float
    favourites: tuple[Favourite, ...]
    addresses: tuple[Address, ...]

    @property
    def is_enough(self) -> bool:
        """Whether there are enough speeches to tell habits from chance."""
        return self.speeches >= ENOUGH


def describe_voice(speeches: Sequence[FoundSpeech], speaker: int) -> Voice | None:
    """Return how somebody speaks, beside the others in some speeches; None if she says nothing.

    All speeches with a speaker count: leave out those whose speaker is not certain enough.
    """
    turns = turns_of(speeches, speaker)
    if not turns:
        return None
    pieces = [one for turn in turns for one in turn]
    asked = [any(mark in one.text for one in turn for mark in _ASKING) for turn in turns]
    called = [any(mark in one.text for one in turn for mark in _CALLING) for turn in turns]
    return Voice(
        len(turns),
        len({one.path for one in pieces}),
        sum(one.confidence for one in pieces) / len(pieces),
        float(median(sum(len(_WORD.findall(one.text)) for one in turn) for turn in turns)),
        sum(asked) / len(turns),
        sum(called) / len(turns),
        tuple(_favourites(speeches, turns, speaker)) if len(turns) >= ENOUGH else (),
        tuple(_addresses(turns)) if len(turns) >= ENOUGH else (),
    )


def turns_of(speeches: Sequence[FoundSpeech], speaker: int) -> list[list[FoundSpeech]]:
    """Return what somebody says, all that stands in one paragraph together."""
    own = [one for one in speeches if one.speaker == speaker]
    return [list(turn) for _, turn in groupby(own, key=lambda one: (one.path, one.paragraph))]


# -- Favourite words -------------------------------------------------------------------------------


def _favourites(
    speeches: Sequence[FoundSpeech], turns: Sequence[Sequence[FoundSpeech]], speaker: int
) -> list[Favourite]:
    own = Counter(word for turn in turns for one in turn for word in content_words(one))
    others = Counter(
        word
        for one in speeches
        if one.speaker not in (None, speaker)
        for word in content_words(one)
    )
    in_turns = Counter(
        word for turn in turns for word in {each for one in turn for each in content_words(one)}
    )
    n, n_others = own.total(), others.total()
    if not n_others or len(own.keys() | others.keys()) == 1:
        return []
    prior = min(PRIOR, OF_ALL * (n + n_others))
    found = []
    for word, count in in_turns.items():
        y, other = own[word], others[word]
        alpha = prior * (y + other) / (n + n_others)
        odds = math.log((y + alpha) / (n + prior - y - alpha))
        odds -= math.log((other + alpha) / (n_others + prior - other - alpha))
        score = odds / math.sqrt(1 / (y + alpha) + 1 / (other + alpha))
        if count >= OFTEN and score >= SURE:
            found.append(Favourite(word, count, round(score, 2)))
    return sorted(found, key=lambda one: (-one.score, one.word))[:MOST]


def content_words(speech: FoundSpeech) -> Iterator[str]:
    """Yield the words of a speech that are neither names nor such as every text is full of.

    What is shortened before an apostrophe is left out ("l'homme"), and so is a word that is
    shortened behind it ("don't").
    """
    names = {word.casefold() for surface, _ in speech.names for word in _WORD.findall(surface)}
    for match in _WORD.finditer(speech.text):
        parts = _APOSTROPHE.split(match[0].casefold())
        while len(parts) > 1 and len(parts[0]) <= _SHORT:
            del parts[0]
        if len(parts) > 1 and len(parts[-1]) <= _SHORT:
            continue
        word = "'".join(parts)
        if len(word) >= _LETTERS and word not in speech.words.light and word not in names:
            yield word


# -- What somebody is called -----------------------------------------------------------------------


def _addresses(turns: Sequence[Sequence[FoundSpeech]]) -> Iterator[Address]:
    counts: Counter[tuple[str, int]] = Counter()
    shown: dict[str, str] = {}
    for turn in turns:
        told = next((one.addressee for one in turn if one.addressee is not None), None)
        for one in turn:
            for form, person in called_in(one):
                to = person or one.addressee or told
                if to is not None and to != one.speaker:
                    counts[form.casefold(), to] += 1
                    shown.setdefault(form.casefold(), form)
    ranked = sorted(counts.items(), key=lambda one: (-one[1], *one[0]))
    for (form, to), times in ranked[:MOST]:
        if times >= TWICE:
            yield Address(shown[form], to, times)


def called_in(speech: FoundSpeech) -> Iterator[tuple[str, int | None]]:
    """Yield what a speech calls somebody to the face: "Is it so, Captain?", "My dear Ann, it is".

    That stands between marks, at the beginning or at the end of what is said. With a name, the
    id of the person whom it means is given.
    """
    text, words = speech.text, speech.words
    known = {_plain(surface): person for surface, person in speech.names}
    parts = [one for one in _PART.finditer(text) if one[0].strip()]
    for at, part in enumerate(parts):
        before = text[parts[at - 1].end() : part.start()].strip() if at else ""
        ends = at + 1 == len(parts)
        behind = text[part.end() :] if ends else text[part.end() : parts[at + 1].start()]
        is_led = before == "," and _opens(parts[at - 1][0], words)
        is_last = before == "," and (ends or behind[:1] != ",")
        is_first = not before.startswith(",") and behind[:1] in (",", *_CALLING)
        if not (is_last or is_first or (is_led and behind[:1] == ",")):
            continue
        beside = parts[at - 1 : at] if is_last else parts[at + 1 : at + 2]
        if any(_is_name(one[0], known, is_before=is_last) for one in beside):
            continue
        is_address, person = _meant(part[0], known, words)
        if is_address:
            yield part[0].strip(), person


def _meant(form: str, known: Mapping[str, int | None], words: Words) -> tuple[bool, int | None]:
    """Say whether a part of a speech is a form of address, and whom it names, if anybody."""
    core = _plain(form).split()
    while core:
        rest = " ".join(core)
        if (person := known.get(rest)) is not None:
            return True, person
        if rest in words.forms_of_address:
            return True, None
        if core[0] not in words.endearing and core[0] not in words.forms_of_address:
            break
        del core[0]
    return False, None


def _opens(part: str, words: Words) -> bool:
    """Say whether a part of a speech only opens it: "Yes", "Oh well"."""
    return all(word in words.endearing for word in part.casefold().split())


def _is_name(part: str, known: Mapping[str, int | None], *, is_before: bool) -> bool:
    """Say whether the part before another ends with a name, or that behind begins with one.

    Then both may be of a list.
    """
    told = _plain(part)
    return any(told.endswith(one) if is_before else told.startswith(one) for one in known)


def _plain(text: str) -> str:
    return text.strip().casefold().replace("’", "'")
