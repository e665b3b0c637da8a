"""What the migrations make on PostgreSQL beside tables: the words of full text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection


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
