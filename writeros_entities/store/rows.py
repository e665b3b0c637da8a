"""Plain helpers over tables: ids, batches, and the tables themselves without their models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import bindparam, insert, select

from writeros_entities.store.tables import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection, Dialect, Table

T = TypeVar("T")

BATCH = 500
"""Values in one IN list, rows in one look-up."""

IDS_PER_VAULT = 1 << 40
"""Every vault numbers its rows in a range of its own, so that ids are unique in a database."""

TO_DETECT = ""
"""Marks a note whose mentions are to be found; null is what has no mentions. It is no null, since
planners take one null in an index for a common value and read everything instead.
"""

vault = metadata.tables["vault"]
note = metadata.tables["note"]
link = metadata.tables["link"]
chunk = metadata.tables["chunk"]
entity = metadata.tables["entity"]
alias = metadata.tables["alias"]
mention = metadata.tables["mention"]
proposal = metadata.tables["proposal"]
relation = metadata.tables["relation"]
evidence = metadata.tables["evidence"]
entity_change = metadata.tables["entity_change"]


class IdSequence:
    """Gives out the next ids of a table, within one write transaction."""

    def __init__(self, connection: Connection, table: Table, vault_id: int) -> None:
        first = vault_id * IDS_PER_VAULT
        # By order and not by max: SQLite answers that from any index over the vault's rows.
        greatest = connection.scalar(
            select(table.c.id)
            .where(table.c.id.between(first, first + IDS_PER_VAULT - 1))
            .order_by(table.c.id.desc())
            .limit(1)
        )
        self._next = (first if greatest is None else greatest) + 1

    def take(self) -> int:
        """Return an id that no row has."""
        taken = self._next
        self._next += 1
        return taken


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Cut items into lists of at most `size`."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


def insert_rows(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    values: Sequence[tuple[Any, ...]],
    *,
    together: int = 1,
) -> None:
    """Insert tuples of these columns straight through the driver, which is much the fastest way.

    The statement and the conversions of values are the dialect's own, worked out once. With
    `together`, so many rows go into one statement where parameters are positional: SQLite's full
    text writes a segment at the end of every statement, which costs more than the row itself.
    """
    prepared = _prepare_insert(connection.dialect, table, tuple(columns))
    parameters = prepared.parameters(values)
    if together > 1 and prepared.is_positional:
        for batch in batches(parameters, together):
            connection.exec_driver_sql(
                prepared.repeated(len(batch)), tuple(chain.from_iterable(batch))
            )
    elif parameters:
        connection.exec_driver_sql(prepared.statement, parameters)


class _Insert:
    """An INSERT as one dialect writes it, and how it wants its parameters."""

    def __init__(self, dialect: Dialect, table: Table, columns: tuple[str, ...]) -> None:
        bound = {column: bindparam(column, type_=table.c[column].type) for column in columns}
        compiled = insert(table).values(bound).compile(dialect=dialect)
        self.statement = str(compiled)
        self._columns = columns
        self._order: list[str] | None = getattr(compiled, "positiontup", None)
        self._convert: dict[int, Callable[[Any], Any]] = {}
        for place, column in enumerate(columns):
            kind = table.c[column].type.dialect_impl(dialect)
            convert = kind.bind_processor(dialect)
            if convert is not None:
                self._convert[place] = convert

    @property
    def is_positional(self) -> bool:
        """Say whether parameters are given by position."""
        return self._order is not None

    def repeated(self, number: int) -> str:
        """Return the statement for so many rows at once."""
        head, _, one = self.statement.rpartition("VALUES ")
        return f"{head}VALUES {', '.join([one] * number)}"

    def parameters(self, values: Sequence[tuple[Any, ...]]) -> Any:
        """Return the rows as the driver takes them: tuples, or dicts by name."""
        if self._convert:
            values = [self._converted(row) for row in values]
        if self._order is None:
            return [dict(zip(self._columns, row, strict=True)) for row in values]
        if self._order != list(self._columns):
            places = [self._columns.index(name) for name in self._order]
            return [tuple(row[place] for place in places) for row in values]
        return values if isinstance(values, list) else list(values)

    def _converted(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        converted = list(row)
        for place, convert in self._convert.items():
            converted[place] = convert(converted[place])
        return tuple(converted)


_prepare_insert = lru_cache(maxsize=64)(_Insert)
