"""The relatedness of entities to one in the centre, by their vectors and their neighbours.

    s(c, n) = 0.7 · max(0, cos(v_c, v_n)) + 0.3 · |N(c) ∩ N(n)| / |N(c) ∪ N(n)|

times 1.3 if an asserted relation connects the two, and at most 1; N(x) is x with its neighbours. It
is the score of `capabilities.search.by_entities`, with the neighbours of an entity in place of the
entities that a passage mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers
    from writeros_entities.graph.network import Network
    from writeros_entities.graph.snapshot import Snapshot

SIMILARITY_SHARE = 0.7
OVERLAP_SHARE = 0.3
BOOST = 1.3
"""The factor for exact matches: a name as requested, or an asserted relation."""


def relatedness(
    network: Network, center: int, nodes: Integers, cosines: Floats, is_bound: Flags
) -> Floats:
    """Return the relatedness of each of `nodes` to `center`, in 0-1.

    `cosines` and `is_bound` (an asserted relation connects the node to the centre) are parallel to
    `nodes`.
    """
    overlap = neighbour_overlap(network, center, nodes)
    score = SIMILARITY_SHARE * np.maximum(cosines, 0.0) + OVERLAP_SHARE * overlap
    found: Floats = np.minimum(1.0, np.where(is_bound, BOOST, 1.0) * score)
    return found


def neighbour_overlap(network: Network, center: int, nodes: Integers) -> Floats:
    """Return the Jaccard index of the neighbours of `center` and those of each of `nodes`.

    A node counts as its own neighbour, so two nodes with no other neighbours overlap fully.
    """
    around = np.zeros(network.size, np.bool_)
    around[network.neighbours[network.slots(np.array([center]))[0]]] = True
    around[center] = True
    slots, owner = network.slots(nodes)
    shared = np.bincount(owner, around[network.neighbours[slots]], minlength=len(nodes))
    shared += around[nodes]
    sizes = network.starts[nodes + 1] - network.starts[nodes] + 1
    overlap: Floats = shared / (sizes + around.sum() - shared)
    return overlap


def bound_by_relation(snapshot: Snapshot, center: int) -> Flags:
    """Return flags of the nodes that an asserted relation connects to one, in either direction."""
    from writeros_entities.graph.snapshot import ORIGINS

    edges = snapshot.edges
    asserted = edges.origin == ORIGINS.index("asserted")
    flags = np.zeros(len(snapshot.nodes.ids), np.bool_)
    flags[edges.target[asserted & (edges.source == center)]] = True
    flags[edges.source[asserted & (edges.target == center)]] = True
    return flags
