"""Compute coordinates for nodes: communities side by side, the nodes of each close together.

Both levels use a force-directed layout (Fruchterman and Reingold, 1991), started from a fixed
sunflower arrangement, so that the same graph is always drawn the same: first the nodes of each
community, then the communities, as circles of the size they need. Many small layouts are fast,
where one of a thousand nodes would take seconds.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers


_ROUNDS, _FEWEST_ROUNDS = 80, 20
_MOST_PUSHES = 25_000_000
"""The most pairs of circles to compute, in all rounds together; at least for the fewest rounds."""

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_MOST_PULL = 3.0
"""The greatest total pull of all edges on one node."""

_FRAME = 1.2
"""The greatest distance from the centre, relative to the radius that all circles need together."""

_ROOM = 1.6
"""How much wider than its nodes a community is drawn."""


def place_nodes(
    size: int, source: Integers, target: Integers, strength: Floats, group: Integers
) -> Floats:
    """Return the coordinates of each of `size` nodes, (size, 2), about one unit apart.

    `source`, `target` and `strength` describe edges; `group` is the community of each node.
    """
    if size == 0:
        return np.zeros((0, 2))
    groups, group = np.unique(group, return_inverse=True)
    places = np.zeros((size, 2))
    radius = np.zeros(len(groups))
    for number in range(len(groups)):
        members = np.flatnonzero(group == number)
        local = np.full(size, -1)
        local[members] = np.arange(len(members))
        inside = (group[source] == number) & (group[target] == number)
        spots = _spread(
            np.ones(len(members)), local[source[inside]], local[target[inside]], strength[inside]
        )
        places[members] = spots
        radius[number] = _ROOM * max(1.0, float(np.hypot(*spots.T).max(initial=0.0)))
    across = group[source] != group[target]
    centres = _spread(radius, group[source[across]], group[target[across]], strength[across])
    return np.asarray(places + centres[group])


def snap_to_grid(places: Floats, width: int, height: int) -> Integers:
    """Return the coordinates moved to distinct cells of a grid, each near its place; scaled to
    cells.
    """
    taken: set[tuple[int, int]] = set()
    cells = np.zeros((len(places), 2), np.int64)
    for at, (x, y) in enumerate(places):
        column, row = round(float(x)), round(float(y))
        ring = 0
        while True:
            free = [
                (abs(across) + abs(down), down, across)
                for across in range(-ring, ring + 1)
                for down in range(-ring, ring + 1)
                if max(abs(across), abs(down)) == ring
                and (column + across, row + down) not in taken
            ]
            if free:
                _, down, across = min(free)
                break
            ring += 1
        cell = (column + across, row + down)
        taken.add(cell)
        cells[at] = cell[0] * width, cell[1] * height
    return cells


def _spread(radius: Floats, source: Integers, target: Integers, strength: Floats) -> Floats:
    """Return coordinates for circles of these radii: edges attract, circles repel by their size."""
    size = len(radius)
    steps = np.arange(size)
    reach = float(np.sqrt((radius**2).sum()))
    angle = steps * _GOLDEN_ANGLE
    far = reach * np.sqrt(steps / max(size - 1, 1))
    places = np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)
    if size == 1:
        return places
    frame = _FRAME * reach
    apart = radius[:, None] + radius[None, :]
    pressure = apart**2
    total = np.bincount(source, strength, size) + np.bincount(target, strength, size)
    strength = strength * min(1.0, _MOST_PULL / max(float(total.max()), 1e-9))
    rounds = max(_FEWEST_ROUNDS, min(_ROUNDS, _MOST_PUSHES // size**2))
    for turn in range(rounds):
        across, down = (places[:, None, at] - places[None, :, at] for at in (0, 1))
        push = pressure / np.maximum(across * across + down * down, 1e-12)
        force = np.stack([(push * across).sum(axis=1), (push * down).sum(axis=1)], axis=1)
        pull = places[target] - places[source]
        length = np.hypot(pull[:, 0], pull[:, 1])[:, None]
        pull *= strength[:, None] * length / apart[source, target][:, None]
        np.add.at(force, source, pull)
        np.add.at(force, target, -pull)
        force -= 0.05 * places * size / max(reach, 1.0)
        limit = reach * 0.1 * (1 - turn / rounds)
        strongest = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)[:, None]
        places += force / strongest * np.minimum(strongest, limit)
        places *= np.minimum(1.0, frame / np.maximum(np.hypot(*places.T), 1e-9))[:, None]
    return np.asarray(places - places.mean(axis=0))
