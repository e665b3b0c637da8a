"""The input and the result of training relation models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from writeros_entities.values.notes import JSON


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An entity as a relation model sees it.

    `key` identifies it across trainings: the canonical id of a knowledge base, or the key by which
    the vault knows it. `vector` is that of its text, if there is one.
    """

    key: str
    name: str
    type: str
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """The training data of a relation model: triples (head, relation, tail) of numbers, (n, 3).

    Heads and tails are indexes into `endpoints`, relations into `relations`. Relations in
    `symmetric` hold in both directions and are stored once. `text_model` is the identity of the
    model that made the vectors.
    """

    endpoints: tuple[Endpoint, ...]
    relations: tuple[str, ...]
    triples: NDArray[np.int64]
    symmetric: frozenset[str] = frozenset()
    text_model: str | None = None

    def mirrored(self) -> NDArray[np.int64]:
        """Return the triples, with those of symmetric relations in both directions."""
        turned = [at for at, name in enumerate(self.relations) if name in self.symmetric]
        import numpy as np

        among = self.triples[np.isin(self.triples[:, 1], turned)]
        joined: NDArray[np.int64] = np.concatenate([self.triples, among[:, ::-1]])
        return np.unique(joined, axis=0)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained relation model: its serialised weights, and an evaluation.

    `report` is made by `triples.assessment`: how held-out triples were ranked and classified,
    compared with the baselines, and the calibrator fitted to them. `endpoints` are the entities
    with which the ends of a triple are compared; `facts` are those of the report, from which rules
    are mined. The endpoints of `facts` are the same, and its relations are the first that the
    weights know.
    """

    weights: bytes
    report: Mapping[str, JSON]
    endpoints: tuple[Endpoint, ...] = ()
    facts: Facts | None = None
