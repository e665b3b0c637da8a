"""List the entities of the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import EntityRef, empty_page, omitted, table
from writeros_entities.capabilities.parts import (
    Types,
    entity_ref,
    position_range,
    to_snake_case,
    types_meant,
)
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability
from writeros_entities.names import MAX_NAME
from writeros_entities.values import HEADING_SEPARATOR, EntityStatus

if TYPE_CHECKING:
    from writeros_entities.view import View


class ListEntities(Request["EntityList"]):
    """Which entities to list."""

    types: Types = ()
    statuses: Annotated[
        tuple[EntityStatus, ...],
        Field(description="Only these: noted, linked, known or suggested."),
    ] = ()
    containing: Annotated[
        str | None,
        Field(
            max_length=MAX_NAME, description="Only entities with this text in one of their names."
        ),
    ] = None
    order: Annotated[
        Literal["mentions", "name", "first"],
        Field(description="By number of mentions, by name, or by first appearance."),
    ] = "mentions"
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0

    _types = field_validator("types")(to_snake_case)


class ListedEntity(EntityRef):
    """An entity with its counts."""

    kind: str | None = Field(description="The writer's own word for its type, such as tavern.")
    heading: str | None = Field(description="The heading of its section in a note.")
    mention_count: int
    note_count: int
    first_position: int | None
    last_position: int | None


class EntityList(Response):
    """A page of entities, and how many there are."""

    limited: ClassVar[str | None] = "entities"

    entities: list[ListedEntity]
    total: int

    def as_text(self) -> str:
        """Return the entities as a table."""
        if not self.entities:
            return empty_page(self.total, "entity", "No entities.")
        names = [entity.name for entity in self.entities]
        rows = [
            (
                entity.name if names.count(entity.name) == 1 else f"{entity.name} ({entity.id})",
                entity.type,
                entity.status,
                entity.mention_count,
                entity.note_count,
                position_range(entity.first_position, entity.last_position),
            )
            for entity in self.entities
        ]
        headers = ["entity", "type", "status", "mentions", "notes", "reading order"]
        return table(headers, rows) + omitted(len(self.entities), self.total, "entity")


@capability(family="entities", job="see who and what there is")
def list_entities(view: View, request: ListEntities) -> EntityList:
    """List the people, places, factions and things of the vault, most mentioned first.

    Besides entities with a note: targets of links that have no note yet (`linked`), names that the
    notes repeat without one (`suggested`), and entities of a knowledge base (`known`).
    """
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.listing import list_entities as select_entities

    page, total = select_entities(
        view,
        types=types_meant(view, request.types),
        statuses=request.statuses,
        containing=request.containing,
        order=request.order,
        limit=request.limit,
        offset=request.offset,
    )
    names = display_names(view, [one.row.id for one in page])
    listed = [
        ListedEntity(
            **entity_ref(one.row, names).model_dump(),
            kind=one.row.word,
            heading=(one.row.heading or "").rpartition(HEADING_SEPARATOR)[2] or None,
            mention_count=one.mentions,
            note_count=one.notes,
            first_position=one.first,
            last_position=one.last,
        )
        for one in page
    ]
    return EntityList(entities=listed, total=total)
