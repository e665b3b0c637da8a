"""A drawing: the part of a graph to show, with names and coordinates, for any output format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from writeros_entities.graph.intervals import Intervals, holds_at


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """An entity: `id` is its key, `x` and `y` are coordinates in units of the distance of nodes.

    `names` has the names by which it goes, each with the reading position it is met from, the last
    one its own; `since` is the position from which a reader knows of it (None: never, under
    `as_of`). `path` is that of its note, if it has a visible one.
    """

    id: str
    name: str
    type: str
    mentions: int
    importance: float
    x: float
    y: float
    since: int | None
    names: tuple[tuple[int | None, str], ...] = ()
    path: str | None = None


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A relation from one entity to another; a co-occurrence is undirected.

    `over` has the intervals of reading positions in which it is over.
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
    over: Intervals = ()

    @property
    def has_ended(self) -> bool:
        """Whether it is over in the end, and has not begun again."""
        return holds_at(self.over)

    @property
    def is_directed(self) -> bool:
        """Whether it leads from source to target only."""
        return self.origin != "co-occurrence"

    @property
    def label(self) -> str:
        """The kind in words, such as `parent of`; `together` for a co-occurrence."""
        return self.kind.replace("_", " ") if self.is_directed else "together"


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges, and the (reading position, title) pairs for the slider of a page."""

    title: str
    nodes: Sequence[DrawnNode]
    edges: Sequence[DrawnEdge]
    positions: Sequence[tuple[int, str]] = field(default_factory=tuple)
