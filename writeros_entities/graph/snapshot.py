"""A snapshot: every entity and relation of a vault, as of one reading position, in arrays.

An edge is one relation, or one co-occurrence; two entities may have several. Edges are directed as
they were asserted; every question of what is near or connected takes them in both directions. The
`Network` is what such questions are asked of: the strongest edge between each two.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from writeros_entities.graph.cooccurrence import Floats, Ints
from writeros_entities.graph.stretches import Stretches, is_so

Flags: TypeAlias = npt.NDArray[np.bool_]
Origin = Literal["asserted", "inferred", "co-occurrence"]

ORIGINS: tuple[Origin, ...] = ("asserted", "inferred", "co-occurrence")
"""Where an edge comes from; of two equally strong ones between two entities, the first counts."""

TOGETHER = "co_occurs_with"
"""The kind of a co-occurrence."""

_NETWORKS_KEPT = 4


@dataclass(frozen=True, eq=False)
class Nodes:
    """Entities, in order of first appearance; `ids` are their rows' ids.

    `type` indexes into `types`. `position` is that of the first mention, `visible_from` that from
    which a reader knows of the entity (NOWHERE for none).
    """

    ids: Ints
    type: Ints
    types: tuple[str, ...]
    mentions: Ints
    position: Ints
    visible_from: Ints

    @cached_property
    def index(self) -> dict[int, int]:
        """The number of the node of each entity, by the id of its row."""
        return {int(row): at for at, row in enumerate(self.ids)}


@dataclass(frozen=True, eq=False)
class Edges:
    """Relations and co-occurrences: `source` and `target` are nodes.

    `kind` indexes into `kinds`, `origin` into ORIGINS. `relation` is the id of the row of a
    relation, 0 for a co-occurrence. `count` is the number of pieces of evidence, or of scenes.
    `over` says between which positions a relation was over that ever was.
    """

    source: Ints
    target: Ints
    kind: Ints
    kinds: tuple[str, ...]
    origin: Ints
    relation: Ints
    strength: Floats
    confidence: Floats
    count: Ints
    first: Ints
    last: Ints
    visible_from: Ints
    over: Mapping[int, Stretches] = field(default_factory=dict)

    def has_ended(self, edge: int) -> bool:
        """Say whether a relation is over, and has not begun again."""
        return is_so(self.over.get(edge, ()))


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

    def slots(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Return where the neighbours of these nodes stand, and for each whose neighbour it is."""
        counts = self.starts[nodes + 1] - self.starts[nodes]
        owner = np.repeat(np.arange(len(nodes)), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.starts[nodes][owner] + offset, owner


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
    starts = np.zeros(size + 1, np.int64)
    np.cumsum(np.bincount(here, minlength=size), out=starts[1:])
    both = both[arranged]
    return Network(starts, there[arranged].astype(np.int64), strength[both], edge[both])


@dataclass(frozen=True)
class Selection:
    """Which edges count: of these kinds and origins (none: all), at least so strong; and which
    nodes: of these types (none: all)."""

    kinds: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    min_strength: float = 0.0


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The graph of a vault as of one reading position."""

    nodes: Nodes
    edges: Edges
    _networks: OrderedDict[object, Network] = field(default_factory=OrderedDict, repr=False)

    def network(self, selection: Selection = Selection()) -> Network:  # frozen
        """Return the network of the edges of these kinds and origins; the last few are kept.

        Types and strength are left to those who walk it: they differ from question to question.
        """
        key = (selection.kinds, selection.origins)
        if key not in self._networks:
            chosen = np.flatnonzero(self._of_kind(selection))
            edges = self.edges
            order = chosen[np.argsort(edges.origin[chosen], kind="stable")]
            self._networks[key] = build_network(
                len(self.nodes.ids),
                edges.source[order],
                edges.target[order],
                edges.strength[order],
                order,
            )
            while len(self._networks) > _NETWORKS_KEPT:
                self._networks.popitem(last=False)
        return self._networks[key]

    def filtered(self, selection: Selection) -> Network:
        """Return the network of what is selected alone, for questions of the graph as a whole."""
        network = self.network(selection)
        kept = network.strengths >= selection.min_strength
        allowed = self.allowed(selection)
        owner = np.repeat(np.arange(network.size), np.diff(network.starts))
        if allowed is not None:
            kept &= allowed[owner] & allowed[network.neighbours]
        starts = np.zeros(network.size + 1, np.int64)
        np.cumsum(np.bincount(owner[kept], minlength=network.size), out=starts[1:])
        return Network(
            starts, network.neighbours[kept], network.strengths[kept], network.edges[kept]
        )

    def allowed(self, selection: Selection, always: Sequence[int] = ()) -> Flags | None:
        """Return which nodes have one of the types, or are asked for; None where all may be met."""
        if not selection.types:
            return None
        wanted = np.array([name in selection.types for name in self.nodes.types], bool)
        flags = wanted[self.nodes.type] if len(wanted) else np.zeros(len(self.nodes.ids), bool)
        flags[list(always)] = True
        return flags

    def edges_between(self, members: Ints, selection: Selection) -> Ints:
        """Return the edges among these nodes that are selected, strongest first."""
        inside = np.zeros(len(self.nodes.ids), bool)
        inside[members] = True
        found = self.edges_of(members, selection)
        return found[inside[self.edges.source[found]] & inside[self.edges.target[found]]]

    def edges_of(self, members: Ints, selection: Selection) -> Ints:
        """Return the edges of these nodes that are selected by kind, origin and strength.

        The strongest come first; of equally strong ones, the asserted.
        """
        edges = self.edges
        found = self._edges_at(members)
        found = found[edges.strength[found] >= selection.min_strength]
        found = found[self._of_kind(selection, found)]
        ends = (edges.kind[found], edges.target[found], edges.source[found])
        return found[np.lexsort((*ends, edges.origin[found], -edges.strength[found]))]

    def _of_kind(self, selection: Selection, edges: Ints | None = None) -> Flags:
        kind = self.edges.kind if edges is None else self.edges.kind[edges]
        origin = self.edges.origin if edges is None else self.edges.origin[edges]
        flags = np.ones(len(kind), bool)
        if selection.kinds:
            known = np.array([name in selection.kinds for name in self.edges.kinds], bool)
            flags &= known[kind]
        if selection.origins:
            flags &= np.array([name in selection.origins for name in ORIGINS])[origin]
        return flags

    def _edges_at(self, members: Ints) -> Ints:
        """Return every edge that touches one of the nodes, each once."""
        starts, slots = self._incident
        counts = starts[members + 1] - starts[members]
        owner = np.repeat(np.arange(len(members)), counts)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.unique(slots[starts[members][owner] + offset])

    @cached_property
    def _incident(self) -> tuple[Ints, Ints]:
        """The edges that leave or reach each node, as compressed sparse rows."""
        ends = np.concatenate([self.edges.source, self.edges.target])
        order = np.argsort(ends, kind="stable")
        starts = np.zeros(len(self.nodes.ids) + 1, np.int64)
        np.cumsum(np.bincount(ends, minlength=len(self.nodes.ids)), out=starts[1:])
        return starts, order % max(len(self.edges.source), 1)

    @cached_property
    def importance(self) -> Floats:
        """How important each node is, in 0-1: see `importance.rank_nodes`."""
        from writeros_entities.graph.importance import rank_nodes

        return rank_nodes(self.network(), self.nodes.mentions)
