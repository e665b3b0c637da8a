"""Reading and writing rows in bulk, ids, and the tables without their models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, count, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, TypeVar

from sqlalchemy import bindparam, select

from writeros_entities.store.columns import JsonColumn
from writeros_entities.store.engine import engine_of
from writeros_entities.store.schema import metadata

if TYPE_CHECKING:
    import numpy as np
    import sqlalchemy
    from sqlalchemy import (
        ColumnElement,
        Connection,
        CursorResult,
        Delete,
        Dialect,
        Executable,
        FromClause,
        Select,
        Table,
        Update,
    )
    from sqlalchemy.sql.selectable import ExecutableReturnsRows
    from sqlalchemy.types import TypeEngine

T = TypeVar("T")
Convert: TypeAlias = Callable[[object], object]

Row: TypeAlias = "sqlalchemy.Row[*tuple[Any, ...]]"
"""A row of a statement, which has its columns by name."""

Query: TypeAlias = "ExecutableReturnsRows"
"""A statement that returns rows, of which nothing is to be changed any more."""

Statement: TypeAlias = "Select[*tuple[Any, ...]]"
"""One that others narrow, or of which they choose the columns."""

BATCH = 500
"""Default number of values in one IN list, or rows in one query."""

IDS_PER_VAULT = 1 << 40
"""Each vault numbers its rows in a range of this size, so that ids are unique in a database.

Those of the vault 0, the first and mostly the only one, are small numbers, which take half the room
in a SQLite file. (In a database of 0.2, the first vault is 1.)
"""

TO_DETECT = ""
"""Value of `note.detected` for a note whose mentions must be detected; null is for files that have
none. It is not null itself, since planners assume that null is common, and would scan the table.
"""

vault = metadata.tables["vault"]
note = metadata.tables["note"]
link = metadata.tables["link"]
chunk = metadata.tables["chunk"]
page = metadata.tables["page"]
entity = metadata.tables["entity"]
alias = metadata.tables["alias"]
mention = metadata.tables["mention"]
proposal = metadata.tables["proposal"]
topic = metadata.tables["topic"]
thread = metadata.tables["thread"]
embedding = metadata.tables["embedding"]
relation = metadata.tables["relation"]
evidence = metadata.tables["evidence"]
entity_change = metadata.tables["entity_change"]
event = metadata.tables["event"]
relation_model = metadata.tables["relation_model"]


class IdSequence:
    """Hands out the next ids of a table, within one write transaction."""

    def __init__(self, index: VaultRows, table: Table) -> None:
        self._connection = index.connection
        self._table = table
        self._first = index.vault_id * IDS_PER_VAULT

    def take(self) -> int:
        """Return an unused id."""
        return next(self._unused)

    @cached_property
    def _unused(self) -> Iterator[int]:
        own = {"first": self._first, "last": self._first + IDS_PER_VAULT - 1}
        greatest = self._connection.scalar(_greatest_id(self._table), own)
        return count((self._first if greatest is None else greatest) + 1)


@cache
def _greatest_id(table: Table) -> Statement:
    """Return the statement for the greatest id between two.

    ORDER BY rather than max(): SQLite can answer it from any index on the vault's rows.
    """
    between = table.c.id.between(bindparam("first"), bindparam("last"))
    return select(table.c.id).where(between).order_by(table.c.id.desc()).limit(1)


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


def in_vault(table: FromClause) -> ColumnElement[bool]:
    """Return the condition for the rows of the vault that is given as the parameter `vault`.

    SQLAlchemy takes longer to build a small statement than the database to answer it. So those of
    a sync are built once, when their module is imported.
    """
    return table.c.vault_id == bindparam("vault", type_=table.c.vault_id.type)


def among(column: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a column has one of the values of the parameter `among`."""
    return column.in_(bindparam("among", type_=column.type, expanding=True))


def given(values: Iterable[T]) -> Iterator[dict[str, Sequence[T]]]:
    """Yield the parameters of statements with `among`, batch by batch."""
    for batch in batches(values):
        yield {"among": batch}


class Asked(NamedTuple):
    """A statement for all rows of a vault, and the one for those that have some values."""

    all: Query
    some: Query

    @classmethod
    def by(cls, statement: Statement, column: ColumnElement[Any]) -> Self:
        """Return a statement with `in_vault`, and the same with `among`."""
        return cls(statement, statement.where(among(column)))

    def of(self, values: Sequence[object] | None) -> tuple[Query, dict[str, Sequence[object]]]:
        """Return the statement for one batch of values, or for all, and its parameters."""
        return (self.all, {}) if values is None else (self.some, {"among": values})


def fetch(
    connection: Connection,
    kind: type[T],
    statement: Query,
    values: Mapping[str, object] | None = None,
) -> list[T]:
    """Return all rows as values of a type whose fields are the statement's columns, in order.

    The type is a NamedTuple, or a dataclass, which takes longer to make.

    Only columns that need it are converted. `values` are the statement's parameters. Raises
    TypeError if fields and columns differ.
    """
    of_kind: Any = kind
    fields, make = _form_of(of_kind)
    columns = _check(kind.__name__, fields, statement)
    result = connection.execute(statement, values)
    described = result.cursor.description
    convert = {
        place: converter
        for place, (column, about) in enumerate(zip(columns, described, strict=True))
        if (converter := _converter(connection.dialect, column.type, about[1])) is not None
    }
    found = result.cursor.fetchall()
    result.close()
    if convert:
        found = [_converted(row, convert) for row in found]
    return list(map(make, found))


def fetch_array(
    connection: Connection,
    fields: np.dtype[np.void],
    statement: Query,
    values: Mapping[str, object] | None = None,
    number: Callable[[str], int] | None = None,
) -> Any:
    """Return all rows as a structured array whose fields are the statement's columns, in order.

    Only a batch of rows is in Python at a time. `number` gives the number that stands for the text
    in the first column. Null has no place in an array. Raises TypeError if fields and columns
    differ.
    """
    import numpy as np

    _check(str(fields), fields.names or (), statement)
    with connection.execute(statement, values) as result:
        batch = iter(lambda: result.cursor.fetchmany(BATCH), [])
        found: Iterable[tuple[Any, ...]] = chain.from_iterable(batch)
        if number is not None:
            found = ((number(first), *rest) for first, *rest in found)
        return np.fromiter(found, fields)


def select_as(kind: type, table: FromClause) -> Statement:
    """Return the statement for the columns of a vault's rows that are the fields of a type."""
    return select(*(table.c[name] for name in _form_of(kind)[0])).where(in_vault(table))


def scalars(
    connection: Connection, statement: Query, values: Mapping[str, object] | None = None
) -> list[Any]:
    """Return the only column of all rows, unconverted: for ids, numbers and texts."""
    result = connection.execute(statement, values)
    found = [value for (value,) in result.cursor.fetchall()]
    result.close()
    return found


def lookup(
    connection: Connection, statement: Query, values: Mapping[str, object] | None = None
) -> dict[Any, Any]:
    """Return the second of two columns by the first, both unconverted."""
    result = connection.execute(statement, values)
    found = dict(result.cursor.fetchall())
    result.close()
    return found


def insert_prepared(
    connection: Connection,
    table: Table,
    columns: Sequence[str],
    values: Sequence[tuple[object, ...]],
    *,
    together: int = 1,
) -> None:
    """Insert tuples of `columns` by INSERT statements, for engines that have nothing faster.

    They go through the driver, by far the fastest way.
    """
    prepared = _prepare_insert(connection.dialect, table, tuple(columns))
    parameters = prepared.parameters(values)
    if together > 1:
        for batch in batches(parameters, together):
            connection.exec_driver_sql(
                prepared.repeated(len(batch)), tuple(chain.from_iterable(batch))
            )
    elif parameters:
        connection.exec_driver_sql(prepared.statement, parameters)


def update(
    connection: Connection,
    table: Table,
    values: Sequence[NamedTuple],
    by: Sequence[str],
    only: Sequence[str] = (),
    **same: object,
) -> None:
    """Update the rows that the fields `by` and the columns of `same` tell.

    The fields `only` are set, or all others.
    """
    if values:
        fields, equal = values[0]._fields, tuple(same.values())
        changed = only or [name for name in fields if name not in by]
        in_order = itemgetter(*(fields.index(name) for name in (*changed, *by)))
        prepared = _prepare_update(connection.dialect, table, tuple(changed), (*by, *same))
        tuples = [in_order(row) + equal for row in values]
        connection.exec_driver_sql(prepared.statement, prepared.parameters(tuples))


@dataclass(frozen=True, slots=True)
class VaultRows:
    """The rows of one vault, as a connection sees and writes them.

    Its statements have `in_vault`; those for many values, also `among`.
    """

    connection: Connection
    vault_id: int

    def execute(
        self, statement: Executable, values: Mapping[str, object] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Execute a statement with its parameters."""
        return self.connection.execute(statement, self._own(values))

    def all_among(self, statement: Query, values: Iterable[object]) -> Iterator[Row]:
        """Yield the rows of a statement, for many values."""
        for some in given(values):
            yield from self.execute(statement, some).all()

    def change_among(self, statement: Update | Delete, values: Iterable[object]) -> int:
        """Change or delete rows, for many values; return how many they were."""
        return sum(self.execute(statement, some).rowcount for some in given(values))

    def fetch(
        self, kind: type[T], statement: Query, values: Mapping[str, object] | None = None
    ) -> list[T]:
        """Return all rows as values of a type; see `fetch`."""
        return fetch(self.connection, kind, statement, self._own(values))

    def fetch_among(self, kind: type[T], statement: Query, values: Iterable[object]) -> Iterator[T]:
        """Yield the rows of a statement as values of a type, for many values; see `fetch`."""
        for some in given(values):
            yield from self.fetch(kind, statement, some)

    def scalars(self, statement: Query, values: Mapping[str, object] | None = None) -> list[Any]:
        """Return the only column of all rows, unconverted: for ids, numbers and texts."""
        return scalars(self.connection, statement, self._own(values))

    def insert(
        self, table: Table, values: Sequence[NamedTuple], *, together: int = 1, **same: object
    ) -> None:
        """Insert rows, given as values whose fields are columns; `same` are equal in all.

        With `together`, that many rows go into one statement: SQLite's full text writes a segment
        at the end of each statement, which costs more than the row itself.
        """
        if values:
            equal = {"vault_id": self.vault_id, **same}
            columns = (*equal, *values[0]._fields)
            tuples = [(*equal.values(), *row) for row in values]
            engine = engine_of(self.connection)
            engine.insert_rows(self.connection, table, columns, tuples, together=together)

    def update(
        self,
        table: Table,
        values: Sequence[NamedTuple],
        by: Sequence[str],
        only: Sequence[str] = (),
        **same: object,
    ) -> None:
        """Update the rows that the fields `by` and the columns of `same` tell; see `update`."""
        update(self.connection, table, values, by, only, vault_id=self.vault_id, **same)

    def owns(self, table: Table) -> ColumnElement[bool]:
        """Return the condition for the rows of the vault, for statements that are made anew."""
        return table.c.vault_id == self.vault_id

    def _own(self, values: Mapping[str, object] | None) -> dict[str, object]:
        return {"vault": self.vault_id, **(values or {})}


@lru_cache(maxsize=256)
def _form_of(kind: Any) -> tuple[tuple[str, ...], Callable[[Sequence[Any]], Any]]:
    """Return the fields of a type, and the function that makes a value from a row."""
    if issubclass(kind, tuple):
        return kind._fields, partial(tuple.__new__, kind)  # several times as fast as `_make`
    return tuple(field.name for field in fields_of(kind)), lambda row: kind(*row)


def _check(name: str, fields: Sequence[str], statement: Query) -> Any:
    """Return the columns of a statement, which must be these fields."""
    columns = statement.exported_columns
    if tuple(columns.keys()) != fields:
        raise TypeError(f"{name} has the fields {fields}, the statement {tuple(columns.keys())}")
    return columns


def _converter(dialect: Dialect, kind: TypeEngine[Any], about: Any) -> Convert | None:
    """Return the function that converts what the driver gives for a column, if it needs one."""
    converter: Convert | None = kind.dialect_impl(dialect).result_processor(dialect, about)
    return converter


def _converted(row: Sequence[object], convert: Mapping[int, Convert]) -> tuple[object, ...]:
    converted = list(row)
    for place, converter in convert.items():
        converted[place] = converter(converted[place])
    return tuple(converted)


class _Prepared:
    """A statement for the driver: names quoted for the dialect, values converted for it.

    Only JSON needs conversion; drivers take all other values as they are.
    """

    statement: str

    def __init__(self, dialect: Dialect, table: Table, columns: Sequence[str]) -> None:
        self._mark = "?" if dialect.paramstyle == "qmark" else "%s"
        self._table = dialect.identifier_preparer.format_table(table)
        self._names = [dialect.identifier_preparer.quote(column) for column in columns]
        self._convert: dict[int, Convert] = {}
        for place, column in enumerate(columns):
            kind = table.c[column].type
            convert = kind.dialect_impl(dialect).bind_processor(dialect)
            if isinstance(kind, JsonColumn) and convert is not None:
                self._convert[place] = convert

    def parameters(self, values: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
        """Return the rows converted for the driver."""
        if self._convert:
            return [_converted(row, self._convert) for row in values]
        return values if isinstance(values, list) else list(values)


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
