"""The built-in relation model: TransE, trained on the local CPU.

It ships weights trained on `facts.tsv`: what software is made of and by whom, and who was whose
relative, ruler, friend or enemy in history; see `model` for the formula. Training on a vault's own
relations includes these facts. Scoring needs only numpy; training needs PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from writeros_entities import Endpoint, Facts, ModelError, RelationModel, TrainedModel, hookimpl

if TYPE_CHECKING:
    from writeros_plugins.transe.model import PlacedTriples, Weights
    from writeros_plugins.transe.training import Recipe

__version__ = "1"


class TransE:
    """A model in which entities are points, and relations are translations between them."""

    name = "transe"

    def __init__(self, *, ships: bool = True, recipe: Recipe | None = None) -> None:
        """Create the model; `ships=False` leaves out the shipped weights and facts."""
        self._ships = ships
        self._recipe = recipe
        self.text_model = "all-MiniLM-L6-v2" if ships else None

    @property
    def identity(self) -> str:
        """Name, version, and a hash of the shipped files."""
        from writeros_plugins.transe.shipped import digest_files

        if not self._ships:
            return f"{self.name}/{__version__}"
        return f"{self.name}/{__version__} {digest_files()}"

    def shipped(self) -> TrainedModel | None:
        """Return the shipped weights."""
        from writeros_plugins.transe.shipped import read_shipped

        return read_shipped() if self._ships else None

    def train(self, facts: Facts) -> bytes:
        """Return weights trained on these facts and the shipped ones; deterministic.

        The number of steps is bounded, see `training.Recipe`.
        """
        if find_spec("torch") is None:
            raise ModelError(
                "Relations are learned with PyTorch, which is not installed: "
                "pip install 'writeros-entities[embeddings]'.",
                is_missing=True,
            )
        from writeros_plugins.transe.model import describe
        from writeros_plugins.transe.shipped import joined_with_shipped
        from writeros_plugins.transe.training import SMALL, train_weights

        every = joined_with_shipped(facts) if self._ships else facts
        weights = train_weights(
            describe(every.endpoints),
            [one.key for one in every.endpoints],
            every.relations,
            every.mirrored(),
            self._recipe or SMALL,
        )
        data: bytes = weights.to_bytes()
        return data

    def relations(self, weights: bytes) -> Sequence[str]:
        """Return the kinds of relation that the weights know."""
        names: tuple[str, ...] = _read(weights).relations
        return names

    def place(self, weights: bytes, endpoints: Sequence[Endpoint]) -> PlacedTriples:
        """Return a scorer of triples between these entities."""
        from writeros_plugins.transe.model import PlacedTriples, describe

        read, keys = _read(weights), [one.key for one in endpoints]
        return PlacedTriples(read, read.place(describe(endpoints), keys), keys)

    def is_trained(self, weights: bytes, endpoints: Sequence[Endpoint]) -> Sequence[bool]:
        """Return for each entity whether the weights were trained on a triple with it."""
        known = set(_read(weights).keys)
        return [one.key in known for one in endpoints]


@lru_cache(maxsize=4)
def _read(weights: bytes) -> Weights:
    """Return weights as arrays; the last few are cached."""
    from writeros_plugins.transe.model import Weights

    return Weights.from_bytes(weights)


@hookimpl
def register_relation_models() -> Iterable[RelationModel]:
    """Return TransE."""
    return [TransE()]
