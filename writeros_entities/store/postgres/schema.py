"""What the migrations create on PostgreSQL besides tables: full-text columns and row storage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection

NARROW = 128
"""Target size in bytes for long rows: the smallest that PostgreSQL allows."""


def create_functions(connection: Connection) -> None:
    """Create the functions that split text into words."""
    for statement in function_statements():
        connection.exec_driver_sql(statement)


def drop_functions(connection: Connection) -> None:
    """Undo `create_functions`."""
    for statement in drop_statements():
        connection.exec_driver_sql(statement)


def keep_words(connection: Connection, table: str, title: str, body: str) -> None:
    """Add an indexed, generated column with the words of the expressions `title` and `body`."""
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN terms tsvector "
        f"GENERATED ALWAYS AS (writeros_terms({title}, {body})) STORED"
    )
    connection.exec_driver_sql(f"CREATE INDEX ix_{table}_terms ON {table} USING gin (terms)")


def keep_counts(connection: Connection, table: str, title: str, body: str) -> None:
    """Add a generated column with the number of occurrences of each word in two SQL expressions."""
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN counts jsonb "
        f"GENERATED ALWAYS AS (writeros_counts({title}, {body})) STORED"
    )


def drop_words(connection: Connection, table: str) -> None:
    """Undo `keep_words`."""
    connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN terms")


def keep_narrow(connection: Connection, table: str) -> None:
    """Store long values of a table out of line (TOAST), wherever a row exceeds 2 kB.

    PostgreSQL by default moves values out only until the row fits in 2 kB. Shorter rows mean that a
    list of rows with a word is read from a third of the pages.
    """
    connection.exec_driver_sql(f"ALTER TABLE {table} SET (toast_tuple_target = {NARROW})")


def keep_wide(connection: Connection, table: str) -> None:
    """Undo `keep_narrow`."""
    connection.exec_driver_sql(f"ALTER TABLE {table} RESET (toast_tuple_target)")
