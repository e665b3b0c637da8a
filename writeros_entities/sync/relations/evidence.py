"""Write evidence: what a note states now replaces what it stated before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, select, update

from writeros_entities.store import rows
from writeros_entities.store.rows import IdSequence
from writeros_entities.sync.drafting.drafts import NEVER
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from writeros_entities.sync.touched import Touched

EVIDENCE = (
    *("relation_id", "note_id", "start", "end", "since", "chunk_id", "form", "key", "line"),
    *("quote", "confidence", "has_ended", "position", "shown_from", "visible_from"),
    "visible_until",
)
_RELATION = (
    *("id", "vault_id", "source_id", "target_id", "kind", "origin", "strength", "confidence"),
    "evidence_count",
)
KEY = ("relation_id", "note_id", "start", "end", "since")

Edge = tuple[int, int, str, str]
"""Source, target, kind and origin."""


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


class EvidenceWriter:
    """Writes the evidence of one vault, within one transaction."""

    def __init__(self, connection: Connection, vault_id: int, touched: Touched) -> None:
        self._connection = connection
        self._vault_id = vault_id
        self._touched = touched

    def forget(self, note_ids: Iterable[int]) -> None:
        """Delete the evidence in notes that are about to change, and mark the entities it is about.

        The notes are marked for detection, so that an interrupted sync loses nothing.
        """
        evidence, note = rows.evidence, rows.note
        for batch in rows.batches(note_ids):
            condition = [self._is(evidence), evidence.c.note_id.in_(batch)]
            stated = select(evidence.c.relation_id).where(*condition).distinct()
            self._touched.relations.update(self._connection.scalars(stated))
            self._connection.execute(delete(evidence).where(*condition))
            self._connection.execute(
                update(note)
                .where(self._is(note), note.c.id.in_(batch), note.c.detected > rows.TO_DETECT)
                .values(detected=rows.TO_DETECT)
            )
            change = rows.entity_change
            told = select(change.c.entity_id).where(self._is(change), change.c.note_id.in_(batch))
            self._touched.histories.update(self._connection.scalars(told.distinct()))

    def replace(
        self, note_ids: set[int], proofs: dict[int, list[Proof]], *, is_prose: bool
    ) -> None:
        """Replace the evidence of notes by these proofs: that of prose, or all other evidence."""
        before = self._stored(note_ids - self._touched.added, is_prose=is_prose)
        edges = {proof.edge for of_note in proofs.values() for proof in of_note}
        relation_ids = self._relation_ids(edges)
        positions = self._positions(note for note, found in proofs.items() if found)
        stale: list[int] = []
        fresh: list[tuple[Any, ...]] = []
        for note_id in note_ids:
            after = {
                row[: len(KEY)]: row
                for proof in proofs.get(note_id, ())
                for row in [_row(relation_ids[proof.edge], note_id, positions[note_id], proof)]
            }
            old = before.get(note_id, {})
            if {key: _unsettled(row) for key, row in old.items()} == {
                key: _unsettled(row) for key, row in after.items()
            }:
                continue
            self._touched.relations.update(key[0] for key in (*old, *after))
            stale += [note_id] if old else []
            fresh += after.values()
        evidence = rows.evidence
        deletion = delete(evidence).where(self._is(evidence), _has_form(is_prose=is_prose))
        rows.change_among(self._connection, deletion, evidence.c.note_id, stale)
        values = [(self._vault_id, *row) for row in fresh]
        rows.insert_rows(self._connection, evidence, ("vault_id", *EVIDENCE), values)

    def _stored(
        self, note_ids: Iterable[int], *, is_prose: bool
    ) -> dict[int, dict[tuple[Any, ...], tuple[Any, ...]]]:
        evidence = rows.evidence
        columns = [evidence.c[name] for name in EVIDENCE]
        statement = select(*columns).where(self._is(evidence), _has_form(is_prose=is_prose))
        found: dict[int, dict[tuple[Any, ...], tuple[Any, ...]]] = defaultdict(dict)
        ids = sorted(note_ids)
        for row in rows.all_among(self._connection, statement, evidence.c.note_id, ids):
            found[row.note_id][tuple(row)[: len(KEY)]] = tuple(row)
        return found

    def _relation_ids(self, edges: set[Edge]) -> dict[Edge, int]:
        """Return the relation id of each edge; a new relation is aggregated later."""
        relation = rows.relation
        statement = select(relation).where(self._is(relation))
        sources = sorted({edge[0] for edge in edges})
        known = rows.all_among(self._connection, statement, relation.c.source_id, sources)
        found = {(row.source_id, row.target_id, row.kind, row.origin): row.id for row in known}
        new = sorted(edges - found.keys())
        if new:
            ids = IdSequence(self._connection, relation, self._vault_id)
            found |= {edge: ids.take() for edge in new}
            values = [(found[edge], self._vault_id, *edge, 0.0, 0.0, 0) for edge in new]
            rows.insert_rows(self._connection, relation, _RELATION, values)
        return found

    def _positions(self, note_ids: Iterable[int]) -> dict[int, int | None]:
        note = rows.note
        statement = select(note.c.id, note.c.position).where(self._is(note))
        found = rows.all_among(self._connection, statement, note.c.id, sorted(note_ids))
        return {row.id: row.position for row in found}

    def _is(self, table: Any) -> Any:
        return table.c.vault_id == self._vault_id

    def touch_named(self, note_ids: Iterable[int]) -> None:
        """Mark the entities mentioned in moved notes: which of two names comes first may change."""
        mention, chunk = rows.mention, rows.chunk
        for batch in rows.batches(note_ids):
            named = (
                select(mention.c.entity_id)
                .join(chunk, (chunk.c.id == mention.c.chunk_id) & self._is(chunk))
                .where(
                    self._is(mention),
                    chunk.c.note_id.in_(batch),
                    mention.c.visible_from.is_not(None),
                )
            )
            self._touched.histories.update(self._connection.scalars(named.distinct()))


def _has_form(*, is_prose: bool) -> ColumnElement[bool]:
    """Return the condition for evidence in prose, or for all other evidence."""
    form = rows.evidence.c.form
    return form == "prose" if is_prose else form != "prose"


def _row(relation_id: int, note_id: int, position: int | None, proof: Proof) -> tuple[Any, ...]:
    shown = proof.shown_from
    since = proof.since if proof.since is not None else NEVER if shown is None else shown
    if position is None and shown != ALWAYS:
        position = shown
    return (
        *(relation_id, note_id, proof.start, proof.end, since, proof.chunk_id, proof.form),
        *(proof.key, proof.line, proof.quote, proof.confidence, proof.has_ended, position),
        *(shown, None, proof.until),
    )


def _unsettled(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without `visible_from`, which is set when its relation is aggregated."""
    at = EVIDENCE.index("visible_from")
    return row[:at] + row[at + 1 :]
