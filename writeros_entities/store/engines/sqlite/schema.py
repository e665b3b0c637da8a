"""What SQLite's index has besides tables: full-text indexes, and triggers that keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection


INDEXES = {"chunk": ("text", "heading"), "entity": ("name", "forms"), "note": ("title",)}
"""The columns of each table that are searched by words."""

_TOKENIZER = "unicode61 remove_diacritics 2"


def create_full_text(connection: Connection) -> None:
    """Create the full-text indexes of the rows that are there, and the triggers for others.

    The indexes hold no text of their own. The triggers change them with the rows, those of
    cascading deletes included.
    """
    for table, columns in INDEXES.items():
        index, names = f"{table}_fts", ", ".join(columns)
        new, old = (", ".join(f"{row}.{name}" for name in columns) for row in ("new", "old"))
        remove = f"INSERT INTO {index}({index}, rowid, {names}) VALUES ('delete', old.id, {old});"
        add = f"INSERT INTO {index}(rowid, {names}) VALUES (new.id, {new});"
        for statement in (
            f"CREATE VIRTUAL TABLE {index} USING fts5({names}, content='{table}', "
            f"content_rowid='id', tokenize='{_TOKENIZER}')",
            f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
            f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
            f"CREATE TRIGGER {index}_update AFTER UPDATE OF id, {names} ON {table} "
            f"BEGIN {remove} {add} END",
            f"INSERT INTO {index}({index}) VALUES ('rebuild')",
        ):
            connection.exec_driver_sql(statement)


def drop_full_text(connection: Connection) -> None:
    """Drop what `create_full_text` creates, if it is there."""
    for table in INDEXES:
        for event in ("insert", "delete", "update"):
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_fts_{event}")
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}_fts")


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
