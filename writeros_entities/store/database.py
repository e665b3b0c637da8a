"""The database behind a URL: its transactions for readers and the writer, and its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError

from writeros_entities.errors import BusyError, LimitError, StoreError
from writeros_entities.store.engine import give_engine
from writeros_entities.store.engines import example_urls, find_engine
from writeros_entities.store.interruption import InterruptedCallError
from writeros_entities.store.migrations import BEFORE, find_revision, head, revisions, upgrade

if TYPE_CHECKING:
    import sqlalchemy as sa
    from sqlalchemy import Connection
    from sqlalchemy.pool import ConnectionPoolEntry

    from writeros_entities.store.engine import Engine
    from writeros_entities.store.interruption import Interruption

WRITING_SECONDS = 3_600.0
"""How long a statement that writes may take, if there is a limit at all: bulk writes, migrations
and maintenance take the longer, the larger the index is.
"""

CONNECTIONS = 5
"""How many connections are kept; a call that reads while it reads may open more for a moment."""


class Database:
    """An engine with the two kinds of transaction that the product uses, `read` and `write`.

    `prepare` creates the schema in an empty database and refuses any other schema than this
    version's. `statement_seconds` limits each query; 0 means no limit. `engine` has what is
    specific to the kind of database.
    """

    def __init__(self, url: str, statement_seconds: float = 0) -> None:
        self.orphaned_leases: set[str] = set()
        self.engine, self._pool = _open(url)
        limits = (statement_seconds, WRITING_SECONDS) if statement_seconds else None
        self._reader, self._writer = self.engine.configure(self._pool, limits)

    @property
    def label(self) -> str:
        """The URL without passwords."""
        return self.engine.label(self._pool.url)

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

    def settle(self, *, anew: bool = False) -> None:
        """Run the engine's maintenance after a large write, so that reads are fast at once.

        `anew` says that most of the index was written.
        """
        with self._translated_errors():
            self.engine.settle(self._pool, WRITING_SECONDS, anew=anew)

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
            with interruption.reaching(lambda: self.engine.interrupt(driver)):
                yield
        finally:
            if interruption.is_set:
                connection.invalidate()

    @contextmanager
    def _translated_errors(self, interruption: Interruption | None = None) -> Iterator[None]:
        errors: tuple[type[Exception], ...] = (DBAPIError, *self.engine.driver_errors)
        try:
            yield
        except errors as error:
            if interruption is not None and interruption.is_set:
                raise InterruptedCallError from None
            if self.engine.is_overdue(error):
                raise LimitError(
                    "A query of the index took longer than the setting statement_seconds, or the "
                    "database's server, allows, and was stopped. Ask for less at a time."
                ) from None
            if self.engine.is_busy(error):
                raise BusyError(
                    f"Another process is writing to {self.label}. Wait for it to finish, or stop "
                    "it."
                ) from None
            trouble = self.engine.trouble_of(error)
            if trouble is None:
                raise
            raise StoreError(f"The database {self.label} {trouble}: {_first_line(error)}") from None

    def revision(self) -> str | None:
        """Return the migration that the database is at, or None if it has no index yet."""
        try:
            with self.read() as connection:
                return find_revision(connection)
        except DBAPIError as error:
            raise StoreError(
                f"The database {self.label} cannot be opened: {_first_line(error)}"
            ) from None

    def prepare(self) -> None:
        """Create the schema in an empty database; raise StoreError if another version made it."""
        revision = self.revision()
        if revision is None:
            self._upgrade(revision)
        elif revision != head():
            self._refuse_newer(revision)
            raise StoreError(
                f"The index {self.label} was made by an earlier version of the product. Run "
                "`writeros-entities sync` once: it brings the index to this version."
            )

    def migrate(self) -> str | None:
        """Bring the schema to this version; return the migration that it was at before.

        An index of before the first migration is made anew, and empty: it has nothing that the
        vaults do not have. Raises StoreError if a newer version made the index.
        """
        revision = self.revision()
        if revision == head():
            return revision
        self._refuse_newer(revision)
        self._upgrade(revision)
        return revision

    def _upgrade(self, revision: str | None) -> None:
        try:
            with self.write() as connection:
                self.engine.lock_schema(connection)
                self.engine.require_features(connection)
                if find_revision(connection) == revision:  # else another process was faster
                    upgrade(connection, revision)
        except DBAPIError as error:
            raise StoreError(
                f"The schema of {self.label} cannot be created: {_first_line(error)}"
            ) from None

    def _refuse_newer(self, revision: str | None) -> None:
        if revision not in (None, BEFORE, *revisions()):
            raise StoreError(
                f"The index {self.label} was made by a newer version of the product. Yours must be "
                "updated."
            )

    def size_in_bytes(self) -> int | None:
        """Return the size of the index, or None for an in-memory database."""
        with self.read() as connection:
            return self.engine.size_in_bytes(connection)

    @property
    def identity(self) -> object:
        """A value that changes if another database takes the place of this one at the same URL."""
        return self.engine.identify(self._pool.url)

    @property
    def folder_beside(self) -> Path | None:
        """The folder for files that are made from the index; None if there is no place for them."""
        return self.engine.folder_beside(self._pool.url)

    def close(self) -> None:
        """Close all connections; those that other threads use, when they are returned."""
        event.listen(self._pool.pool, "checkin", _close)
        self._pool.dispose()


def _call_before_statements(connection: Connection, function: Callable[[], None]) -> None:
    def before(*_: object) -> None:
        function()

    event.listen(connection, "before_cursor_execute", before)


def _close(_connection: object, entry: ConnectionPoolEntry) -> None:
    entry.close()


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _open(url: str) -> tuple[Engine, sa.Engine]:
    """Return the engine for a URL, and SQLAlchemy's, which knows it."""
    engine = find_engine(url)
    if engine is None:
        raise _no_url(url, example_urls())
    try:
        parsed = engine.read_url(url)
        pool = create_engine(
            parsed,
            json_serializer=_to_json,
            connect_args=engine.connect_arguments(parsed),
            pool_pre_ping=True,
            pool_size=CONNECTIONS,
        )
    except (ArgumentError, ValueError):  # an unescaped password may be parsed as a port
        raise _no_url(url, engine.examples) from None
    except ModuleNotFoundError:
        raise StoreError(engine.missing_driver) from None
    give_engine(pool, engine)
    return engine, pool


def _no_url(url: str, examples: Iterable[str]) -> StoreError:
    return StoreError(
        f"{_without_password(url)!r} is not a database URL. Examples: {', '.join(examples)}. In a "
        "name or a password, write / as %2F, # as %23, : as %3A, @ as %40."
    )


def _without_password(url: str) -> str:
    return re.sub(r"(?<=:)(?!//).*(?=@)|(?<=password=)[^&]*", "***", url)


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", error)).partition("\n")[0]
