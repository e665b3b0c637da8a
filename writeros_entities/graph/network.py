"""A network: the strongest edge between each two nodes, as questions of what is near need it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from writeros_entities.graph.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Network:
    """The strongest edge between each two nodes, in both directions, as compressed sparse rows.

    The neighbours of node n, in ascending order, are `neighbours[starts[n]:starts[n + 1]]`;
    `strengths` and `edges` (which edge of the snapshot it is) run alongside.
    """

    starts: Ints
    neighbours: Ints
    strengths: Floats
    edges: Ints

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Ints:
        """Whose neighbour each entry is."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    def slots(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return where the neighbours of these nodes stand, and for each whose neighbour it is."""
        return slots_of(self.starts, nodes)


def build_network(
    size: int, source: Ints, target: Ints, strength: Floats, edge: Ints | None = None
) -> Network:
    """Return the network of these edges; of several between two nodes the strongest, then first.

    Edges from a node to itself are left out: nothing is near by them.
    """
    edge = np.arange(len(source)) if edge is None else edge
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((edge, -strength, high, low))
    low, high = low[order], high[order]
    best = low != high
    best[1:] &= (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high, order = low[best], high[best], order[best]
    here, there = np.concatenate([low, high]), np.concatenate([high, low])
    both = np.concatenate([order, order])
    arranged = np.lexsort((there, here))
    both = both[arranged]
    return Network(
        starts_of(here, size), there[arranged].astype(np.int64), strength[both], edge[both]
    )


def starts_of(rows: Ints, size: int) -> Ints:
    """Return where each of `size` rows begins, and where the last ends, from each entry's row."""
    starts = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
    return starts


def slots_of(starts: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Return where the entries of some rows stand in compressed sparse rows, and for each its row.

    `starts` says where each row begins; rows are told by their place among those asked for.
    """
    counts = starts[rows + 1] - starts[rows]
    owner = np.repeat(np.arange(len(rows)), counts)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return starts[rows][owner] + offset, owner
