"""Write evidence: what a note states now replaces what it stated before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence, VaultRows
from writeros_entities.sync.drafting.drafts import NEVER
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from writeros_entities.sync.touched import Touched


class EvidenceKey(NamedTuple):
    """What identifies a piece of evidence."""

    relation_id: int
    note_id: int
    start: int
    end: int
    since: int


class EvidenceRow(NamedTuple):
    """A piece of evidence as its row has it; `visible_from` is set with its relation."""

    relation_id: int
    note_id: int
    start: int
    end: int
    since: int
    chunk_id: int | None
    form: str
    key: str
    line: int
    quote: str | None
    confidence: float
    has_ended: bool
    position: int | None
    shown_from: int | None
    visible_until: int | None

    @property
    def identity(self) -> EvidenceKey:
        """What identifies it."""
        return EvidenceKey(self.relation_id, self.note_id, self.start, self.end, self.since)


class Edge(NamedTuple):
    """The ends of a relation, its kind and its origin."""

    source_id: int
    target_id: int
    kind: str
    origin: str


class _RelationRow(NamedTuple):
    """A relation and its edge."""

    id: int
    source_id: int
    target_id: int
    kind: str
    origin: str

    @property
    def edge(self) -> Edge:
        """Its ends, kind and origin."""
        return Edge(self.source_id, self.target_id, self.kind, self.origin)


_UNPROVEN: dict[str, Any] = {"confidence": 0.0, "evidence_count": 0}
"""What a new relation is worth until it is aggregated."""


class Proof(NamedTuple):
    """One piece of evidence, and the edge that it supports."""

    edge: Edge
    start: int
    end: int
    chunk_id: int | None
    form: str
    key: str
    line: int
    quote: str | None
    confidence: float
    shown_from: int | None
    has_ended: bool = False
    since: int | None = None
    until: int | None = None


_IN_NOTES = rows.in_vault(rows.evidence), rows.among(rows.evidence.c.note_id)
_HAS_FORM = {True: rows.evidence.c.form == "prose", False: rows.evidence.c.form != "prose"}
"""The condition for evidence in prose, and for all other evidence."""

_EVIDENCE = {
    is_prose: rows.select_as(EvidenceRow, rows.evidence).where(_IN_NOTES[1], condition)
    for is_prose, condition in _HAS_FORM.items()
}
_STATED_THERE = select(rows.evidence.c.relation_id).where(*_IN_NOTES).distinct()
_FORGOTTEN = delete(rows.evidence).where(*_IN_NOTES)
_MARKED = (
    update(rows.note)
    .where(rows.in_vault(rows.note), rows.among(rows.note.c.id))
    .where(rows.note.c.detected > rows.TO_DETECT)
    .values(detected=rows.TO_DETECT)
)
_TOLD_THERE = (
    select(rows.entity_change.c.entity_id)
    .where(rows.in_vault(rows.entity_change), rows.among(rows.entity_change.c.note_id))
    .distinct()
)
_NAMED_THERE = (
    select(rows.mention.c.entity_id)
    .join(rows.chunk, (rows.chunk.c.id == rows.mention.c.chunk_id) & rows.in_vault(rows.chunk))
    .where(rows.in_vault(rows.mention), rows.among(rows.chunk.c.note_id))
    .where(rows.mention.c.visible_from.is_not(None))
    .distinct()
)
_FROM_SOURCES = rows.select_as(_RelationRow, rows.relation).where(
    rows.among(rows.relation.c.source_id)
)
_POSITIONS = select(rows.note.c.id, rows.note.c.position).where(
    rows.in_vault(rows.note), rows.among(rows.note.c.id)
)


class EvidenceWriter:
    """Writes the evidence of one vault, within one transaction."""

    def __init__(self, index: VaultRows, touched: Touched) -> None:
        self._index = index
        self._touched = touched

    def forget(self, note_ids: Iterable[int]) -> None:
        """Delete the evidence in notes that are about to change, and mark the entities it is about.

        The notes are marked for detection, so that an interrupted sync loses nothing.
        """
        for notes in rows.given(note_ids):
            self._touched.relations.update(self._index.scalars(_STATED_THERE, notes))
            self._index.execute(_FORGOTTEN, notes)
            self._index.execute(_MARKED, notes)
            self._touched.histories.update(self._index.scalars(_TOLD_THERE, notes))

    def replace(
        self, note_ids: set[int], proofs: dict[int, list[Proof]], *, is_prose: bool
    ) -> None:
        """Replace the evidence of notes by these proofs: that of prose, or all other evidence."""
        before = self._stored(note_ids - self._touched.written, is_prose=is_prose)
        edges = {proof.edge for of_note in proofs.values() for proof in of_note}
        relation_ids = self._relation_ids(edges)
        positions = self._positions(note for note, found in proofs.items() if found)
        stale: list[int] = []
        fresh: list[EvidenceRow] = []
        for note_id in note_ids:
            after = {
                row.identity: row
                for proof in proofs.get(note_id, ())
                for row in [_row(relation_ids[proof.edge], note_id, positions[note_id], proof)]
            }
            old = before.get(note_id, {})
            if old == after:
                continue
            self._touched.relations.update(key.relation_id for key in (*old, *after))
            stale += [note_id] if old else []
            fresh += after.values()
        deletion = _FORGOTTEN.where(_HAS_FORM[is_prose])
        self._index.change_among(deletion, stale)
        self._index.insert(rows.evidence, fresh)

    def _stored(
        self, note_ids: Iterable[int], *, is_prose: bool
    ) -> dict[int, dict[EvidenceKey, EvidenceRow]]:
        found: dict[int, dict[EvidenceKey, EvidenceRow]] = defaultdict(dict)
        asked = _EVIDENCE[is_prose]
        for row in self._index.fetch_among(EvidenceRow, asked, sorted(note_ids)):
            found[row.note_id][row.identity] = row
        return found

    def _relation_ids(self, edges: set[Edge]) -> dict[Edge, int]:
        """Return the relation id of each edge; a new relation is aggregated later."""
        relation = rows.relation
        sources = sorted({edge.source_id for edge in edges})
        known = self._index.fetch_among(_RelationRow, _FROM_SOURCES, sources)
        found = {row.edge: row.id for row in known}
        new = sorted(edges - found.keys())
        if new:
            ids = IdSequence(self._index, relation)
            added = [_RelationRow(ids.take(), *edge) for edge in new]
            found |= {row.edge: row.id for row in added}
            self._index.insert(relation, added, **_UNPROVEN)
        return found

    def _positions(self, note_ids: Iterable[int]) -> dict[int, int | None]:
        found = self._index.all_among(_POSITIONS, sorted(note_ids))
        return {row.id: row.position for row in found}

    def touch_named(self, note_ids: Iterable[int]) -> None:
        """Mark the entities mentioned in moved notes: which of two names comes first may change."""
        for notes in rows.given(note_ids):
            self._touched.histories.update(self._index.scalars(_NAMED_THERE, notes))


def _row(relation_id: int, note_id: int, position: int | None, proof: Proof) -> EvidenceRow:
    shown = proof.shown_from
    since = proof.since if proof.since is not None else NEVER if shown is None else shown
    if position is None and shown != ALWAYS:
        position = shown
    return EvidenceRow(
        *(relation_id, note_id, proof.start, proof.end, since, proof.chunk_id, proof.form),
        *(proof.key, proof.line, proof.quote, proof.confidence, proof.has_ended, position),
        *(shown, proof.until),
    )
