"""Encode triples and pairs as integers, so that many can be looked up and counted at once.

pair     head · entities + tail
triple   pair · relations + relation
"""

from __future__ import annotations

from collections.abc import Mapping
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
