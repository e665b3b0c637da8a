"""Neighbourhoods: the nodes within some hops of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.graph.network import Network

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Nodes near others, sorted by hops, then by descending strength, then by number.

    `hops` is the distance from the nearest start, `strength` the product of the strengths along the
    strongest path of that many hops.
    """

    nodes: Integers
    hops: Integers
    strength: Floats


def find_neighbourhood(
    network: Network,
    starts: Sequence[int],
    hops: int,
    *,
    min_strength: float = 0.0,
    allowed: Flags | None = None,
) -> Neighbourhood:
    """Return the nodes within `hops` edges of any start, the starts included.

    Edges weaker than `min_strength` and nodes that are not `allowed` are not traversed.
    """
    distance = np.full(network.size, -1, np.int64)
    strength = np.zeros(network.size)
    frontier = np.flatnonzero(flags_of(network.size, starts))
    distance[frontier] = 0
    strength[frontier] = 1.0
    found = [frontier]
    for hop in range(1, hops + 1):
        slots, owner = network.slots(frontier)
        met = network.neighbours[slots]
        fresh = (distance[met] < 0) & (network.strengths[slots] >= min_strength)
        if allowed is not None:
            fresh &= allowed[met]
        slots, owner, met = slots[fresh], owner[fresh], met[fresh]
        np.maximum.at(strength, met, strength[frontier[owner]] * network.strengths[slots])
        frontier = np.flatnonzero(flags_of(network.size, met))
        distance[frontier] = hop
        found.append(frontier)
    nodes = np.concatenate(found)
    order = np.lexsort((nodes, -strength[nodes], distance[nodes]))
    nodes = nodes[order]
    return Neighbourhood(nodes, distance[nodes], strength[nodes])


def neighbours_of(network: Network, nodes: Integers) -> Flags:
    """Return flags of the nodes that are neighbours of these."""
    slots, _ = network.slots(nodes)
    return flags_of(network.size, network.neighbours[slots])


def flags_of(size: int, nodes: Sequence[int] | Integers) -> Flags:
    """Return flags of these nodes among `size` nodes."""
    flags = np.zeros(size, bool)
    flags[np.asarray(nodes, np.int64)] = True
    return flags
