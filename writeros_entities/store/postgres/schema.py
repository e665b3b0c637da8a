"""What the migrations make on PostgreSQL beside tables: words of full text, and how rows lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection

NARROW = 128
"""Bytes down to which a long row is made narrow: as few as PostgreSQL allows."""


def create_functions(connection: Connection) -> None:
    """Create the functions that find words."""
    for statement in function_statements():
        connection.exec_driver_sql(statement)


def drop_functions(connection: Connection) -> None:
    """Undo `create_functions`."""
    for statement in drop_statements():
        connection.exec_driver_sql(statement)


def keep_words(connection: Connection, table: str, title: str, body: str) -> None:
    """Have the database itself keep the words of two columns of a table, with an index on them.

    `title` and `body` are expressions.
    """
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN terms tsvector "
        f"GENERATED ALWAYS AS (writeros_terms({title}, {body})) STORED"
    )
    connection.exec_driver_sql(f"CREATE INDEX ix_{table}_terms ON {table} USING gin (terms)")


def keep_counts(connection: Connection, table: str, title: str, body: str) -> None:
    """Have the database itself keep how often each word stands in two columns."""
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN counts jsonb "
        f"GENERATED ALWAYS AS (writeros_counts({title}, {body})) STORED"
    )


def drop_words(connection: Connection, table: str) -> None:
    """Undo `keep_words`."""
    connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN terms")


def keep_narrow(connection: Connection, table: str) -> None:
    """Have long values of a table lie apart from its rows, wherever a row is long.

    A list of rows that have a word is then read from a third of the pages. PostgreSQL takes values
    out of rows of more than 2 kB, by default only until they have less.
    """
    connection.exec_driver_sql(f"ALTER TABLE {table} SET (toast_tuple_target = {NARROW})")


def keep_wide(connection: Connection, table: str) -> None:
    """Undo `keep_narrow`."""
    connection.exec_driver_sql(f"ALTER TABLE {table} RESET (toast_tuple_target)")
