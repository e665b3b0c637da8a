"""Relations as they are walked: of R relations, n along the nth, and n + R against it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

Path: TypeAlias = tuple[int, ...]
"""One way, or two that follow each other."""


class Ways:
    """The ways of some relations; a symmetric one has only the way along it."""

    def __init__(self, relations: int, symmetric: Collection[int] = ()) -> None:
        self.relations = relations
        self.symmetric = frozenset(symmetric)
        self.every = [at for at in range(2 * relations) if at - relations not in self.symmetric]

    def plain(self, way: int) -> int:
        """Return a way, that of a symmetric relation from head to tail whichever way it goes."""
        return way - self.relations if way - self.relations in self.symmetric else way

    def back(self, way: int) -> int:
        """Return the way that leads where another one comes from."""
        return (way + self.relations) % (2 * self.relations)

    def against(self, relation: int) -> int:
        """Return the way from the tails of a relation to its heads."""
        return self.plain(relation + self.relations)

    def turned(self, path: Path) -> Path:
        """Return the path as it is walked from its end to its beginning."""
        return tuple(self.plain(self.back(way)) for way in reversed(path))

    def step(self, start: int, way: int, end: int) -> tuple[int, int, int]:
        """Return the triple by which a way leads from one entity to another."""
        if way < self.relations:
            return start, way, end
        return end, way - self.relations, start
