"""Snapshots of all rows of a vault without ids and timestamps, to compare two indexes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Integer, Table, select, text

from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.engines.postgres import PostgresEngine

Snapshot = dict[str, list[tuple[Any, ...]]]

OWN = {
    "note": {"mtime_ns"},
    "entity": {"key", "subject"},
    "page": {"read_by", "clauses"},
}
"""Columns of a table, besides ids, that may differ between two indexes of one vault: clauses, like
vectors, are kept of what was read once.
"""

WORDS = {"chunk": "heading, text", "entity": "name, forms", "note": "title, ''"}


def take_snapshot(session: Session) -> Snapshot:
    """Return all rows of the session's vault, in an order that does not depend on ids."""
    with session.database.read() as connection:
        found = {
            name: connection.execute(
                select(table).where(table.c.vault_id == session.vault_id)
            ).all()
            for name, table in (
                ("note", rows.note),
                ("link", rows.link),
                ("chunk", rows.chunk),
                ("entity", rows.entity),
                ("alias", rows.alias),
                ("mention", rows.mention),
                ("proposal", rows.proposal),
                ("topic", rows.topic),
                ("thread", rows.thread),
                ("page", rows.page),
                ("relation", rows.relation),
                ("evidence", rows.evidence),
                ("entity_change", rows.entity_change),
                ("event", rows.event),
            )
        }
    paths = {row.id: row.path for row in found["note"]}
    chunks = {row.id: (paths[row.note_id], row.ordinal) for row in found["chunk"]}
    entities = {
        row.id: f"note:{paths[row.note_id]}" if row.note_id is not None else row.subject
        for row in found["entity"]
    }
    kinds = session.plugins.ontology.kinds

    def ends(row: Any) -> tuple[str, ...]:
        pair = entities[row.source_id], entities[row.target_id]
        is_symmetric = row.kind in kinds and kinds[row.kind].symmetric
        return tuple(sorted(pair)) if is_symmetric else pair

    relations = {row.id: (*ends(row), row.kind) for row in found["relation"]}
    snapshot: Snapshot = {
        "note": [_pick(row, rows.note) for row in found["note"]],
        "link": [
            (paths[row.note_id], paths.get(row.target_note_id), *_pick(row, rows.link))
            for row in found["link"]
        ],
        "chunk": [(paths[row.note_id], *_pick(row, rows.chunk)) for row in found["chunk"]],
        "entity": [(entities[row.id], *_pick(row, rows.entity)) for row in found["entity"]],
        "alias": [(entities[row.entity_id], *_pick(row, rows.alias)) for row in found["alias"]],
        "mention": [
            (*chunks[row.chunk_id], entities[row.entity_id], *_pick(row, rows.mention))
            for row in found["mention"]
        ],
        "proposal": [(paths[row.note_id], *_pick(row, rows.proposal)) for row in found["proposal"]],
        "topic": [(paths[row.note_id], *_pick(row, rows.topic)) for row in found["topic"]],
        "page": [(paths[row.note_id], *_pick(row, rows.page)) for row in found["page"]],
        "relation": [(*relations[row.id], *_pick(row, rows.relation)) for row in found["relation"]],
        "evidence": [
            (
                *(relations[row.relation_id], paths[row.note_id], chunks.get(row.chunk_id)),
                *_pick(row, rows.evidence),
            )
            for row in found["evidence"]
        ],
        "event": [
            (*chunks[row.chunk_id], entities[row.entity_id], *_pick(row, rows.event))
            for row in found["event"]
        ],
        "entity_change": [
            (
                *(entities[row.entity_id], entities.get(row.other_id)),
                *(paths[row.note_id], chunks.get(row.chunk_id)),
                *_pick(row, rows.entity_change),
            )
            for row in found["entity_change"]
        ],
    }
    return {name: sorted(found_rows, key=repr) for name, found_rows in snapshot.items()}


def check_full_text(session: Session) -> None:
    """Raise an error if the full-text indexes differ from the rows."""
    with session.database.write() as connection:
        if isinstance(session.database.engine, PostgresEngine):
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            for table, texts in WORDS.items():
                wrong = text(f"SELECT id FROM {table} WHERE terms <> writeros_terms({texts})")
                assert connection.execute(wrong).all() == []
            return
        for index in ("chunk_fts", "entity_fts", "note_fts"):
            connection.execute(
                text(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")
            )


def _pick(row: Any, table: Table) -> tuple[Any, ...]:
    """Return the values of a row, but for its ids."""
    own = OWN.get(table.name, set())
    return tuple(
        getattr(row, column.name)
        for column in table.c
        if column.name not in own and not _is_id(column)
    )


def _is_id(column: Column[Any]) -> bool:
    return isinstance(column.type, Integer) and column.name.rpartition("_")[2] == "id"
