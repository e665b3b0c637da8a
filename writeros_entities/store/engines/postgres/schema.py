"""What PostgreSQL keeps beside the tables: columns, indexes, full text, statistics.

Finding rows by words on PostgreSQL: a generated tsvector column of words with their positions.

The words are the same as FTS5's (see `words`), so that both engines find the same chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from writeros_entities.store.engines.postgres.words import (
    CUT,
    MAX_LETTERS,
    drop_statements,
    function_statements,
)
from writeros_entities.store.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


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


def notes_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the notes with a chunk that contains all words of a form.

    A chunk too long for all of its words to be indexed always matches.
    """
    statement = text(
        "SELECT DISTINCT note_id FROM chunk WHERE terms @@ CAST(:query AS tsquery) "
        "AND vault_id = :vault_id"
    )
    query = " | ".join([*map(_all_words, forms), f"'{CUT}'"])
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def _all_words(parts: Sequence[str]) -> str:
    *first, last = (f"'{word[:MAX_LETTERS]}':D" for word in parts)
    return "(" + " & ".join([*first, f"{last}*"]) + ")"


def entities_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the entities whose names contain all words of a form.

    An entity with too many words for all to be indexed always matches.
    """
    statement = text(
        "SELECT id FROM entity WHERE terms @@ CAST(:query AS tsquery) AND vault_id = :vault_id"
    )
    every = (" & ".join(f"'{word[:MAX_LETTERS]}'" for word in words) for words in forms)
    query = " | ".join([*(f"({words})" for words in every), f"'{CUT}'"])
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def size_in_bytes(connection: Connection) -> int:
    """Return the size of the product's tables and of their indexes, all vaults together."""
    sizes = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE oid = ANY("
    tables = ", ".join(f"'{name}'::regclass" for name in metadata.tables)
    return int(connection.scalar(text(f"{sizes} ARRAY[{tables}])")) or 0)


def refresh_statistics(connection: Connection) -> None:
    """Update the planner's statistics of the product's tables, skipping tables that are locked."""
    connection.execute(text(f"ANALYZE (SKIP_LOCKED) {', '.join(metadata.tables)}"))


def settle(engine: Engine, seconds: float) -> None:
    """Vacuum the product's tables, which autovacuum would do some minutes later.

    It marks which rows are visible to every transaction; until then, index scans must look up each
    row in its table. Errors, such as a missing privilege or a timeout, are ignored: autovacuum will
    follow.
    """
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    tables = ", ".join(metadata.tables)
    with suppress(DBAPIError), alone.connect() as connection:
        connection.detach()  # its limit is not for others
        connection.execute(text(f"SET statement_timeout = {round(seconds * 1000)}"))
        connection.execute(text(f"VACUUM (SKIP_LOCKED, TRUNCATE FALSE) {tables}"))


def find_faults(connection: Connection) -> list[str]:
    """Return invalid indexes, unchecked constraints and damaged pages known to the server."""
    tables = {"tables": list(metadata.tables)}
    broken = text(
        "SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid "
        "WHERE t.relname = ANY(:tables) AND pg_table_is_visible(t.oid) "
        "AND NOT (i.indisvalid AND i.indisready) ORDER BY 1"
    )
    loose = text(
        "SELECT c.conname, t.relname FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid "
        "WHERE t.relname = ANY(:tables) AND pg_table_is_visible(t.oid) AND NOT c.convalidated "
        "ORDER BY 1"
    )
    faults = [
        f"Index {name} is not valid: run REINDEX INDEX {name}."
        for name in connection.scalars(broken, tables)
    ]
    faults += [
        f"Constraint {row.conname} of table {row.relname} has not been checked."
        for row in connection.execute(loose, tables)
    ]
    checksums = text(
        "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"
    )
    failures = connection.scalar(checksums)
    if failures:
        faults.append(f"The server has found {failures} damaged pages in this database.")
    return faults
