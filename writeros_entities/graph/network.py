"""A network: the strongest edge between any two nodes, for traversal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers


Intervals: TypeAlias = tuple[tuple[int, int | None], ...]
"""Half-open intervals [since, until) of reading positions, in order; None means to the end."""


def holds_at(intervals: Intervals, position: int | None = None) -> bool:
    """Say whether a reading position is in one of the intervals; None means the end of the book."""
    if position is None:
        return bool(intervals) and intervals[-1][1] is None
    return any(
        since <= position and (until is None or position < until) for since, until in intervals
    )


LOSSES = 1e9
"""How many units of loss a strength of 1/e costs."""


@dataclass(frozen=True, eq=False)
class Network:
    """The strongest edge between any two nodes, in both directions, as compressed sparse rows.

    The neighbours of node n, in ascending order, are `neighbours[starts[n]:starts[n + 1]]`;
    `strengths` and `edges` (the indexes of edges in the snapshot) are parallel to `neighbours`.
    """

    starts: Integers
    neighbours: Integers
    strengths: Floats
    edges: Integers

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.starts) - 1

    @property
    def owners(self) -> Integers:
        """The node to whose row each entry of `neighbours` belongs."""
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    @cached_property
    def losses(self) -> Integers:
        """The loss of each entry: −ln of its strength, in whole parts of `LOSSES`; 0 if it is 0."""
        logarithms = -np.log(np.where(self.strengths > 0, self.strengths, 1.0))
        return np.maximum(np.rint(logarithms * LOSSES).astype(np.int64), 0)

    def degree(self, node: int) -> int:
        """Return the number of a node's neighbours."""
        return int(self.starts[node + 1] - self.starts[node])

    def slots(self, nodes: Integers) -> tuple[Integers, Integers]:
        """Return the indexes of these nodes' entries, and for each the index of its node in
        `nodes`.
        """
        return slots_of(self.starts, nodes)


def build_network(
    size: int, source: Integers, target: Integers, strength: Floats, edge: Integers | None = None
) -> Network:
    """Return the network of these edges, with the strongest between two nodes, then the first.

    Edges from a node to itself are left out.
    """
    low, high = np.minimum(source, target), np.maximum(source, target)
    pair = low * np.int64(size) + high
    order = np.lexsort((-strength, pair))
    pair = pair[order]
    best = (low != high)[order]
    best[1:] &= pair[1:] != pair[:-1]
    order = order[best].astype(np.int32)
    low, high = low[order], high[order]
    here, there = np.concatenate([low, high]), np.concatenate([high, low])
    arranged = np.argsort(here * np.int64(size) + there)
    both = np.concatenate([order, order])[arranged]
    return Network(
        starts_of(here, size),
        there[arranged].astype(np.int32),
        strength[both],
        both if edge is None else edge[both],
    )


def starts_of(rows: Integers, size: int) -> Integers:
    """Return the row offsets, (size + 1,), of compressed sparse rows from each entry's row."""
    starts = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=size), out=starts[1:])
    return starts


def places_of(ids: Integers, wanted: Integers) -> Integers:
    """Return the place of each wanted id in `ids`, which has no repeats; -1 if it is not there."""
    if not len(ids):
        return np.full(len(wanted), -1)
    order = np.argsort(ids)
    found = order[np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)]
    return np.where(ids[found] == wanted, found, -1)


def slots_of(starts: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Return the indexes of the entries of some compressed sparse rows.

    `starts` are the row offsets. The second array has, for each entry, the index of its row in
    `rows`.
    """
    counts = starts[rows + 1] - starts[rows]
    owner = np.repeat(np.arange(len(rows)), counts)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    return starts[rows][owner] + offset, owner
