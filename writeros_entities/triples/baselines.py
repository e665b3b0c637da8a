"""What a model of relations has to beat to be believed: rules that learn next to nothing.

degree     how many known triples an entity is part of
cosine     how alike two entities' vectors are, whatever the relation
frequency  how often an entity fills that end of that relation, and else its type does
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from writeros_entities.protocols import TripleScorer
    from writeros_entities.triples.arrays import Floats, Ints


class Degree:
    """Scores a triple by how many known triples its ends are part of."""

    def __init__(self, triples: Ints, entities: int) -> None:
        ends = np.bincount(triples[:, [0, 2]].ravel(), minlength=entities)
        self._share = np.log1p(ends)

    def score(self, heads: Ints, relations: Ints, tails: Ints) -> Floats:
        """Return the scores of triples that broadcast against each other."""
        total: Floats = self._share[heads] + self._share[tails] + 0.0 * relations
        return total


class Cosine:
    """Scores a triple by the cosine of its ends' vectors, (entities, dimensions)."""

    def __init__(self, vectors: Floats) -> None:
        length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        self._cosines = (vectors / length) @ (vectors / length).T

    def score(self, heads: Ints, relations: Ints, tails: Ints) -> Floats:
        """Return the scores of triples that broadcast against each other."""
        total: Floats = self._cosines[heads, tails] + 0.0 * relations
        return total


class Frequency:
    """Scores a triple by how often its ends, or entities of their types, stand there."""

    def __init__(self, triples: Ints, entities: int, relations: int, types: Sequence[str]) -> None:
        names = {name: at for at, name in enumerate(sorted(set(types)))}
        kind = np.array([names[name] for name in types], np.int64)
        members = np.maximum(np.bincount(kind, minlength=len(names)), 1)
        self._heads, self._tails = (
            _shares(triples[:, 1], triples[:, end], relations, entities, kind, members)
            for end in (0, 2)
        )

    def score(self, heads: Ints, relations: Ints, tails: Ints) -> Floats:
        """Return the scores of triples that broadcast against each other."""
        total: Floats = self._heads[relations, heads] + self._tails[relations, tails]
        return total


def _shares(
    relation: Ints, entity: Ints, relations: int, entities: int, kind: Ints, members: Ints
) -> Floats:
    """Return log(1 + how often each entity, or on average its type, stands at an end)."""
    counts = np.zeros((relations, entities))
    np.add.at(counts, (relation, entity), 1.0)
    by_type = np.zeros((relations, len(members)))
    np.add.at(by_type, (relation, kind[entity]), 1.0)
    shares: Floats = np.log1p(counts + (by_type / members)[:, kind])
    return shares


def baselines(
    triples: Ints, vectors: Floats, types: Sequence[str], relations: int
) -> Mapping[str, TripleScorer]:
    """Return the baselines, by name, as learned from triples, (n, 3)."""
    entities = len(types)
    return {
        "degree": Degree(triples, entities),
        "cosine": Cosine(vectors),
        "frequency": Frequency(triples, entities, relations, types),
    }
