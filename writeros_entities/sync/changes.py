"""How entities are told along reading order: what a reader learns of each, and where.

Changes are derived from rows that are already settled: mentions (first appearance, new names),
evidence of relations (new and ended ones, statuses), and the parts of an entity's note that a
reader gets to later (properties, sections). What no reading position shows is no change. A change
holds while the row does that it stands on; where that one is replaced, the next takes its place, so
that a later chapter changes nothing that an earlier one has shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, func, or_, select

from writeros_entities.properties import READING_KEYS
from writeros_entities.store import rows
from writeros_entities.sync.statements import read_statements
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from writeros_entities.ontology import Ontology
    from writeros_entities.sync.touched import Touched

STATUS_KEYS = frozenset({"status", "state", "condition", "fate"})
"""Inline fields that say what has become of somebody."""

CHANGE = (
    *("entity_id", "visible_from", "ordinal", "visible_until", "position", "kind", "previous"),
    *("new", "other_id", "note_id", "chunk_id", "start", "end", "line", "quote"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one entity, before it has its place among the others; see `EntityChange`."""

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
    previous: str | None = None


_LAST = ("relationship_ended", "status_changed")
"""Kinds that come after others of the same words: what follows from a relation."""


def _in_order(change: Change) -> tuple[Any, ...]:
    is_later = change.kind != "first_appearance"
    place = change.visible_from, is_later, change.path, change.start
    kind = change.kind in _LAST, change.end, change.kind
    return *place, *kind, change.new or "", change.previous or "", change.other_id or 0


def refresh_changes(
    connection: Connection, vault_id: int, touched: Touched, ontology: Ontology
) -> None:
    """Derive the changes of touched entities again, and write those that differ."""
    historian = _Historian(connection, vault_id, ontology)
    if touched.everything:
        historian.write(None)
        return
    for ids in rows.batches(sorted(touched.entities | touched.histories)):
        historian.write(ids)


class _Historian:
    """Derives and writes changes of one vault's entities, within one transaction."""

    def __init__(self, connection: Connection, vault_id: int, ontology: Ontology) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._ontology = ontology

    def write(self, ids: Sequence[int] | None) -> None:
        """Make the changes of these entities (None: all) what their rows say."""
        wanted = None if ids is None else frozenset(ids)
        told: dict[int, list[Change]] = defaultdict(list)
        for found in (self._names(ids), self._relations(ids), self._notes(ids)):
            for change in found:
                if wanted is None or change.entity_id in wanted:
                    told[change.entity_id].append(change)
        change_table = rows.entity_change
        before: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        columns = [change_table.c[name] for name in CHANGE]
        for row in self._connection.execute(
            select(*columns)
            .where(self._is(change_table), *_among(change_table.c.entity_id, ids))
            .order_by(*columns[:3])
        ):
            before[row.entity_id].append(tuple(row))
        fresh: list[tuple[Any, ...]] = []
        stale: list[int] = []
        for entity_id in sorted(told.keys() | before.keys()):
            after = list(_numbered(_in_turn(told.get(entity_id, []))))
            if after == before.get(entity_id, []):
                continue
            if entity_id in before:
                stale.append(entity_id)
            fresh += after
        for batch in rows.batches(stale):
            self._connection.execute(
                delete(change_table).where(
                    self._is(change_table), change_table.c.entity_id.in_(batch)
                )
            )
        values = [(self._vault_id, *row) for row in fresh]
        rows.insert_rows(self._connection, change_table, ("vault_id", *CHANGE), values)

    def _is(self, table: Any) -> Any:
        return table.c.vault_id == self._vault_id

    def _names(self, ids: Sequence[int] | None) -> Iterator[Change]:
        """Yield where an entity appears first, and where each further name of it does."""
        by_form: dict[tuple[int, str], list[Change]] = defaultdict(list)
        for change in self._first_mentions(ids):
            by_form[change.entity_id, change.new or ""].append(change)
        by_entity: dict[int, list[Change]] = defaultdict(list)
        for (entity_id, _), found in by_form.items():
            by_entity[entity_id] += _firsts(found)
        for found in by_entity.values():
            appearances = _firsts(found)
            yield from (replace(each, kind="first_appearance") for each in appearances)
            shown = {(each.new, each.visible_from) for each in appearances}
            for each in found:
                if (each.new, each.visible_from) not in shown:
                    yield each

    def _first_mentions(self, ids: Sequence[int] | None) -> Iterator[Change]:
        """Yield the first mentions by each form, and all others of forms whose first do not last.

        Only what a position shows is read, through the index by entity and position.
        """
        mention, chunk, note = rows.mention, rows.chunk, rows.note
        holds = or_(
            mention.c.visible_until.is_(None), mention.c.visible_until > mention.c.visible_from
        )
        among = [self._is(mention), mention.c.visible_from.is_not(None), holds]
        among += _among(mention.c.entity_id, ids)
        first = (
            select(
                mention.c.entity_id,
                mention.c.form,
                func.min(mention.c.visible_from).label("first"),
                func.max(mention.c.visible_until).label("until"),
            )
            .where(*among)
            .group_by(mention.c.entity_id, mention.c.form)
            .subquery()
        )
        statement = (
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
            .join(chunk, (chunk.c.id == mention.c.chunk_id) & self._is(chunk))
            .join(note, (note.c.id == chunk.c.note_id) & self._is(note))
            .where(*among)
        )
        for row in self._connection.execute(statement):
            yield Change(
                row.entity_id,
                row.visible_from,
                row.visible_until,
                _place(row.position, row.visible_from),
                "alias_added",
                row.form,
                row.path,
                row.note_id,
                row.chunk_id,
                row.start,
                row.end,
                row.line + row.text.count("\n", 0, row.start - row.chunk_start),
            )

    def _relations(self, ids: Sequence[int] | None) -> Iterator[Change]:
        """Yield where relations of an entity are first stated, where they end, and statuses."""
        proofs: dict[int, list[Any]] = defaultdict(list)
        for row in self._proofs(ids):
            proofs[row.relation_id].append(row)
        begun: dict[tuple[int, int], dict[str, list[Change]]] = defaultdict(dict)
        for found in proofs.values():
            own = found[0]
            if own.origin == "status":
                yield from self._status(found, own.source_id, own.kind)
                continue
            kind = self._ontology.kind(own.kind)
            for entity, status in (
                (own.source_id, kind.source_status),
                (own.target_id, kind.target_status),
            ):
                if status is not None:
                    yield from self._status(found, entity, status)
            for entity, other, is_inverse in (
                (own.source_id, own.target_id, False),
                (own.target_id, own.source_id, True),
            ):
                name = self._ontology.name_from(own.kind, is_inverse=is_inverse)
                added = _firsts(
                    _from_proof(row, entity, "relationship_added", name, other)
                    for row in found
                    if not row.has_ended
                )
                yield from added
                begun[entity, other][own.kind] = added
                for ended in _firsts(
                    _from_proof(row, entity, "relationship_ended", name, other)
                    for row in found
                    if row.has_ended
                ):
                    yield replace(ended, previous=name, new=None)
        yield from self._ended(begun)

    def _status(self, proofs: Sequence[Any], entity: int, status: str) -> Iterator[Change]:
        found = (_from_proof(row, entity, "status_changed", status, None) for row in proofs)
        yield from _firsts(found)

    def _ended(self, begun: Mapping[tuple[int, int], dict[str, list[Change]]]) -> Iterator[Change]:
        """Yield the ends of relations that a later one between the same two puts an end to."""
        for of_pair in begun.values():
            for kind, later in of_pair.items():
                for ended in self._ontology.kind(kind).ends:
                    for new in later:
                        for old in of_pair.get(ended, ()):
                            untils = [
                                until
                                for until in (old.visible_until, new.visible_until)
                                if until is not None
                            ]
                            until = min(untils, default=None)
                            is_later = old.visible_from < new.visible_from
                            if is_later and (until is None or until > new.visible_from):
                                yield replace(
                                    *(new,),
                                    kind="relationship_ended",
                                    previous=old.new,
                                    new=None,
                                    visible_until=until,
                                )

    def _proofs(self, ids: Sequence[int] | None) -> list[Any]:
        relation, evidence, note = rows.relation, rows.evidence, rows.note
        statement = (
            select(evidence, relation.c.source_id, relation.c.target_id)
            .add_columns(relation.c.kind, relation.c.origin, note.c.path)
            .join(relation, (relation.c.id == evidence.c.relation_id) & self._is(relation))
            .join(note, (note.c.id == evidence.c.note_id) & self._is(note))
            .where(self._is(evidence), evidence.c.visible_from.is_not(None))
        )
        if ids is None:
            return list(self._connection.execute(statement))
        found: dict[Any, Any] = {}
        for end in (relation.c.source_id, relation.c.target_id):
            for row in self._connection.execute(statement.where(end.in_(ids))):
                key = row.relation_id, row.note_id, row.start, row.end, row.since
                found[key] = row
        return list(found.values())

    def _notes(self, ids: Sequence[int] | None) -> Iterator[Change]:
        """Yield the properties and sections of an entity's note that a reader gets to."""
        entity, note, chunk = rows.entity, rows.note, rows.chunk
        has_place = or_(note.c.visible_claim.is_not(None), note.c.has_claimed_sections)
        notes = list(
            self._connection.execute(
                select(entity.c.id, note.c.id.label("note_id"), note.c.path, note.c.statements)
                .add_columns(note.c.visible_from)
                .join(note, (note.c.id == entity.c.note_id) & self._is(note))
                .where(self._is(entity), has_place, *_among(entity.c.id, ids))
            )
        )
        chunks: dict[int, list[Any]] = defaultdict(list)
        for batch in rows.batches(row.note_id for row in notes):
            for row in self._connection.execute(
                select(chunk)
                .where(self._is(chunk), chunk.c.note_id.in_(batch))
                .order_by(chunk.c.note_id, chunk.c.ordinal)
            ):
                chunks[row.note_id].append(row)
        for row in notes:
            yield from _sections(row, chunks[row.note_id])
            yield from _properties(row, chunks[row.note_id])


def _sections(note: Any, chunks: Sequence[Any]) -> Iterator[Change]:
    """Yield the sections that come after what a reader first sees of a note."""
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


def _properties(note: Any, chunks: Sequence[Any]) -> Iterator[Change]:
    """Yield the properties in the parts of a note that a position shows."""
    starts = [chunk.start for chunk in chunks]
    for statement in read_statements(note.statements):
        if statement.form != "property" or statement.key in READING_KEYS:
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


def _in_note(note: Any, chunk: Any, kind: str, new: str | None, start: int, end: int) -> Change:
    line = chunk.line + chunk.text.count("\n", 0, start - chunk.start)
    place = _place(None, chunk.visible_from)
    return Change(
        *(note.id, chunk.visible_from, None, place, kind, new, note.path),
        *(note.note_id, chunk.id, start, end, line),
    )


def _from_proof(row: Any, entity: int, kind: str, new: str, other: int | None) -> Change:
    return Change(
        *(entity, row.visible_from, row.visible_until, row.position, kind, new, row.path),
        *(row.note_id, row.chunk_id, row.start, row.end, row.line, row.quote, other),
    )


def _place(position: int | None, visible_from: int) -> int | None:
    if position is not None:
        return position
    return None if visible_from == ALWAYS else visible_from


def _firsts(found: Iterable[Change]) -> list[Change]:
    """Return what is first at every position: one change, or several that take turns.

    A change that is first only once an earlier one has ceased to hold is visible from there.
    """
    firsts: list[Change] = []
    since: int | None = None
    for change in sorted(found, key=_in_order):
        if since is None:
            firsts.append(change)
        else:
            if change.visible_until is not None and change.visible_until <= since:
                continue
            firsts.append(replace(change, visible_from=max(since, change.visible_from)))
        since = change.visible_until
        if since is None:
            break
    return firsts


def _in_turn(changes: Iterable[Change]) -> list[Change]:
    """Return the changes of one entity in order; a status said again and again changes once."""
    ordered = sorted(changes, key=_in_order)
    told = [change for change in ordered if change.kind != "status_changed"]
    previous: str | None = None
    statuses = (change for change in ordered if change.kind == "status_changed")
    for status, same in groupby(statuses, attrgetter("new")):
        told += [replace(change, previous=previous) for change in _firsts(same)]
        previous = status
    return sorted(told, key=_in_order)


def _numbered(changes: Iterable[Change]) -> Iterator[tuple[Any, ...]]:
    """Yield rows of the columns `CHANGE`, numbered among those visible from one position."""
    last: int | None = None
    ordinal = 0
    for change in changes:
        ordinal = ordinal + 1 if change.visible_from == last else 0
        last = change.visible_from
        yield (
            *(change.entity_id, change.visible_from, ordinal, change.visible_until),
            *(change.position, change.kind, change.previous, change.new, change.other_id),
            *(change.note_id, change.chunk_id, change.start, change.end, change.line),
            change.quote,
        )


def _among(column: Any, ids: Sequence[int] | None) -> list[Any]:
    return [] if ids is None else [column.in_(ids)]
