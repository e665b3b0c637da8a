"""Bulk inserts into PostgreSQL by COPY, several times as fast as INSERT; and binary reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect, Executable, Table

Convert = Callable[[object], object]

FIRST_LOOK = 2_000
"""Rows inserted into a table before it is first analysed; then again whenever the number doubles.

Autovacuum comes a minute late and does not see an open transaction. Without statistics the planner
takes the growing table for an empty one, and scans all of it for every batch.
"""


def copy_rows(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    values: Sequence[tuple[object, ...]],
) -> None:
    """Insert tuples of these columns."""
    import psycopg

    statement, converters = _prepare(connection.dialect, table, tuple(columns))
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for row in values:
                copy.write_row(_converted(row, converters))
    except psycopg.Error as error:
        raise DBAPIError(statement, None, error, connection_invalidated=driver.closed) from error
    _look_at(connection, table, len(values))


def fetch_binary(
    connection: Connection, statement: Executable, values: Mapping[str, object]
) -> list[tuple[Any, ...]]:
    """Return all rows by the binary protocol, in which bytes take half the time.

    `values` go to the driver unconverted.
    """
    import psycopg

    written = str(statement.compile(dialect=connection.dialect))  # type: ignore[attr-defined]
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor(binary=True) as cursor:
            cursor.execute(written, values)
            found: list[tuple[Any, ...]] = cursor.fetchall()
    except psycopg.Error as error:
        raise DBAPIError(written, None, error, connection_invalidated=driver.closed) from error
    return found


def _look_at(connection: Connection, table: Table, number: int) -> None:
    """Count inserted rows, and analyse their table when it is due."""
    seen: dict[str, tuple[int, int]] = connection.info.setdefault("writeros_rows", {})
    written, due = seen.get(table.name, (0, FIRST_LOOK))
    written += number
    if written >= due:
        connection.exec_driver_sql(f"ANALYZE (SKIP_LOCKED) {table.name}")
        due = 2 * written
    seen[table.name] = written, due


def _converted(row: tuple[object, ...], converters: dict[int, Convert]) -> Sequence[object]:
    if not converters:
        return row
    converted = list(row)
    for place, convert in converters.items():
        converted[place] = convert(converted[place])
    return converted


@lru_cache(maxsize=64)
def _prepare(
    dialect: Dialect, table: Table, columns: tuple[str, ...]
) -> tuple[str, dict[int, Convert]]:
    prepare = dialect.identifier_preparer
    names = ", ".join(prepare.format_column(table.c[column]) for column in columns)
    converters: dict[int, Convert] = {}
    for place, column in enumerate(columns):
        kind = table.c[column].type.dialect_impl(dialect)
        convert = kind.bind_processor(dialect)
        if convert is not None:
            converters[place] = convert
    return f"COPY {prepare.format_table(table)} ({names}) FROM STDIN", converters
