"""A condition on many values at once, as one parameter of the statement.

    select(mention.c.start).where(is_one_of(mention.c.chunk_id, "chunk_ids"))

An `IN` with a parameter for each value is another statement for every number of values: it has to
be written, read and planned anew each time, which for hundreds takes longer than to run it. But it
tells the planner how many there are: better where each value brings thousands of rows.
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
    """Values of one type: an array on PostgreSQL, JSON on SQLite."""

    impl = Text
    cache_ok = True

    def __init__(self, of: TypeEngine[Any]) -> None:
        super().__init__()
        self.of = of

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the engine's own type."""
        own: TypeEngine[Any] = ARRAY(self.of) if dialect.name == "postgresql" else Text()
        return dialect.type_descriptor(own)

    def process_bind_param(self, value: Collection[Any] | None, dialect: Dialect) -> Any:
        """Return what the engine takes for the values."""
        if value is None:
            return None
        values = list(value)
        return values if dialect.name == "postgresql" else json.dumps(values)


class _OneOf(FunctionElement[bool]):
    """A column, and the parameter with the values."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: OperatorType | None = None) -> Self:
        """Return itself: SQLite, told to compare a condition with 1, would use no index."""
        return self


def is_one_of(column: ColumnElement[Any], parameter: str) -> ColumnElement[bool]:
    """Return the condition that a column has one of the values of a parameter, a collection."""
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
