"""Locks on PostgreSQL, which, unlike SQLite, allows several write transactions at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from sqlalchemy import Connection

SECONDS = 2
"""How long a writer waits for another writer's transaction."""

_SCHEMA_KEY = 0x77726974
"""Key of the product's advisory lock: "writ" in ASCII."""

_NOT_AVAILABLE = "55P03"


def lock_schema(connection: Connection) -> None:
    """Keep other processes from changing the schema or adding a vault until this transaction ends.

    Several processes may find the same database empty; each must check again once it has the lock.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_KEY})


def lock_vault(connection: Connection, vault_id: int) -> bool:
    """Lock a vault's row until this transaction ends; return False if another one holds the lock.

    Rows that refer to the vault can still be inserted and changed.
    """
    statement = text("SELECT 1 FROM vault WHERE id = :vault_id FOR NO KEY UPDATE")
    try:
        with connection.begin_nested():
            connection.execute(text(f"SET LOCAL lock_timeout = '{SECONDS}s'"))
            connection.execute(statement, {"vault_id": vault_id})
            connection.execute(text("SET LOCAL lock_timeout = DEFAULT"))
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != _NOT_AVAILABLE:
            raise
        return False
    return True
