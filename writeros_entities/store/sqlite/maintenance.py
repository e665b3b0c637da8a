"""SQLite's size, statistics and faults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

ROWS_LOOKED_AT = 1_000


def size_in_bytes(connection: Connection) -> int | None:
    """Return the size of the database file and its WAL, or None for an in-memory database."""
    name = connection.engine.url.database
    if not name or not Path(name).exists():
        return None
    log = Path(name + "-wal")
    return Path(name).stat().st_size + (log.stat().st_size if log.exists() else 0)


def refresh_statistics(connection: Connection) -> None:
    """Update the planner's statistics from a sample of every index.

    Without them the planner takes `vault_id = ?` for selective, and reads all rows of the vault
    instead of using the index on another column. It takes some hundredths of a second for any
    vault.
    """
    connection.execute(text(f"PRAGMA analysis_limit={ROWS_LOOKED_AT}"))
    connection.execute(text("ANALYZE"))


def settle(engine: Engine, seconds: float) -> None:
    """Do nothing: SQLite needs no vacuum for fast reads."""


def find_faults(connection: Connection) -> list[str]:
    """Return a message for each damaged page and dangling foreign key."""
    found = list(connection.scalars(text("PRAGMA quick_check")))
    faults = [str(line) for line in found if line != "ok"]
    faults += [
        f"Row {row[1]} of table {row[0]} points to a row of {row[2]} that is not there."
        for row in connection.execute(text("PRAGMA foreign_key_check"))
    ]
    return faults
