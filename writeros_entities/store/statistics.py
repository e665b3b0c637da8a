"""What the engine's planner knows of the tables' contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection

ROWS_LOOKED_AT = 1_000


def refresh_statistics(connection: Connection) -> None:
    """Let the planner look at a sample of every index.

    Without, SQLite takes `vault_id = ?` for a rare find and reads all rows of the vault where
    another column would lead it to one. It takes some hundredths of a second in any vault.
    """
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"PRAGMA analysis_limit={ROWS_LOOKED_AT}"))
    connection.execute(text("ANALYZE"))
