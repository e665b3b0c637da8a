"""Connections: threads that ask at once share one database, and closing it leaves none open."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]


def test_threads_that_ask_first_at_the_same_time_share_what_is_opened(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session = open_vault(write_vault({"One.md": "Mara came."}))
    begin = threading.Barrier(4)
    opened: list[tuple[Any, int]] = []

    def ask() -> None:
        begin.wait()
        vault_id = session.vault_id
        opened.append((session.database, vault_id))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert opened == [(session.database, session.vault_id)] * 4


def test_a_connection_in_use_when_its_database_is_closed_is_closed_after_its_transaction(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    database = open_vault(write_vault({"One.md": "Mara came."})).database
    with database.read() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        database.close()
        assert driver.cursor().execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(Exception, match="closed"):
        driver.cursor().execute("SELECT 1")
