"""Co-occurrence: how strongly two entities are associated by being mentioned together.

There are three kinds of windows: chunk, scene and note. In each, the strength of a pair is the
cosine of the entities' rows in the incidence matrix (entity × window, 1 if the window mentions the
entity), shrunk by assuming k = 2 further windows that mention each entity without the other:

    s_w(a, b) = c_w / √((n_w(a) + k) · (n_w(b) + k))
    s(a, b)   = 0.5 · s_chunk + 0.3 · s_scene + 0.2 · s_note          in [0, 1)

with c_w the number of windows that mention both and n_w(x) of those that mention x. The cosine is
Salton's measure of co-occurrence (Salton and McGill, Introduction to Modern Information Retrieval,
1983). Normalised by frequency, it does not favour entities that are everywhere; the shrinkage keeps
a pair that was seen once at a third (1 / (1 + k)). Among the measures tried on a novel whose plot
is known, it ranks the pairs that drive the plot highest: normalised pointwise mutual information
(NPMI) prefers rare entities, and Jaccard leaves hardly a pair above 0.3. A pair's strength depends
on the two entities alone, so it can be computed for a single pair too.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from writeros_entities.values import LARGEST_POSITION

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers

SHRINKAGE = 2
"""The number of windows without the other that are added to each entity's count."""

SHARES = (0.5, 0.3, 0.2)
"""The weights of chunk, scene and note in the strength."""

MOST_TOGETHER = 100
"""A window that mentions more entities than this is a list, and no evidence for any pair."""

_SCENE = 1
"""The index of the scene among the three kinds of windows."""

LEAST_STRENGTH = 0.05
"""The least strength of an edge; weaker pairs are mostly of ubiquitous entities that met once."""

NOWHERE = LARGEST_POSITION
"""The position of what is outside the manuscript, or is never visible under `as_of`."""


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Mentions, as arrays of equal length: the node, its windows, and its positions.

    Windows are numbered from 0 within each kind. `position` is the note's reading position,
    `visible_from` the one from which the mention is visible; either may be NOWHERE.
    """

    node: Integers
    chunk: Integers
    scene: Integers
    note: Integers
    position: Integers
    visible_from: Integers

    @property
    def windows(self) -> tuple[Integers, Integers, Integers]:
        """The windows of each mention, by kind: chunk, scene, note."""
        return self.chunk, self.scene, self.note


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of nodes that occur together; `source` < `target`, in ascending order.

    `count` is the number of scenes that they share, `first` and `last` are reading positions of
    those scenes, or else of the notes that they share; `visible_from` is the position from which a
    reader can know of the pair.
    """

    source: Integers
    target: Integers
    strength: Floats
    count: Integers
    first: Integers
    last: Integers
    visible_from: Integers


def find_pairs(occurrences: Occurrences, nodes: int) -> Pairs:
    """Return the pairs among `nodes` entities that are strong enough to be an edge."""
    places = [_Mentioned.of(occurrences, window) for window in occurrences.windows]
    source, target, first, last, visible_from = _places(places, nodes)
    strength = np.zeros(len(source))
    scenes = np.zeros(len(source), np.int64)
    for at, place in enumerate(places):
        each, together = place.counts(nodes)
        common = _look_up(together, source, target, nodes)
        size = np.sqrt((each[source] + SHRINKAGE) * (each[target] + SHRINKAGE))
        strength += SHARES[at] * common / size
        if at == _SCENE:
            scenes = common
    kept = strength >= LEAST_STRENGTH
    return Pairs(
        source[kept],
        target[kept],
        strength[kept],
        scenes[kept],
        first[kept],
        last[kept],
        visible_from[kept],
    )


def pair_strength(first: Sequence[Set[object]], second: Sequence[Set[object]]) -> float:
    """Return the strength of one pair from the windows (chunks, scenes, notes) of each entity.

    Windows that are lists must have been left out.
    """
    strength = 0.0
    for share, one, other in zip(SHARES, first, second, strict=True):
        size = (len(one) + SHRINKAGE) * (len(other) + SHRINKAGE)
        strength += share * len(one & other) / float(np.sqrt(size))
    return strength if strength >= LEAST_STRENGTH else 0.0


@dataclass(frozen=True, eq=False)
class _Mentioned:
    """Which window mentions which node, without repeats, sorted by window; lists are left out."""

    window: Integers
    node: Integers
    position: Integers
    visible_from: Integers

    @classmethod
    def of(cls, occurrences: Occurrences, window: Integers) -> _Mentioned:
        order = np.lexsort((occurrences.visible_from, occurrences.node, window))
        window, node = window[order], occurrences.node[order]
        kept = np.ones(len(window), bool)
        kept[1:] = (window[1:] != window[:-1]) | (node[1:] != node[:-1])
        sizes = np.bincount(window[kept])
        kept &= sizes[window] <= MOST_TOGETHER
        order = order[kept]
        return cls(
            window[kept], node[kept], occurrences.position[order], occurrences.visible_from[order]
        )

    def counts(self, nodes: int) -> tuple[Integers, sparse.csr_array]:
        """Return the number of windows that mention each node, and each pair (sparse matrix)."""
        windows = int(self.window[-1]) + 1 if len(self.window) else 0
        ones = np.ones(len(self.node), np.int32)
        incidence = sparse.csr_array((ones, (self.node, self.window)), shape=(nodes, windows))
        together = sparse.csr_array(incidence @ incidence.T)
        together.sort_indices()
        return np.bincount(self.node, minlength=nodes), together


def _look_up(
    together: sparse.csr_array, source: Integers, target: Integers, nodes: int
) -> Integers:
    """Return the entry of a sparse matrix for each pair."""
    rows = np.repeat(np.arange(nodes, dtype=np.int64), np.diff(together.indptr))
    keys = rows * nodes + together.indices
    wanted = source * nodes + target
    if not len(keys):
        return np.zeros(len(wanted), np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, together.data[at], 0)


def _places(
    places: Sequence[_Mentioned], nodes: int
) -> tuple[Integers, Integers, Integers, Integers, Integers]:
    """Return the pairs that share a window: source, target, first, last, visible_from."""
    found = [_pairs_of(place, nodes) for place in places]
    pair, position, visible = (np.concatenate(parts) for parts in zip(*found, strict=True))
    keys, group = np.unique(pair, return_inverse=True)
    kind = np.repeat(np.arange(len(found)), [len(part[0]) for part in found])
    in_scene = (kind == _SCENE) & (position != NOWHERE)
    meet = np.zeros(len(keys), bool)
    meet[group[in_scene]] = True
    placed = in_scene | ~meet[group]
    first = np.full(len(keys), NOWHERE, np.int64)
    last = np.full(len(keys), -NOWHERE, np.int64)
    visible_from = np.full(len(keys), NOWHERE, np.int64)
    np.minimum.at(first, group[placed], position[placed])
    last_places = np.where(position == NOWHERE, -NOWHERE, position)
    np.maximum.at(last, group[placed], last_places[placed])
    np.minimum.at(visible_from, group, visible)
    last[first == NOWHERE] = NOWHERE
    return keys // max(nodes, 1), keys % max(nodes, 1), first, last, visible_from


def _pairs_of(place: _Mentioned, nodes: int) -> tuple[Integers, Integers, Integers]:
    """Return all pairs of nodes within windows: their keys, positions, and visible_from."""
    left, right = _pairs_within(place.window)
    low = np.minimum(place.node[left], place.node[right])
    high = np.maximum(place.node[left], place.node[right])
    visible = np.maximum(place.visible_from[left], place.visible_from[right])
    return low * nodes + high, place.position[left], visible


def _pairs_within(group: Integers) -> tuple[Integers, Integers]:
    """Return the indexes of all pairs of items in one group; groups are runs of equal numbers."""
    if not len(group):
        return group, group
    ends = np.append(np.flatnonzero(np.diff(group)), len(group) - 1)
    end_of = np.repeat(ends, np.diff(np.append(-1, ends)))
    behind = end_of - np.arange(len(group))
    left = np.repeat(np.arange(len(group)), behind)
    steps = np.arange(len(left)) - np.repeat(np.cumsum(behind) - behind, behind)
    return left, left + steps + 1
