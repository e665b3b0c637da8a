"""The types of columns and parameters whose form in the database is the engine's.

A condition on many values at once, passed as one parameter of the statement.

    select(mention.c.start).where(is_one_of(mention.c.chunk_id, "chunk_ids"))

`IN` with a parameter for each value is a different statement for each number of values, compiled,
parsed and planned anew; with hundreds of values that takes longer than running it. Yet it tells the
planner how many values there are, so prefer it where each value matches thousands of rows.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import JSON, Boolean, LargeBinary, Text, and_, bindparam, func, or_
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator, TypeEngine

from writeros_entities.store.engine import engine_of
from writeros_entities.values import HEADING_SEPARATOR

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Dialect
    from sqlalchemy.sql.compiler import SQLCompiler
    from sqlalchemy.sql.operators import OperatorType

    from writeros_entities.store.engine import Engine

STORED = "<f4"
"""Byte format of a stored number: float32, little-endian on every machine."""


_AFTER_SLASH = chr(ord("/") + 1)


class _EngineType(TypeDecorator[Any]):
    """A type that the engine gives; in a statement that is only printed, the type's own `impl`."""

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of the engine."""
        try:
            engine = engine_of(dialect)
        except LookupError:
            return super().load_dialect_impl(dialect)
        return self.form(engine).dialect_impl(dialect)

    def form(self, engine: Engine) -> TypeEngine[Any]:
        """Return the type that an engine gives."""
        raise NotImplementedError


class TextColumn(_EngineType):
    """A text of any length, which every engine sorts and compares by code point."""

    impl = Text
    cache_ok = True

    def form(self, engine: Engine) -> TypeEngine[Any]:
        """Return the engine's texts."""
        return engine.text_type()


class JsonColumn(_EngineType):
    """A JSON value, with its keys in order; None is stored as SQL NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def form(self, engine: Engine) -> TypeEngine[Any]:
        """Return the engine's JSON."""
        return engine.json_type()


PlainText = TextColumn()
Json = JsonColumn()


class VectorColumn(_EngineType):
    """A vector of any length, as a float32 array."""

    impl = LargeBinary
    cache_ok = True

    def form(self, engine: Engine) -> TypeEngine[Any]:
        """Return the engine's vectors."""
        return engine.vector_type()


class ListParameter(_EngineType):
    """A collection of values of one type, as one parameter of a statement."""

    impl = Text
    cache_ok = True

    def __init__(self, of: TypeEngine[Any]) -> None:
        super().__init__()
        self.of = of

    def form(self, engine: Engine) -> TypeEngine[Any]:
        """Return the engine's lists."""
        return engine.list_type(self.of)

    def process_bind_param(self, value: Collection[Any] | None, dialect: Dialect) -> Any:
        """Make a list of any collection."""
        return None if value is None else list(value)


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
def _compile(element: _OneOf, compiler: SQLCompiler, **options: object) -> str:
    column, values = (compiler.process(clause, **options) for clause in element.clauses)
    return engine_of(compiler.dialect).one_of(column, values)


def is_at(path: ColumnElement[str], asked: str) -> ColumnElement[bool]:
    """Return the condition that a path equals the given one, or is below it as a folder.

    The path asked for may be in another Unicode form than those of the index, which are in NFC.
    """
    composed = unicodedata.normalize("NFC", asked)
    return (path == composed) | _lies_below(path, composed.rstrip("/"))


def _lies_below(path: ColumnElement[str], folder: str) -> ColumnElement[bool]:
    """Return the condition that a path is below a folder, at any depth.

    A range, which an index can answer. LIKE would ignore case on SQLite, but not on PostgreSQL.
    """
    return and_(path >= f"{folder}/", path < f"{folder}{_AFTER_SLASH}")


def in_own_text(entity: Any, chunk: Any) -> ColumnElement[bool]:
    """Return the condition that a chunk is of the note, or the section of it, about an entity."""
    own, heading = entity.c.heading, chunk.c.heading
    below = func.substr(heading, 1, func.length(own) + len(HEADING_SEPARATOR))
    begins = func.replace(chunk.c.sections, own, "") != chunk.c.sections
    return and_(
        chunk.c.note_id == entity.c.note_id,
        or_(own.is_(None), heading == own, below == own + HEADING_SEPARATOR, begins),
    )
