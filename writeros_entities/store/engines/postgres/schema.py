"""What PostgreSQL's index has besides tables: columns with the words of a row's texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.engines.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection

TERMS = {"chunk": "heading, text", "entity": "name, forms", "note": "title, ''"}
"""The title and the body of each table that is searched by words, as SQL expressions."""

COUNTS = {"chunk": TERMS["chunk"]}
"""The same for the tables of which it is known how often a word occurs."""

NARROW = 128
"""Target size in bytes for long rows: the smallest that PostgreSQL allows."""


def create_full_text(connection: Connection) -> None:
    """Create generated columns with the words of the rows, and the functions that they need.

    Long values of a chunk are stored out of line (TOAST), wherever a row exceeds 2 kB; by default
    PostgreSQL moves values out only until the row fits in 2 kB. Shorter rows mean that a list of
    rows with a word is read from a third of the pages.
    """
    run = connection.exec_driver_sql
    run(f"ALTER TABLE chunk SET (toast_tuple_target = {NARROW})")
    for statement in function_statements():
        run(statement)
    column = "ALTER TABLE {} ADD COLUMN {} GENERATED ALWAYS AS (writeros_{}({})) STORED"
    for table, texts in TERMS.items():
        run(column.format(table, "terms tsvector", "terms", texts))
        run(f"CREATE INDEX ix_{table}_terms ON {table} USING gin (terms)")
    for table, texts in COUNTS.items():
        run(column.format(table, "counts jsonb", "counts", texts))


def drop_full_text(connection: Connection) -> None:
    """Drop what `create_full_text` creates, if it is there."""
    for column, tables in (("terms", TERMS), ("counts", COUNTS)):
        for table in tables:
            connection.exec_driver_sql(
                f"ALTER TABLE IF EXISTS {table} DROP COLUMN IF EXISTS {column}"
            )
    for statement in drop_statements():
        connection.exec_driver_sql(statement)
