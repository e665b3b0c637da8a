"""Names that are used without a note: which of them are one entity's.

    >>> join_names({"ida": {}, "ida crane": {"ida": 0.6}, "old mill": {}})
    {'ida': 'ida crane', 'ida crane': 'ida crane', 'old mill': 'old mill'}

A name that plugins derive from a longer one, and that is a part of it as it is written ("Ida" and
"Captain Ida" of "Captain Ida Crane", not "Captain Crane"), is a name of whoever bears the longer
one, unless another bears it as much. All this is about keys (see `fold_name`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEAST_OF_WORD = 0.5
"""A single word that derives with less weight than this is left alone."""
LEAST_OF_WORDS = 0.8
"""So is a part of several words: it has to be a name that is hardly anybody else's."""


UNKNOWN = "unknown"
"""The type of a name of which no use tells one."""


@dataclass(frozen=True)
class Suggestion:
    """A name that is used often enough without a note, from `known_from` on.

    It is first used at `used_from`, in the note at `path`. `types` weighs its uses by the type that
    they show; of those that would be enough with fewer, each weighs more.
    """

    key: str
    name: str
    used_from: int
    known_from: int
    confidence: float
    types: Mapping[str, float]
    path: str


def read_suggestion(uses: Sequence[Any]) -> Suggestion | None:
    """Return what the uses of a name, in reading order, suggest; None where they are too few."""
    known_from = _reach(uses)
    if known_from is None:
        return None
    early = [use for use in uses if use.known_from <= known_from]
    types: dict[str, float] = defaultdict(float)
    for use in uses:
        if use.type:
            types[use.type] += use.count / use.needed
    confidence = max(use.confidence for use in early)
    first = early[0]
    return Suggestion(
        *(first.name_key, first.name, first.known_from, known_from),
        *(confidence, types, first.path),
    )


def vote_type(names: Iterable[Suggestion]) -> str:
    """Return the type that most uses of some names show."""
    types: dict[str, float] = defaultdict(float)
    for name in names:
        for kind, weight in name.types.items():
            types[kind] += weight
    return min(types, key=lambda kind: (-types[kind], kind), default=UNKNOWN)


def group_names(
    found: Mapping[str, Suggestion], longest: Mapping[str, str]
) -> list[list[Suggestion]]:
    """Return the names of each entity, first the one to call it by.

    `longest` is what `join_names` returns. An entity is known as soon as one of its names is, and
    called by the fullest that has been read by then.
    """
    groups: dict[str, list[Suggestion]] = defaultdict(list)
    for key, name in found.items():
        groups[longest[key]].append(name)
    for names in groups.values():
        since = known_since(names)
        names.sort(key=lambda name: (name.used_from > since, -len(name.key.split()), name.key))
    return list(groups.values())


def known_since(names: Iterable[Suggestion]) -> int:
    """Return from where the entity is known that has some names."""
    return min(name.known_from for name in names)


def join_names(derived: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """Return for each name the longest one that its bearer has, mostly itself.

    `derived` holds for each name the weights of those that derive from it.
    """
    wholes: dict[str, dict[str, float]] = defaultdict(dict)
    for whole, weights in derived.items():
        for part in parts_of(whole):
            if part in derived and part in weights:
                wholes[part][whole] = weights[part]
    longest = {name: name for name in derived}
    for part in sorted(wholes, key=lambda name: (-len(name.split()), name)):
        bearers = {longest[whole] for whole in _surest(part, wholes[part])}
        if len(bearers) == 1:
            longest[part] = bearers.pop()
    return longest


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


def related_names(names: Iterable[str], known: Collection[str]) -> set[str]:
    """Return some names, and those among `known` that are parts or wholes of them, and so on."""
    wholes: dict[str, list[str]] = defaultdict(list)
    for name in known:
        for part in parts_of(name):
            wholes[part].append(name)
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting += wholes.get(name, ())
        waiting += [part for part in parts_of(name) if part in wholes or part in known]
    return found


def _reach(uses: Sequence[Any]) -> int | None:
    """Return the position at which the uses, in reading order, become enough; None for never."""
    total = 0
    needed = uses[0].needed
    for use in uses:
        total += use.count
        needed = min(needed, use.needed)
        if total >= needed:
            return int(use.known_from)
    return None
