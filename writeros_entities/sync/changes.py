"""The changes of each entity along reading order: what a reader learns of it, and where.

Changes are derived from rows that are already final: mentions (first appearance, new names),
evidence of relations (started, ended, statuses), and the parts of an entity's note that become
visible later (see `revelations`). Rows that are never visible make no change. `turns` decides which
of these are changes, and over which interval of positions each of them holds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, delete, func, or_, select

from writeros_entities.properties import says_how_to_read
from writeros_entities.store import rows
from writeros_entities.store.rows import Asked, Query, VaultRows
from writeros_entities.sync.drafting.statements import read_statements
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from writeros_entities.ontology import Ontology
    from writeros_entities.store.rows import Row, Statement
    from writeros_entities.sync.touched import Touched

STATUS_KEYS = frozenset({"status", "state", "condition", "fate"})
"""Inline fields whose value is a status."""


def section_changes(note: Row, chunks: Sequence[Row]) -> Iterator[_Change]:
    """Yield a change for each later position at which sections of a note become visible."""
    told = {note.visible_from}
    for chunk in sorted(
        (chunk for chunk in chunks if chunk.visible_from is not None),
        key=lambda chunk: (chunk.visible_from, chunk.ordinal),
    ):
        if chunk.visible_from in told:
            continue
        told.add(chunk.visible_from)
        line, _, _ = chunk.text.partition("\n")
        heading = line.lstrip("#").strip() if line.startswith("#") else chunk.heading or None
        end = chunk.start + len(line.rstrip())
        yield _in_note(note, chunk, "description_updated", heading, chunk.start, end)


def property_changes(note: Row, chunks: Sequence[Row]) -> Iterator[_Change]:
    """Yield the properties in the parts of a note that become visible at a position."""
    starts = [chunk.start for chunk in chunks]
    for statement in read_statements(note.statements):
        if statement.form != "property" or says_how_to_read(statement.key):
            continue
        place = bisect_right(starts, statement.start) - 1
        if place < 0 or statement.end > chunks[place].end or chunks[place].visible_from is None:
            continue
        value = statement.value or ""
        is_status = statement.key in STATUS_KEYS
        yield _in_note(
            note,
            chunks[place],
            "status_changed" if is_status else "property_added",
            value if is_status else f"{statement.key}: {value}",
            statement.start,
            statement.end,
        )


def _in_note(note: Row, chunk: Row, kind: str, new: str | None, start: int, end: int) -> _Change:
    return _Change(
        entity_id=note.id,
        visible_from=chunk.visible_from,
        visible_until=None,
        position=None if chunk.visible_from == ALWAYS else chunk.visible_from,
        kind=kind,
        new=new,
        path=note.path,
        note_id=note.note_id,
        chunk_id=chunk.id,
        start=start,
        end=end,
        line=chunk.line + chunk.text.count("\n", 0, start - chunk.start),
    )


class ChangeRow(NamedTuple):
    """A change of an entity as it is stored."""

    entity_id: int
    visible_from: int
    ordinal: int
    visible_until: int | None
    position: int | None
    kind: str
    previous: str | None
    new: str | None
    other_id: int | None
    note_id: int
    chunk_id: int | None
    start: int
    end: int
    line: int
    quote: str | None


def _first_mentions(*among: ColumnElement[bool]) -> Query:
    mention, chunk, note = rows.mention, rows.chunk, rows.note
    holds = or_(mention.c.visible_until.is_(None), mention.c.visible_until > mention.c.visible_from)
    conditions = [rows.in_vault(mention), mention.c.visible_from.is_not(None), holds, *among]
    first = (
        select(
            mention.c.entity_id,
            mention.c.form,
            func.min(mention.c.visible_from).label("first"),
            func.max(mention.c.visible_until).label("until"),
        )
        .where(*conditions)
        .group_by(mention.c.entity_id, mention.c.form)
        .subquery()
    )
    return (
        select(mention, chunk.c.note_id, chunk.c.text, chunk.c.line)
        .add_columns(chunk.c.start.label("chunk_start"), note.c.path, note.c.position)
        .join(
            first,
            and_(
                first.c.entity_id == mention.c.entity_id,
                first.c.form == mention.c.form,
                or_(first.c.first == mention.c.visible_from, first.c.until.is_not(None)),
            ),
        )
        .join(chunk, (chunk.c.id == mention.c.chunk_id) & rows.in_vault(chunk))
        .join(note, (note.c.id == chunk.c.note_id) & rows.in_vault(note))
        .where(*conditions)
    )


def _proofs() -> Statement:
    relation, evidence, note = rows.relation, rows.evidence, rows.note
    source, target = rows.entity.alias("source"), rows.entity.alias("target")
    return (
        select(evidence, relation.c.source_id, relation.c.target_id)
        .add_columns(relation.c.kind, relation.c.origin, note.c.path)
        .add_columns(source.c.name.label("source_name"), target.c.name.label("target_name"))
        .join(relation, (relation.c.id == evidence.c.relation_id) & rows.in_vault(relation))
        .join(source, (source.c.id == relation.c.source_id) & rows.in_vault(source))
        .join(target, (target.c.id == relation.c.target_id) & rows.in_vault(target))
        .join(note, (note.c.id == evidence.c.note_id) & rows.in_vault(note))
        .where(rows.in_vault(evidence), evidence.c.visible_from.is_not(None))
    )


_FIRST_MENTIONS = Asked(_first_mentions(), _first_mentions(rows.among(rows.mention.c.entity_id)))
_PROOFS_BY_END = [
    Asked.by(_proofs(), end) for end in (rows.relation.c.source_id, rows.relation.c.target_id)
]
_PLACED_NOTES = Asked.by(
    select(*(rows.entity.c.id, rows.note.c.id.label("note_id"), rows.note.c.path))
    .add_columns(rows.note.c.statements, rows.note.c.visible_from)
    .join(rows.note, (rows.note.c.id == rows.entity.c.note_id) & rows.in_vault(rows.note))
    .where(
        rows.in_vault(rows.entity),
        or_(rows.note.c.visible_claim.is_not(None), rows.note.c.has_claimed_sections),
    ),
    rows.entity.c.id,
)
_CHUNKS = (
    select(rows.chunk)
    .where(rows.in_vault(rows.chunk), rows.among(rows.chunk.c.note_id))
    .order_by(rows.chunk.c.note_id, rows.chunk.c.ordinal)
)
_STORED = Asked.by(
    rows.select_as(ChangeRow, rows.entity_change).order_by(
        *(rows.entity_change.c[name] for name in ("entity_id", "visible_from", "ordinal"))
    ),
    rows.entity_change.c.entity_id,
)
_STANDING_ON = select(rows.entity.c.id).where(
    rows.in_vault(rows.entity), rows.among(rows.entity.c.note_id)
)
_DELETION = delete(rows.entity_change).where(
    rows.in_vault(rows.entity_change), rows.among(rows.entity_change.c.entity_id)
)


def refresh_changes(index: VaultRows, touched: Touched, ontology: Ontology) -> None:
    """Derive the changes of touched entities again, and write the differences."""
    historian = _Historian(index, ontology)
    if touched.everything:
        historian.write(None)
        return
    own = _standing_on(index, touched.notes | touched.restated)
    for ids in rows.batches(sorted(touched.entities | touched.histories | own)):
        historian.write(ids)


def _standing_on(index: VaultRows, notes: Iterable[int]) -> set[int]:
    """Return the entities of these notes, whose sections and properties may have changed."""
    return {row.id for row in index.all_among(_STANDING_ON, sorted(notes))}


class _Historian:
    """Derives and writes the changes of one vault's entities, within one transaction."""

    def __init__(self, index: VaultRows, ontology: Ontology) -> None:
        self._index = index
        self._ontology = ontology

    def write(self, ids: Sequence[int] | None) -> None:
        """Make the change rows of these entities (None: all) match their other rows."""
        told, before = self._told(ids), self._stored(ids)
        fresh: list[ChangeRow] = []
        stale: list[int] = []
        for entity_id in sorted(told.keys() | before.keys()):
            after = list(_numbered(sorted(told.get(entity_id, ()), key=_in_order)))
            if after != before.get(entity_id, []):
                stale += [entity_id] if entity_id in before else []
                fresh += after
        self._index.change_among(_DELETION, stale)
        self._index.insert(rows.entity_change, fresh)

    def _told(self, ids: Sequence[int] | None) -> dict[int, list[_Change]]:
        """Return the changes of each entity."""
        wanted = None if ids is None else frozenset(ids)
        told: dict[int, list[_Change]] = defaultdict(list)
        statuses: dict[int, list[_Change]] = defaultdict(list)
        for change in chain(self._names(ids), self._relations(ids), self._notes(ids)):
            if wanted is None or change.entity_id in wanted:
                kept = statuses if change.kind == "status_changed" else told
                kept[change.entity_id].append(change)
        for entity_id, found in statuses.items():
            told[entity_id] += _status_changes(found)
        return told

    def _stored(self, ids: Sequence[int] | None) -> dict[int, list[ChangeRow]]:
        """Return the rows of each entity."""
        found: dict[int, list[ChangeRow]] = defaultdict(list)
        for row in self._index.fetch(ChangeRow, *_STORED.of(ids)):
            found[row.entity_id].append(row)
        return found

    def _names(self, ids: Sequence[int] | None) -> Iterator[_Change]:
        """Yield the first appearance of each entity, and the first use of each further name."""
        by_entity: dict[int, list[_Change]] = defaultdict(list)
        for change in self._first_mentions(ids):
            by_entity[change.entity_id].append(change)
        for found in by_entity.values():
            yield from _name_changes(found)

    def _first_mentions(self, ids: Sequence[int] | None) -> Iterator[_Change]:
        """Yield the first mentions by each form; all of them if any stops holding.

        Reads only rows that are visible at some position, through the index by entity and position.
        """
        for row in self._index.execute(*_FIRST_MENTIONS.of(ids)):
            place = row.position
            if place is None and row.visible_from != ALWAYS:
                place = row.visible_from
            yield _Change(
                entity_id=row.entity_id,
                visible_from=row.visible_from,
                visible_until=row.visible_until,
                position=place,
                kind="alias_added",
                new=row.form,
                path=row.path,
                note_id=row.note_id,
                chunk_id=row.chunk_id,
                start=row.start,
                end=row.end,
                line=row.line + row.text.count("\n", 0, row.start - row.chunk_start),
            )

    def _relations(self, ids: Sequence[int] | None) -> Iterator[_Change]:
        """Yield the start and end of relations, and all statements of a status."""
        stated: dict[tuple[int, int], list[_Stated]] = defaultdict(list)
        for row in self._proofs(ids):
            if row.origin == "status":
                yield _from_proof(row, row.source_id, "status_changed", row.kind, None)
                continue
            kind = self._ontology.kind(row.kind)
            for entity, status in (
                (row.source_id, kind.source_status),
                (row.target_id, kind.target_status),
            ):
                if status is not None:
                    yield _from_proof(row, entity, "status_changed", status, None)
            for entity, other, is_inverse in (
                (row.source_id, row.target_id, False),
                (row.target_id, row.source_id, True),
            ):
                stated[entity, other].append(self._stated(row, entity, other, is_inverse))
        for of_pair in stated.values():
            yield from _relation_changes(of_pair)

    def _stated(self, row: Row, entity: int, other: int, is_inverse: bool) -> _Stated:
        name = self._ontology.name_from(row.kind, is_inverse=is_inverse)
        change = _from_proof(row, entity, "relationship_added", name, other)
        if row.has_ended:
            change = replace(change, kind="relationship_ended", previous=name, new=None)
        ends = (
            self._ontology.name_from(ended, is_inverse=inverse)
            for ended in self._ontology.kind(row.kind).ends
            for inverse in (False, True)
        )
        return _Stated(change, name, tuple(dict.fromkeys(ends)))

    def _proofs(self, ids: Sequence[int] | None) -> list[Row]:
        found: dict[tuple[object, ...], Row] = {}
        for asked in _PROOFS_BY_END if ids is not None else _PROOFS_BY_END[:1]:
            for row in self._index.execute(*asked.of(ids)):
                key = row.relation_id, row.note_id, row.start, row.end, row.since
                found[key] = row
        return list(found.values())

    def _notes(self, ids: Sequence[int] | None) -> Iterator[_Change]:
        """Yield properties and sections of entities' notes that become visible later."""
        notes = list(self._index.execute(*_PLACED_NOTES.of(ids)))
        chunks: dict[int, list[Row]] = defaultdict(list)
        note_ids = (row.note_id for row in notes)
        for row in self._index.all_among(_CHUNKS, note_ids):
            chunks[row.note_id].append(row)
        for row in notes:
            yield from section_changes(row, chunks[row.note_id])
            yield from property_changes(row, chunks[row.note_id])


def _from_proof(row: Row, entity: int, kind: str, new: str, other: int | None) -> _Change:
    name = row.source_name if other == row.source_id else row.target_name
    return _Change(
        entity_id=entity,
        visible_from=row.visible_from,
        visible_until=row.visible_until,
        position=row.position,
        kind=kind,
        new=new,
        path=row.path,
        note_id=row.note_id,
        chunk_id=row.chunk_id,
        start=row.start,
        end=row.end,
        line=row.line,
        quote=row.quote,
        other_id=other,
        other_name=None if other is None else name,
    )


def _numbered(changes: Iterable[_Change]) -> Iterator[ChangeRow]:
    """Yield the rows of changes, numbered within each `visible_from`."""
    last: int | None = None
    ordinal = 0
    for change in changes:
        ordinal = ordinal + 1 if change.visible_from == last else 0
        last = change.visible_from
        yield ChangeRow(
            entity_id=change.entity_id,
            visible_from=change.visible_from,
            ordinal=ordinal,
            visible_until=change.visible_until,
            position=change.position,
            kind=change.kind,
            previous=change.previous,
            new=change.new,
            other_id=change.other_id,
            note_id=change.note_id,
            chunk_id=change.chunk_id,
            start=change.start,
            end=change.end,
            line=change.line,
            quote=change.quote,
        )


@dataclass(frozen=True, slots=True)
class _Change:
    """One change of one entity, before it is numbered; see `EntityChange` for the fields."""

    entity_id: int
    visible_from: int
    visible_until: int | None
    position: int | None
    kind: str
    new: str | None
    path: str
    note_id: int
    chunk_id: int | None
    start: int
    end: int
    line: int
    quote: str | None = None
    other_id: int | None = None
    other_name: str | None = None
    previous: str | None = None


_LAST = ("relationship_ended", "status_changed")
"""Kinds sorted after others at the same span, as they follow from a relation."""

_FindChanges = Callable[[Sequence[_Change]], Iterable[_Change]]
"""Returns the changes among statements in order; more statements at the end only add changes."""


@dataclass(frozen=True, slots=True)
class _Stated:
    """A statement that a relation exists or has ended, as a change of one of its entities.

    `name` is the kind as read from that entity, `ends` the kinds that it ends between the same two.
    """

    change: _Change
    name: str
    ends: tuple[str, ...]

    @property
    def is_over(self) -> bool:
        """Whether the statement is that the relation has ended."""
        return self.change.kind == "relationship_ended"


def _in_order(change: _Change) -> tuple[Any, ...]:
    """Return the sort key of changes: the position, then the place in the text."""
    is_later = change.kind != "first_appearance"
    place = change.visible_from, is_later, change.path, change.start
    kind = change.kind in _LAST, change.end, change.kind
    other = change.other_name or "", change.other_id or 0
    return *place, *kind, change.new or "", change.previous or "", *other


def _changes_by_interval(changes: Iterable[_Change], find: _FindChanges) -> list[_Change]:
    """Return the changes that `find` returns, each with the interval in which it holds."""
    ordered = sorted(
        (each for each in changes if each.visible_until is None or _holds_at_all(each)),
        key=_in_order,
    )
    ends = sorted({each.visible_until for each in ordered if each.visible_until is not None})
    if not ends:
        return list(find(ordered))
    found: list[_Change] = []
    start: int | None = None
    for end in (*ends, None):
        held = [each for each in ordered if _holds(each, start, end)]
        found = _joined(found, find(held), start, end)
        start = end
    return found


def _name_changes(mentions: Iterable[_Change]) -> list[_Change]:
    """Return the first appearance of an entity, and the first use of each further name."""
    return _changes_by_interval(mentions, _names)


def _status_changes(changes: Iterable[_Change]) -> list[_Change]:
    """Return the changes of status; repeated statements of the same status are one change."""
    return _changes_by_interval(changes, _statuses)


def _relation_changes(stated: Iterable[_Stated]) -> list[_Change]:
    """Return where the relations between two entities start, end, and start again.

    A relation ends where the text says so, or where another kind that ends it starts at a later
    position.
    """
    known = {each.change: each for each in stated}
    return _changes_by_interval(
        known, lambda held: _begun_and_ended([known[change] for change in held])
    )


def _holds_at_all(change: _Change) -> bool:
    return change.visible_until is not None and change.visible_until > change.visible_from


def _holds(change: _Change, start: int | None, end: int | None) -> bool:
    """Return whether a change holds in [start, end), within which none starts or stops."""
    is_lasting = change.visible_until is None or start is None or change.visible_until > start
    return is_lasting and (end is None or change.visible_from < end)


def _joined(
    found: list[_Change], more: Iterable[_Change], start: int | None, end: int | None
) -> list[_Change]:
    """Return the changes so far plus those of the interval [start, end), extending equal ones."""
    ending = {
        replace(each, visible_from=0, visible_until=None): at
        for at, each in enumerate(found)
        if start is not None and each.visible_until == start
    }
    for each in more:
        before = ending.pop(replace(each, visible_from=0, visible_until=None), None)
        if before is not None:
            found[before] = replace(found[before], visible_until=end)
            continue
        since = each.visible_from if start is None else max(start, each.visible_from)
        found.append(replace(each, visible_from=since, visible_until=end))
    return found


def _names(held: Sequence[_Change]) -> Iterator[_Change]:
    known: set[str | None] = set()
    for change in held:
        if not known:
            yield replace(change, kind="first_appearance")
        elif change.new not in known:
            yield change
        known.add(change.new)


def _statuses(held: Sequence[_Change]) -> Iterator[_Change]:
    previous: str | None = None
    for change in held:
        if change.new != previous:
            yield replace(change, previous=previous)
        previous = change.new


def _begun_and_ended(held: Sequence[_Stated]) -> Iterator[_Change]:
    begun: dict[str, int | None] = {}
    for stated in held:
        change, name = stated.change, stated.name
        if stated.is_over:
            if begun.get(name, change.visible_from) is not None:
                yield change
            begun[name] = None
        elif begun.get(name) is None:
            yield change
            begun[name] = change.visible_from
            for other in stated.ends:
                since = begun.get(other)
                if since is not None and since < change.visible_from:
                    yield replace(change, kind="relationship_ended", previous=other, new=None)
                    begun[other] = None
