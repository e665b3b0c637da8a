"""Integrity checks by the database engine itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres import maintenance as postgres
from writeros_entities.store.sqlite import maintenance as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def find_faults(connection: Connection) -> list[str]:
    """Return a message for each fault: damaged pages, dangling foreign keys, invalid indexes."""
    faults: list[str] = _ENGINES[connection.dialect.name].find_faults(connection)
    return faults
