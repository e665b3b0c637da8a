"""Locks held until the end of a write transaction, by the engine in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres import locks as postgres
from writeros_entities.store.sqlite import locks as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def lock_schema(connection: Connection) -> None:
    """Keep other processes from changing the schema or adding a vault."""
    _ENGINES[connection.dialect.name].lock_schema(connection)


def lock_vault(connection: Connection, vault_id: int) -> bool:
    """Lock a vault against other writers; return False if another transaction holds the lock."""
    locked: bool = _ENGINES[connection.dialect.name].lock_vault(connection, vault_id)
    return locked
