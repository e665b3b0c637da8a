"""A log-linear model of capitalised words and of the types of names.

The weights and the list of common English words in `model.json` were trained on LitBank (Bamman,
Popat and Shen, "An Annotated Dataset of Literary Entities", 2019; CC BY 4.0) by
`benchmarks/train_discovery.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from ..english import PERSON_VERBS
from . import lexical
from .words import POLITE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .lexical import Candidate

TYPES: Final = ("person", "place", "organization")
"""The types between which the model decides; a vehicle is recognised by the word before it."""

KNOWN: Final = 6.0
"""The bonus for words of a closed class, whatever their weights."""

DOES: Final = 1.5
"""The bonus for a person if a verb that only people can do follows the name."""

_FREQUENT: Final = 2
"""The class of common words from which on a word is rarely a name."""

_MANY: Final = 6
_KEPT: Final = 1 << 16

Scores = tuple[float, float, float]
"""A score for each of `TYPES`."""

_Use = tuple[str, int, bool, bool, int, int, int]
"""Class, frequency class, whether a plural, and the fields of `lexical.WordUse`."""

Key = TypeVar("Key")
View = TypeVar("View")


class _WordView(NamedTuple):
    score: float
    low: str
    level: int
    kind: str
    plural: bool


class _BeforeView(NamedTuple):
    """`alike` is the first token seen with the same effect on a name's type."""

    score: float
    place: str
    cue: str
    alike: str


class _AfterView(NamedTuple):
    score: float
    outline: str
    alike: str


class _EndsView(NamedTuple):
    scores: Scores
    length: str
    kind: str


class _Views(dict[Key, View]):
    """A cache that computes missing values with a function, and is cleared when it is full."""

    def __init__(self, view: Callable[[Key], View]) -> None:
        self._view = view

    def __missing__(self, key: Key) -> View:
        if len(self) >= _KEPT:
            self.clear()
        view = self[key] = self._view(key)
        return view


class NameModel:
    """The weights of keys, and the scores of words and names; repeated sums are cached."""

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
        self._words = _Views(self._view_word)
        self._befores = _Views(self._view_before)
        self._afters = _Views(self._view_after)
        self._uses = _Views(self._weigh_use)
        self._ends = _Views(self._view_ends)
        self._sides = _Views(self._weigh_sides)
        self._alike: dict[tuple[object, ...], str] = {}

    def is_frequent(self, word: str) -> bool:
        """Say whether a word, in lower case, is so common that by itself it is rarely a name."""
        return self.common.get(word, 0) >= _FREQUENT

    def score(self, candidates: Sequence[Candidate], page: str) -> list[float]:
        """Return the score of each candidate of a text: positive if it belongs to a name."""
        befores = [self._befores[candidate.before] for candidate in candidates]
        words = self._read_words(candidates, befores, page)
        afters, uses = self._afters, self._uses
        scores = []
        for candidate, before in zip(candidates, befores, strict=True):
            word_score, use = words[candidate.word]
            before_score, place, cue, _ = before
            after_score, outline, _ = afters[candidate.after]
            scores.append(word_score + before_score + after_score + uses[place, cue, outline, use])
        return scores

    def weigh_name(self, first: str, last: str) -> Scores:
        """Return the scores of a name's types by its first and last word; count once for a text."""
        return self._ends[first, last].scores

    def weigh_sides(self, first: str, last: str, before: str, after: str) -> Scores:
        """Return the scores of a name's types by the neighbours of one mention."""
        _, length, kind = self._ends[first, last]
        alike = self._befores[before].alike, self._afters[after].alike
        return self._sides[*alike, length, kind]

    def _read_words(
        self, candidates: Sequence[Candidate], befores: Sequence[_BeforeView], page: str
    ) -> dict[str, tuple[float, _Use]]:
        """Return, by word, its own score, and its class and use in a text."""
        lower_case = lexical.read_lower_case(page)
        length = lexical.measure_roughly(page)
        inside = Counter(
            [
                candidate.word
                for candidate, before in zip(candidates, befores, strict=True)
                if before.place == "mid"
            ]
        )
        words = {}
        for word, total in Counter([candidate.word for candidate in candidates]).items():
            score, low, level, kind, plural = self._words[word]
            counts = min(inside.get(word, 0), _MANY), min(total, _MANY)
            words[word] = score, (kind, level, plural, low in lower_case, *counts, length)
        return words

    def _sum(self, keys: list[str]) -> float:
        weights = self._names
        return sum([weights[key] for key in keys if key in weights])

    def _view_word(self, word: str) -> _WordView:
        low = word.lower()
        return _WordView(
            self._sum(lexical.describe_word(word, self.common)) + self._bias,
            low,
            self.common.get(low, 0),
            lexical.classify(word),
            word.endswith("s"),
        )

    def _view_before(self, before: str) -> _BeforeView:
        place, cue = lexical.locate(before), lexical.outline_before(before)
        low = before.lower()
        return _BeforeView(
            self._sum(lexical.describe_before(before, self.common)),
            place,
            cue,
            self._alike.setdefault((f"b={low}" in self._types and low, place, cue), before),
        )

    def _view_after(self, after: str) -> _AfterView:
        outline, bare = lexical.outline_after(after), after.rstrip(".,;:!?")
        return _AfterView(
            self._sum(lexical.describe_after(after, self.common)),
            outline,
            self._alike.setdefault((self._tells_type(bare) and bare, outline), after),
        )

    def _weigh_use(self, key: tuple[str, str, str, _Use]) -> float:
        place, cue, after, (kind, level, plural, lower, inside, total, length) = key
        use = lexical.WordUse(lower, inside, total, length)
        return self._sum(lexical.describe_use(place, cue, after, kind, level, plural, use))

    def _view_ends(self, key: tuple[str, str]) -> _EndsView:
        first, last = key
        kinds = lexical.classify(first), lexical.classify(last)
        keys = ["bias", *lexical.describe_name(first, last), *lexical.describe_case(last)]
        scores = self._sum_types(keys)
        if first != last and first.rstrip(".") in POLITE:
            scores = add_scores(scores, (KNOWN, 0.0, 0.0))
        elif first != last and "O" in kinds:
            scores = add_scores(scores, (0.0, 0.0, KNOWN))
        elif first != last and kinds == ("T", "") and first.rstrip(".") not in ("St", "Saint"):
            scores = add_scores(scores, (KNOWN, 0.0, 0.0))
        return _EndsView(scores, lexical.count_words(first, last), kinds[1])

    def _weigh_sides(self, key: tuple[str, str, str, str]) -> Scores:
        scores = self._sum_types(lexical.describe_sides(*key))
        does = key[1].rstrip(".,;:!?")[1:] in PERSON_VERBS
        return add_scores(scores, (DOES, 0.0, 0.0)) if does else scores

    def _tells_type(self, after: str) -> bool:
        return f"a={after}" in self._types or after[1:] in PERSON_VERBS

    def _sum_types(self, keys: list[str]) -> Scores:
        weights = self._types
        scores = 0.0, 0.0, 0.0
        for key in keys:
            if key in weights:
                scores = add_scores(scores, weights[key])
        return scores


def add_scores(one: Scores, other: Scores) -> Scores:
    """Add the scores of each type."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def read_model() -> NameModel:
    """Read the model that is shipped with this module."""
    data = json.loads(Path(__file__).with_name("model.json").read_text(encoding="utf-8"))
    common = {word: int(level) for level, words in data["common"].items() for word in words.split()}
    types = {key: (row[0], row[1], row[2]) for key, row in data["types"].items()}
    return NameModel(common, data["names"], types)


@lru_cache(maxsize=1)
def load_model() -> NameModel:
    """Return the shipped model; read on first use."""
    return read_model()
