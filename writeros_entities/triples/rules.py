"""Rules that can be read off triples, and how strongly they speak for others.

    path     r(x, y) ← s(x, y)                whoever serves somebody knows them
             r(x, y) ← s(x, z) ∧ u(z, y)      whoever serves the ruler of a place lives there
    trait    r(x, b) ← s(x, a)                whoever serves Bob lives in Vantry

    confidence = holding / (pairs + LAPLACE)

x, y, z stand for any entity, a and b for one; s and u may be walked against their direction. These
are the closed rules of AMIE+ (Galárraga et al. 2015, "Fast rule mining in ontological knowledge
bases with AMIE+") and the ground rules of AnyBURL (Meilicke et al. 2019, "Anytime bottom-up rule
learning for knowledge graph completion"), whose constant in the denominator is Laplace's. Every
rule is found whose body is not too large; nothing is sampled.

No triple is its own evidence: what a rule says of x and y is counted without x and y, and both
directions of a symmetric relation are one triple.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.triples.codes import Counts, Sparse, matrix, merged, within
from writeros_entities.triples.confidence import FEWEST, confidence
from writeros_entities.triples.traits import Traits
from writeros_entities.triples.ways import Path, Ways

if TYPE_CHECKING:
    from writeros_entities.triples.arrays import Flags, Floats, Ints

LEAST = 0.02
"""Confidence below which a path is no rule."""

LARGEST = 300_000
"""Steps by which two relations lead on, above which they are no body of a rule."""

MOST = 10_000_000
"""Steps of all bodies of two relations together; the smallest come first."""

KINDS = 3
"""Strengths of evidence for a triple: a path, a trait of its head, and a trait of its tail."""

SLOTS = 4
"""Counts of how often the ends of a triple stand there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A path, and how many pairs it joins; `holding` counts those known to be so related."""

    relation: int
    path: Path
    pairs: int
    holding: int


@dataclass(frozen=True, slots=True)
class Ground:
    """What speaks for a triple: the triples that carry it, (head, relation, tail), and the count.

    Of `pairs` others that are joined so, or that have the trait, it is known of `holding`.
    """

    carried_by: tuple[tuple[int, int, int], ...]
    pairs: int
    holding: int
    is_trait: bool = False

    @property
    def confidence(self) -> float:
        """The confidence of the rule about others."""
        return confidence(self.holding, self.pairs)


class Rules:
    """What triples teach: numbers of entities and relations are below these counts.

    Triples of `symmetric` relations may stand in either direction, or in both.
    """

    def __init__(
        self, triples: Ints, entities: int, relations: int, symmetric: Collection[int] = ()
    ) -> None:
        turned = triples[np.isin(triples[:, 1], list(symmetric))][:, ::-1]
        whole = np.unique(np.concatenate([triples, turned]), axis=0)
        self.entities, self.relations = entities, relations
        self.triples: Ints = whole[whole[:, 0] != whole[:, 2]]
        self._ways = Ways(relations, symmetric)

    @cached_property
    def _traits(self) -> Traits:
        return Traits(self.triples, self.entities, self._ways)

    @cached_property
    def paths(self) -> Mapping[int, tuple[Rule, ...]]:
        """The rules whose bodies are paths, by what they conclude, the most confident first."""
        found: dict[int, list[Rule]] = defaultdict(list)
        for rule in self._mined[0]:
            found[rule.relation].append(rule)
        return {
            at: tuple(sorted(some, key=lambda one: (-confidence(one.holding, one.pairs), one.path)))
            for at, some in sorted(found.items())
        }

    @cached_property
    def _steps(self) -> list[Sparse]:
        """Where each of 2R ways leads from each entity: (entities, entities) of 0 and 1."""
        along = []
        for at in range(self.relations):
            own = self.triples[self.triples[:, 1] == at]
            along.append(matrix(own[:, 0], own[:, 2], (self.entities, self.entities)))
        return [*along, *(one.T.tocsr() for one in along)]

    @cached_property
    def _mined(self) -> tuple[list[Rule], list[tuple[Ints, Floats]]]:
        """The rules, and for each relation the pairs that any of them joins, with confidences."""
        rules: list[Rule] = []
        best: list[tuple[Ints, Floats]] = [
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

    def _bodies(self) -> Iterator[tuple[int, Ints, Ints, Ints]]:
        """Yield what each way leads to alone, and then followed by each other way.

        As: the way, and for every pair joined the second way (or -1), the head and the tail.
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
        """Yield each way with those by which it can be followed in not too many steps."""
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
    ) -> tuple[Ints, Floats]:
        """Return the pairs that some rules join, as codes, with the greatest confidence of each."""
        confident = np.zeros((2, 2 * self.relations + 1), np.float32)
        for second, rule in kept.items():
            for less in (0, 1):
                confident[less, second] = confidence(rule.holding - less, rule.pairs - 1)
        inside = np.isin(counts.second, list(kept))
        codes = counts.codes[inside]
        known = self._is_known(relation, codes)
        return codes, confident[known.astype(np.int64), counts.second[inside]]

    @cached_property
    def _known(self) -> Ints:
        """The triples as sorted codes."""
        head, relation, tail = self.triples.T
        return np.sort((head * self.entities + tail) * self.relations + relation)

    def _is_known(self, relation: int, codes: Ints) -> Flags:
        return within(codes * self.relations + relation, self._known)[0]

    @cached_property
    def _path_strengths(self) -> tuple[Sparse, Sparse]:
        """Confidences by (relation and head, tail), and by (relation and tail, head)."""
        rows: list[Ints] = []
        columns: list[Ints] = []
        values: list[Floats] = []
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

    def strengths(self, triples: Ints) -> Floats:
        """Return how strongly rules speak for triples, (n, 3): (n, KINDS), of confidences.

        Nothing speaks for a triple of entities or relations beyond the counts.
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
        """How often each entity is the head of each relation, and its tail."""
        head, relation, tail = self.triples.T
        shape = self.entities, self.relations
        return matrix(head, relation, shape), matrix(tail, relation, shape)

    def slots(self, triples: Ints) -> Floats:
        """Return how often the ends of triples stand there: (n, SLOTS).

        The tail as a tail of the relation, the head as a head; the tail as a head, the head as a
        tail. Neither counts the triple itself.
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

    def strengths_of_tails(self, head: int, relation: int) -> Floats:
        """Return how strongly rules speak for (head, relation, each entity): (KINDS, entities)."""
        if head >= self.entities or relation >= self.relations:
            return np.zeros((KINDS, self.entities), np.float32)
        row = self._path_strengths[0][relation * self.entities + head].toarray()[0]
        against = self._ways.against(relation)
        return np.stack([row, self._traits.lead(head, relation), self._traits.have(against, head)])

    def strengths_of_heads(self, relation: int, tail: int) -> Floats:
        """Return how strongly rules speak for (each entity, relation, tail): (KINDS, entities)."""
        if tail >= self.entities or relation >= self.relations:
            return np.zeros((KINDS, self.entities), np.float32)
        row = self._path_strengths[1][relation * self.entities + tail].toarray()[0]
        against = self._ways.against(relation)
        return np.stack([row, self._traits.have(relation, tail), self._traits.lead(tail, against)])

    def grounds(self, head: int, relation: int, tail: int) -> list[Ground]:
        """Return the best path and the best trait of either end, the most confident first."""
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
        """Return the triples by which a path leads from head to tail; none where it does not."""
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
