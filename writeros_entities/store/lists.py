"""A condition on many values at once, passed as one parameter of the statement.

    select(mention.c.start).where(is_one_of(mention.c.chunk_id, "chunk_ids"))

`IN` with a parameter for each value is a different statement for each number of values, compiled,
parsed and planned anew; with hundreds of values that takes longer than running it. Yet it tells the
planner how many values there are, so prefer it where each value matches thousands of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Boolean, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from writeros_entities.store.columns import ListParameter
from writeros_entities.store.engine import engine_of

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.sql.operators import OperatorType


class _OneOf(FunctionElement[bool]):
    """The condition that a column equals one of the values of a parameter."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: OperatorType | None = None) -> Self:
        """Return itself: SQLAlchemy's default, `… = 1` on some engines, would not use an index."""
        return self


def is_one_of(column: ColumnElement[Any], parameter: str) -> ColumnElement[bool]:
    """Return the condition that a column has one of the values in a collection parameter."""
    return _OneOf(column, bindparam(parameter, type_=ListParameter(column.type)))


@compiles(_OneOf)
def _compile(element: _OneOf, compiler: SQLCompiler, **options: Any) -> str:
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return engine_of(compiler.dialect).one_of(column, values)
