"""Baselines that a relation model has to beat: rules that learn next to nothing.

degree     the number of known triples of which an entity is part
cosine     the similarity of two entities' vectors, whatever the relation
frequency  how often an entity, or else its type, fills that end of that relation
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from writeros_entities.arrays import Integers, Scores
    from writeros_entities.protocols import TripleScorer


class Degree:
    """Scores a triple by the number of known triples of its ends."""

    def __init__(self, triples: Integers, entities: int) -> None:
        ends = np.bincount(triples[:, [0, 2]].ravel(), minlength=entities)
        self._share = np.log1p(ends)

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._share[heads] + self._share[tails] + 0.0 * relations
        return total


class Cosine:
    """Scores a triple by the cosine of its ends' vectors, (entities, dimensions)."""

    def __init__(self, vectors: Scores) -> None:
        length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        self._cosines = (vectors / length) @ (vectors / length).T

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._cosines[heads, tails] + 0.0 * relations
        return total


class Frequency:
    """Scores a triple by how often its ends, or entities of their types, fill these ends."""

    def __init__(
        self, triples: Integers, entities: int, relations: int, types: Sequence[str]
    ) -> None:
        names = {name: at for at, name in enumerate(sorted(set(types)))}
        kind = np.array([names[name] for name in types], np.int64)
        members = np.maximum(np.bincount(kind, minlength=len(names)), 1)
        self._heads, self._tails = (
            _shares(triples[:, 1], triples[:, end], relations, entities, kind, members)
            for end in (0, 2)
        )

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._heads[relations, heads] + self._tails[relations, tails]
        return total


def _shares(
    relation: Integers,
    entity: Integers,
    relations: int,
    entities: int,
    kind: Integers,
    members: Integers,
) -> Scores:
    """Return log(1 + count of each entity at an end + mean count of entities of its type)."""
    counts = np.zeros((relations, entities))
    np.add.at(counts, (relation, entity), 1.0)
    by_type = np.zeros((relations, len(members)))
    np.add.at(by_type, (relation, kind[entity]), 1.0)
    shares: Scores = np.log1p(counts + (by_type / members)[:, kind])
    return shares


def baselines(
    triples: Integers, vectors: Scores, types: Sequence[str], relations: int
) -> Mapping[str, TripleScorer]:
    """Return the baselines, by name, learned from triples of shape (n, 3)."""
    entities = len(types)
    return {
        "degree": Degree(triples, entities),
        "cosine": Cosine(vectors),
        "frequency": Frequency(triples, entities, relations, types),
    }
