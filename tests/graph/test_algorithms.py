"""Neighbourhoods, paths and communities equal those of an independent library, on random graphs."""

from __future__ import annotations

from itertools import pairwise, product
from math import log
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from writeros_entities.graph.communities import find_communities, modularity
from writeros_entities.graph.neighbourhood import find_neighbourhood
from writeros_entities.graph.network import Network, build_network
from writeros_entities.graph.paths import Order, find_paths
from writeros_entities.graph.snapshot import page_rank

STRENGTHS = (0.1, 0.25, 0.5, 0.5, 0.8, 1.0)
"""Few values, so that ties are common."""


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> tuple[int, list[tuple[int, int, float]]]:
    """Return a number of nodes, and edges among them: parallel ones, loops and lone nodes too."""
    size = draw(st.integers(1, most))
    node = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(node, node, st.sampled_from(STRENGTHS)), max_size=3 * size))
    return size, edges


def network_of(size: int, edges: list[tuple[int, int, float]]) -> Network:
    columns = list(zip(*edges, strict=True)) or [(), (), ()]
    source, target = (np.array(column, np.int64) for column in columns[:2])
    return build_network(size, source, target, np.array(columns[2], np.float64))


def reference_of(size: int, edges: list[tuple[int, int, float]]) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(size))
    for source, target, strength in edges:
        if source != target:
            known = graph.get_edge_data(source, target, {"weight": 0.0})["weight"]
            graph.add_edge(source, target, weight=max(known, strength))
    return graph


def strength_of(graph: Any, nodes: tuple[int, ...]) -> float:
    strength = 1.0
    for here, there in pairwise(nodes):
        strength *= graph[here][there]["weight"]
    return strength


def loss_of(graph: Any, nodes: tuple[int, ...]) -> int:
    """Return by how much a path is weaker than 1: as a logarithm, of each edge to a part in 10⁹."""
    return sum(round(-log(graph[here][there]["weight"]) * 1e9) for here, there in pairwise(nodes))


def all_paths(
    graph: Any, sources: set[int], targets: set[int], hops: int
) -> dict[tuple[int, ...], float]:
    """Return every loop-free path between the sets, once where both ends are in both."""
    paths = {}
    for source, target in product(sources, targets):
        if source == target or (source > target and {source, target} <= sources & targets):
            continue
        for nodes in nx.all_simple_paths(graph, source, target, cutoff=hops):
            paths[tuple(nodes)] = strength_of(graph, tuple(nodes))
    return paths


@given(graphs(), st.data(), st.integers(0, 4))
def test_a_neighbourhood_has_the_nodes_within_so_many_hops(
    graph: tuple[int, list[tuple[int, int, float]]], data: st.DataObject, hops: int
) -> None:
    starts = data.draw(st.sets(st.integers(0, graph[0] - 1), min_size=1))
    found = find_neighbourhood(network_of(*graph), sorted(starts), hops)
    reference = nx.multi_source_dijkstra_path_length(
        reference_of(*graph), starts, cutoff=hops, weight=lambda *_: 1
    )
    assert dict(zip(found.nodes.tolist(), found.hops.tolist(), strict=True)) == reference


@given(graphs(), st.data(), st.integers(1, 4))
def test_a_neighbour_is_as_near_as_the_strongest_of_its_shortest_paths(
    graph: tuple[int, list[tuple[int, int, float]]], data: st.DataObject, hops: int
) -> None:
    start = data.draw(st.integers(0, graph[0] - 1))
    found = find_neighbourhood(network_of(*graph), [start], hops)
    reference = reference_of(*graph)
    for node, strength in zip(found.nodes.tolist(), found.strength.tolist(), strict=True):
        paths = [tuple(nodes) for nodes in nx.all_shortest_paths(reference, start, node)]
        assert strength == pytest.approx(max(strength_of(reference, nodes) for nodes in paths))


@given(graphs(), st.sampled_from([0.25, 0.5, 1.0]))
def test_edges_below_a_strength_and_other_types_are_not_walked(
    graph: tuple[int, list[tuple[int, int, float]]], least: float
) -> None:
    size, edges = graph
    allowed = np.arange(size) % 2 == 0
    found = find_neighbourhood(network_of(size, edges), [0], 4, min_strength=least, allowed=allowed)
    kept = [edge for edge in edges if edge[2] >= least and not (edge[0] % 2 or edge[1] % 2)]
    reference = nx.single_source_shortest_path_length(reference_of(size, kept), 0, cutoff=4)
    assert dict(zip(found.nodes.tolist(), found.hops.tolist(), strict=True)) == reference


@pytest.mark.parametrize("order", ["strongest", "shortest"])
@given(graphs(most=7), st.data(), st.integers(1, 4), st.integers(1, 12))
@settings(max_examples=150)
def test_the_best_paths_are_those_of_all_paths_that_rank_first(
    order: Order,
    graph: tuple[int, list[tuple[int, int, float]]],
    data: st.DataObject,
    hops: int,
    limit: int,
) -> None:
    nodes = st.sets(st.integers(0, graph[0] - 1), min_size=1, max_size=3)
    sources, targets = data.draw(nodes), data.draw(nodes)
    found = find_paths(network_of(*graph), sources, targets, hops=hops, limit=limit, order=order)
    reference = reference_of(*graph)
    every = all_paths(reference, sources, targets, hops)

    def rank(path: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        loss, length = loss_of(reference, path), len(path)
        return (loss, length, path) if order == "strongest" else (length, loss, path)

    assert [path.nodes for path in found] == sorted(every, key=rank)[:limit]
    for path in found:
        assert path.strength == pytest.approx(every[path.nodes])
        assert (len(set(path.nodes)), path.hops) == (len(path.nodes), len(path.nodes) - 1)


@given(graphs(most=12))
def test_communities_are_the_same_every_time_and_as_modular_as_the_reference_says(
    graph: tuple[int, list[tuple[int, int, float]]],
) -> None:
    network, reference = network_of(*graph), reference_of(*graph)
    labels = find_communities(network)
    assert labels.tolist() == find_communities(network_of(*graph)).tolist()
    members: dict[int, set[int]] = {}
    for node, label in enumerate(labels.tolist()):
        members.setdefault(label, set()).add(node)
    assert [min(group) for _, group in sorted(members.items())] == sorted(
        min(group) for group in members.values()
    )
    for group in members.values():
        assert nx.is_connected(reference.subgraph(group))
    assume(reference.number_of_edges())
    expected = nx.community.modularity(reference, members.values())
    assert modularity(network, labels) == pytest.approx(expected, abs=1e-9)
    alone = nx.community.modularity(reference, [{node} for node in reference])
    assert expected >= alone - 1e-6


def test_two_cliques_with_a_bridge_are_two_communities() -> None:
    cliques = [(a, b, 1.0) for group in ((0, 1, 2, 3), (4, 5, 6, 7)) for a in group for b in group]
    labels = find_communities(network_of(9, [*cliques, (3, 4, 0.25)]))
    assert labels.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2]


@given(graphs())
def test_page_rank_is_that_of_the_reference(
    graph: tuple[int, list[tuple[int, int, float]]],
) -> None:
    expected = nx.pagerank(reference_of(*graph), alpha=0.85, tol=1e-12, max_iter=1000)
    ranks = page_rank(network_of(*graph))
    assert ranks.tolist() == pytest.approx([expected[node] for node in range(graph[0])], abs=1e-7)


def test_nodes_one_and_ten_are_not_taken_for_each_other() -> None:
    edges = [(0, 10, 0.5), (10, 1, 0.5), (1, 11, 0.5)]
    [path] = find_paths(network_of(12, edges), {0}, {11}, hops=4)
    assert path.nodes == (0, 10, 1, 11)
    assert path.strength == 0.125
