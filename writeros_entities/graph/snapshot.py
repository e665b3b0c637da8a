"""A snapshot: every entity and relation of a vault, as of one reading position, in arrays.

An edge is one relation or one co-occurrence; two entities may have several. Edges have the
direction in which they were asserted. Traversal ignores it, and uses a `Network`.

The importance of a node: how often it is mentioned, and how central it is.

    importance = ½ · m / (m + 10)  +  ½ · r / max r

with m its mentions and r its PageRank (Brin and Page, 1998) in the undirected network, whose edges
are weighted by strength:

    r = (1 − d) / n + d · (Wᵀ r + the rank of dangling nodes, spread evenly),   d = 0.85

For a node without edges the second half is 0.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from scipy import sparse

from writeros_entities.graph.network import (
    Intervals,
    Network,
    build_network,
    holds_at,
    slots_of,
    starts_of,
)
from writeros_entities.store.importance import HALF_IMPORTANT

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers


DAMPING = 0.85
_TOLERANCE = 1e-10
_ROUNDS = 200


def rank_nodes(network: Network, mentions: Integers) -> Floats:
    """Return the importance of each node of a network, in 0-1."""
    frequency = mentions / (mentions + HALF_IMPORTANT)
    rank = page_rank(network)
    connected = np.diff(network.starts) > 0
    highest = rank[connected].max() if connected.any() else 1.0
    central = np.where(connected, rank / highest, 0.0)
    return np.asarray(0.5 * frequency + 0.5 * central)


def page_rank(network: Network) -> Floats:
    """Return the PageRank of each node; they sum to 1."""
    size = network.size
    if size == 0:
        return np.zeros(0)
    weights = sparse.csr_array(
        (network.strengths, network.neighbours, network.starts), shape=(size, size)
    )
    total = np.asarray(weights.sum(axis=1)).ravel()
    dangling = total == 0
    share = np.divide(1.0, total, out=np.zeros(size), where=~dangling)
    rank = np.full(size, 1 / size)
    for _ in range(_ROUNDS):
        spread = weights @ (rank * share) + rank[dangling].sum() / size
        following = (1 - DAMPING) / size + DAMPING * spread
        if np.abs(following - rank).sum() < _TOLERANCE:
            return np.asarray(following)
        rank = following
    return rank


Origin = Literal["asserted", "co-occurrence"]

ORIGINS: tuple[Origin, ...] = ("asserted", "co-occurrence")
"""The origins of edges; among equally strong edges between two entities, the first origin wins."""

TOGETHER = "co_occurs_with"
"""The kind of co-occurrences."""

_NETWORKS_KEPT = 4


@dataclass(frozen=True, eq=False)
class Nodes:
    """Entities, in order of first appearance; `ids` are their row ids.

    `type` is an index into `types`. `position` is that of the first mention, `visible_from` the one
    from which a reader knows of the entity (NOWHERE if there is none).
    """

    ids: Integers
    type: Integers
    types: tuple[str, ...]
    mentions: Integers
    position: Integers
    visible_from: Integers

    @cached_property
    def index(self) -> dict[int, int]:
        """The node number of each entity, by row id."""
        return {int(row): at for at, row in enumerate(self.ids)}


@dataclass(frozen=True, eq=False)
class Edges:
    """Relations and co-occurrences; `source` and `target` are node numbers.

    `kind` is an index into `kinds`, `origin` into ORIGINS. `relation` is a relation's row id, 0 for
    a co-occurrence; relations come first. `count` is the number of pieces of evidence, or of shared
    scenes. `over` has the intervals in which relations are over, by edge; those that never end are
    left out.
    """

    source: Integers
    target: Integers
    kind: Integers
    kinds: tuple[str, ...]
    origin: Integers
    relation: Integers
    strength: Floats
    confidence: Floats
    count: Integers
    first: Integers
    last: Integers
    visible_from: Integers
    over: Mapping[int, Intervals] = field(default_factory=dict)

    def ends(self, edge: int) -> tuple[int, int]:
        """Return the nodes that an edge leads from and to."""
        return int(self.source[edge]), int(self.target[edge])

    def has_ended(self, edge: int) -> bool:
        """Say whether a relation is over in the end, and has not begun again."""
        return holds_at(self.over.get(edge, ()))


@dataclass(frozen=True)
class Selection:
    """A filter of edges and nodes; an empty set does not filter.

    Edges are chosen by kind, origin and least strength, nodes by type and least importance.
    """

    kinds: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    min_strength: float = 0.0
    min_importance: float = 0.0

    def has(self, kind: str, origin: Origin) -> bool:
        """Say whether edges of a kind and origin are selected, however strong."""
        is_kind = not self.kinds or kind in self.kinds
        return is_kind and (not self.origins or origin in self.origins)

    def enough(self, strength: float) -> float:
        """Return a strength, or 0 if it is less than the least."""
        return strength if strength >= self.min_strength else 0.0


def _key(selection: Selection) -> object:
    """Return what the network of a selection depends on."""
    return selection.kinds, selection.origins


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The graph of a vault as of one reading position."""

    nodes: Nodes
    edges: Edges
    _networks: OrderedDict[object, Network] = field(default_factory=OrderedDict, repr=False)

    @classmethod
    def with_network(cls, nodes: Nodes, edges: Edges, network: Network) -> Self:
        """Return a snapshot of which the network of all edges is known."""
        snapshot = cls(nodes, edges)
        snapshot._networks[_key(Selection())] = network
        return snapshot

    def network(self, selection: Selection = Selection()) -> Network:  # frozen
        """Return the network of the edges of these kinds and origins; the last few are cached.

        Types and strength are not applied: callers filter by them while traversing.
        """
        key = _key(selection)
        if key not in self._networks:
            edges, chosen = self.edges, np.flatnonzero(self._of_kind(selection)).astype(np.int32)
            self._networks[key] = build_network(
                len(self.nodes.ids),
                edges.source[chosen],
                edges.target[chosen],
                edges.strength[chosen],
                chosen,
            )
            while len(self._networks) > _NETWORKS_KEPT:
                self._networks.popitem(last=False)
        return self._networks[key]

    def filtered(self, selection: Selection) -> Network:
        """Return the network of selected edges and nodes, for computations on the whole graph."""
        network = self.network(selection)
        kept = network.strengths >= selection.min_strength
        allowed = self.allowed(selection)
        owner = network.owners
        if allowed is not None:
            kept &= allowed[owner] & allowed[network.neighbours]
        starts = starts_of(owner[kept], network.size)
        return Network(
            starts, network.neighbours[kept], network.strengths[kept], network.edges[kept]
        )

    def allowed(self, selection: Selection, always: Sequence[int] = ()) -> Flags | None:
        """Return flags of the nodes that are selected and those in `always`; None for all nodes."""
        if not (selection.types or selection.min_importance):
            return None
        flags = self.importance >= selection.min_importance
        if selection.types:
            wanted = np.array([name in selection.types for name in self.nodes.types], bool)
            flags &= wanted[self.nodes.type]
        flags[list(always)] = True
        return flags

    def edges_between(self, members: Integers, selection: Selection) -> Integers:
        """Return the selected edges between these nodes, strongest first."""
        inside = np.zeros(len(self.nodes.ids), bool)
        inside[members] = True
        found = self.edges_of(members, selection)
        return found[inside[self.edges.source[found]] & inside[self.edges.target[found]]]

    def edges_of(self, members: Integers, selection: Selection) -> Integers:
        """Return the edges at these nodes that are selected by kind, origin and strength.

        The strongest come first; among equally strong ones, the asserted.
        """
        edges = self.edges
        found = self._edges_at(members)
        found = found[edges.strength[found] >= selection.min_strength]
        found = found[self._of_kind(selection, found)]
        ends = (edges.kind[found], edges.target[found], edges.source[found])
        return found[np.lexsort((*ends, edges.origin[found], -edges.strength[found]))]

    def _of_kind(self, selection: Selection, edges: Integers | None = None) -> Flags:
        kind = self.edges.kind if edges is None else self.edges.kind[edges]
        origin = self.edges.origin if edges is None else self.edges.origin[edges]
        flags = np.ones(len(kind), bool)
        if selection.kinds:
            known = np.array([name in selection.kinds for name in self.edges.kinds], bool)
            flags &= known[kind]
        if selection.origins:
            flags &= np.array([name in selection.origins for name in ORIGINS])[origin]
        return flags

    def _edges_at(self, members: Integers) -> Integers:
        """Return every edge that touches one of the nodes, without repeats."""
        starts, edges = self._incident
        return np.unique(edges[slots_of(starts, members)[0]])

    @cached_property
    def _incident(self) -> tuple[Integers, Integers]:
        """The edges at each node, in either direction, as compressed sparse rows."""
        ends = np.concatenate([self.edges.source, self.edges.target])
        order = np.argsort(ends, kind="stable").astype(np.int32)
        order[order >= len(self.edges.source)] -= len(self.edges.source)
        return starts_of(ends, len(self.nodes.ids)), order

    @cached_property
    def importance(self) -> Floats:
        """The importance of each node, in 0-1: see `importance.rank_nodes`."""

        return rank_nodes(self.network(), self.nodes.mentions)
