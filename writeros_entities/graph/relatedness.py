"""How near entities are to one in the middle: by their vectors, and by who stands around them.

    s(c, n) = 0.7 · max(0, cos(v_c, v_n)) + 0.3 · |N(c) ∩ N(n)| / |N(c) ∪ N(n)|

times 1.3 where the two are bound by an asserted relation, and at most 1; N(x) is x with its
neighbours. It is the score by which passages are found for entities (E11, sections 3.2 and 3.7),
with the neighbours of an entity in the place of those that a passage mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.graph.arrays import Flags, Floats, Ints
    from writeros_entities.graph.network import Network
    from writeros_entities.graph.snapshot import Snapshot

SIMILARITY_SHARE = 0.7
OVERLAP_SHARE = 0.3
BOOST = 1.3
"""The factor for what matches exactly: a name as it was asked for, a relation as it is stated."""


def relatedness(
    network: Network, center: int, nodes: Ints, cosines: Floats, is_bound: Flags
) -> Floats:
    """Return how near each of `nodes` is to `center`, in 0-1.

    `cosines` and `is_bound`, whether an asserted relation binds it to the centre, run alongside.
    """
    overlap = neighbour_overlap(network, center, nodes)
    score = SIMILARITY_SHARE * np.maximum(cosines, 0.0) + OVERLAP_SHARE * overlap
    found: Floats = np.minimum(1.0, np.where(is_bound, BOOST, 1.0) * score)
    return found


def neighbour_overlap(network: Network, center: int, nodes: Ints) -> Floats:
    """Return the Jaccard index of the neighbours of `center` and of each of `nodes`.

    A node is one of its own neighbours, so that two who know only each other overlap wholly.
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
    """Return which nodes an asserted relation binds to one, from either end."""
    from writeros_entities.graph.snapshot import ORIGINS

    edges = snapshot.edges
    asserted = edges.origin == ORIGINS.index("asserted")
    flags = np.zeros(len(snapshot.nodes.ids), np.bool_)
    flags[edges.target[asserted & (edges.source == center)]] = True
    flags[edges.source[asserted & (edges.target == center)]] = True
    return flags
