"""Locks on SQLite: a write transaction excludes every other writer from its first statement on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection


def lock_schema(connection: Connection) -> None:
    """Do nothing: no other process can write before this transaction ends."""


def lock_vault(connection: Connection, vault_id: int) -> bool:
    """Do nothing: no other process can write before this transaction ends."""
    return True
