"""Communities: nodes that are connected more strongly with each other than with the rest.

They are found by the Louvain method (Blondel, Guillaume, Lambiotte and Lefebvre, 2008), in
scikit-network's implementation, which moves nodes between communities as long as the modularity
grows (Newman, 2004):

    Q = Σ_c [ w_c / w  −  γ · (d_c / 2w)² ]

with w the sum of all strengths, w_c that of the edges inside community c, d_c that of the edges at
its nodes (an edge inside counts twice) and γ the resolution: values above 1 give more and smaller
communities. Nodes are visited in order, so the result is deterministic. The method can return
communities that are not connected (Traag, Waltman and van Eck, 2019); these are split.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from writeros_entities.graph.network import Network

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers


def find_communities(network: Network, resolution: float = 1.0) -> Integers:
    """Return the community of each node, numbered from 0 by their first nodes.

    A node without edges is a community of its own.
    """
    if network.size == 0:
        return np.zeros(0, np.int64)
    if not len(network.neighbours):
        return np.arange(network.size)
    from sknetwork.clustering import Louvain

    weights = sparse.csr_matrix(
        (network.strengths, network.neighbours, network.starts), shape=(network.size,) * 2
    )
    labels = Louvain(resolution=resolution, random_state=0, sort_clusters=False).fit_predict(
        weights
    )
    labels = _connected(network, np.asarray(labels, np.int64))
    _, first, community = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[community]


def _connected(network: Network, labels: Integers) -> Integers:
    """Split each community into its connected components, which raises the modularity."""
    owner = network.owners
    inside = labels[owner] == labels[network.neighbours]
    ones = np.ones(int(inside.sum()), np.int8)
    links = (ones, (owner[inside], network.neighbours[inside]))
    _, pieces = csgraph.connected_components(
        sparse.csr_array(links, shape=(network.size,) * 2), directed=False
    )
    return np.asarray(pieces, np.int64)


def modularity(network: Network, community: Integers, resolution: float = 1.0) -> float:
    """Return the modularity Q of a partition into communities, in [-0.5, 1]."""
    twice = float(network.strengths.sum())
    if twice == 0:
        return 0.0
    owner = network.owners
    inside = community[owner] == community[network.neighbours]
    degree = np.bincount(community[owner], weights=network.strengths)
    within = float(network.strengths[inside].sum())
    return within / twice - resolution * float(np.sum((degree / twice) ** 2))
