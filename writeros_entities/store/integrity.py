"""What the database itself can tell of its health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres import maintenance as postgres
from writeros_entities.store.sqlite import maintenance as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def find_faults(connection: Connection) -> list[str]:
    """Return every fault of the database: damaged pages, dangling keys, broken indexes."""
    faults: list[str] = _ENGINES[connection.dialect.name].find_faults(connection)
    return faults
