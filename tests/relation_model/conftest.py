"""The small vault, synced once for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from ..databases import one_engine as databases
from .small import VAULT

__all__ = ["databases"]


@pytest.fixture(scope="module")
def small(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Return a small vault, synced and read by grammar; tests only read it."""
    root = tmp_path_factory.mktemp("small")
    for path, text in VAULT.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create(), close_reading=True) as session:
        session.call("sync", {})
        yield session
