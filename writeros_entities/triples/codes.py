"""Encode triples and pairs as integers, so that many can be looked up and counted at once.

pair     head · entities + tail
triple   pair · relations + relation
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores


Sparse: TypeAlias = Any
"""A scipy CSR matrix."""


@dataclass(frozen=True, eq=False)
class Counts:
    """Counts of the pairs joined by rule bodies that share their first way (see `ways`).

    `codes` and `second` have the code and the second way (-1: none) of each pair; `relation` has
    the relations known of the pairs, one item for each known triple. `pairs` counts by second way,
    `holding` by second way and relation.
    """

    codes: Integers
    second: Integers
    relation: Integers
    pairs: Mapping[int, int]
    holding: Mapping[tuple[int, int], int]

    @classmethod
    def of(cls, known: Integers, relations: int, second: Integers, codes: Integers) -> Counts:
        """Count pairs, given by code; `known` are the sorted codes of triples."""
        low = np.searchsorted(known, codes * relations)
        many = np.searchsorted(known, (codes + 1) * relations) - low
        owner = np.repeat(np.arange(len(codes)), many)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(many) - many, many)
        relation = known[low[owner] + offset] % relations
        ways, pairs = np.unique(second, return_counts=True)
        both = np.column_stack([second[owner], relation])
        held, holding = np.unique(both, axis=0, return_counts=True)
        return cls(
            codes,
            second,
            relation,
            dict(zip(ways.tolist(), pairs.tolist(), strict=True)),
            {(w, r): n for (w, r), n in zip(held.tolist(), holding.tolist(), strict=True)},
        )

    def ways(self, relation: int) -> list[int]:
        """Return the second ways for which some pairs are known to have this relation."""
        return [way for way, other in self.holding if other == relation]


def matrix(rows: Integers, columns: Integers, shape: tuple[int, int], values: Any = None) -> Sparse:
    """Return a sparse matrix with these entries, by default ones."""
    from scipy import sparse

    if values is None:
        values = np.ones(len(rows), np.float32)
    return sparse.csr_matrix((values, (rows, columns)), shape=shape)


def merged(one: tuple[Integers, Scores], other: tuple[Integers, Scores]) -> tuple[Integers, Scores]:
    """Return the distinct codes, sorted, with the greatest value of each."""
    codes, values = (np.concatenate(both) for both in zip(one, other, strict=True))
    order = np.argsort(codes, kind="stable")
    codes, values = codes[order], values[order]
    begins = np.concatenate([[True], codes[1:] != codes[:-1]]).nonzero()[0]
    return codes[begins], np.maximum.reduceat(values, begins)


def within(codes: Integers, known: Integers) -> tuple[Flags, Integers]:
    """Return flags of the codes that are in `known`, which is sorted, and their indexes there."""
    place = np.minimum(np.searchsorted(known, codes), max(0, len(known) - 1))
    found = known[place] == codes if len(known) else np.zeros(len(codes), np.bool_)
    return found, place


Path: TypeAlias = tuple[int, ...]
"""One way, or two in sequence."""


class Ways:
    """The ways of some relations; a symmetric one has only the forward way."""

    def __init__(self, relations: int, symmetric: Collection[int] = ()) -> None:
        self.relations = relations
        self.symmetric = frozenset(symmetric)
        self.every = [at for at in range(2 * relations) if at - relations not in self.symmetric]

    def plain(self, way: int) -> int:
        """Return a way, with the reverse of a symmetric relation replaced by the relation."""
        return way - self.relations if way - self.relations in self.symmetric else way

    def back(self, way: int) -> int:
        """Return the reverse of a way."""
        return (way + self.relations) % (2 * self.relations)

    def against(self, relation: int) -> int:
        """Return the way from the tails of a relation to its heads."""
        return self.plain(relation + self.relations)

    def turned(self, path: Path) -> Path:
        """Return the path in the other direction."""
        return tuple(self.plain(self.back(way)) for way in reversed(path))

    def step(self, start: int, way: int, end: int) -> tuple[int, int, int]:
        """Return the triple that a step along a way from one entity to another uses."""
        if way < self.relations:
            return start, way, end
        return end, way - self.relations, start


LAPLACE = 5.0
"""Added to the number of pairs, so that 3 of 3 count less than 9 of 12."""

FEWEST = 3
"""The least number of pairs for which a rule has to hold."""


def confidence(holding: float, pairs: float) -> float:
    """Return the confidence of a rule that joins `pairs` pairs and holds for `holding` of them."""
    return holding / (pairs + LAPLACE)
