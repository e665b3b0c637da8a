"""A knowledge base of programming languages, frameworks, databases and the like.

The entities are in `entities.json`: a list of objects with `id`, `name`, `type`, `forms` (in any
case), `exact` (only as written) and `description`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from writeros_entities import EntityType, KnowledgeBase, KnownEntity, RelationKind, hookimpl

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__version__ = "1"

TYPES = (
    EntityType("programming_language", "programming_languages", ("programming language",)),
    EntityType("framework", "frameworks", ("library",)),
    EntityType("database", "databases"),
    EntityType("cloud", "clouds", ("cloud service", "cloud platform")),
    EntityType("company", "companies"),
    EntityType("technical_term", "technical_terms", ("technical term",)),
)


KINDS = (
    RelationKind(
        "implemented_in",
        inverse="implementation_language_of",
        domain=("framework", "database", "cloud", "technical_term", "programming_language"),
        range=("programming_language",),
        text="is implemented in",
        inverse_text="is what is used to implement",
        keys=("written in", "programmed in"),
    ),
)


@dataclass(frozen=True)
class TechnicalKnowledge:
    """The knowledge base `technical`, read on first use."""

    source: Traversable
    name: str = "technical"

    @property
    def identity(self) -> str:
        """The name and a hash of the data."""
        digest = hashlib.blake2b(self._data, digest_size=6).hexdigest()
        return f"{self.name}/{digest}"

    def entities(self) -> Sequence[KnownEntity]:
        """Return the entities in the order of the file."""
        return self._entities

    @cached_property
    def _data(self) -> bytes:
        return self.source.read_bytes()

    @cached_property
    def _entities(self) -> tuple[KnownEntity, ...]:
        return tuple(
            KnownEntity(
                id=entry["id"],
                name=entry["name"],
                type=entry["type"],
                forms=tuple(entry.get("forms", ())),
                exact_forms=tuple(entry.get("exact", ())),
                description=entry.get("description", ""),
            )
            for entry in json.loads(self._data)
        )


@hookimpl
def register_knowledge_bases() -> Iterable[KnowledgeBase]:
    """Return the technical knowledge base."""
    return [TechnicalKnowledge(files(__package__) / "entities.json")]


@hookimpl
def register_entity_types() -> Iterable[EntityType]:
    """Return the types of the technical knowledge base."""
    return TYPES


@hookimpl
def register_relation_kinds() -> Iterable[RelationKind]:
    """Return the kinds of relation that only technical entities have."""
    return KINDS
