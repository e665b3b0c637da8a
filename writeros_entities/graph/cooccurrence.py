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
    together = [_Together.of(occurrences, window, nodes) for window in occurrences.windows]
    pair = np.sort(np.concatenate([one.pair for one in together]))
    pair = pair[np.flatnonzero(np.diff(pair, prepend=-1))]
    source, target = (end.astype(np.int32) for end in np.divmod(pair, max(nodes, 1)))
    strength = np.zeros(len(pair))
    count = np.zeros(len(pair), np.int32)
    first = np.full(len(pair), NOWHERE, np.int32)
    last = np.full(len(pair), -NOWHERE, np.int32)
    visible_from = np.full(len(pair), NOWHERE, np.int32)
    for share, one in zip(SHARES, together, strict=True):
        at = np.searchsorted(pair, one.pair)
        size = np.sqrt((one.each[source[at]] + SHRINKAGE) * (one.each[target[at]] + SHRINKAGE))
        strength[at] += share * one.count / size
        first[at] = np.minimum(first[at], one.first)
        last[at] = np.maximum(last[at], one.last)
        visible_from[at] = np.minimum(visible_from[at], one.visible_from)
    scene = together[_SCENE]
    at, placed = np.searchsorted(pair, scene.pair), scene.first != NOWHERE
    count[at] = scene.count
    first[at[placed]], last[at[placed]] = scene.first[placed], scene.last[placed]
    last[first == NOWHERE] = NOWHERE
    kept = strength >= LEAST_STRENGTH
    return Pairs(
        source[kept],
        target[kept],
        strength[kept],
        count[kept],
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
class _Together:
    """The pairs of nodes that share a window of one kind, ascending; lists are left out.

    `pair` is source × nodes + target; `count`, `first`, `last` and `visible_from` are of the
    windows that the pair shares. `each` is the number of windows that mention each node.
    """

    pair: Integers
    count: Integers
    first: Integers
    last: Integers
    visible_from: Integers
    each: Integers

    @classmethod
    def of(cls, occurrences: Occurrences, window: Integers, nodes: int) -> _Together:
        order = np.lexsort((occurrences.visible_from, occurrences.node, window))
        window, node = window[order], occurrences.node[order]
        fresh = np.ones(len(window), bool)
        fresh[1:] = (window[1:] != window[:-1]) | (node[1:] != node[:-1])
        fresh &= np.bincount(window[fresh])[window] <= MOST_TOGETHER
        window, node, order = window[fresh], node[fresh], order[fresh]
        position, visible_from = occurrences.position[order], occurrences.visible_from[order]
        left, right = _pairs_within(window)
        low, high = np.minimum(node[left], node[right]), np.maximum(node[left], node[right])
        pair = low * np.int64(nodes) + high
        by_pair = np.argsort(pair)
        pair, left, right = pair[by_pair], left[by_pair], right[by_pair]
        begins = np.flatnonzero(np.diff(pair, prepend=-1))
        place = position[left]
        return cls(
            pair[begins],
            np.diff(begins, append=len(pair)).astype(np.int32),
            np.minimum.reduceat(place, begins),
            np.maximum.reduceat(np.where(place == NOWHERE, -NOWHERE, place), begins),
            np.minimum.reduceat(np.maximum(visible_from[left], visible_from[right]), begins),
            np.bincount(node, minlength=nodes),
        )


def _pairs_within(group: Integers) -> tuple[Integers, Integers]:
    """Return the indexes of all pairs of items in one group; groups are runs of equal numbers."""
    ends = np.append(np.flatnonzero(np.diff(group)), len(group) - 1)
    end_of = np.repeat(ends, np.diff(np.append(-1, ends)))
    behind = end_of - np.arange(len(group))
    left = np.repeat(np.arange(len(group), dtype=np.int32), behind)
    begins = (np.cumsum(behind) - behind).astype(np.int32)
    steps = np.arange(len(left), dtype=np.int32) - np.repeat(begins, behind)
    return left, left + steps + 1
