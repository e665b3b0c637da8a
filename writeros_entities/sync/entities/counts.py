"""Counts over the mentions of an entity: how many, in how many notes, first and last position.

An alias is visible from where a reader first meets it, an entity from its first visible alias.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, or_, select

from writeros_entities.folding import fold_form
from writeros_entities.names import fold_name
from writeros_entities.naming import is_given
from writeros_entities.store import rows
from writeros_entities.store.importance import importance
from writeros_entities.store.rows import Asked, Query, VaultRows
from writeros_entities.sync.entities.drafts import AliasRow
from writeros_entities.values import BY_DECISION, Name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.touched import Touched
    from writeros_entities.values import EntityStatus, NameKind

DECIDED_WEIGHT = 0.9
"""The weight of a phrase of which it is decided whom it means."""


class _Counts(NamedTuple):
    """An entity's columns that are counted."""

    id: int
    visible_from: int | None
    first_position: int | None
    last_position: int | None
    mention_count: int
    note_count: int
    importance: float


class _Total(NamedTuple):
    """The mentions of an entity, and the notes that have them."""

    entity_id: int | None
    mentions: int
    notes: int
    first: int | None
    last: int | None


class _Met(NamedTuple):
    """From where a reader meets an entity by a form."""

    entity_id: int
    form: str
    visible_from: int | None


class _Standing(NamedTuple):
    """An alias as its row has it."""

    entity_id: int
    form: str
    form_key: str
    visible_from: int | None
    kind: NameKind
    status: EntityStatus


_COUNTS = Asked.by(rows.select_as(_Counts, rows.entity), rows.entity.c.id)
_MET = Asked.by(
    select(
        rows.mention.c.entity_id,
        rows.mention.c.form,
        func.min(rows.mention.c.visible_from).label("visible_from"),
    )
    .where(
        rows.in_vault(rows.mention),
        or_(
            rows.mention.c.visible_until.is_(None),
            rows.mention.c.visible_until > rows.mention.c.visible_from,
        ),
    )
    .group_by(rows.mention.c.entity_id, rows.mention.c.form),
    rows.mention.c.entity_id,
)
_STANDING = Asked.by(
    select(*(rows.alias.c[name] for name in ("entity_id", "form", "form_key", "visible_from")))
    .add_columns(rows.alias.c.kind, rows.entity.c.status)
    .join(rows.entity, (rows.entity.c.id == rows.alias.c.entity_id) & rows.in_vault(rows.entity))
    .where(rows.in_vault(rows.alias)),
    rows.alias.c.entity_id,
)
_DECIDED = Asked.by(
    select(rows.mention.c.entity_id, rows.mention.c.form)
    .distinct()
    .join(rows.entity, (rows.entity.c.id == rows.mention.c.entity_id) & rows.in_vault(rows.entity))
    .where(
        rows.in_vault(rows.mention),
        rows.mention.c.method == BY_DECISION,
        rows.entity.c.status != "suggested",
    ),
    rows.mention.c.entity_id,
)


def refresh_counts(index: VaultRows, touched: Touched, names: VaultLexicon) -> None:
    """Recompute the counts of touched entities."""
    if touched.everything:
        _refresh(index, None, names)
        return
    for lost in touched.lost.values():
        touched.entities.update(counted.entity_id for counted in lost)
    for ids in rows.batches(sorted(touched.entities)):
        touched.met |= _refresh(index, ids, names)


def _refresh(index: VaultRows, ids: Sequence[int] | None, names: VaultLexicon) -> set[int]:
    """Recompute counts; return the entities whose `visible_from` has changed."""
    forms = _met_forms(index, ids)
    totals = _totals(index, ids)
    _update_aliases(index, ids, forms, names)
    changes = []
    elsewhere = set()
    for before in index.fetch(_Counts, *_COUNTS.of(ids)):
        met = [position for position in forms[before.id].values() if position is not None]
        total = totals.get(before.id, _Total(before.id, 0, 0, None, None))
        places = min(met, default=None), total.first, total.last
        number = int(total.mentions)
        counts = _Counts(before.id, *places, number, total.notes, importance(number))
        if counts.visible_from != before.visible_from:
            elsewhere.add(before.id)
        if counts != before:
            changes.append(counts)
    index.update(rows.entity, changes, by=("id",))
    return elsewhere


def _met_forms(index: VaultRows, ids: Sequence[int] | None) -> dict[int, dict[str, int | None]]:
    """Return, by entity and form, the first position at which a mention by that form holds."""
    met: dict[int, dict[str, int | None]] = defaultdict(dict)
    for one in index.fetch(_Met, *_MET.of(ids)):
        met[one.entity_id][one.form] = one.visible_from
    return met


def _totals(index: VaultRows, ids: Sequence[int] | None) -> dict[int | None, _Total]:
    """Return, by entity, the numbers of mentions and of notes, and the first and last position."""
    totals = index.fetch(_Total, *_TOTALS.of(ids))
    return {one.entity_id: one for one in totals}


def _of_all() -> Query:
    """Return the statement that counts all mentions, in storage order.

    The outer join keeps the order of chunks, in which mentions are stored; chunks without mentions
    add a row without an entity, which is discarded.
    """
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    is_here = (
        rows.in_vault(mention)
        & (mention.c.chunk_id == chunk.c.id)
        & mention.c.visible_until.is_(None)
    )
    return (
        select(
            mention.c.entity_id,
            func.count().label("mentions"),
            func.count(chunk.c.note_id.distinct()).label("notes"),
            func.min(note.c.position).label("first"),
            func.max(note.c.position).label("last"),
        )
        .select_from(chunk)
        .outerjoin(mention, is_here)
        .join(note, (note.c.id == chunk.c.note_id) & rows.in_vault(note))
        .where(rows.in_vault(chunk))
        .group_by(mention.c.entity_id)
    )


def _of_some() -> Query:
    """Return the statement that counts by note first, which avoids a DISTINCT over all mentions."""
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    in_note = (
        select(mention.c.entity_id, chunk.c.note_id, func.count().label("mentions"))
        .join(chunk, (chunk.c.id == mention.c.chunk_id) & rows.in_vault(chunk))
        .where(
            rows.in_vault(mention),
            mention.c.visible_until.is_(None),
            rows.among(mention.c.entity_id),
        )
        .group_by(chunk.c.note_id, mention.c.entity_id)
        .subquery()
    )
    return (
        select(
            in_note.c.entity_id,
            func.sum(in_note.c.mentions).label("mentions"),
            func.count().label("notes"),
            func.min(note.c.position).label("first"),
            func.max(note.c.position).label("last"),
        )
        .join(note, (note.c.id == in_note.c.note_id) & rows.in_vault(note))
        .group_by(in_note.c.entity_id)
    )


_TOTALS = Asked(_of_all(), _of_some())


def _update_aliases(
    index: VaultRows,
    ids: Sequence[int] | None,
    forms: Mapping[int, Mapping[str, int | None]],
    names: VaultLexicon,
) -> None:
    """Set from where each alias is visible.

    A name that follows from others is an alias if it is used. A form in another spelling, as links
    have it (`[[fenwick]]` for Fenwick), is a use of the alias that is spelled alike.
    """
    alias = rows.alias
    standing = index.fetch(_Standing, *_STANDING.of(ids))
    decided = _decided_forms(index, ids)
    known = {(one.entity_id, one.form) for one in standing}
    added: list[AliasRow] = []
    spelled: dict[tuple[int, str], list[int]] = defaultdict(list)
    for entity_id, used in forms.items():
        for form, first in used.items():
            if (entity_id, form) in known:
                continue
            name = _following_name(names, entity_id, form)
            if name is not None:
                added.append(AliasRow.of(entity_id, name, visible_from=first))
            elif (entity_id, form) in decided:
                name = Name(form, "", "derived", DECIDED_WEIGHT, first)
                added.append(AliasRow.of(entity_id, name, visible_from=first))
            elif first is not None:
                spelled[entity_id, fold_name(form)].append(first)
    changes, unused = [], []
    for one in standing:
        used = forms.get(one.entity_id, {})
        first = used.get(one.form)
        alike = spelled.get((one.entity_id, one.form_key), [])
        met = min(alike if first is None else [first, *alike], default=None)
        if one.form not in used and not is_given(one.status, one.kind):
            unused.append(one)
        elif met != one.visible_from:
            changes.append(_Met(one.entity_id, one.form, met))
    index.update(alias, changes, by=("entity_id", "form"))
    for one in unused:
        is_it = (alias.c.entity_id == one.entity_id) & (alias.c.form == one.form)
        index.connection.execute(delete(alias).where(index.owns(alias), is_it))
    index.insert(alias, added)


def _decided_forms(index: VaultRows, ids: Sequence[int] | None) -> set[tuple[int, str]]:
    """Return the phrases of which it is decided whom they mean in some note, by entity.

    One is an alias for whoever has read so far, but names nobody elsewhere. Of a suggested entity,
    whose names are all given by the text, none is.
    """
    found = index.execute(*_DECIDED.of(ids))
    return {(row.entity_id, row.form) for row in found}


def _following_name(names: VaultLexicon, entity_id: int, form: str) -> Name | None:
    """Return the name of an entity with this form that follows from another, if there is one."""
    entity = names.by_row(entity_id)
    if entity is None:
        return None
    for name in names.named(fold_form(form)):
        if name.entity == entity.id and name.form == form and name.kind == "derived":
            return name
    return None
