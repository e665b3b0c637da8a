"""What is counted over mentions: how often an entity occurs, from where to where, by which names.

An alias is visible from where a reader first meets it, an entity from the first of its names.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, or_, select, update

from writeros_entities.store import rows
from writeros_entities.store.importance import importance
from writeros_entities.sync.entities import note_subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from writeros_entities.sync.touched import Touched


def refresh_counts(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Take the counts of touched entities again."""
    if touched.everything:
        _refresh(connection, vault_id, None)
        return
    notes = touched.notes | touched.restated
    touched.entities |= _standing_on(connection, vault_id, notes)
    for lost in touched.lost.values():
        touched.entities.update(counted[0] for counted in lost)
    for ids in rows.batches(sorted(touched.entities)):
        touched.met |= _refresh(connection, vault_id, ids)


def _standing_on(connection: Connection, vault_id: int, notes: Iterable[int]) -> set[int]:
    """Return the entities that stand on these notes: their primary chunk may be another one."""
    entity = rows.entity
    found: set[int] = set()
    for batch in rows.batches(sorted(notes)):
        found.update(
            connection.scalars(
                select(entity.c.id).where(
                    entity.c.vault_id == vault_id,
                    entity.c.subject.in_([note_subject(note) for note in batch]),
                )
            )
        )
    return found


def _refresh(connection: Connection, vault_id: int, ids: Sequence[int] | None) -> set[int]:
    """Take counts again; return the entities that are met at another position than before."""
    forms = _met_forms(connection, vault_id, ids)
    totals = _totals(connection, vault_id, ids)
    _update_aliases(connection, vault_id, ids, forms)
    entity = rows.entity
    columns = (
        "visible_from",
        "first_position",
        "last_position",
        "mention_count",
        "note_count",
        "importance",
        "primary_chunk_id",
    )
    changes = []
    elsewhere = set()
    primary = _primary_chunks(connection, vault_id, ids)
    for row in connection.execute(
        select(entity.c.id, entity.c.note_id, *(entity.c[name] for name in columns)).where(
            entity.c.vault_id == vault_id, *_among(entity.c.id, ids)
        )
    ).all():
        met = [position for position in forms[row.id].values() if position is not None]
        total = totals.get(row.id)
        values = {
            "visible_from": min(met, default=None),
            "first_position": total.first if total else None,
            "last_position": total.last if total else None,
            "mention_count": total.mentions if total else 0,
            "note_count": total.notes if total else 0,
            "importance": importance(total.mentions) if total else 0.0,
            "primary_chunk_id": primary.get(row.id),
        }
        if any(getattr(row, name) != values[name] for name in columns):
            changes.append(values | {"entity_id": row.id})
        if row.visible_from != values["visible_from"]:
            elsewhere.add(row.id)
    if changes:
        connection.execute(
            update(entity)
            .where(entity.c.vault_id == vault_id, entity.c.id == bindparam("entity_id"))
            .values({name: bindparam(name) for name in columns}),
            changes,
        )
    return elsewhere


def _met_forms(
    connection: Connection, vault_id: int, ids: Sequence[int] | None
) -> dict[int, dict[str, int | None]]:
    """Return, by entity and form, the first position at which a mention by that form holds."""
    mention = rows.mention
    statement = (
        select(mention.c.entity_id, mention.c.form, func.min(mention.c.visible_from))
        .where(
            mention.c.vault_id == vault_id,
            or_(
                mention.c.visible_until.is_(None),
                mention.c.visible_until > mention.c.visible_from,
            ),
            *_among(mention.c.entity_id, ids),
        )
        .group_by(mention.c.entity_id, mention.c.form)
    )
    met: dict[int, dict[str, int | None]] = defaultdict(dict)
    for entity_id, form, first in connection.execute(statement).all():
        met[entity_id][form] = first
    return met


def _totals(connection: Connection, vault_id: int, ids: Sequence[int] | None) -> dict[int, Any]:
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    statement = (
        select(
            mention.c.entity_id,
            func.count().label("mentions"),
            func.count(chunk.c.note_id.distinct()).label("notes"),
            func.min(note.c.position).label("first"),
            func.max(note.c.position).label("last"),
        )
        .join(chunk, (chunk.c.id == mention.c.chunk_id) & (chunk.c.vault_id == vault_id))
        .join(note, (note.c.id == chunk.c.note_id) & (note.c.vault_id == vault_id))
        .where(
            mention.c.vault_id == vault_id,
            mention.c.visible_until.is_(None),
            *_among(mention.c.entity_id, ids),
        )
        .group_by(mention.c.entity_id)
    )
    return {row.entity_id: row for row in connection.execute(statement).all()}


def _primary_chunks(
    connection: Connection, vault_id: int, ids: Sequence[int] | None
) -> dict[int, int]:
    """Return the first chunk of the note that each entity stands on."""
    entity, chunk = rows.entity, rows.chunk
    statement = (
        select(entity.c.id, chunk.c.id)
        .join(chunk, (chunk.c.note_id == entity.c.note_id) & (chunk.c.vault_id == vault_id))
        .where(entity.c.vault_id == vault_id, chunk.c.ordinal == 0, *_among(entity.c.id, ids))
    )
    return {row[0]: row[1] for row in connection.execute(statement)}


def _update_aliases(
    connection: Connection,
    vault_id: int,
    ids: Sequence[int] | None,
    forms: dict[int, dict[str, int | None]],
) -> None:
    alias = rows.alias
    changes = []
    for row in connection.execute(
        select(alias.c.entity_id, alias.c.form, alias.c.visible_from).where(
            alias.c.vault_id == vault_id, *_among(alias.c.entity_id, ids)
        )
    ):
        first = forms.get(row.entity_id, {}).get(row.form)
        if first != row.visible_from:
            changes.append({"b_entity": row.entity_id, "b_form": row.form, "first": first})
    if changes:
        connection.execute(
            update(alias)
            .where(
                alias.c.vault_id == vault_id,
                alias.c.entity_id == bindparam("b_entity"),
                alias.c.form == bindparam("b_form"),
            )
            .values(visible_from=bindparam("first")),
            changes,
        )


def _among(column: Any, ids: Sequence[int] | None) -> list[Any]:
    return [] if ids is None else [column.in_(ids)]
