"""The form of values on PostgreSQL: JSONB that preserves the order of keys, and pgvector's vectors.

JSONB sorts keys by length, then by bytes. An object in any other order is stored with an extra
member, `@order`, that lists its keys; everything else is unchanged, so `frontmatter ->> 'type'`
works as expected.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from pgvector.sqlalchemy import VECTOR
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy import Dialect

    from writeros_entities.arrays import Vector

ORDER = "@order"

_RESERVED = re.compile(r"@+order")


class OrderedJsonb(TypeDecorator[object]):
    """A JSON column on PostgreSQL; None is stored as SQL NULL."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> object:
        """Convert a value to its stored form."""
        return with_order(value)

    def process_result_value(self, value: object, dialect: Dialect) -> object:
        """Convert a stored value back."""
        return without_order(value)


class PgVector(TypeDecorator["Vector"]):
    """A vector of any length."""

    impl = VECTOR
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> Vector | None:
        """Convert what the driver returns to float32."""
        return None if value is None else np.asarray(value, np.float32)


def with_order(value: object) -> object:
    """Return JSON in which each object lists the order of its keys, unless JSONB preserves it."""
    if isinstance(value, (list, tuple)):
        return [with_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    stored = {
        f"@{key}" if _RESERVED.fullmatch(key) else key: with_order(item)
        for key, item in value.items()
    }
    keys = list(stored)
    return stored if keys == sorted(keys, key=_stored_place) else stored | {ORDER: keys}


def without_order(value: object) -> object:
    """Undo `with_order`."""
    if isinstance(value, list):
        return [without_order(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key[1:] if _RESERVED.fullmatch(key) else key: without_order(value[key])
        for key in value.get(ORDER, [key for key in value if key != ORDER])
    }


def _stored_place(key: str) -> tuple[int, bytes]:
    encoded = key.encode()
    return len(encoded), encoded
