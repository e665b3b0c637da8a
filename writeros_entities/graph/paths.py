"""Find the k strongest or shortest simple paths between sets of nodes.

A path's strength is the product of the strengths of its edges. With the cost of an edge

    strongest:  c = 8 · loss + 1        shortest:  c = 2⁴⁸ + loss        loss = round(−ln s · 10⁹)

the cheapest path is the strongest, and the shorter one of equally strong paths (or the other way
round). Costs are integers, so that sums do not depend on the order of addition; differences below
one part in 10⁹ per edge are rounded away.

Paths are found in ascending order of cost by a best-first search over partial paths (A*: Hart,
Nilsson and Raphael, 1968). The lower bound on the remaining cost is that of the cheapest *walk*
with the hops that are left (Bellman and Ford, hop by hop), which is exact except for loops. Ties go
to the path with the lower node numbers. So the first k paths off the queue are the k best; Yen's
algorithm would need a search for each deviation.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from writeros_entities.graph import MOST_PATHS
from writeros_entities.graph.neighbourhood import flags_of, neighbours_of
from writeros_entities.graph.network import Network

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers

Order = Literal["strongest", "shortest"]

_HOPS_BELOW = 8
_HOPS_ABOVE = 1 << 48
_NEVER = 1 << 60

_Step = tuple[int, int, bool, int, int]
_Partial = tuple[int, tuple[int, ...], bool, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Path:
    """A path: its nodes, the edge of the snapshot for each step, and the product of strengths."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    strength: float

    @property
    def hops(self) -> int:
        """The number of its edges."""
        return len(self.edges)

    def seen_from(self, starts: Sequence[int]) -> Path:
        """Return the path, reversed if its last node comes before its first in `starts`."""
        first, last = self.nodes[0], self.nodes[-1]
        if last not in starts or starts.index(first) <= starts.index(last):
            return self
        return Path(self.nodes[::-1], self.edges[::-1], self.strength)


def find_paths(
    network: Network,
    sources: Collection[int],
    targets: Collection[int],
    *,
    hops: int,
    limit: int = MOST_PATHS,
    order: Order = "strongest",
    min_strength: float = 0.0,
    allowed: Flags | None = None,
) -> list[Path]:
    """Return the best paths of at most `hops` edges from any source to any other target.

    If both ends are in both sets, a path and its reverse count as one. Edges weaker than
    `min_strength` and inner nodes that are not `allowed` are not used.
    """
    rules = _Rules(network, order, min_strength, allowed)
    search = _Search(rules, sorted(set(sources)), frozenset(targets), hops)
    both = frozenset(sources) & frozenset(targets)
    found = (
        (nodes, slots)
        for nodes, slots in search.run()
        if not (nodes[0] in both and nodes[-1] in both and nodes[0] > nodes[-1])
    )
    return [_path(network, nodes, list(slots)) for nodes, slots in islice(found, limit)]


@dataclass(frozen=True, eq=False)
class _Rules:
    """The costs of steps, and which steps are permitted."""

    network: Network
    order: Order
    min_strength: float
    allowed: Flags | None

    def costs(self, slots: Integers | slice) -> Integers:
        """Return the cost of each of these entries of the network, or _NEVER if it must not be
        used.
        """
        strengths = self.network.strengths[slots]
        usable = strengths >= self.min_strength
        if self.min_strength <= 0:
            usable &= strengths > 0
        if self.allowed is not None:
            usable &= self.allowed[self.network.neighbours[slots]]
        loss = self.network.losses[slots]
        cost = loss * _HOPS_BELOW + 1 if self.order == "strongest" else loss + _HOPS_ABOVE
        cost[~usable] = _NEVER
        return cost


class _Search:
    """A best-first search; `ahead[r][n]` is the least cost of 1 to r hops from n to a target.

    It is computed only where a path can pass: for few hops, at nodes that near to a target; for
    many, at nodes within reach of a source; halfway, at nodes that are both.
    """

    def __init__(
        self, rules: _Rules, sources: list[int], targets: frozenset[int], hops: int
    ) -> None:
        self._rules = rules
        self._network = rules.network
        self._sources = sources
        self._hops = hops
        self._is_target = flags_of(rules.network.size, sorted(targets))
        self._ahead = self._look_ahead()
        self._known: dict[tuple[int, int], list[_Step]] = {}

    def run(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the nodes of each path, and the entry of the network for each step, best first."""
        queue: list[_Partial] = [
            (int(self._ahead[self._hops][node]), (node,), False, 0, ()) for node in self._sources
        ]
        queue = [entry for entry in queue if entry[0] < _NEVER]
        heapq.heapify(queue)
        while queue:
            _, nodes, complete, cost, slots = heapq.heappop(queue)
            if complete:
                yield nodes, slots
                continue
            for node, step, is_target, further, slot in self._steps(
                nodes[-1], self._hops - len(nodes)
            ):
                if node in nodes:
                    continue
                onward, taken, total = (*nodes, node), (*slots, slot), cost + step
                if is_target:
                    heapq.heappush(queue, (total, onward, True, total, taken))
                if further < _NEVER:
                    heapq.heappush(queue, (cost + further, onward, False, total, taken))

    def _steps(self, node: int, left: int) -> list[_Step]:
        """Return the useful steps from a node, with `left` hops after each; cached.

        Each is a neighbour, the cost of the edge, whether it is a target, the cost of the edge with
        the least cost of going on, and the edge's entry in the network.
        """
        if (node, left) not in self._known:
            network = self._network
            row = slice(network.starts[node], network.starts[node + 1])
            met = network.neighbours[row]
            step = self._rules.costs(row)
            further = step + self._ahead[left][met]
            is_target = self._is_target[met]
            useful = np.flatnonzero((step < _NEVER) & (is_target | (further < _NEVER)))
            columns = (column[useful].tolist() for column in (met, step, is_target, further))
            slots = (useful + row.start).tolist()
            self._known[node, left] = list(zip(*columns, slots, strict=True))
        return self._known[node, left]

    def _look_ahead(self) -> list[Integers]:
        network = self._network
        half = self._hops // 2
        within = [flags_of(network.size, self._sources)]
        for _ in range(self._hops - half):
            within.append(within[-1] | neighbours_of(network, np.flatnonzero(within[-1])))
        never = np.full(network.size, _NEVER, np.int64)
        at_target = never.copy()
        at_target[self._is_target] = 0
        ahead = [never]
        reaching = self._is_target
        for hop in range(1, self._hops + 1):
            if hop <= half:
                reaching = reaching | neighbours_of(network, np.flatnonzero(reaching))
            asked = reaching if hop < half else within[self._hops - hop]
            if hop == half:
                asked = asked & reaching
            ahead.append(self._step_back(np.flatnonzero(asked), np.minimum(ahead[-1], at_target)))
        return ahead

    def _step_back(self, nodes: Integers, best: Integers) -> Integers:
        """Return, for each of these nodes, the least cost of one hop plus `best` at its end."""
        found = np.full(self._network.size, _NEVER, np.int64)
        slots, owner = self._network.slots(nodes)
        if len(slots):
            through = self._rules.costs(slots) + best[self._network.neighbours[slots]]
            firsts = np.flatnonzero(np.diff(owner, prepend=-1))
            found[nodes[owner[firsts]]] = np.minimum(np.minimum.reduceat(through, firsts), _NEVER)
        return found


def _path(network: Network, nodes: tuple[int, ...], slots: list[int]) -> Path:
    strength = 1.0
    for step in network.strengths[slots].tolist():
        strength *= step
    return Path(nodes, tuple(network.edges[slots].tolist()), strength)
