"""Care for the index by the engine in use: statistics, tidying, size and integrity checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres import maintenance as postgres
from writeros_entities.store.sqlite import maintenance as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def refresh_statistics(connection: Connection) -> None:
    """Update the planner's statistics, so that it chooses the right indexes."""
    _ENGINES[connection.dialect.name].refresh_statistics(connection)


def settle(engine: Engine, seconds: float) -> None:
    """Run the engine's maintenance after a large write, outside of any transaction.

    It may take so many seconds.
    """
    _ENGINES[engine.dialect.name].settle(engine, seconds)


def size_in_bytes(connection: Connection) -> int | None:
    """Return the size of the index, or None for an in-memory database."""
    size: int | None = _ENGINES[connection.dialect.name].size_in_bytes(connection)
    return size


def find_faults(connection: Connection) -> list[str]:
    """Return a message for each fault: damaged pages, dangling foreign keys, invalid indexes."""
    faults: list[str] = _ENGINES[connection.dialect.name].find_faults(connection)
    return faults
