"""Find the proper names in a text, without any list of names.

    >>> [name.text for name in find_names("Rowan met Captain Vane at Harrow Hall.")]
    ['Rowan', 'Captain Vane', 'Harrow Hall']

Each capitalised word has a score, the sum of its keys' weights (see `lexical`), as in logistic
regression: `p(name) = 1 / (1 + exp(-score))`. A word beside one that belongs to a name, or after
a title, gains `_COUPLING`; a set phrase (*Guild of Masons*) gains `_KNOWN`. Accepted words that
stand together are one name, through *de*, *of* and the like where the words allow it. A name's
type is the softmax over the summed weights of all its mentions in the text, and left open where
no type is likely enough.

The weights and the list of common English words in `model.json` were trained on LitBank
(Bamman, Popat and Shen, "An Annotated Dataset of Literary Entities", 2019; CC BY 4.0) by
`benchmarks/train_discovery.py`.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from . import lexical
from .words import EPITHETS, NAMED_BY_OF, TITLES, VEHICLE_NOUNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .lexical import Candidate

TYPES: Final = ("person", "place", "organization")
"""The types that the model tells apart; a vehicle is known by the word before it."""

_THRESHOLD: Final = 0.1
_COUPLING: Final = 2.0
_KNOWN: Final = 6.0
_LIKELY: Final = 0.5
_CACHED: Final = 1 << 16
_OF: Final = frozenset({" of ", " of the "})
_PARTICLES: Final = frozenset(
    f" {particle} "
    for particle in (
        "de", "de la", "du", "des", "von", "von der", "van", "van der", "van den",
        "di", "da", "della", "del", "le", "la", "bin", "ibn", "ap",
    )
)  # fmt: skip

Scores = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class FoundName:
    """A proper name in a text, its type where the text shows it, and how sure that it is a name."""

    start: int
    end: int
    text: str
    type: str | None
    confidence: float


@dataclass(slots=True)
class _Span:
    """A name under construction: the words joined so far."""

    start: int
    end: int
    first: Candidate
    last: Candidate
    scores: list[float]


class _WordView(NamedTuple):
    score: float
    low: str
    level: int
    kind: str
    plural: bool


class _BeforeView(NamedTuple):
    score: float
    place: str
    cue: str


class _AfterView(NamedTuple):
    score: float
    outline: str


class NameModel:
    """Weights of keys, and what they say of a word; what recurs is summed only once."""

    def __init__(
        self,
        common: dict[str, int],
        names: dict[str, float],
        types: dict[str, Scores],
    ) -> None:
        self.common = common
        self._names = names
        self._types = types
        self._bias = names.get("bias", 0.0)
        self._view_word = lru_cache(_CACHED)(self._weigh_word)
        self._view_before = lru_cache(_CACHED)(self._weigh_before)
        self._view_after = lru_cache(_CACHED)(self._weigh_after)
        self._view_use = lru_cache(_CACHED)(self._weigh_use)
        self.weigh_type = lru_cache(_CACHED)(self._weigh_type)

    def score(self, candidates: Sequence[Candidate], page: str) -> list[float]:
        """Score each candidate of one text: positive where it belongs to a name."""
        lower_case = lexical.read_lower_case(page)
        length = lexical.measure_roughly(page)
        befores = [self._view_before(candidate.before) for candidate in candidates]
        total = Counter([candidate.word for candidate in candidates])
        inside = Counter(
            [
                candidate.word
                for candidate, before in zip(candidates, befores, strict=True)
                if before.place == "mid"
            ]
        )
        scores = []
        for candidate, before in zip(candidates, befores, strict=True):
            text = candidate.word
            word = self._view_word(text)
            after = self._view_after(candidate.after)
            scores.append(
                word.score
                + before.score
                + after.score
                + self._view_use(
                    before.place,
                    before.cue,
                    after.outline,
                    word.kind,
                    word.level,
                    word.plural,
                    word.low in lower_case,
                    min(inside[text], 6),
                    min(total[text], 6),
                    length,
                )
            )
        return scores

    def _sum(self, keys: list[str]) -> float:
        weights = self._names
        return sum([weights[key] for key in keys if key in weights])

    def _weigh_word(self, word: str) -> _WordView:
        low = word.lower()
        return _WordView(
            self._sum(lexical.describe_word(word, self.common)) + self._bias,
            low,
            self.common.get(low, 0),
            lexical.classify(word),
            word.endswith("s"),
        )

    def _weigh_before(self, before: str) -> _BeforeView:
        return _BeforeView(
            self._sum(lexical.describe_before(before, self.common)),
            lexical.locate(before),
            lexical.outline_before(before),
        )

    def _weigh_after(self, after: str) -> _AfterView:
        return _AfterView(
            self._sum(lexical.describe_after(after, self.common)), lexical.outline_after(after)
        )

    def _weigh_use(
        self,
        place: str,
        cue: str,
        after: str,
        kind: str,
        level: int,
        plural: bool,
        lower: bool,
        inside: int,
        total: int,
        length: int,
    ) -> float:
        use = lexical.WordUse(lower, inside, total, length)
        return self._sum(lexical.describe_use(place, cue, after, kind, level, plural, use))

    def _weigh_type(self, first: str, last: str, before: str, after: str) -> Scores:
        weights = self._types
        person, place, organization = weights.get("bias", (0.0, 0.0, 0.0))
        for key in lexical.describe_type(first, last, before, after):
            if key in weights:
                row = weights[key]
                person += row[0]
                place += row[1]
                organization += row[2]
        if first != last:
            ends = lexical.classify(first), lexical.classify(last)
            if "O" in ends:
                organization += _KNOWN
            elif ends == ("T", "") and first.rstrip(".") not in ("St", "Saint"):
                person += _KNOWN
        return person, place, organization


def read_model() -> NameModel:
    """Read the model that ships beside this module."""
    data = json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8"))
    common = {word: int(level) for level, words in data["common"].items() for word in words.split()}
    types = {key: (row[0], row[1], row[2]) for key, row in data["types"].items()}
    return NameModel(common, data["names"], types)


@lru_cache(maxsize=1)
def load_model() -> NameModel:
    """Give the model that ships; the first text that is read pays for reading it."""
    return read_model()


def find_names(
    text: str, *, skip: Sequence[tuple[int, int]] = (), model: NameModel | None = None
) -> list[FoundName]:
    """Find the proper names in `text`, in order, none within another.

    A name has its title and particles (*Mr. Darcy*, *Lady Catherine de Bourgh*), but no article,
    possessive or quotation mark. Offsets are code points of `text`. `skip` holds the spans that
    are not prose; no name reaches into one.
    """
    model = model or load_model()
    page = lexical.blank_out(text, skip) if skip else text
    candidates = lexical.read_candidates(page)
    scores = model.score(candidates, page)
    spans = _join(page, candidates, scores)
    types = _tell_types(model, spans)
    return [
        FoundName(
            span.start,
            span.end,
            text[span.start : span.end],
            type_,
            round(_squash(sum(span.scores) / len(span.scores)), 3),
        )
        for span, type_ in zip(spans, types, strict=True)
    ]


def _join(page: str, candidates: list[Candidate], scores: list[float]) -> list[_Span]:
    """Accept the words that score enough and put together those that make one name."""
    coupled = _couple(candidates, scores, page)
    spans: list[_Span] = []
    for candidate, score in zip(candidates, coupled, strict=True):
        if score <= _THRESHOLD:
            continue
        span = spans[-1] if spans else None
        if span and _continues(span.last, page[span.end : candidate.start], candidate):
            span.end = candidate.end
            span.last = candidate
            span.scores.append(score)
        else:
            spans.append(_Span(candidate.start, candidate.end, candidate, candidate, [score]))
    said = {span.last.word for span in spans if span.first.before != lexical.IN_HEADING}
    return [span for span in spans if not _is_doubtful(span, said)]


def _is_doubtful(span: _Span, said: set[str]) -> bool:
    """Doubt a title without a name, and a word of a heading that the prose never names."""
    if span.first is not span.last:
        return False
    word = span.first.word
    in_heading = span.first.before == lexical.IN_HEADING
    return (word.endswith(".") and word[:-1] in TITLES) or (in_heading and word not in said)


def _couple(candidates: list[Candidate], scores: list[float], page: str) -> list[float]:
    """Raise the words that a neighbour in the same phrase vouches for."""
    coupled = scores.copy()
    for index in range(len(candidates) - 1):
        left, right = candidates[index], candidates[index + 1]
        gap = page[left.end : right.start]
        if len(gap) > 8 or not _continues(left, gap, right):
            continue
        if _is_set_phrase(left.word, gap, right.word):
            coupled[index] += _KNOWN
            coupled[index + 1] += _KNOWN
        if scores[index] > _THRESHOLD or lexical.classify(left.word) in ("T", "P"):
            coupled[index + 1] += _COUPLING
        if coupled[index + 1] > _THRESHOLD:
            coupled[index] += _COUPLING
    return coupled


def _is_set_phrase(left: str, gap: str, right: str) -> bool:
    """Recognise Guild of Masons, Rudolf the Third and Aunt May, whatever their words weigh."""
    kind = lexical.classify(left)
    if gap in _OF:
        return kind in ("P", "O")
    return gap == " the " or (kind == "T" and lexical.classify(right) == "C")


def _continues(last: Candidate, gap: str, candidate: Candidate) -> bool:
    """Say whether `candidate`, after `gap`, belongs to the name that ends in `last`."""
    if not gap.strip(" ") or gap in _PARTICLES:
        return bool(gap)
    if gap in ("'s ", "’s "):
        return lexical.classify(candidate.word) in ("P", "O")
    if gap in _OF:
        return last.word in NAMED_BY_OF
    return gap == " the " and candidate.word in EPITHETS


def _tell_types(model: NameModel, spans: list[_Span]) -> list[str | None]:
    """Type every name by all its mentions; a person's full name speaks for its parts."""
    summed: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for span in spans:
        scores = model.weigh_type(
            span.first.word, span.last.word, span.first.before, span.last.after
        )
        total = summed[span.first.word, span.last.word]
        for index in range(3):
            total[index] += scores[index]
    people = {
        word
        for (first, last), (person, place, organization) in summed.items()
        if first != last and person > max(place, organization)
        for word in (first, last)
        if word.rstrip(".") not in TITLES
    }
    decided: dict[tuple[str, str], str | None] = {}
    for key, (person, place, organization) in summed.items():
        if key[0] == key[1] and key[0] in people:
            person += 2.0
        decided[key] = _choose((person, place, organization))
    return [
        "vehicle"
        if span.first.before.lower() in VEHICLE_NOUNS
        else decided[span.first.word, span.last.word]
        for span in spans
    ]


def _choose(scores: Scores) -> str | None:
    highest = max(scores)
    odds = sum([math.exp(score - highest) for score in scores])
    return TYPES[scores.index(highest)] if 1.0 / odds >= _LIKELY else None


def _squash(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-score))
