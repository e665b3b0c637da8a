"""What relation models learn from, and what they have learned."""

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

    `key` identifies it from one training to the next: the canonical id of a knowledge base, or what
    the vault knows it by. `vector` is that of its text, where there is one.
    """

    key: str
    name: str
    type: str
    vector: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False)
class Facts:
    """What a relation model learns from: triples of numbers, (n, 3): head, relation, tail.

    Heads and tails count `endpoints`, relations `relations`; those in `symmetric` hold in both
    directions and stand once. `text_model` is the identity of the model that made the vectors.
    """

    endpoints: tuple[Endpoint, ...]
    relations: tuple[str, ...]
    triples: NDArray[np.int64]
    symmetric: frozenset[str] = frozenset()
    text_model: str | None = None

    def mirrored(self) -> NDArray[np.int64]:
        """Return the triples, and those of symmetric relations turned round as well."""
        turned = [at for at, name in enumerate(self.relations) if name in self.symmetric]
        import numpy as np

        among = self.triples[np.isin(self.triples[:, 1], turned)]
        joined: NDArray[np.int64] = np.concatenate([self.triples, among[:, ::-1]])
        return np.unique(joined, axis=0)


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained relation model: its weights as a file, and what it was found to be worth.

    `report` is as `triples.assessment` makes it: how held-out triples were told apart and ranked,
    beside the baselines, and the calibrator fitted to them. `endpoints` are the entities among
    which a triple is weighed; `facts` those that the report is about, from which rules speak for
    others. Their endpoints are the same, and their relations the first that the weights know.
    """

    weights: bytes
    report: Mapping[str, JSON]
    endpoints: tuple[Endpoint, ...] = ()
    facts: Facts | None = None
