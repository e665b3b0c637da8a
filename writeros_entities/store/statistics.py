"""What the engine's planner knows of the tables' contents, and how large they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.store.postgres import maintenance as postgres
from writeros_entities.store.sqlite import maintenance as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def refresh_statistics(connection: Connection) -> None:
    """Let the planner look at a sample of the tables, so that it chooses the right indexes."""
    _ENGINES[connection.dialect.name].refresh_statistics(connection)


def settle(engine: Engine) -> None:
    """Make reading fast after many rows were written, outside of any transaction."""
    _ENGINES[engine.dialect.name].settle(engine)


def size_in_bytes(connection: Connection) -> int | None:
    """Return how much room the index takes, or None where it is held in memory."""
    size: int | None = _ENGINES[connection.dialect.name].size_in_bytes(connection)
    return size
