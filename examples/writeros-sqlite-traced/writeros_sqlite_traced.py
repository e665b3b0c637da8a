"""SQLite whose slow statements are logged: `traced:////home/me/novel.sqlite3?slow=0.02`."""

from __future__ import annotations

import logging
import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from writeros_entities import SqliteEngine

SLOW_SECONDS = 0.1
"""The limit if the URL does not set another."""

log = logging.getLogger(__name__)


class TracedEngine(SqliteEngine):
    """SQLite under a scheme of its own, which logs what takes longer than the URL's `slow`."""

    examples = ("traced:////home/me/vault.sqlite3?slow=0.02",)

    def read_url(self, written: str) -> sa.URL:
        """Return the URL of the SQLite file; raises ValueError if `slow` is no number."""
        url = sa.make_url(written)
        self.slow = float(str(url.query.get("slow", SLOW_SECONDS)))
        plain = url.difference_update_query(["slow"]).set(drivername="sqlite")
        return super().read_url(plain.render_as_string(hide_password=False))

    def label(self, url: sa.URL) -> str:
        """Return the URL as it was given, without `slow`."""
        return super().label(url).replace("sqlite://", "traced://", 1)

    def configure(
        self, pool: sa.Engine, limits: tuple[float, float] | None
    ) -> tuple[sa.Engine, sa.Engine]:
        """Take the time of every statement, and have SQLite set up the rest."""

        @event.listens_for(pool, "before_cursor_execute")
        def begin(connection: sa.Connection, *_: Any) -> None:
            connection.info["traced"] = time.perf_counter()

        @event.listens_for(pool, "after_cursor_execute")
        def end(connection: sa.Connection, cursor: Any, statement: str, *_: Any) -> None:
            seconds = time.perf_counter() - connection.info["traced"]
            if seconds > self.slow:
                log.warning("%.3f s: %s", seconds, " ".join(statement.split()))

        return super().configure(pool, limits)
