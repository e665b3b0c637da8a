"""Names that are used without a note: which of them are one entity's.

A name that plugins derive from a longer one, and that is a part of it as it is written ("Ida" and
"Captain Ida" of "Captain Ida Crane", not "Captain Crane"), is a name of whoever bears the longer
one, unless another bears it as much.

Everything is decided where a reader comes to know a name, by what has been read until then: later
chapters change nothing of what is known as of an earlier one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

LEAST_OF_WORD = 0.5
"""A single word that derives with less weight than this is left alone."""

LEAST_OF_KNOWN_WORD = 0.6
"""So is one that is known before the longer name: a surname may be another's of the family."""

LEAST_OF_WORDS = 0.8
"""So is a part of several words: it has to be a name that is hardly anybody else's."""

UNKNOWN = "unknown"
"""The type of a name of which no use tells one."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name that is used often enough without a note, from `known_from` on.

    Its type is the one that most of its uses show until then; `path` is the note of the first.
    """

    key: str
    name: str
    type: str
    known_from: int
    confidence: float
    path: str


def read_suggestion(uses: Sequence[Any]) -> Suggestion:
    """Return what the uses of a name, in reading order, suggest; all together are enough."""
    known_from = _reach(uses)
    early = [use for use in uses if use.known_from <= known_from]
    first = early[0]
    confidence = max(use.confidence for use in early)
    return Suggestion(first.name_key, first.name, _vote(early), known_from, confidence, first.path)


def _vote(uses: Iterable[Any]) -> str:
    """Return the type that most uses show; of those that would be enough with fewer, each weighs
    more.
    """
    types: dict[str, float] = defaultdict(float)
    for use in uses:
        if use.type:
            types[use.type] += use.count / use.needed
    return min(types, key=lambda kind: (-types[kind], kind), default=UNKNOWN)


def group_names(
    found: Iterable[Suggestion], derived: Mapping[str, Mapping[str, float]]
) -> list[list[Suggestion]]:
    """Return the names of each entity, first the one by which it becomes known.

    `derived` holds for each name, by key, the weights of those that derive from it.
    """
    bearers = _Bearers(derived)
    for name in sorted(found, key=lambda one: (one.known_from, -len(one.key.split()), one.key)):
        bearers.add(name)
    return list(bearers.groups.values())


class _Bearers:
    """Who bears which names, as far as they have been read."""

    def __init__(self, derived: Mapping[str, Mapping[str, float]]) -> None:
        self.groups: dict[str, list[Suggestion]] = {}
        self._derived = derived
        self._first: dict[str, str] = {}
        self._wholes: dict[str, dict[str, float]] = defaultdict(dict)

    def add(self, name: Suggestion) -> None:
        """Give a name to whoever bears it: somebody known, or somebody new."""
        wholes = self._wholes.get(name.key)
        bearers = {self._first[whole] for whole in _surest(name.key, wholes)} if wholes else set()
        if not bearers:
            bearers = set(self._known_parts(name.key)[:1])
        first = bearers.pop() if len(bearers) == 1 else name.key
        self._first[name.key] = first
        self.groups.setdefault(first, []).append(name)
        for part in parts_of(name.key):
            if part in self._derived[name.key]:
                self._wholes[part][name.key] = self._derived[name.key][part]

    def _known_parts(self, whole: str) -> list[str]:
        """Return the parts of a name, the longest first, by which somebody is known already.

        Nobody who has a longer name already: "Ida Winslow" is not the Ida that is Ida Crane.
        """
        derived = self._derived[whole]
        return sorted(
            (
                part
                for part in parts_of(whole)
                if part in self.groups
                and part not in self._wholes
                and derived.get(part, 0.0)
                >= (LEAST_OF_WORDS if " " in part else LEAST_OF_KNOWN_WORD)
            ),
            key=lambda part: (-len(part.split()), part),
        )


def _surest(part: str, weights: Mapping[str, float]) -> Iterator[str]:
    """Yield the wholes that a part most surely stands for."""
    if " " in part:
        yield from (whole for whole, weight in weights.items() if weight >= LEAST_OF_WORDS)
    else:
        highest = max(weights.values())
        if highest >= LEAST_OF_WORD:
            yield from (whole for whole, weight in weights.items() if weight == highest)


def parts_of(name: str) -> Iterator[str]:
    """Yield what stands in a name at its beginning or its end or between, in whole words."""
    words = name.split(" ")
    for length in range(1, len(words)):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _reach(uses: Sequence[Any]) -> int:
    """Return the position at which the uses, in reading order, become enough."""
    totals = accumulate(use.count for use in uses)
    needed = accumulate((use.needed for use in uses), min)
    steps = zip(uses, totals, needed, strict=True)
    return next(int(use.known_from) for use, total, least in steps if total >= least)
