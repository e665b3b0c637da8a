"""A condition on many values at once, passed as one parameter of the statement.

    select(mention.c.start).where(is_one_of(mention.c.chunk_id, "chunk_ids"))

`IN` with a parameter for each value is a different statement for each number of values, compiled,
parsed and planned anew; with hundreds of values that takes longer than running it. Yet it tells the
planner how many values there are, so prefer it where each value matches thousands of rows.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import ARRAY, Boolean, Text, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Dialect
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.sql.operators import OperatorType


class _List(TypeDecorator[Collection[Any]]):
    """A collection of values of one type: an array on PostgreSQL, JSON text on SQLite."""

    impl = Text
    cache_ok = True

    def __init__(self, of: TypeEngine[Any]) -> None:
        super().__init__()
        self.of = of

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column type of the engine."""
        own: TypeEngine[Any] = ARRAY(self.of) if dialect.name == "postgresql" else Text()
        return dialect.type_descriptor(own)

    def process_bind_param(self, value: Collection[Any] | None, dialect: Dialect) -> Any:
        """Convert the values to what the driver takes."""
        if value is None:
            return None
        values = list(value)
        return values if dialect.name == "postgresql" else json.dumps(values)


class _OneOf(FunctionElement[bool]):
    """The condition that a column equals one of the values of a parameter."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: OperatorType | None = None) -> Self:
        """Return itself: SQLAlchemy's default, `… = 1` on SQLite, would not use an index."""
        return self


def is_one_of(column: ColumnElement[Any], parameter: str) -> ColumnElement[bool]:
    """Return the condition that a column has one of the values in a collection parameter."""
    return _OneOf(column, bindparam(parameter, type_=_List(column.type)))


@compiles(_OneOf, "postgresql")
def _in_array(element: _OneOf, compiler: SQLCompiler, **options: Any) -> str:
    column, values = element.clauses
    return f"{compiler.process(column, **options)} = ANY ({compiler.process(values, **options)})"


@compiles(_OneOf, "sqlite")
def _in_json(element: _OneOf, compiler: SQLCompiler, **options: Any) -> str:
    column, values = element.clauses
    listed = compiler.process(values, **options)
    return f"{compiler.process(column, **options)} IN (SELECT value FROM json_each({listed}))"
