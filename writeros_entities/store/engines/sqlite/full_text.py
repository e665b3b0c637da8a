"""Finding rows by words on SQLite: the FTS5 indexes over chunks and entities, see `schema`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection


def notes_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the notes with a chunk that contains all words of a form."""
    queries = ["(" + " AND ".join(f'"{word}"' for word in words) + " *)" for words in forms]
    statement = text(
        "SELECT DISTINCT chunk.note_id FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid "
        "WHERE chunk_fts MATCH :query AND chunk.vault_id = :vault_id"
    )
    query = "text : (" + " OR ".join(queries) + ")"
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def entities_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the entities whose names contain all words of a form."""
    queries = ["(" + " AND ".join(f'"{word}"' for word in words) + ")" for words in forms]
    statement = text(
        "SELECT entity.id FROM entity_fts JOIN entity ON entity.id = entity_fts.rowid "
        "WHERE entity_fts MATCH :query AND entity.vault_id = :vault_id"
    )
    query = " OR ".join(queries)
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))
