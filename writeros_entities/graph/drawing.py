"""A drawing: the part of a graph that is shown, with names and places, ready for any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from writeros_entities.graph.stretches import Stretches, is_so


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """An entity: `id` is its key, `x` and `y` its place in units of a node's distance.

    `names` are the names it goes by and from which reading position, the last one its own;
    `since` is the position from which a reader knows of it (None: never, under `as_of`). `path`
    is its note, where it has one that may be seen.
    """

    id: str
    name: str
    type: str
    mentions: int
    importance: float
    community: int
    x: float
    y: float
    since: int | None
    names: tuple[tuple[int | None, str], ...] = ()
    path: str | None = None


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A relation from one entity to another; a co-occurrence has no direction.

    `over` are the reading positions between which it was over.
    """

    source: str
    target: str
    kind: str
    origin: str
    strength: float
    count: int
    first: int | None
    last: int | None
    since: int | None
    over: Stretches = ()

    @property
    def has_ended(self) -> bool:
        """Say whether it is over, and has not begun again."""
        return is_so(self.over)

    @property
    def is_directed(self) -> bool:
        """Say whether it leads from source to target, and not both ways."""
        return self.origin != "co-occurrence"

    @property
    def label(self) -> str:
        """The kind as words: `parent of`; of a co-occurrence `together`."""
        return self.kind.replace("_", " ") if self.is_directed else "together"


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges, and the reading positions that the slider of a page goes through."""

    title: str
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    positions: Sequence[tuple[int, str]] = field(default_factory=tuple)
