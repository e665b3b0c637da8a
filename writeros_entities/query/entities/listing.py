"""List and count entities, and read what the index has on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, or_, select

from writeros_entities.names import fold_name
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.view import View


def count_forms(view: View, entity_id: int) -> dict[str, int]:
    """Return the number of mentions of an entity, by form."""
    mention = view.mention
    statement = (
        select(mention.c.form, func.count().label("mentions"))
        .where(mention.c.entity_id == entity_id)
        .group_by(mention.c.form)
    )
    return {row.form: row.mentions for row in view.all(statement)}


def count_mentions(view: View, entity_ids: Sequence[int]) -> dict[int, Any]:
    """Return the number of mentions and notes, the first and last position, and the mean
    confidence, by entity.
    """
    found = view.all_among(_select_counts(view), view.mention.c.entity_id, entity_ids)
    return {row.entity_id: row for row in found}


def list_entities(
    view: View,
    *,
    types: Sequence[str] = (),
    statuses: Sequence[str] = (),
    containing: str | None = None,
    order: str = "mentions",
) -> list[Any]:
    """Return the entities with `mentions`, `notes`, `first` and `last`, sorted by `order`.

    An entity with neither a note nor a mention is left out: nothing in the vault is about it.
    `containing` is searched for in every visible name. Entities are sorted by the names that are
    shown; those that tie otherwise, by the paths of their notes.
    """
    entity, note = view.entity, view.note
    told = (entity.c.id, entity.c.key, entity.c.canonical_id, entity.c.name, entity.c.type)
    statement: Select[Any] = select(*told, entity.c.status, note.c.path)
    statement = statement.outerjoin(note, note.c.id == entity.c.note_id)
    if view.as_of is None:
        statement = statement.add_columns(
            entity.c.mention_count.label("mentions"),
            entity.c.note_count.label("notes"),
            entity.c.first_position.label("first"),
            entity.c.last_position.label("last"),
        )
    else:
        counts = _select_counts(view).subquery("counts")
        statement = statement.add_columns(
            counts.c.mentions, counts.c.notes, counts.c.first, counts.c.last
        ).join(counts, counts.c.entity_id == entity.c.id)
    mentions = statement.selected_columns["mentions"]
    statement = statement.where(or_(mentions > 0, entity.c.status == "noted"))
    if types:
        statement = statement.where(entity.c.type.in_(types))
    if statuses:
        statement = statement.where(entity.c.status.in_(statuses))
    if containing:
        alias = view.alias
        part = select(alias.c.entity_id).where(
            alias.c.form_key.contains(fold_name(containing), autoescape=True)
        )
        statement = statement.where(entity.c.id.in_(part))
    found = view.all(statement)
    if view.as_of is None:
        names = {row.id: row.name for row in found}
    else:
        names = display_names(view, [row.id for row in found])

    def place(row: Any) -> tuple[Any, ...]:
        by_name = names.get(row.id, ""), row.path or "", row.key
        if order == "name":
            return fold_name(by_name[0]), *by_name
        if order == "first":
            return row.first is None, row.first or 0, -row.mentions, *by_name
        return -row.mentions, *by_name

    return sorted(found, key=place)


def mentions_by_note(view: View, entity_id: int) -> list[Any]:
    """Return the notes that mention an entity, with counts: the manuscript first, in order."""
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(note.c.path, note.c.title, note.c.position, func.count().label("mentions"))
        .join(chunk, chunk.c.note_id == note.c.id)
        .join(mention, mention.c.chunk_id == chunk.c.id)
        .where(mention.c.entity_id == entity_id)
        .group_by(note.c.id, note.c.path, note.c.title, note.c.position)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path)
    )
    return list(view.all(statement))


def topics_around(view: View, entity_id: int) -> list[Any]:
    """Return the topics of the notes that mention an entity, those of most notes first.

    Each has its number of `notes`, and the greatest `confidence` among them.
    """
    mention, chunk, topic = view.mention, view.chunk, view.topic
    notes = (
        select(chunk.c.note_id)
        .join(mention, mention.c.chunk_id == chunk.c.id)
        .where(mention.c.entity_id == entity_id)
    )
    number, confidence = func.count().label("notes"), func.max(topic.c.confidence)
    statement = (
        select(topic.c.name, number, confidence.label("confidence"))
        .where(topic.c.note_id.in_(notes))
        .group_by(topic.c.name)
        .order_by(number.desc(), confidence.desc(), topic.c.name)
    )
    return list(view.all(statement))


def names_of(view: View, entity_id: int) -> list[Any]:
    """Return the visible names of an entity, by descending weight."""
    return list(view.all(_names_of(view), entity_id=entity_id))


@prepared
def _names_of(scope: Scope) -> Select[Any]:
    alias = scope.alias
    return (
        select(alias.c.form, alias.c.kind, alias.c.visible_from)
        .where(alias.c.entity_id == bindparam("entity_id"))
        .order_by(alias.c.weight.desc(), alias.c.form)
    )


def source_of(view: View, entity: Any) -> Any:
    """Return the note about an entity with its first chunk, or None if there is none."""
    note, chunk = view.note, view.chunk
    if entity.note_id is None:
        return None
    return view.one(
        select(note.c.path, note.c.frontmatter, chunk.c.text, chunk.c.heading, chunk.c.line)
        .outerjoin(chunk, and_(chunk.c.note_id == note.c.id, chunk.c.ordinal == 0))
        .where(note.c.id == entity.note_id)
    )


def property_sheets(view: View, note_ids: Iterable[int]) -> dict[int, Any]:
    """Return the path, the properties and their first line of notes with visible properties."""
    note, chunk = view.note, view.chunk
    statement = (
        select(note.c.id, note.c.path, note.c.frontmatter, chunk.c.line)
        .join(chunk, chunk.c.note_id == note.c.id)
        .where(chunk.c.ordinal < 0)
        .order_by(chunk.c.line.desc())
    )
    return {row.id: row for row in view.all_among(statement, note.c.id, note_ids)}


def _select_counts(view: View) -> Select[Any]:
    mention, chunk, note = view.mention, view.chunk, view.note
    return (
        select(
            mention.c.entity_id,
            func.count().label("mentions"),
            func.count(chunk.c.note_id.distinct()).label("notes"),
            func.min(note.c.position).label("first"),
            func.max(note.c.position).label("last"),
            func.avg(mention.c.confidence).label("confidence"),
        )
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .group_by(mention.c.entity_id)
    )


def entities_by_id(view: View, entity_ids: Iterable[int]) -> dict[int, Any]:
    """Return entity rows by id."""
    asked = sorted(set(entity_ids))
    return {row.id: row for row in view.all(_by_id(view), entity_ids=asked)} if asked else {}


@prepared
def _by_id(scope: Scope) -> Select[Any]:
    entity = scope.entity
    return select(entity).where(is_one_of(entity.c.id, "entity_ids"))
