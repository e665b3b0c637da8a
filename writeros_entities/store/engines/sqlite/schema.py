"""What SQLite's index has besides tables: full-text indexes, and triggers that keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
