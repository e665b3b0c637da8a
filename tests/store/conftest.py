"""Fixtures: the same vault on each engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest
from writeros_plugins.spacy_parser import SpacyParser

from writeros_entities import Word
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


@contextmanager
def texts_are_parsed_once() -> Iterator[None]:
    """Keep what sentences were read as: no parser knows for which engine it reads."""
    parse, known = SpacyParser.parse, {}

    def parse_once(
        parser: SpacyParser, texts: Sequence[str], names: Sequence[Sequence[tuple[int, int]]]
    ) -> Iterator[list[list[Word]]]:
        asked = str((parser.identity, texts, names))
        if asked not in known:
            known[asked] = list(parse(parser, texts, names))
        return iter(known[asked])

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(SpacyParser, "parse", parse_once)
        yield


@pytest.fixture(scope="session", params=VAULTS)
def twins(request: pytest.FixtureRequest, engines: Mapping[str, Databases]) -> Iterator[Twins]:
    """Return a fixture vault on both engines."""
    with ExitStack() as stack:
        sessions = []
        with texts_are_parsed_once():
            for name in ("sqlite", "postgresql"):
                root, database = FIXTURES / request.param, engines[name].create()
                session = Session.open(root, database=database, close_reading=True)
                stack.enter_context(session)
                session.call("sync", {})
                sessions.append(session)
        yield Twins(request.param, *sessions)
