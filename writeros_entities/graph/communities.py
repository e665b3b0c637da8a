"""Communities: nodes that are connected more strongly with each other than with the rest.

They are found by the Louvain method (Blondel, Guillaume, Lambiotte and Lefebvre, 2008): nodes are
moved between communities as long as the modularity grows (Newman, 2004), then each community
becomes a node, and so on. scikit-network moves the nodes.

    Q = Σ_c [ w_c / w  −  γ · (d_c / 2w)² ]

with w the sum of all strengths, w_c that of the edges inside community c, d_c that of the edges at
its nodes (an edge inside counts twice) and γ the resolution: values above 1 give more and smaller
communities. Nodes are visited in order, so the result is deterministic. The method can return
communities that are not connected (Traag, Waltman and van Eck, 2019); these are split.
"""

from __future__ import annotations

from functools import cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from writeros_entities.graph.network import Network

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers

_LEAST_GAIN = 1e-3
"""The least growth of modularity for which nodes are visited, or communities joined, once more."""


def find_communities(network: Network, resolution: float = 1.0) -> Integers:
    """Return the community of each node, numbered from 0 by their first nodes.

    A node without edges is a community of its own.
    """
    if not len(network.neighbours):
        return np.arange(network.size)
    labels = _connected(network, _divide(network, resolution))
    _, first, community = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[community]


def _divide(network: Network, resolution: float) -> Integers:
    shares = network.strengths / network.strengths.sum()
    links = sparse.csr_matrix((shares, network.neighbours, network.starts), (network.size,) * 2)
    degrees = np.bincount(network.owners, network.strengths, network.size)
    weights = degrees / degrees.sum()
    found = np.arange(network.size)
    while True:
        labels, gain = _move_nodes(links, weights, resolution)
        size = len(labels)
        member = sparse.csr_matrix((np.ones(size, bool), labels, np.arange(size + 1)))
        links = member.T.tocsr().dot(links.dot(member))
        weights = member.T.dot(weights)
        found = labels[found]
        if len(weights) == 1 or gain <= _LEAST_GAIN:
            return found


def _move_nodes(links: Any, weights: Any, resolution: float) -> tuple[Integers, float]:
    """Return the community of each node, and by how much the modularity has grown."""
    single = weights.astype(np.float32)
    labels, gain = _optimizer().optimize_core(
        np.arange(len(weights)),
        links.indices.astype(np.int64),
        links.indptr.astype(np.int64),
        links.data.astype(np.float32),
        *(single, single, single.copy(), single.copy(), np.zeros_like(single)),
        links.diagonal().astype(np.float32),
        resolution,
        _LEAST_GAIN,
    )
    return np.unique(labels, return_inverse=True)[1], gain


@cache
def _optimizer() -> Any:
    """Return scikit-network's compiled loop over the nodes.

    It is loaded from its file: importing its package, with all other methods, takes several times
    as long as the division of a large graph.
    """
    package = find_spec("sknetwork")
    folders = [] if package is None else package.submodule_search_locations or []
    places = [str(Path(folder, "clustering")) for folder in folders]
    spec = PathFinder.find_spec("louvain_core", places)
    if spec is None or spec.loader is None:
        from sknetwork.clustering import louvain_core  # it is installed in another way

        return louvain_core
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _connected(network: Network, labels: Integers) -> Integers:
    """Split each community into its connected components, which raises the modularity.

    Each node takes the least number among its neighbours' until none changes.
    """
    inside = labels[network.owners] == labels[network.neighbours]
    here, there = network.owners[inside], network.neighbours[inside]
    piece = np.arange(network.size)
    while True:
        least = piece.copy()
        np.minimum.at(least, here, piece[there])
        least = least[least]
        if np.array_equal(least, piece):
            return piece
        piece = least


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
