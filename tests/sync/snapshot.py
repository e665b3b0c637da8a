"""Snapshots of all rows of a vault without ids and timestamps, to compare two indexes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, text

from writeros_entities.session import Session
from writeros_entities.store import rows

Snapshot = dict[str, list[tuple[Any, ...]]]

NOTE = (
    *("path", "title", "link_key", "kind", "size", "content_hash", "position", "visible_from"),
    *("marks_inside_words", "visible_claim", "frontmatter", "declaration", "reading_order"),
    *("statements", "fingerprint", "detected", "diagnostics"),
)
LINK = (
    *("ordinal", "kind", "raw", "target", "target_key", "heading", "block", "display", "field"),
    *("start", "end", "status", "visible_from"),
)
CHUNK = (
    *("ordinal", "heading", "text", "start", "end", "line", "tokens", "content_hash"),
    "visible_from",
)
ENTITY = (
    *("canonical_id", "name", "name_key", "type", "status", "forms", "known_from", "visible_from"),
    *("first_position", "last_position", "mention_count", "note_count", "importance"),
    *("confidence", "properties"),
)
ALIAS = ("form", "form_key", "kind", "weight", "exact", "known_from", "visible_from")
MENTION = (
    *("start", "end", "since", "visible_from", "visible_until", "form", "confidence", "method"),
    "reason",
)
WORDS = {"chunk": "heading, text", "entity": "name, forms", "note": "title, ''"}
RELATION = (
    *("kind", "origin", "strength", "confidence", "first_position", "last_position"),
    *("evidence_count", "visible_from"),
)
EVIDENCE = (
    *("start", "end", "since", "form", "key", "line", "quote", "confidence", "has_ended"),
    *("position", "shown_from", "visible_from", "visible_until"),
)
CHANGE = (
    *("visible_from", "ordinal", "visible_until", "position", "kind", "previous", "new"),
    *("start", "end", "line", "quote"),
)
TOPIC = ("name", "confidence", "visible_from")
PROPOSAL = ("name_key", "name", "type", "count", "needed", "confidence", "visible_from")


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
                ("relation", rows.relation),
                ("evidence", rows.evidence),
                ("entity_change", rows.entity_change),
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
        "note": [_pick(row, NOTE) for row in found["note"]],
        "link": [
            (paths[row.note_id], paths.get(row.target_note_id), *_pick(row, LINK))
            for row in found["link"]
        ],
        "chunk": [(paths[row.note_id], *_pick(row, CHUNK)) for row in found["chunk"]],
        "entity": [
            (entities[row.id], chunks.get(row.primary_chunk_id), *_pick(row, ENTITY))
            for row in found["entity"]
        ],
        "alias": [(entities[row.entity_id], *_pick(row, ALIAS)) for row in found["alias"]],
        "mention": [
            (*chunks[row.chunk_id], entities[row.entity_id], *_pick(row, MENTION))
            for row in found["mention"]
        ],
        "proposal": [(paths[row.note_id], *_pick(row, PROPOSAL)) for row in found["proposal"]],
        "topic": [(paths[row.note_id], *_pick(row, TOPIC)) for row in found["topic"]],
        "relation": [(*relations[row.id], *_pick(row, RELATION)) for row in found["relation"]],
        "evidence": [
            (
                *(relations[row.relation_id], paths[row.note_id], chunks.get(row.chunk_id)),
                *_pick(row, EVIDENCE),
            )
            for row in found["evidence"]
        ],
        "entity_change": [
            (
                *(entities[row.entity_id], entities.get(row.other_id)),
                *(paths[row.note_id], chunks.get(row.chunk_id)),
                *_pick(row, CHANGE),
            )
            for row in found["entity_change"]
        ],
    }
    return {name: sorted(found_rows, key=repr) for name, found_rows in snapshot.items()}


def check_full_text(session: Session) -> None:
    """Raise an error if the full-text indexes differ from the rows."""
    with session.database.write() as connection:
        if session.database.dialect == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            for table, texts in WORDS.items():
                wrong = text(f"SELECT id FROM {table} WHERE terms <> writeros_terms({texts})")
                assert connection.execute(wrong).all() == []
            return
        for index in ("chunk_fts", "entity_fts", "note_fts"):
            connection.execute(
                text(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")
            )


def _pick(row: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)
