"""JSONB that gives back the keys of an object in the order in which the writer wrote them.

JSONB sorts keys by length, then by their bytes. Where that is not the writer's order, the object is
stored with one more member, `@order`, that lists its keys; everything else stays as it is, so that
`frontmatter ->> 'type'` says what one expects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON
from sqlalchemy.types import TypeDecorator, TypeEngine

if TYPE_CHECKING:
    from sqlalchemy import Dialect

ORDER = "@order"

_RESERVED = re.compile(r"@+order")


class OrderedJsonb(TypeDecorator[Any]):
    """A JSON column of PostgreSQL; Python's None is the database's null."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the engine's own type; SQLite has no need of the library's part for PostgreSQL."""
        from sqlalchemy.dialects.postgresql import JSONB

        return dialect.type_descriptor(JSONB(none_as_null=True))

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """Return a value as it is stored."""
        return with_order(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return a value as it was written."""
        return without_order(value)


def with_order(value: Any) -> Any:
    """Return JSON in which every object tells the order of its keys, unless JSONB keeps it."""
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


def without_order(value: Any) -> Any:
    """Return JSON as it was before `with_order`."""
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
