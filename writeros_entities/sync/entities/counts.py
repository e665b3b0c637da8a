"""Counts over the mentions of an entity: how many, in how many notes, first and last position.

An alias is visible from where a reader first meets it, an entity from its first visible alias.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from writeros_entities.store import rows
from writeros_entities.store.importance import importance
from writeros_entities.sync.entities.drafts import note_subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Select

    from writeros_entities.sync.touched import Touched


_COUNTS = (
    *("visible_from", "first_position", "last_position", "mention_count", "note_count"),
    *("importance", "primary_chunk_id"),
)
_NONE = (0, 0, None, None)


def refresh_counts(connection: Connection, vault_id: int, touched: Touched) -> None:
    """Recompute the counts of touched entities."""
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
    """Return the entities of these notes, whose primary chunk may have changed."""
    entity = rows.entity
    statement = select(entity.c.id).where(entity.c.vault_id == vault_id)
    subjects = map(note_subject, sorted(notes))
    return {row.id for row in rows.all_among(connection, statement, entity.c.subject, subjects)}


def _refresh(connection: Connection, vault_id: int, ids: Sequence[int] | None) -> set[int]:
    """Recompute counts; return the entities whose `visible_from` has changed."""
    forms = _met_forms(connection, vault_id, ids)
    totals = _totals(connection, vault_id, ids)
    _update_aliases(connection, vault_id, ids, forms)
    entity = rows.entity
    changes = []
    elsewhere = set()
    primary = _primary_chunks(connection, vault_id, ids)
    statement = select(entity.c.id, *(entity.c[name] for name in _COUNTS)).where(
        entity.c.vault_id == vault_id, *rows.among(entity.c.id, ids)
    )
    for entity_id, *before in rows.fetch_rows(connection, statement):
        met = [position for position in forms[entity_id].values() if position is not None]
        mentions, notes, first, last = totals.get(entity_id, _NONE)
        counts = [
            *(min(met, default=None), first, last, mentions, notes),
            *(importance(mentions), primary.get(entity_id)),
        ]
        if counts[0] != before[0]:
            elsewhere.add(entity_id)
        if counts != before:
            changes.append((*counts, entity_id, vault_id))
    rows.update_rows(connection, entity, _COUNTS, ("id", "vault_id"), changes)
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
            *rows.among(mention.c.entity_id, ids),
        )
        .group_by(mention.c.entity_id, mention.c.form)
    )
    met: dict[int, dict[str, int | None]] = defaultdict(dict)
    for entity_id, form, first in rows.fetch_rows(connection, statement):
        met[entity_id][form] = first
    return met


def _totals(
    connection: Connection, vault_id: int, ids: Sequence[int] | None
) -> dict[int, tuple[int, int, int | None, int | None]]:
    """Return, by entity, the numbers of mentions and of notes, and the first and last position."""
    statement = _of_all(vault_id) if ids is None else _of_some(vault_id, ids)
    found = rows.fetch_rows(connection, statement)
    return {
        entity: (int(mentions), *more) for entity, mentions, *more in found if entity is not None
    }


def _of_all(vault_id: int) -> Select[Any]:
    """Return the statement that counts all mentions, in storage order.

    The outer join keeps the order of chunks, in which mentions are stored; chunks without mentions
    add a row without an entity, which is discarded.
    """
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    is_here = (
        (mention.c.vault_id == vault_id)
        & (mention.c.chunk_id == chunk.c.id)
        & mention.c.visible_until.is_(None)
    )
    return (
        select(
            mention.c.entity_id,
            func.count(),
            func.count(chunk.c.note_id.distinct()),
            func.min(note.c.position),
            func.max(note.c.position),
        )
        .select_from(chunk)
        .outerjoin(mention, is_here)
        .join(note, (note.c.id == chunk.c.note_id) & (note.c.vault_id == vault_id))
        .where(chunk.c.vault_id == vault_id)
        .group_by(mention.c.entity_id)
    )


def _of_some(vault_id: int, ids: Sequence[int]) -> Select[Any]:
    """Return the statement that counts by note first, which avoids a DISTINCT over all mentions."""
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    in_note = (
        select(mention.c.entity_id, chunk.c.note_id, func.count().label("mentions"))
        .join(chunk, (chunk.c.id == mention.c.chunk_id) & (chunk.c.vault_id == vault_id))
        .where(
            mention.c.vault_id == vault_id,
            mention.c.visible_until.is_(None),
            mention.c.entity_id.in_(ids),
        )
        .group_by(chunk.c.note_id, mention.c.entity_id)
        .subquery()
    )
    return (
        select(
            in_note.c.entity_id,
            func.sum(in_note.c.mentions),
            func.count(),
            func.min(note.c.position),
            func.max(note.c.position),
        )
        .join(note, (note.c.id == in_note.c.note_id) & (note.c.vault_id == vault_id))
        .group_by(in_note.c.entity_id)
    )


def _primary_chunks(
    connection: Connection, vault_id: int, ids: Sequence[int] | None
) -> dict[int, int]:
    """Return the first chunk of each entity's note."""
    entity, chunk = rows.entity, rows.chunk
    statement = (
        select(entity.c.id, chunk.c.id)
        .join(chunk, (chunk.c.note_id == entity.c.note_id) & (chunk.c.vault_id == vault_id))
        .where(entity.c.vault_id == vault_id, chunk.c.ordinal == 0, *rows.among(entity.c.id, ids))
    )
    return dict(rows.fetch_rows(connection, statement))


def _update_aliases(
    connection: Connection,
    vault_id: int,
    ids: Sequence[int] | None,
    forms: dict[int, dict[str, int | None]],
) -> None:
    """Set from where each alias is visible; most never are, and are not read."""
    alias = rows.alias
    statement = select(alias.c.entity_id, alias.c.form, alias.c.visible_from).where(
        alias.c.vault_id == vault_id,
        alias.c.visible_from.is_not(None),
        *rows.among(alias.c.entity_id, ids),
    )
    before = {
        (entity, form): first for entity, form, first in rows.fetch_rows(connection, statement)
    }
    after = {
        (entity, form): first
        for entity, met in forms.items()
        for form, first in met.items()
        if first is not None
    }
    changes = [
        (after.get(key), *key, vault_id)
        for key in before | after
        if after.get(key) != before.get(key)
    ]
    rows.update_rows(
        connection, alias, ("visible_from",), ("entity_id", "form", "vault_id"), changes
    )
