"""Rules about single entities: whoever serves Bob lives in Vantry.

    r(x, b) ← s(x, a)

A trait of x is a way and the entity to which it leads: "serves Bob". The confidence of a trait for
x and b is computed without x; see `rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.triples.codes import matrix, within
from writeros_entities.triples.confidence import FEWEST, LAPLACE

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers, Scores
    from writeros_entities.triples.ways import Ways

BATCH = 512
"""Triples processed at once."""


class Traits:
    """The traits of numbered entities, from triples.

    Traits are identified by sorted codes, way · entities + the entity to which it leads.
    """

    def __init__(self, triples: Integers, entities: int, ways: Ways) -> None:
        head, relation, tail = triples.T
        turned = ~np.isin(relation, list(ways.symmetric))
        way = np.concatenate([relation, relation[turned] + ways.relations])
        other = np.concatenate([tail, head[turned]])
        own = np.concatenate([head, tail[turned]])
        self._entities = entities
        self._codes, place = np.unique(way * entities + other, return_inverse=True)
        self._has = matrix(own, place.reshape(-1), (entities, len(self._codes)))
        self._had = self._has.T.tocsr()
        self._count: Scores = np.asarray(self._has.sum(0)).reshape(-1)

    def lead(self, entity: int, way: int) -> Scores:
        """Return how confidently an entity's traits predict a way to each other entity."""
        codes, has = self._codes, self._has
        found = np.zeros(self._entities, np.float32)
        low, high = np.searchsorted(codes, [way * self._entities, (way + 1) * self._entities])
        own = has.indices[has.indptr[entity] : has.indptr[entity + 1]]
        if low == high or not len(own):
            return found
        together = (self._had[own] @ has[:, low:high]).toarray()
        together -= has[entity, low:high].toarray()
        inside = np.nonzero((own >= low) & (own < high))[0]
        together[inside, own[inside] - low] = 0.0
        confident = together / (self._count[own] - 1.0 + LAPLACE)[:, None]
        found[codes[low:high] % self._entities] = confident.max(0)
        return found

    def have(self, way: int, entity: int) -> Scores:
        """Return how confidently each entity's traits predict a way from it to this one."""
        has, had = self._has, self._had
        found = np.zeros(self._entities, np.float32)
        is_there, place = within(np.array([way * self._entities + entity]), self._codes)
        if not is_there[0]:
            return found
        holders = had.indices[had.indptr[place[0]] : had.indptr[place[0] + 1]]
        shared = np.asarray(has[holders].sum(0)).reshape(-1)
        shared[place[0]] = 0.0
        is_holder = np.zeros(self._entities)
        is_holder[holders] = 1.0
        rows = np.repeat(np.arange(self._entities), np.diff(has.indptr))
        less = is_holder[rows] * (has.indices != place[0])
        confident = (shared[has.indices] - less) / (self._count[has.indices] - 1.0 + LAPLACE)
        np.maximum.at(found, rows, confident.astype(np.float32))
        return found

    def strengths(self, entities: Integers, ways: Integers, others: Integers) -> Scores:
        """Return how confidently traits predict that ways lead from entities to others: (n,)."""
        found = np.zeros(len(entities), np.float32)
        for begin in range(0, len(entities), BATCH):
            part = slice(begin, begin + BATCH)
            rows, traits, counts = self._counts(entities[part], ways[part], others[part])
            confident = counts / (self._count[traits] - 1.0 + LAPLACE)
            np.maximum.at(found, rows + begin, confident.astype(np.float32))
        return found

    def best(self, entity: int, way: int, other: int) -> tuple[int, int, int, int] | None:
        """Return the trait that most confidently predicts that a way leads to another entity.

        Returns the trait's way and end, how many others have it, and for how many of these the
        conclusion is known. None if no trait has enough support.
        """
        _, traits, counts = self._counts(*(np.array([at]) for at in (entity, way, other)))
        if not len(traits) or counts.max() < FEWEST:
            return None
        confident = counts / (self._count[traits] - 1.0 + LAPLACE)
        best = int(np.lexsort((traits, -confident))[0])
        own_way, end = divmod(int(self._codes[traits[best]]), self._entities)
        pairs = round(float(self._count[traits[best]])) - 1
        return own_way, end, pairs, round(float(counts[best]))

    def _counts(
        self, entities: Integers, ways: Integers, others: Integers
    ) -> tuple[Integers, Integers, Scores]:
        """Return rows, traits and counts of others with a row's trait that also have its aim.

        A row's aim is the trait that it would predict: its way leading to its other entity.
        """
        is_there, place = within(ways * self._entities + others, self._codes)
        rows = np.nonzero(is_there)[0]
        aim, own = place[rows], self._has[entities[rows]]
        found = (self._had[aim] @ self._has).multiply(own).tocoo()
        has_aim = np.asarray(own[np.arange(len(rows)), aim]).reshape(-1)
        count = found.data - has_aim[found.row]
        count[found.col == aim[found.row]] = 0.0
        return rows[found.row], found.col, count
