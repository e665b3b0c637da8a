"""A small vault to search, by its words alone and with vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from ..models import with_meaning
from .asking import HARBOUR

WriteHarbour = Callable[[], Path]


@pytest.fixture(scope="module")
def write_harbour(tmp_path_factory: pytest.TempPathFactory) -> WriteHarbour:
    """Return a function that writes the vault into a folder of its own, and returns its root."""

    def write() -> Path:
        root = tmp_path_factory.mktemp("harbour")
        for path, text in HARBOUR.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        return root

    return write


@pytest.fixture(scope="module")
def harbour(write_harbour: WriteHarbour, databases: Databases) -> Iterator[Session]:
    """Return the vault, synced without vectors; tests only read it."""
    with Session.open(write_harbour(), database=databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.fixture(scope="module")
def meaning(write_harbour: WriteHarbour, databases: Databases) -> Iterator[Session]:
    """Return the vault, synced with vectors; tests only read it."""
    with with_meaning(write_harbour(), databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.fixture
def changing_harbour(write_harbour: WriteHarbour, database: str) -> Iterator[Session]:
    """Return the same as `harbour`, for a test that changes the vault."""
    with Session.open(write_harbour(), database=database) as session:
        session.call("sync", {})
        yield session


@pytest.fixture
def changing_meaning(write_harbour: WriteHarbour, database: str) -> Iterator[Session]:
    """Return the same as `meaning`, for a test that changes the vault."""
    with with_meaning(write_harbour(), database) as session:
        session.call("sync", {})
        yield session
