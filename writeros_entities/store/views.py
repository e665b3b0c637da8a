"""Views of the index for those who ask it in SQL: they count what the product counts.

They show the whole vault; who wants to know only what a reader of chapter 7 knows adds a condition
on `visible_from`. `key` is the id by which callers know an entity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_, select
from sqlalchemy.schema import CreateView

from writeros_entities.store.rows import chunk, entity, mention, note

if TYPE_CHECKING:
    from sqlalchemy import Column, ColumnElement, Connection, Select, Table


def entity_summary() -> Select[Any]:
    """Who and what is in the vault: each entity with a note or a mention, and how often it is met.

    `first_position` and `last_position` are those of the chapters that mention it.
    """
    is_met = or_(entity.c.mention_count > 0, entity.c.status == "noted")
    return (
        select(
            *(entity.c.vault_id, entity.c.id.label("entity_id"), entity.c.key, entity.c.name),
            *(entity.c.type, entity.c.status, entity.c.confidence, note.c.path),
            entity.c.mention_count.label("mentions"),
            entity.c.note_count.label("notes"),
            *(entity.c.first_position, entity.c.last_position, entity.c.visible_from),
        )
        .outerjoin(note, _is_row(note, entity.c.note_id))
        .where(is_met)
    )


def mention_current() -> Select[Any]:
    """Where somebody is named: the mentions that hold, one for each span and entity.

    The table `mention` has rival candidates besides, and what only a reader of earlier chapters
    takes a name for.
    """
    own = [column for column in mention.c if column.name not in ("since", "visible_until")]
    return (
        select(
            *(entity.c.key, entity.c.name, entity.c.type),
            *(note.c.id.label("note_id"), note.c.path, note.c.position, *own),
        )
        .join(chunk, _is_row(chunk, mention.c.chunk_id))
        .join(note, _is_row(note, chunk.c.note_id))
        .join(entity, _is_row(entity, mention.c.entity_id))
        .where(mention.c.visible_until.is_(None))
    )


def note_entities() -> Select[Any]:
    """Who is in a chapter or another note: each entity that a note names, and how often."""
    current = mention_current().subquery("current").c
    told = (
        *(current.vault_id, current.note_id, current.path, current.position),
        *(current.entity_id, current.key, current.name, current.type),
    )
    first = func.min(current.visible_from).label("visible_from")
    return select(*told, func.count().label("mentions"), first).group_by(*told)


VIEWS: tuple[Callable[[], Select[Any]], ...] = (entity_summary, note_entities, mention_current)
"""The views: each is the statement that a function of its name returns."""


def create_views(connection: Connection) -> None:
    """Create the views over the tables."""
    for view in VIEWS:
        connection.execute(CreateView(view(), view.__name__))


def drop_views(connection: Connection) -> None:
    """Drop the views, if they are there: no table can be changed under a view."""
    for view in VIEWS:
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {view.__name__}")


def _is_row(table: Table, column: Column[Any]) -> ColumnElement[bool]:
    """Return the condition that a row of a table is the one whose id another table's column is."""
    return and_(table.c.vault_id == column.table.c.vault_id, table.c.id == column)
