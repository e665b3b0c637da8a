"""The database behind a URL: its transactions for readers and the writer, and its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from writeros_entities.errors import BusyError, LimitError, StoreError
from writeros_entities.store import postgres, sqlite
from writeros_entities.store.interruption import InterruptedCallError
from writeros_entities.store.locks import lock_schema
from writeros_entities.store.maintenance import size_in_bytes

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine
    from sqlalchemy.pool import ConnectionPoolEntry

    from writeros_entities.store.interruption import Interruption

_ENGINES = {"sqlite": sqlite, "postgresql": postgres, "postgres": postgres}

_EXAMPLES = (
    "Examples: sqlite:////home/me/vault.sqlite3, sqlite:///C:/Users/me/vault.sqlite3, "
    "postgresql://me@server/vaults"
)

_UNESCAPED_AT = re.compile(r"postgres[\w+]*://[^:/]*:[^@]*@(?:[^?]*|[^=]*)@")
"""Matches a URL in whose password an @ is not escaped: what follows it would be taken for a host,
and shown.
"""

WRITING_SECONDS = 3_600.0
"""How long a statement that writes may take, if there is a limit at all: bulk writes, migrations
and maintenance take the longer, the larger the index is.
"""

CONNECTIONS = 5
"""How many connections are kept; a call that reads while it reads may open more for a moment."""

SCHEMA_REVISION = "0011"
"""The migration that matches the tables of this version."""


class Database:
    """An engine with the two kinds of transaction that the product uses, `read` and `write`.

    `prepare` creates the schema in an empty database and refuses any other schema than this
    version's. `statement_seconds` limits each query; 0 means no limit.
    """

    def __init__(self, url: str, statement_seconds: float = 0) -> None:
        self.orphaned_leases: set[str] = set()
        self._engine, self._backend = _make_engine(url)
        limits = (statement_seconds, WRITING_SECONDS) if statement_seconds else None
        self._reader, self._writer = self._backend.configure(self._engine, limits)

    @property
    def dialect(self) -> str:
        """The engine's name: `sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @property
    def label(self) -> str:
        """The URL without passwords."""
        label: str = self._backend.label(self._engine.url)
        return label

    @contextmanager
    def read(self, interruption: Interruption | None = None) -> Iterator[Connection]:
        """Open a read transaction: all of its queries see the same state.

        Raises StoreError, like `write`, if the server cannot be reached, the disk is full or not
        writable, or the file is damaged; BusyError if another process holds a lock for too long;
        LimitError if a query takes too long. `interruption` ends the queries, and begins no other.
        """
        with (
            self._translated_errors(interruption),
            self._reader.connect() as connection,
            self._ended_by(interruption, connection),
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def write(self, interruption: Interruption | None = None) -> Iterator[Connection]:
        """Open a write transaction; it commits at the end of the block, or rolls back.

        `interruption` ends it, like `read`.
        """
        with (
            self._translated_errors(interruption),
            self._writer.connect() as connection,
            self._ended_by(interruption, connection),
            connection.begin(),
        ):
            yield connection

    def settle(self) -> None:
        """Run the engine's maintenance after a large write, so that reads are fast at once."""
        from writeros_entities.store.maintenance import settle

        with self._translated_errors():
            settle(self._engine, WRITING_SECONDS)

    @contextmanager
    def _ended_by(
        self, interruption: Interruption | None, connection: Connection
    ) -> Iterator[None]:
        """Let the statements of a connection be ended; afterwards, no other call gets it."""
        if interruption is None:
            yield
            return
        _call_before_statements(connection, interruption.check)
        driver = connection.connection.driver_connection
        try:
            with interruption.reaching(lambda: self._backend.interrupt(driver)):
                yield
        finally:
            if interruption.is_set:
                connection.invalidate()

    @contextmanager
    def _translated_errors(self, interruption: Interruption | None = None) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, *self._backend.DRIVER_ERRORS) as error:
            if interruption is not None and interruption.is_set:
                raise InterruptedCallError from None
            if self._backend.is_overdue(error):
                raise LimitError(
                    "A query of the index took longer than the setting statement_seconds, or the "
                    "database's server, allows, and was stopped. Ask for less at a time."
                ) from None
            if self._backend.is_busy(error):
                raise BusyError(
                    f"Another process is writing to {self.label}. Wait for it to finish, or stop "
                    "it."
                ) from None
            trouble = self._backend.trouble_of(error)
            if trouble is None:
                raise
            raise StoreError(f"The database {self.label} {trouble}: {_first_line(error)}") from None

    def revision(self) -> str | None:
        """Return the migration that the database is at, or None if it is empty."""
        try:
            with self.read() as connection:
                if not inspect(connection).has_table("alembic_version"):
                    return None
                version: str | None = connection.scalar(
                    text("SELECT version_num FROM alembic_version")
                )
                return version
        except DBAPIError as error:
            raise StoreError(
                f"The database {self.label} cannot be opened: {_first_line(error)}"
            ) from None

    def prepare(self) -> None:
        """Create the schema in an empty database; raise StoreError if another version made it."""
        revision = self.revision()
        if revision is None:
            self.migrate()
        elif revision != SCHEMA_REVISION:
            if revision not in _revisions():
                raise self._made_by_a_newer_version()
            raise StoreError(
                f"The database {self.label} was made by an older version of the product (migration "
                f"{revision} of {SCHEMA_REVISION}). Run `writeros-entities migrate` once."
            )

    def migrate(self) -> bool:
        """Upgrade the schema to this version; return whether there was anything to do."""
        if self.revision() == SCHEMA_REVISION:
            return False
        from alembic.util import CommandError

        from alembic import command

        try:
            with self.write() as connection:
                lock_schema(connection)
                self._backend.require_features(connection)
                config = alembic_config()
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except CommandError:
            raise self._made_by_a_newer_version() from None
        except DBAPIError as error:
            raise StoreError(
                f"The schema of {self.label} cannot be created: {_first_line(error)}"
            ) from None
        return True

    def _made_by_a_newer_version(self) -> StoreError:
        return StoreError(
            f"The database {self.label} was made by a newer version of the product. Yours must be "
            "updated."
        )

    def size_in_bytes(self) -> int | None:
        """Return the size of the index, or None for an in-memory database."""
        with self.read() as connection:
            return size_in_bytes(connection)

    @property
    def identity(self) -> object:
        """A value that changes if another database takes the place of this one at the same URL."""
        return self._backend.identify(self._engine.url)

    def close(self) -> None:
        """Close all connections; those that other threads use, when they are returned."""
        event.listen(self._engine.pool, "checkin", _close)
        self._engine.dispose()


def _call_before_statements(connection: Connection, function: Callable[[], None]) -> None:
    def before(*_: object) -> None:
        function()

    event.listen(connection, "before_cursor_execute", before)


def alembic_config() -> Config:
    """Return Alembic's configuration, with migrations found by path, not by import."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    return config


def migrations_folder() -> Path:
    """Return the folder of the migrations, in an installed package or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "migrations", package.parent / "alembic"):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("The migrations are missing: the product is not installed completely.")


def _revisions() -> set[str]:
    """Return the revisions that this version's migrations lead through."""
    versions = migrations_folder() / "versions"
    return {file.name.partition("_")[0] for file in versions.glob("*.py")}


def _close(_connection: object, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _make_engine(url: str) -> tuple[Engine, Any]:
    """Return the engine for a URL, and the module with what is specific to its database."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # an unescaped password may be parsed as a port
        raise _no_url(url) from None
    if _UNESCAPED_AT.match(url):
        raise _no_url(url)
    backend = _ENGINES.get(parsed.get_backend_name())
    if backend is None:
        raise StoreError(f"{parsed.get_backend_name()!r} is not a supported database. {_EXAMPLES}")
    parsed = backend.complete_url(parsed)
    try:
        engine = create_engine(
            parsed,
            json_serializer=_to_json,
            connect_args=backend.connect_arguments(parsed),
            pool_pre_ping=True,
            pool_size=CONNECTIONS,
        )
    except ArgumentError:  # for example two slashes before a file's path instead of three or four
        raise _no_url(url) from None
    except ModuleNotFoundError:
        raise StoreError(backend.MISSING_DRIVER) from None
    return engine, backend


def _no_url(url: str) -> StoreError:
    return StoreError(
        f"{_without_password(url)!r} is not a database URL. {_EXAMPLES}. In a name or a password, "
        "write / as %2F, # as %23, : as %3A, @ as %40."
    )


def _without_password(url: str) -> str:
    return re.sub(r"(?<=:)(?!//).*(?=@)|(?<=password=)[^&]*", "***", url)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).partition("\n")[0]
