"""Mine rules from triples, and compute how strongly they support other triples.

    path     r(x, y) ← s(x, y)                whoever serves somebody knows them
             r(x, y) ← s(x, z) ∧ u(z, y)      whoever serves the ruler of a place lives there
    trait    r(x, b) ← s(x, a)                whoever serves Bob lives in Vantry

    confidence = holding / (pairs + LAPLACE)

x, y, z are variables, a and b are single entities; s and u may be traversed backwards. These are
the closed rules of AMIE+ (Galárraga et al. 2015, "Fast rule mining in ontological knowledge bases
with AMIE+") and the ground rules of AnyBURL (Meilicke et al. 2019, "Anytime bottom-up rule learning
for knowledge graph completion"), with AnyBURL's Laplace term in the denominator. Mining is
exhaustive, except that bodies that join too many pairs are skipped.

No triple is evidence for itself: the confidence of a rule for x and y is computed without x and y,
and both directions of a symmetric relation count as one triple.

Rules about single entities: whoever serves Bob lives in Vantry.

    r(x, b) ← s(x, a)

A trait of x is a way and the entity to which it leads: "serves Bob". The confidence of a trait for
x and b is computed without x; see `rules`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.triples.codes import (
    FEWEST,
    LAPLACE,
    Counts,
    Path,
    Sparse,
    Ways,
    confidence,
    matrix,
    merged,
    within,
)

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores


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


LEAST = 0.02
"""The least confidence of a path rule."""

LARGEST = 300_000
"""The most joins of two relations in the body of a rule; larger bodies are skipped."""

MOST = 10_000_000
"""The most joins of all bodies of two relations together; the smallest bodies are kept."""

KINDS = 3
"""The kinds of evidence for a triple: a path, a trait of its head, and a trait of its tail."""

SLOTS = 4
"""The number of counts that `Rules.slots` returns for a triple."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A path rule: `path` joins `pairs` pairs, `holding` of which are known to be so related."""

    relation: int
    path: Path
    pairs: int
    holding: int


@dataclass(frozen=True, slots=True)
class Ground:
    """The support of a rule for a triple: the triples that the rule uses, and its counts.

    `carried_by` has (head, relation, tail) triples. Of `pairs` other pairs that the path joins, or
    other entities with the trait, the conclusion is known to hold for `holding`.
    """

    carried_by: tuple[tuple[int, int, int], ...]
    pairs: int
    holding: int
    is_trait: bool = False

    @property
    def confidence(self) -> float:
        """The confidence of the rule, without the triple itself."""
        return confidence(self.holding, self.pairs)


class Rules:
    """The rules mined from triples of numbered entities and relations.

    Triples of `symmetric` relations may be given in either direction, or in both.
    """

    def __init__(
        self, triples: Integers, entities: int, relations: int, symmetric: Collection[int] = ()
    ) -> None:
        turned = triples[np.isin(triples[:, 1], list(symmetric))][:, ::-1]
        whole = np.unique(np.concatenate([triples, turned]), axis=0)
        self.entities, self.relations = entities, relations
        self.triples: Integers = whole[whole[:, 0] != whole[:, 2]]
        self._ways = Ways(relations, symmetric)

    @cached_property
    def _traits(self) -> Traits:
        return Traits(self.triples, self.entities, self._ways)

    @cached_property
    def paths(self) -> Mapping[int, tuple[Rule, ...]]:
        """The path rules by their conclusion, most confident first."""
        found: dict[int, list[Rule]] = defaultdict(list)
        for rule in self._mined[0]:
            found[rule.relation].append(rule)
        return {
            at: tuple(sorted(some, key=lambda one: (-confidence(one.holding, one.pairs), one.path)))
            for at, some in sorted(found.items())
        }

    @cached_property
    def _steps(self) -> list[Sparse]:
        """The adjacency matrix of each of the 2R ways: (entities, entities) of 0 and 1."""
        along = []
        for at in range(self.relations):
            own = self.triples[self.triples[:, 1] == at]
            along.append(matrix(own[:, 0], own[:, 2], (self.entities, self.entities)))
        return [*along, *(one.T.tocsr() for one in along)]

    @cached_property
    def _mined(self) -> tuple[list[Rule], list[tuple[Integers, Scores]]]:
        """The path rules, and for each relation the pairs that any rule joins, with confidences."""
        rules: list[Rule] = []
        best: list[tuple[Integers, Scores]] = [
            (np.empty(0, np.int64), np.empty(0, np.float32)) for _ in range(self.relations)
        ]
        for first, second, heads, tails in self._bodies():
            counts = Counts.of(self._known, self.relations, second, heads * self.entities + tails)
            for relation in np.unique(counts.relation).tolist():
                kept = self._kept(first, relation, counts)
                if not kept:
                    continue
                rules += kept.values()
                best[relation] = merged(best[relation], self._joined(relation, kept, counts))
        return rules, best

    def _bodies(self) -> Iterator[tuple[int, Integers, Integers, Integers]]:
        """Yield the pairs joined by each way alone, and by it followed by each other way.

        Yields (way, second ways, heads, tails), arrays with an item for each pair; the second way
        is -1 if there is none.
        """
        from scipy import sparse

        for way in self._ways.every:
            pairs = self._steps[way].tocoo()
            yield way, np.full(pairs.nnz, -1), pairs.row.astype(np.int64), pairs.col
        for way, others in self._affordable():
            several = sparse.hstack([self._steps[other] for other in others], "csr")
            found = (self._steps[way] @ several).tocoo()
            place, tail = np.divmod(found.col.astype(np.int64), self.entities)
            head = found.row.astype(np.int64)
            apart = head != tail
            yield way, np.array(others)[place][apart], head[apart], tail[apart]

    def _affordable(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each way with those that can follow it without joining too many pairs."""
        ways = self._ways.every
        out = np.array([np.diff(self._steps[way].indptr) for way in ways], np.float64)
        backs = [self._steps[self._ways.back(way)] for way in ways]
        into = np.array([np.diff(back.indptr) for back in backs], np.float64)
        steps = into @ out.T if len(out) else out
        order = np.argsort(steps, axis=None, kind="stable")
        total = np.cumsum(steps.ravel()[order])
        allowed = np.zeros(steps.size, np.bool_)
        allowed[order[total <= MOST]] = True
        allowed &= (steps.ravel() >= FEWEST) & (steps.ravel() <= LARGEST)
        for row, some in zip(ways, allowed.reshape(steps.shape), strict=True):
            if some.any():
                yield row, [ways[at] for at in np.nonzero(some)[0].tolist()]

    def _kept(self, first: int, relation: int, counts: Counts) -> dict[int, Rule]:
        """Return the rules with this conclusion, by the second way of their bodies."""
        kept = {}
        for second in counts.ways(relation):
            path = (first,) if second < 0 else (first, second)
            pairs, holding = counts.pairs[second], counts.holding[second, relation]
            if relation in self._ways.symmetric and path == self._ways.turned(path):
                pairs, holding = pairs // 2, holding // 2
            is_itself = path == (relation,)
            if not is_itself and holding >= FEWEST and confidence(holding, pairs - 1) >= LEAST:
                kept[second] = Rule(relation, path, pairs, holding)
        return kept

    def _joined(
        self, relation: int, kept: Mapping[int, Rule], counts: Counts
    ) -> tuple[Integers, Scores]:
        """Return the pairs that some rules join, as codes, with the confidence of each."""
        confident = np.zeros((2, 2 * self.relations + 1), np.float32)
        for second, rule in kept.items():
            for less in (0, 1):
                confident[less, second] = confidence(rule.holding - less, rule.pairs - 1)
        inside = np.isin(counts.second, list(kept))
        codes = counts.codes[inside]
        known = self._is_known(relation, codes)
        return codes, confident[known.astype(np.int64), counts.second[inside]]

    @cached_property
    def _known(self) -> Integers:
        """The sorted codes of the triples."""
        head, relation, tail = self.triples.T
        return np.sort((head * self.entities + tail) * self.relations + relation)

    def _is_known(self, relation: int, codes: Integers) -> Flags:
        return within(codes * self.relations + relation, self._known)[0]

    @cached_property
    def _path_strengths(self) -> tuple[Sparse, Sparse]:
        """Confidences by (relation and head, tail), and by (relation and tail, head)."""
        rows: list[Integers] = []
        columns: list[Integers] = []
        values: list[Scores] = []
        for relation, (codes, confidences) in enumerate(self._mined[1]):
            head, tail = np.divmod(codes, self.entities)
            rows.append(relation * self.entities + head)
            columns.append(relation * self.entities + tail)
            values.append(confidences)
        heads, tails = (np.concatenate([np.empty(0, np.int64), *some]) for some in (rows, columns))
        every = np.concatenate([np.empty(0, np.float32), *values])
        shape = self.relations * self.entities, self.entities
        return (
            matrix(heads, tails % max(1, self.entities), shape, every),
            matrix(tails, heads % max(1, self.entities), shape, every),
        )

    def strengths(self, triples: Integers) -> Scores:
        """Return the confidences of the rules for triples, (n, 3): (n, KINDS).

        They are 0 for unknown entities and relations.
        """
        found = np.zeros((len(triples), KINDS), np.float32)
        known = (triples[:, [0, 2]] < self.entities).all(1) & (triples[:, 1] < self.relations)
        head, relation, tail = triples[known].T
        if not len(head):
            return found
        symmetric = np.isin(relation, list(self._ways.symmetric))
        against = relation + np.where(symmetric, 0, self.relations)
        rows = relation * self.entities + head
        found[known, 0] = np.asarray(self._path_strengths[0][rows, tail]).reshape(-1)
        found[known, 1] = self._traits.strengths(head, relation, tail)
        found[known, 2] = self._traits.strengths(tail, against, head)
        return found

    @cached_property
    def _slots(self) -> tuple[Sparse, Sparse]:
        """How often each entity is the head of each relation, and how often its tail."""
        head, relation, tail = self.triples.T
        shape = self.entities, self.relations
        return matrix(head, relation, shape), matrix(tail, relation, shape)

    def slots(self, triples: Integers) -> Scores:
        """Return how often the ends of triples occur in their slots: (n, SLOTS).

        The counts are of the tail as a tail of the relation, the head as a head, the tail as a
        head, and the head as a tail. The triple itself is not counted.
        """
        found = np.zeros((len(triples), SLOTS), np.float32)
        known = (triples[:, [0, 2]] < self.entities).all(1) & (triples[:, 1] < self.relations)
        head, relation, tail = triples[known].T
        if not len(head):
            return found
        heads, tails = self._slots
        codes = (head * self.entities + tail) * self.relations + relation
        own = within(codes, self._known)[0]
        turned = own & np.isin(relation, list(self._ways.symmetric))
        for column, (table, end, less) in enumerate(
            ((tails, tail, own), (heads, head, own), (heads, tail, turned), (tails, head, turned))
        ):
            found[known, column] = np.asarray(table[end, relation]).reshape(-1) - less
        return found

    def strengths_of_tails(self, head: int, relation: int) -> Scores:
        """Return the confidences for (head, relation, x) with every entity x: (KINDS, entities)."""
        if head >= self.entities or relation >= self.relations:
            return np.zeros((KINDS, self.entities), np.float32)
        row = self._path_strengths[0][relation * self.entities + head].toarray()[0]
        against = self._ways.against(relation)
        return np.stack([row, self._traits.lead(head, relation), self._traits.have(against, head)])

    def strengths_of_heads(self, relation: int, tail: int) -> Scores:
        """Return the confidences for (x, relation, tail) with every entity x: (KINDS, entities)."""
        if tail >= self.entities or relation >= self.relations:
            return np.zeros((KINDS, self.entities), np.float32)
        row = self._path_strengths[1][relation * self.entities + tail].toarray()[0]
        against = self._ways.against(relation)
        return np.stack([row, self._traits.have(relation, tail), self._traits.lead(tail, against)])

    def grounds(self, head: int, relation: int, tail: int) -> list[Ground]:
        """Return the best path and the best trait of either end, most confident first."""
        found = [
            self._path_ground(head, relation, tail),
            self._trait_ground(head, relation, tail),
            self._trait_ground(tail, self._ways.against(relation), head),
        ]
        return sorted((one for one in found if one), key=lambda one: -one.confidence)

    def _path_ground(self, head: int, relation: int, tail: int) -> Ground | None:
        if not self._path_strengths[0][relation * self.entities + head, tail]:
            return None
        known = bool(self._is_known(relation, np.array([head * self.entities + tail]))[0])
        for rule in self.paths.get(relation, ()):
            carried_by = self._walk(head, rule.path, tail)
            if carried_by:
                return Ground(carried_by, rule.pairs - 1, rule.holding - known)
        return None

    def _walk(self, head: int, path: Path, tail: int) -> tuple[tuple[int, int, int], ...]:
        """Return the triples along a path from head to tail; () if it does not lead there."""
        steps = self._steps
        if len(path) == 1:
            return (self._ways.step(head, path[0], tail),) if steps[path[0]][head, tail] else ()
        back = steps[self._ways.back(path[1])]
        between = np.intersect1d(steps[path[0]][head].indices, back[tail].indices)
        if not len(between):
            return ()
        middle = int(between[0])
        return self._ways.step(head, path[0], middle), self._ways.step(middle, path[1], tail)

    def _trait_ground(self, entity: int, way: int, other: int) -> Ground | None:
        found = self._traits.best(entity, way, other)
        if found is None:
            return None
        own_way, end, pairs, holding = found
        return Ground((self._ways.step(entity, own_way, end),), pairs, holding, is_trait=True)
