"""What the capabilities about relations share: parameters, entities as asked, and evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from pydantic.alias_generators import to_snake

from writeros_entities.capabilities.answers import Answer, Proof
from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from writeros_entities.learning.endpoints import ResolvedEndpoint
    from writeros_entities.ontology import Ontology, Reading
    from writeros_entities.view import View

TypeHint = Annotated[
    str | None,
    Field(description="Its type, if unclear from the name."),
]
Relation = Annotated[
    str,
    Field(
        min_length=1, max_length=100, description="A kind of relation (ally_of, …), or its inverse."
    ),
]


class LinkedEntity(Answer):
    """An entity as given in the request, and which one it is."""

    surface_form: str
    canonical_id: str = Field(description="Identifies the entity in further calls.")
    entity_type: str
    name: str
    status: str = Field(description="noted, linked, suggested; known, unknown: not in the vault.")


def to_type(value: str | None) -> str | None:
    """Convert a type to the index's spelling, so that `ProgrammingLanguage` is accepted too."""
    return None if value is None else to_snake(value)


def to_kind(value: str) -> str:
    """Convert a kind to the index's spelling: `parent_of` for `parentOf` and `parent of`."""
    return to_snake(value.strip().replace(" ", "_").replace("-", "_"))


def link(asked: ResolvedEndpoint) -> LinkedEntity:
    """Return the answer's reference to an entity that was looked up."""
    return LinkedEntity(
        surface_form=asked.surface,
        canonical_id=asked.id,
        entity_type=asked.endpoint.type,
        name=asked.endpoint.name,
        status=asked.status,
    )


def read_relation(ontology: Ontology, name: str, learned: Iterable[str]) -> Reading:
    """Return the reading of a relation's name.

    Raises NotFoundError for another word, with the kinds that it may mean, or else the nearest.
    """
    reading = ontology.read_name(name)
    known = set(learned)
    if reading.kind in ontology.kinds or reading.kind in known:
        return reading
    names = {*ontology.kinds, *known}
    names |= {kind.inverse for kind in ontology.kinds.values() if kind.inverse}
    nearest = ontology.names_of(name) or nearest_names(name, sorted(names))
    raise NotFoundError("kind of relation", name, nearest)


def proofs_of(view: View, relation_ids: Iterable[int], limit: int) -> dict[int, list[Proof]]:
    """Return the evidence of relations, without pieces whose file is gone."""
    from writeros_entities.story.asserted import evidence_of

    found = evidence_of(view, relation_ids, limit)
    return {
        relation: [Proof.of(row) for row in pieces if view.has_file(row.path)]
        for relation, pieces in found.items()
    }
