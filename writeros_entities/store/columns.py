"""Column types that differ between the engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, LargeBinary
from sqlalchemy.types import TypeDecorator, TypeEngine

from writeros_entities.store.postgres.ordered_json import OrderedJsonb

if TYPE_CHECKING:
    from sqlalchemy import Dialect

    from writeros_entities.arrays import Vector

Json = JSON(none_as_null=True).with_variant(OrderedJsonb(), "postgresql")
"""A JSON column; None is stored as SQL NULL."""

STORED = "<f4"
"""Byte format of a stored number: float32, little-endian on every machine."""


class VectorColumn(TypeDecorator["Vector"]):
    """A vector of any length: a float32 array; bytes on SQLite, `vector` on PostgreSQL."""

    impl = LargeBinary
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the column type of the engine."""
        if dialect.name == "postgresql":
            from pgvector.sqlalchemy import VECTOR

            return dialect.type_descriptor(VECTOR())
        return dialect.type_descriptor(LargeBinary())

    def process_bind_param(self, value: Vector | None, dialect: Dialect) -> Any:
        """Convert an array to what the driver takes."""
        if value is None or dialect.name == "postgresql":
            return value
        return value.astype(STORED, copy=False).tobytes()

    def process_result_value(self, value: Any, dialect: Dialect) -> Vector | None:
        """Convert what the driver returns to an array."""
        import numpy as np

        if value is None:
            return None
        if dialect.name == "postgresql":
            return np.asarray(value, np.float32)
        return np.frombuffer(value, STORED).astype(np.float32, copy=False)
