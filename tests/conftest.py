"""Fixtures: vaults that no test may change, and sessions on them."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine, create_engine
from sqlalchemy.util import LRUCache
from writeros_plugins.spacy_parser import Model

from writeros_entities.session import Session
from writeros_entities.testing import hash_vault

from .databases import (
    ENGINES,
    Databases,
    SqliteDatabases,
    open_postgresql,
    stop_shared_server,
)

FIXTURES = Path(__file__).resolve().parent.parent / "vault_fixtures"

OpenVault = Callable[..., Session]
ReadVault = Callable[..., Session]

# Use the same examples on each run, so that a failure can only come from a change in the code;
# `make explore` draws new ones. A busy machine decides no test.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", settings.get_profile("explore"), derandomize=True)
settings.load_profile("steady")


def pytest_unconfigure() -> None:
    """Stop the server that the processes of a run have together."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        stop_shared_server()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return folders that do not exist, one after another."""
    homes = tmp_path_factory.mktemp("homes")
    return (homes / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def _own_folders(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Isolate the tests from the user's own settings and data; they share one cache."""
    home = next(_homes)
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(home / variable.lower()))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home.parent / "cache"))


@pytest.fixture(autouse=True, scope="session")
def _without_learning() -> Iterator[None]:
    """Disable embedding and training unless a test asks for them, as most do not need them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("WRITEROS_EMBEDDING_MODEL", "")
        monkeypatch.setenv("WRITEROS_LEARN_RELATIONS", "false")
        monkeypatch.setenv("WRITEROS_CLOSE_READING", "false")
        yield


@pytest.fixture
def closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read sentences by grammar, which most tests do not need."""
    monkeypatch.setenv("WRITEROS_CLOSE_READING", "true")


@pytest.fixture(autouse=True, scope="session")
def _models_are_loaded_once() -> Iterator[None]:
    """Keep the models that read sentences, which each session that a test opens would load."""
    load, loaded = Model.load, {}

    def load_once(model: Model) -> Any:
        folder = model.find()
        if folder not in loaded:
            loaded[folder] = load(model)
        return loaded[folder]

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(Model, "load", load_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def _statements_are_compiled_once() -> Iterator[None]:
    """Share compiled statements among the databases of an engine, as each test opens its own."""
    dialects: dict[str, Any] = {}
    compiled: LRUCache[Any, Any] = LRUCache(5_000)

    def create_sharing(*arguments: Any, **options: Any) -> Engine:
        engine = create_engine(*arguments, **options)
        engine.dialect = dialects.setdefault(engine.dialect.name, engine.dialect)
        engine.update_execution_options(compiled_cache=compiled)
        return engine

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("writeros_entities.store.database.create_engine", create_sharing)
        yield


@pytest.fixture(autouse=True, scope="session")
def _installed_plugins_are_read_once() -> Iterator[None]:
    """Cache the entry points of the environment: each session that a test opens asks for them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(metadata, "entry_points", cache(metadata.entry_points))
        yield


@pytest.fixture(autouse=True, scope="session")
def _little_is_collected() -> None:
    """Exempt what has been imported from garbage collection, which would traverse it often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(autouse=True, scope="session")
def _fixture_vaults_stay_as_they_are() -> Iterator[None]:
    """Check that no test writes to a fixture vault."""
    before = {folder.name: hash_vault(folder) for folder in FIXTURES.iterdir() if folder.is_dir()}
    yield
    after = {folder.name: hash_vault(folder) for folder in FIXTURES.iterdir() if folder.is_dir()}
    assert after == before


@pytest.fixture(scope="session")
def sqlite_databases(tmp_path_factory: pytest.TempPathFactory) -> Databases:
    """Return databases that are SQLite files."""
    return SqliteDatabases(tmp_path_factory.mktemp("databases"))


@pytest.fixture(scope="session")
def postgresql_databases() -> Iterator[Databases]:
    """Return databases on a PostgreSQL server."""
    with open_postgresql() as databases:
        yield databases


@pytest.fixture(scope="session", params=ENGINES)
def databases(request: pytest.FixtureRequest) -> Databases:
    """Return databases; tests that use this fixture run on each engine."""
    databases: Databases = request.getfixturevalue(f"{request.param}_databases")
    return databases


@pytest.fixture
def database(databases: Databases) -> Iterator[str]:
    """Return the URL of an empty database."""
    url = databases.create()
    yield url
    databases.give_back(url)


@pytest.fixture
def open_vault(database: str) -> Iterator[OpenVault]:
    """Return a function that opens a vault on the test's database; all are closed at the end."""
    opened: list[Session] = []

    def open_session(root: Path, **settings: Any) -> Session:
        session = Session.open(root, **({"database": database} | settings))
        opened.append(session)
        return session

    yield open_session
    for session in opened:
        session.close()


@pytest.fixture
def write_vault(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    """Return a function that writes a small vault from paths and texts, and returns its root."""

    return lambda notes: write_notes(tmp_path / "vault", notes)


def write_notes(root: Path, notes: Mapping[str, str]) -> Path:
    """Write a small vault from paths and texts, and return its root."""
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, text in notes.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return root


@pytest.fixture(scope="module")
def read_vault(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ReadVault]:
    """Return a function that writes, opens and syncs a vault, for tests that only read it.

    Tests of a module that ask for the same notes with the same settings have one session together.
    """
    known: dict[str, Session] = {}

    def read(notes: Mapping[str, str], **settings: Any) -> Session:
        asked = repr((notes, settings, os.environ["WRITEROS_CLOSE_READING"]))
        if asked not in known:
            root = write_notes(tmp_path_factory.mktemp("vault"), notes)
            known[asked] = Session.open(root, database=databases.create(), **settings)
            known[asked].call("sync", {})
        return known[asked]

    yield read
    for session in known.values():
        session.close()


@contextmanager
def _synced_novel(databases: Databases) -> Iterator[Session]:
    with Session.open(FIXTURES / "novel", database=databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.fixture(scope="session")
def sqlite_novel(sqlite_databases: Databases) -> Iterator[Session]:
    """Return the fixture novel, synced into a file."""
    with _synced_novel(sqlite_databases) as session:
        yield session


@pytest.fixture(scope="session")
def postgresql_novel(postgresql_databases: Databases) -> Iterator[Session]:
    """Return the fixture novel, synced into a database of the server."""
    with _synced_novel(postgresql_databases) as session:
        yield session


@pytest.fixture
def novel(request: pytest.FixtureRequest, databases: Databases) -> Session:
    """Return the synced fixture novel; its index is shared, so tests must only read it."""
    session: Session = request.getfixturevalue(f"{databases.name}_novel")
    return session
