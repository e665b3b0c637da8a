"""Turn what notes state into relations and their evidence.

The links of a note state something once they are resolved (`state_links`), its prose once its
mentions are detected (`state_prose`). Relations that gained or lost evidence are then aggregated
again (see `aggregation`). An inverse kind is stored as its kind with source and target exchanged, a
symmetric one from the lower id to the higher, so that all evidence for a relation is in one row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from writeros_entities.names import fold_name
from writeros_entities.store import rows
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync.drafting.statements import read_statements
from writeros_entities.sync.entities.drafts import (
    link_keys_among,
    link_subject,
    note_subject,
    notes_among,
)
from writeros_entities.sync.entities.subjects import section_key
from writeros_entities.sync.relations.evidence import Edge, EvidenceWriter, Proof
from writeros_entities.values import ALWAYS, HEADING_SEPARATOR, LARGEST_POSITION, NAME_ALONE
from writeros_entities.values.notes import latest
from writeros_entities.vault.headings import heading_at

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology, Reading
    from writeros_entities.store.rows import Row
    from writeros_entities.sync.drafting.detector import Detected
    from writeros_entities.sync.drafting.inference import InferredRow
    from writeros_entities.sync.drafting.statements import Statement
    from writeros_entities.sync.touched import Touched

WRITTEN = 0.95
"""Confidence of a property, inline field or labelled edge that links to an entity."""

NAMED = 0.9
"""Confidence of a property that has a name but no link."""

_MAY_STATE = or_(rows.link.c.field.is_not(None), rows.link.c.kind == "canvas")
"""The condition for links by which a note may state something."""


@dataclass(frozen=True, slots=True)
class _End:
    """An entity at one end of a statement.

    If it is identified by name alone, it has that name from `known_from` on, and the name means it
    until another entity has it from `known_until` on.
    """

    id: int
    type: str
    known_from: int | None = ALWAYS
    known_until: int | None = None
    is_suggested: bool = False

    def gives_way_by(self, position: int | None) -> bool:
        """Say whether the name means another entity by this position; None is the end."""
        if self.known_until is None:
            return False
        return position is None or position >= self.known_until


@dataclass(frozen=True, slots=True)
class _Ends:
    """The entities that statements may be about, by subject and by name."""

    by_subject: Mapping[str, _End]
    by_section: Mapping[int, Mapping[str, _End]]
    by_name: Mapping[str, Sequence[_End]]

    def of_place(self, note_id: int, heading: str) -> _End | None:
        """Return what a note is about below some headings: the innermost section's, or its own."""
        path = heading.split(HEADING_SEPARATOR)
        sections = self.by_section.get(note_id, {})
        above = (HEADING_SEPARATOR.join(path[:length]) for length in range(len(path), 0, -1))
        found = next((sections[one] for one in above if one in sections), None)
        return found or self.by_subject.get(note_subject(note_id))

    def meant_by(self, link: Row | None) -> Sequence[_End]:
        """Return the entities that a link or a name means, one after the other in reading order."""
        if link is None:
            return ()
        if link.heading and link.target_note_id:
            key, sections = section_key(link.heading), self.by_section.get(link.target_note_id, {})
            about = next((end for one, end in sections.items() if section_key(one) == key), None)
            if about is not None:
                return (about,)
        target = note_subject(link.target_note_id) if link.target_note_id else None
        linked = self.by_subject.get(target or link_subject(link.target_key))
        if target is None and (linked is None or link.kind == NAME_ALONE):
            return self.by_name.get(link.target_key, ())
        return () if linked is None else (linked,)


class _Places:
    """The chunks of one note, for look-up by span."""

    def __init__(self, chunks: Sequence[Row]) -> None:
        self._chunks = chunks
        self._starts = [chunk.start for chunk in chunks]

    def chunk_of(self, start: int, end: int) -> int | None:
        """Return the id of the chunk that contains a span entirely, or None."""
        place = bisect_right(self._starts, start) - 1
        if place < 0 or end > self._chunks[place].end:
            return None
        return int(self._chunks[place].id)

    def heading_of(self, start: int) -> str:
        """Return the headings above a place in a chunk; "" for one that is in none."""
        place = bisect_right(self._starts, start) - 1
        if place < 0:
            return ""
        chunk = self._chunks[place]
        return heading_at(chunk.heading, chunk.sections, start - chunk.start)


_STATES = rows.in_vault(rows.note), rows.note.c.statements.is_not(None)
_STATING = select(rows.note.c.id).where(*_STATES)
_STATEMENTS = select(
    *(rows.note.c[name] for name in ("id", "position", "visible_from", "statements"))
).where(*_STATES, rows.among(rows.note.c.id))
_LINKING = select(rows.link.c.note_id).where(rows.in_vault(rows.link), _MAY_STATE).distinct()
_LINKING_TO = _LINKING.where(rows.among(rows.link.c.target_note_id))
_LINKING_AS = _LINKING.where(
    rows.among(rows.link.c.target_key), rows.link.c.target_note_id.is_(None)
)
_LINKS = (
    select(*(rows.link.c[name] for name in ("note_id", "ordinal", "target_note_id", "target_key")))
    .add_columns(*(rows.link.c[name] for name in ("kind", "heading", "start", "visible_from")))
    .where(rows.in_vault(rows.link), _MAY_STATE, rows.among(rows.link.c.note_id))
)
_ENDS = select(rows.entity.c.subject, rows.entity.c.id, rows.entity.c.type).where(
    rows.in_vault(rows.entity), rows.among(rows.entity.c.subject)
)
_ABOUT_SECTIONS = (
    select(*(rows.entity.c[name] for name in ("note_id", "heading", "id", "type")))
    .where(rows.in_vault(rows.entity), rows.entity.c.heading.is_not(None))
    .where(rows.among(rows.entity.c.note_id))
)
_CALLED = (
    select(rows.alias.c.form_key, rows.alias.c.known_from)
    .add_columns(rows.entity.c.id, rows.entity.c.type, rows.entity.c.status)
    .join(rows.entity, (rows.entity.c.id == rows.alias.c.entity_id) & rows.in_vault(rows.entity))
    .where(rows.in_vault(rows.alias), rows.among(rows.alias.c.form_key))
    .where(rows.alias.c.kind.in_(("name", "alias", "surface_form")))
)
_CHUNKS = (
    select(*(rows.chunk.c[name] for name in ("note_id", "id", "start", "end")))
    .add_columns(rows.chunk.c.heading, rows.chunk.c.sections)
    .where(rows.in_vault(rows.chunk), rows.among(rows.chunk.c.note_id))
    .order_by(rows.chunk.c.note_id, rows.chunk.c.ordinal)
)


class RelationWriter:
    """Writes what the notes of one vault state, within one transaction."""

    def __init__(self, index: VaultRows, touched: Touched, ontology: Ontology) -> None:
        self._index = index
        self._touched = touched
        self._ontology = ontology
        self.evidence = EvidenceWriter(index, touched)

    def state_links(self, changed_forms: Iterable[str]) -> None:
        """Update the evidence of properties, fields and edges, where it may have changed.

        `changed_forms` are names that were added or removed; an unresolved link may mean one of
        them.
        """
        note_ids: Iterable[int] = (
            self._index.execute(_STATING).scalars()
            if self._touched.everything
            else self._to_state(changed_forms)
        )
        for some in rows.given(sorted(note_ids)):
            self._state(self._index.execute(_STATEMENTS, some).all(), set(some["among"]))

    def state_prose(self, detected: Sequence[Detected]) -> None:
        """Replace the evidence in the prose of these notes by what was inferred from it."""
        proofs: dict[int, list[Proof]] = defaultdict(list)
        for found in detected:
            proofs[found.note_id] += map(self._from_prose, found.inferred.statements)
        self.evidence.replace({found.note_id for found in detected}, proofs, is_prose=True)

    def _to_state(self, changed_forms: Iterable[str]) -> set[int]:
        """Return the notes whose links may state something else than before."""
        targets = notes_among(self._touched.renewed)
        found = self._touched.notes | self._touched.restated | targets
        keys = link_keys_among(self._touched.renewed) | set(map(fold_name, changed_forms))
        for statement, values in ((_LINKING_TO, sorted(targets)), (_LINKING_AS, sorted(keys))):
            for some in rows.given(values):
                found |= set(self._index.scalars(statement, some))
        return found

    def _state(self, notes: Sequence[Row], note_ids: set[int]) -> None:
        stated = {row.id: read_statements(row.statements) for row in notes}
        links = self._links([row.id for row in notes])
        ends = self._ends(stated, links)
        chunks = self._chunks(note for note, found in stated.items() if found)
        proofs = {}
        for row in notes:
            places = _Places(chunks[row.id])
            proofs[row.id] = [
                proof
                for statement in stated[row.id]
                for proof in self._proofs(row, statement, links[row.id], ends, places)
            ]
        self.evidence.replace(note_ids, proofs, is_prose=False)

    def _links(self, note_ids: Iterable[int]) -> dict[int, dict[int, Row]]:
        found: dict[int, dict[int, Row]] = defaultdict(dict)
        for row in self._index.all_among(_LINKS, note_ids):
            found[row.note_id][row.ordinal] = row
        return found

    def _ends(self, stated: Iterable[int], links: dict[int, dict[int, Row]]) -> _Ends:
        """Return the entities of notes and link targets, by subject and by name."""
        notes = set(stated)
        notes |= {row.target_note_id for found in links.values() for row in found.values()} - {None}
        subjects = {note_subject(note) for note in stated}
        keys = set()
        for of_note in links.values():
            for row in of_note.values():
                if row.target_note_id is None:
                    keys.add(row.target_key)
                else:
                    subjects.add(note_subject(row.target_note_id))
        subjects |= set(map(link_subject, keys))
        found = self._index.all_among(_ENDS, sorted(subjects))
        by_subject = {row.subject: _End(row.id, row.type) for row in found}
        return _Ends(by_subject, self._about_sections(notes), self._called(keys))

    def _about_sections(self, note_ids: Iterable[int]) -> dict[int, dict[str, _End]]:
        """Return the entities that sections of some notes are about, by note and headings."""
        found: dict[int, dict[str, _End]] = defaultdict(dict)
        for row in self._index.all_among(_ABOUT_SECTIONS, sorted(note_ids)):
            found[row.note_id][row.heading] = _End(row.id, row.type)
        return found

    def _called(self, keys: Iterable[str]) -> dict[str, Sequence[_End]]:
        """Return the entities that each name means, one after the other in reading order.

        Of several entities with a name, the one that has it first counts, so that a later chapter
        does not change earlier answers; see `_in_turn`.
        """
        found: dict[str, dict[int, _End]] = defaultdict(dict)
        for row in self._index.all_among(_CALLED, sorted(keys)):
            is_suggested = row.status == "suggested"
            end = _End(row.id, row.type, row.known_from, is_suggested=is_suggested)
            other = found[row.form_key].setdefault(row.id, end)
            found[row.form_key][row.id] = min(end, other, key=_known)
        return {key: _in_turn(called.values()) for key, called in found.items()}

    def _chunks(self, note_ids: Iterable[int]) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self._index.all_among(_CHUNKS, note_ids):
            found[row.note_id].append(row)
        return found

    def _proofs(
        self, note: Row, statement: Statement, links: dict[int, Row], ends: _Ends, places: _Places
    ) -> Iterator[Proof]:
        """Yield the evidence of a statement, for each entity that its target means in turn."""
        target = links.get(-1 if statement.target is None else statement.target)
        if target is None:
            return
        source = ends.of_place(note.id, places.heading_of(statement.start))
        shown_from = target.visible_from
        if statement.form == "canvas":
            start = links.get(-1 if statement.source is None else statement.source)
            source, shown_from = next(iter(ends.meant_by(start)), None), note.visible_from
        is_named = target.kind == NAME_ALONE
        for other in ends.meant_by(target):
            if source is None or source.id == other.id:
                continue
            since = latest(shown_from, other.known_from)
            word, reading = self._read(statement, source.type, other.type)
            if reading is None or other.gives_way_by(since):
                continue
            if not self._ontology.fits(reading, source.type, other.type):
                continue
            yield Proof(
                self._edge(reading, source.id, other.id),
                start=statement.start,
                end=statement.end,
                chunk_id=places.chunk_of(statement.start, statement.end),
                form=statement.form,
                key=word,
                line=statement.line,
                quote=statement.quote,
                confidence=NAMED if is_named else WRITTEN,
                shown_from=since,
                until=other.known_until,
            )

    def _read(
        self, statement: Statement, own_type: str, linked_type: str
    ) -> tuple[str, Reading | None]:
        """Return the word that states the relation, and its reading by the ontology."""
        key, word = statement.key, statement.value
        if word is not None:
            reading = self._ontology.read_item(key, word, own_type, linked_type)
            if reading is not None:
                return word, reading
        if statement.form == "canvas":
            return key, self._ontology.read_label(key, own_type, linked_type)
        return key, self._ontology.read_key(key, own_type, linked_type)

    def _from_prose(self, row: InferredRow) -> Proof:
        if row.target_id is None:
            edge = Edge(row.source_id, row.source_id, row.kind, "status")
        else:
            edge = self._edge(self._ontology.read_name(row.kind), row.source_id, row.target_id)
        return Proof(
            edge,
            start=row.start,
            end=row.end,
            chunk_id=row.chunk_id,
            form="prose",
            key=row.key,
            line=row.line,
            quote=None,
            confidence=row.confidence,
            shown_from=row.shown_from,
            has_ended=row.has_ended,
            since=row.since,
            until=row.visible_until,
        )

    def _edge(self, reading: Reading, source: int, target: int) -> Edge:
        if reading.is_inverse:
            source, target = target, source
        if self._ontology.kind(reading.kind).symmetric and target < source:
            source, target = target, source
        return Edge(source, target, reading.kind, "asserted")


def _known(end: _End) -> int:
    return LARGEST_POSITION if end.known_from is None else end.known_from


def _in_turn(called: Iterable[_End]) -> Sequence[_End]:
    """Return the entities that a name means in turn; none if several have it at the same time.

    It means the first that has it; but if that one is only suggested, then later the next.
    """
    ordered = sorted(called, key=_known)
    positions = [_known(end) for end in ordered]
    if positions.count(positions[0]) > 1:
        return ()
    first = ordered[0]
    if not first.is_suggested or len(ordered) == 1 or positions.count(positions[1]) > 1:
        return (first,)
    return replace(first, known_until=positions[1]), ordered[1]
