"""The importance of a node: how often it is mentioned, and how central it is.

    importance = ½ · m / (m + 10)  +  ½ · r / max r

with m its mentions and r its PageRank (Brin and Page, 1998) in the undirected network, whose edges
are weighted by strength:

    r = (1 − d) / n + d · (Wᵀ r + the rank of dangling nodes, spread evenly),   d = 0.85

For a node without edges the second half is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from writeros_entities.store.importance import HALF_IMPORTANT

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers
    from writeros_entities.graph.network import Network

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
