"""Ways: relations with a direction. Of R relations, way n is the nth, n + R is it reversed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

Path: TypeAlias = tuple[int, ...]
"""One way, or two in sequence."""


class Ways:
    """The ways of some relations; a symmetric one has only the forward way."""

    def __init__(self, relations: int, symmetric: Collection[int] = ()) -> None:
        self.relations = relations
        self.symmetric = frozenset(symmetric)
        self.every = [at for at in range(2 * relations) if at - relations not in self.symmetric]

    def plain(self, way: int) -> int:
        """Return a way, with the reverse of a symmetric relation replaced by the relation."""
        return way - self.relations if way - self.relations in self.symmetric else way

    def back(self, way: int) -> int:
        """Return the reverse of a way."""
        return (way + self.relations) % (2 * self.relations)

    def against(self, relation: int) -> int:
        """Return the way from the tails of a relation to its heads."""
        return self.plain(relation + self.relations)

    def turned(self, path: Path) -> Path:
        """Return the path in the other direction."""
        return tuple(self.plain(self.back(way)) for way in reversed(path))

    def step(self, start: int, way: int, end: int) -> tuple[int, int, int]:
        """Return the triple that a step along a way from one entity to another uses."""
        if way < self.relations:
            return start, way, end
        return end, way - self.relations, start
