"""PostgreSQL's size, statistics and faults."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from writeros_entities.store.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine


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
