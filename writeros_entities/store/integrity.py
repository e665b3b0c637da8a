"""What the database itself can tell of its health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Connection


def find_faults(connection: Connection) -> list[str]:
    """Return every fault of the database: damaged pages, dangling keys."""
    if connection.dialect.name != "sqlite":
        return []
    found = list(connection.scalars(text("PRAGMA quick_check")))
    faults = [str(line) for line in found if line != "ok"]
    faults += [
        f"Row {row[1]} of table {row[0]} points to a row of {row[2]} that is not there."
        for row in connection.execute(text("PRAGMA foreign_key_check"))
    ]
    return faults
