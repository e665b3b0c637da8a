"""The engine keeps the contract that every engine keeps, and does what it is for."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import text

pytest.register_assert_rewrite("writeros_entities.testing.engines")

from writeros_entities.store.database import Database  # noqa: E402
from writeros_entities.testing.engines import EngineContract  # noqa: E402


class TestTracedEngine(EngineContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        """Return the URL of a new database."""
        return f"traced:///{tmp_path / 'index.sqlite3'}"


@pytest.mark.parametrize(("slow", "logged"), [("0", ["SELECT 1"]), ("60", [])])
def test_slow_statements_are_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, slow: str, logged: list[str]
) -> None:
    database = Database(f"traced:///{tmp_path / 'index.sqlite3'}?slow={slow}")
    with caplog.at_level(logging.WARNING), database.read() as connection:
        connection.execute(text("SELECT\n1"))
    database.close()
    statements = [message.partition(": ")[2] for message in caplog.messages]
    assert [one for one in statements if one.startswith("SELECT")] == logged
