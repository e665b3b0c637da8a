"""A small vault to search, by its words alone and with vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..models import with_meaning
from .asking import HARBOUR

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


@pytest.fixture
def harbour(write_vault: WriteVault, open_vault: OpenVault) -> Session:
    session = open_vault(write_vault(HARBOUR))
    session.call("sync", {})
    return session


@pytest.fixture
def meaning(write_vault: WriteVault, database: str) -> Iterator[Session]:
    with with_meaning(write_vault(HARBOUR), database) as session:
        session.call("sync", {})
        yield session
