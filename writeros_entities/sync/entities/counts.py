"""Counts over the mentions of an entity: how many, in how many notes, first and last position.

An alias is visible from where a reader first meets it, an entity from its first visible alias.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, or_, select

from writeros_entities.folding import fold_form
from writeros_entities.names import fold_name
from writeros_entities.naming import is_given
from writeros_entities.store import rows
from writeros_entities.store.importance import importance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Select

    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import Name


_COUNTS = (
    *("visible_from", "first_position", "last_position", "mention_count", "note_count"),
    "importance",
)
_NONE = (0, 0, None, None)
_ALIAS = (
    *("vault_id", "entity_id", "form", "form_key", "kind", "weight", "exact", "known_from"),
    "visible_from",
)


def refresh_counts(
    connection: Connection, vault_id: int, touched: Touched, names: VaultLexicon
) -> None:
    """Recompute the counts of touched entities."""
    if touched.everything:
        _refresh(connection, vault_id, None, names)
        return
    for lost in touched.lost.values():
        touched.entities.update(counted.entity_id for counted in lost)
    for ids in rows.batches(sorted(touched.entities)):
        touched.met |= _refresh(connection, vault_id, ids, names)


def _refresh(
    connection: Connection, vault_id: int, ids: Sequence[int] | None, names: VaultLexicon
) -> set[int]:
    """Recompute counts; return the entities whose `visible_from` has changed."""
    forms = _met_forms(connection, vault_id, ids)
    totals = _totals(connection, vault_id, ids)
    _update_aliases(connection, vault_id, ids, forms, names)
    entity = rows.entity
    changes = []
    elsewhere = set()
    statement = select(entity.c.id, *(entity.c[name] for name in _COUNTS)).where(
        entity.c.vault_id == vault_id, *rows.among(entity.c.id, ids)
    )
    for entity_id, *before in rows.fetch_rows(connection, statement):
        met = [position for position in forms[entity_id].values() if position is not None]
        mentions, notes, first, last = totals.get(entity_id, _NONE)
        counts = [min(met, default=None), first, last, mentions, notes, importance(mentions)]
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


def _update_aliases(
    connection: Connection,
    vault_id: int,
    ids: Sequence[int] | None,
    forms: Mapping[int, Mapping[str, int | None]],
    names: VaultLexicon,
) -> None:
    """Set from where each alias is visible.

    A name that follows from others is an alias if it is used.
    """
    alias, entity = rows.alias, rows.entity
    statement = (
        select(alias.c.entity_id, alias.c.form, alias.c.visible_from, alias.c.kind, entity.c.status)
        .join(entity, (entity.c.id == alias.c.entity_id) & (entity.c.vault_id == vault_id))
        .where(alias.c.vault_id == vault_id, *rows.among(alias.c.entity_id, ids))
    )
    changes, unused, known = [], [], set()
    for entity_id, form, before, kind, status in rows.fetch_rows(connection, statement):
        known.add((entity_id, form))
        used = forms.get(entity_id, {})
        if form not in used and not is_given(status, kind):
            unused.append((entity_id, form))
        elif used.get(form) != before:
            changes.append((used.get(form), entity_id, form, vault_id))
    rows.update_rows(
        connection, alias, ("visible_from",), ("entity_id", "form", "vault_id"), changes
    )
    for entity_id, form in unused:
        key = (alias.c.vault_id == vault_id, alias.c.entity_id == entity_id, alias.c.form == form)
        connection.execute(delete(alias).where(*key))
    used_names = (
        (entity_id, name, first)
        for entity_id, used in forms.items()
        for form, first in used.items()
        if (entity_id, form) not in known
        and (name := _following_name(names, entity_id, form)) is not None
    )
    added = [
        (
            *(vault_id, entity_id, one.form, fold_name(one.form), one.kind, one.weight),
            *(one.exact, one.known_from, first),
        )
        for entity_id, one, first in used_names
    ]
    rows.insert_rows(connection, alias, _ALIAS, added)


def _following_name(names: VaultLexicon, entity_id: int, form: str) -> Name | None:
    """Return the name of an entity with this form that follows from another, if there is one."""
    entity = names.by_row(entity_id)
    if entity is None:
        return None
    for name in names.named(fold_form(form)):
        if name.entity == entity.id and name.form == form and name.kind == "derived":
            return name
    return None
