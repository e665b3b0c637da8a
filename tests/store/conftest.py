"""Fixtures: the same vault on each engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from writeros_entities.session import Session

from ..conftest import FIXTURES
from ..databases import Databases

VAULTS = ("hostile", "novel", "technical")


@dataclass(frozen=True)
class Twins:
    """One fixture vault, indexed on both engines; tests only read them."""

    vault: str
    sqlite: Session
    postgresql: Session


@pytest.fixture(scope="session")
def engines(
    sqlite_databases: Databases, postgresql_databases: Databases
) -> Mapping[str, Databases]:
    """Return the databases of each engine, by name."""
    return {"sqlite": sqlite_databases, "postgresql": postgresql_databases}


@pytest.fixture(scope="session", params=VAULTS)
def twins(request: pytest.FixtureRequest, engines: Mapping[str, Databases]) -> Iterator[Twins]:
    """Return a fixture vault on both engines."""
    with ExitStack() as stack:
        sessions = []
        for name in ("sqlite", "postgresql"):
            database = engines[name].create()
            session = Session.open(FIXTURES / request.param, database=database, close_reading=True)
            stack.enter_context(session)
            session.call("sync", {})
            sessions.append(session)
        yield Twins(request.param, *sessions)
