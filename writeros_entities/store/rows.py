"""Reading and writing rows in bulk, ids, and the tables without their models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import JSON, select

from writeros_entities.store.postgres import rows as postgres
from writeros_entities.store.schema import metadata

if TYPE_CHECKING:
    from sqlalchemy import (
        ColumnElement,
        Connection,
        Delete,
        Dialect,
        Executable,
        Select,
        Table,
        Update,
    )

T = TypeVar("T")

BATCH = 500
"""Default number of values in one IN list, or rows in one query."""

IDS_PER_VAULT = 1 << 40
"""Each vault numbers its rows in a range of this size, so that ids are unique in a database."""

TO_DETECT = ""
"""Value of `note.detected` for a note whose mentions must be detected; null is for files that have
none. It is not null itself, since planners assume that null is common, and would scan the table.
"""

vault = metadata.tables["vault"]
note = metadata.tables["note"]
link = metadata.tables["link"]
chunk = metadata.tables["chunk"]
entity = metadata.tables["entity"]
alias = metadata.tables["alias"]
mention = metadata.tables["mention"]
proposal = metadata.tables["proposal"]
topic = metadata.tables["topic"]
embedding = metadata.tables["embedding"]
relation = metadata.tables["relation"]
evidence = metadata.tables["evidence"]
entity_change = metadata.tables["entity_change"]
relation_model = metadata.tables["relation_model"]


class IdSequence:
    """Hands out the next ids of a table, within one write transaction."""

    def __init__(self, connection: Connection, table: Table, vault_id: int) -> None:
        first = vault_id * IDS_PER_VAULT
        # ORDER BY rather than max(): SQLite can answer it from any index on the vault's rows.
        greatest = connection.scalar(
            select(table.c.id)
            .where(table.c.id.between(first, first + IDS_PER_VAULT - 1))
            .order_by(table.c.id.desc())
            .limit(1)
        )
        self._next = (first if greatest is None else greatest) + 1

    def take(self) -> int:
        """Return an unused id."""
        taken = self._next
        self._next += 1
        return taken


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Split items into lists of at most `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def batches_within(
    items: Sequence[T], sizes: Sequence[int], most: int, volume: int
) -> Iterator[Sequence[T]]:
    """Split items into batches of at most `most` and, unless one item is larger, this volume."""
    begin = filled = 0
    for at, size in enumerate(sizes):
        filled += size
        if at > begin and (at - begin == most or filled > volume):
            yield items[begin:at]
            begin, filled = at, size
    if begin < len(items):
        yield items[begin:]


def all_among(
    connection: Connection, statement: Select[Any], column: Any, values: Iterable[Any]
) -> Iterator[Any]:
    """Yield the rows of a statement whose column has one of many values, batch by batch."""
    for batch in batches(values):
        yield from connection.execute(statement.where(column.in_(batch))).all()


def change_among(
    connection: Connection, statement: Update | Delete, column: Any, values: Iterable[Any]
) -> int:
    """Change or delete the rows whose column has one of many values; return how many they were."""
    return sum(
        connection.execute(statement.where(column.in_(batch))).rowcount for batch in batches(values)
    )


def among(column: ColumnElement[Any], ids: Sequence[int] | None) -> list[ColumnElement[bool]]:
    """Return the condition that a column has one of some ids; none for None, which means all."""
    return [] if ids is None else [column.in_(ids)]


def fetch_rows(
    connection: Connection, statement: Executable, values: Mapping[str, Any] | None = None
) -> list[tuple[Any, ...]]:
    """Return all rows as the driver gives them, which is by far the fastest way to read many.

    Values are not converted: depending on the driver, JSON columns are text or objects, and
    booleans may be integers. `values` are the statement's parameters.
    """
    result = connection.execute(statement, values)
    found = list(result.cursor.fetchall())
    result.close()
    return found


def insert_rows(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    values: Sequence[tuple[Any, ...]],
    *,
    together: int = 1,
) -> None:
    """Insert tuples of `columns` through the driver, which is by far the fastest way.

    With `together`, that many rows go into one statement: SQLite's full text writes a segment at
    the end of each statement, which costs more than the row itself.
    """
    bulk = _BULK.get(connection.dialect.name)
    if bulk is not None:
        bulk(connection, table, columns, values)
        return
    prepared = _prepare_insert(connection.dialect, table, tuple(columns))
    parameters = prepared.parameters(values)
    if together > 1:
        for batch in batches(parameters, together):
            connection.exec_driver_sql(
                prepared.repeated(len(batch)), tuple(chain.from_iterable(batch))
            )
    elif parameters:
        connection.exec_driver_sql(prepared.statement, parameters)


def update_rows(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    keys: Sequence[str],
    values: Sequence[tuple[Any, ...]],
) -> None:
    """Update rows by key; each tuple has the values of `columns`, then those of `keys`."""
    prepared = _prepare_update(connection.dialect, table, tuple(columns), tuple(keys))
    if values:
        connection.exec_driver_sql(prepared.statement, prepared.parameters(values))


class _Prepared:
    """A statement for the driver: names quoted for the dialect, values converted for it.

    Only JSON needs conversion; drivers take all other values as they are.
    """

    statement: str

    def __init__(self, dialect: Dialect, table: Table, columns: Sequence[str]) -> None:
        self._mark = "?" if dialect.paramstyle == "qmark" else "%s"
        self._table = dialect.identifier_preparer.format_table(table)
        self._names = [dialect.identifier_preparer.quote(column) for column in columns]
        self._convert: dict[int, Callable[[Any], Any]] = {}
        for place, column in enumerate(columns):
            kind = table.c[column].type.dialect_impl(dialect)
            convert = kind.bind_processor(dialect)
            if isinstance(kind, JSON) and convert is not None:
                self._convert[place] = convert

    def parameters(self, values: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return the rows converted for the driver."""
        if self._convert:
            return [self._converted(row) for row in values]
        return values if isinstance(values, list) else list(values)

    def _converted(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        converted = list(row)
        for place, convert in self._convert.items():
            converted[place] = convert(converted[place])
        return tuple(converted)


class _Insert(_Prepared):
    """An INSERT in one dialect."""

    def __init__(self, dialect: Dialect, table: Table, columns: tuple[str, ...]) -> None:
        super().__init__(dialect, table, columns)
        self._head = f"INSERT INTO {self._table} ({', '.join(self._names)}) VALUES "
        self._one = f"({', '.join([self._mark] * len(columns))})"
        self.statement = self._head + self._one

    def repeated(self, number: int) -> str:
        """Return the statement for `number` rows at once."""
        return self._head + ", ".join([self._one] * number)


class _Update(_Prepared):
    """An UPDATE of rows found by keys, in one dialect."""

    def __init__(
        self, dialect: Dialect, table: Table, columns: tuple[str, ...], keys: tuple[str, ...]
    ) -> None:
        super().__init__(dialect, table, (*columns, *keys))
        equal = [f"{name} = {self._mark}" for name in self._names]
        changes, conditions = equal[: len(columns)], equal[len(columns) :]
        self.statement = (
            f"UPDATE {self._table} SET {', '.join(changes)} WHERE {' AND '.join(conditions)}"
        )


_prepare_insert = lru_cache(maxsize=64)(_Insert)
_prepare_update = lru_cache(maxsize=64)(_Update)

_BULK = {"postgresql": postgres.insert_rows}
"""Bulk insert of the engines that have a faster way than INSERT."""
