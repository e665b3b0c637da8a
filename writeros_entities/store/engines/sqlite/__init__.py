"""SQLite: a file on this computer, with nothing to install and nothing to run.

The class has its connections, errors and upkeep; `schema` the full text, `postings` and `vectors`
what else is searched.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import stat
import time
from collections.abc import Collection, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, Connection, LargeBinary, Table, Text, event, make_url, text
from sqlalchemy.types import TypeDecorator, TypeEngine

from writeros_entities.errors import StoreError
from writeros_entities.settings import OTHERS, create_private_folder, sqlite_url
from writeros_entities.store.columns import STORED
from writeros_entities.store.engines.sqlite import schema
from writeros_entities.store.rows import insert_prepared

if TYPE_CHECKING:
    import sqlalchemy as sa

    from writeros_entities.arrays import Vector
    from writeros_entities.store.engine import FullText, PostingLists, Vectors

PRAGMAS = (
    "page_size=8192",  # must precede the journal mode, which creates the file
    "busy_timeout=10000",
    "journal_mode=wal",
    "synchronous=normal",
    "foreign_keys=on",
    "cache_size=-32000",
    "temp_store=memory",
)

_PRIMARY_CODE = 0xFF
"""Mask of the primary result code within an extended one."""

_OF_THE_DISK = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM),
}
"""Primary codes: the system denies reading or writing, or disk or memory is full."""

STEPS = 200_000
"""Steps of SQLite's virtual machine, some milliseconds, between two looks at the clock."""

TRIES = 100
SECONDS_BETWEEN_TRIES = 0.05

ROWS_LOOKED_AT = 1_000
"""Rows of an index from which its statistics are estimated."""


class SqliteEngine:
    """The engine of `sqlite:///…`; see `store.engine.Engine` for what each method is for.

    An engine that wraps SQLite can subclass it.
    """

    examples: tuple[str, ...] = (
        "sqlite:////home/me/vault.sqlite3",
        "sqlite:///C:/Users/me/vault.sqlite3",
    )

    missing_driver = (
        "This Python was built without SQLite; install one that has the module `sqlite3`."
    )

    driver_errors: tuple[type[Exception], ...] = (sqlite3.DatabaseError, UnicodeDecodeError)
    """Raised by a cursor of the driver's own, and where even the message of an error has bytes that
    are no text.
    """

    # -- Reaching it -------------------------------------------------------------------------------

    def read_url(self, written: str) -> sa.URL:
        """Expand `~` in the URL's path, and create the folder of its file, for its owner only.

        Raises StoreError if the folder cannot be created, or if the database would be in memory.
        """
        url = make_url(written)
        if url.host:  # two slashes before the path instead of three or four
            raise ValueError(written)
        if not url.database or url.database == ":memory:":
            raise StoreError(
                "An index in memory would be separate for each connection. Name a file: "
                "sqlite:////home/me/vault.sqlite3"
            )
        file = Path(url.database).expanduser()
        try:
            create_private_folder(file.parent)
        except OSError as error:
            raise StoreError(
                f"The folder of {str(file)!r} cannot be created: {error.strerror}"
            ) from None
        return url.set(database=str(file))

    def label(self, url: sa.URL) -> str:
        """Return the URL with its path as one reads it."""
        return sqlite_url(Path(url.database or ""))

    def identify(self, url: sa.URL) -> object:
        """Return the device and inode of the URL's file, or None if there is no such file."""
        try:
            found = os.stat(url.database or "")  # noqa: PTH116  # each call asks: a path costs more
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def folder_beside(self, url: sa.URL) -> Path | None:
        """Return a folder beside the file."""
        return Path(f"{url.database}-names")

    def connect_arguments(self, url: sa.URL) -> dict[str, object]:
        """Return no arguments: the driver needs only the file."""
        return {}

    def configure(
        self, pool: sa.Engine, limits: tuple[float, float] | None
    ) -> tuple[sa.Engine, sa.Engine]:
        """Set each connection up; see `Engine.configure`.

        The driver's own transaction handling is switched off. A connection with the execution
        option `writer` starts with BEGIN IMMEDIATE: it waits for its turn at the start, and cannot
        fail later because another writer has changed what it read.

        A connection is discarded if its statement is interrupted (Ctrl-C). It is rolled back first:
        the traceback still refers to the statement, so closing the connection would not unlock the
        file.
        """
        file = Path(pool.url.database or "")

        @event.listens_for(pool, "do_connect")
        def _before_connecting(
            _dialect: object, _record: object, _arguments: object, _options: object
        ) -> None:
            _create_private(file)

        @event.listens_for(pool, "connect")
        def _connect(connection: Any, _record: sa.pool.ConnectionPoolEntry) -> None:
            connection.isolation_level = None
            for pragma in PRAGMAS:
                _set_pragma(connection, pragma)
            if os.name == "posix":
                _close_to_others(file)
            if limits is not None:
                clock = _record.info[_Clock] = _Clock()
                connection.set_progress_handler(clock.is_over, STEPS)

        @event.listens_for(pool, "begin")
        def _begin(connection: Connection) -> None:
            is_writer = connection.get_execution_options().get("writer")
            connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

        @event.listens_for(pool, "invalidate")
        def _invalidate(connection: Any, _record: object, _error: BaseException | None) -> None:
            with suppress(sqlite3.Error):
                connection.rollback()

        if limits is not None:
            for_readers, for_writers = limits

            @event.listens_for(pool, "before_cursor_execute")
            def _start(connection: Connection, *_: object) -> None:
                is_writer = connection.get_execution_options().get("writer")
                seconds = for_writers if is_writer else for_readers
                connection.info[_Clock].deadline = time.monotonic() + seconds

            @event.listens_for(pool, "commit")
            def _stop(connection: Connection) -> None:
                connection.info[_Clock].deadline = math.inf

        return pool, pool.execution_options(writer=True)

    def interrupt(self, driver: Any) -> None:
        """End the statement that a connection runs."""
        with suppress(sqlite3.ProgrammingError):  # it has been closed meanwhile
            driver.interrupt()

    # -- What went wrong ---------------------------------------------------------------------------

    def is_overdue(self, error: Exception) -> bool:
        """Return whether a statement was ended since it took too long."""
        return _code_of(error) == sqlite3.SQLITE_INTERRUPT

    def is_busy(self, error: Exception) -> bool:
        """Return whether another process held the write lock beyond the busy timeout."""
        return _code_of(error) == sqlite3.SQLITE_BUSY

    def trouble_of(self, error: Exception) -> str | None:
        """Return what is wrong with file or disk.

        Only what is in a file of SQLite's is called damaged, with the advice to delete it. A file
        of another format may be a mistyped URL, and must not be deleted.
        """
        code = _code_of(error) & _PRIMARY_CODE
        if code == sqlite3.SQLITE_CORRUPT or _is_of_undecodable_text(error):
            return "is damaged; delete its file, and `sync` creates it again from the vault"
        if code == sqlite3.SQLITE_NOTADB:
            return "cannot be opened"
        return "cannot be read or written" if code in _OF_THE_DISK else None

    # -- The form of values ------------------------------------------------------------------------

    def text_type(self) -> TypeEngine[str]:
        """Return text, which SQLite compares by its bytes."""
        return Text()

    def json_type(self) -> TypeEngine[Any]:
        """Return JSON as text, which keeps the order of keys."""
        return JSON(none_as_null=True)

    def vector_type(self) -> TypeEngine[Vector]:
        """Return the bytes of float32."""
        return _VectorBytes()

    def list_type(self, of: TypeEngine[Any]) -> TypeEngine[Any]:
        """Return a JSON array as text."""
        return _JsonText()

    def one_of(self, column: str, values: str) -> str:
        """Return a condition on the members of a JSON array."""
        return f"{column} IN (SELECT value FROM json_each({values}))"

    # -- The schema --------------------------------------------------------------------------------

    def require_features(self, connection: Connection) -> None:
        """Do nothing: Python's SQLite has all that is needed."""

    def create_full_text(self, connection: Connection) -> None:
        """Create the indexes of FTS5, and their triggers."""
        schema.create_full_text(connection)

    def drop_full_text(self, connection: Connection) -> None:
        """Drop them."""
        schema.drop_full_text(connection)

    def lock_schema(self, connection: Connection) -> None:
        """Do nothing: a write transaction excludes every other from its first statement on."""

    # -- Writing -----------------------------------------------------------------------------------

    def lock_vault(self, connection: Connection, vault_id: int) -> bool:
        """Do nothing, as for the schema."""
        return True

    def insert_rows(
        self,
        connection: Connection,
        table: Table,
        columns: Sequence[str],
        values: Sequence[tuple[object, ...]],
        *,
        together: int = 1,
    ) -> None:
        """Insert tuples by prepared statements."""
        insert_prepared(connection, table, columns, values, together=together)

    # -- Care --------------------------------------------------------------------------------------

    def refresh_statistics(self, connection: Connection) -> None:
        """Estimate the planner's statistics from a sample of every index.

        Without them the planner takes `vault_id = ?` for selective, and reads all rows of the vault
        instead of using the index on another column. It takes some hundredths of a second for any
        vault.
        """
        connection.execute(text(f"PRAGMA analysis_limit={ROWS_LOOKED_AT}"))
        connection.execute(text("ANALYZE"))

    def settle(self, pool: sa.Engine, seconds: float, *, anew: bool) -> None:
        """Write the file once more if most of it is new, which takes a tenth of its size away.

        Rows that come in another order than that of a table or an index leave its pages half full.
        """
        if not anew:
            return
        clock = _Clock()
        clock.deadline = time.monotonic() + seconds
        # Not a connection of the pool: there, what is temporary is kept in memory.
        own = sqlite3.connect(pool.url.database or "", isolation_level=None)
        with suppress(sqlite3.Error), closing(own):
            own.set_progress_handler(clock.is_over, STEPS)
            own.execute("VACUUM")
            own.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def size_in_bytes(self, connection: Connection) -> int | None:
        """Return the size of the database file and its WAL."""
        file = Path(connection.engine.url.database or "")
        log = file.with_name(f"{file.name}-wal")
        return sum(one.stat().st_size for one in (file, log) if one.exists())

    def find_faults(self, connection: Connection) -> list[str]:
        """Return a message for each damaged page and dangling foreign key."""
        found = list(connection.scalars(text("PRAGMA quick_check")))
        faults = [str(line) for line in found if line != "ok"]
        faults += [
            f"Row {row[1]} of table {row[0]} points to a row of {row[2]} that is not there."
            for row in connection.execute(text("PRAGMA foreign_key_check"))
        ]
        return faults

    # -- Searching ---------------------------------------------------------------------------------

    @property
    def full_text(self) -> FullText:
        """FTS5."""
        return schema

    @property
    def postings(self) -> PostingLists:
        """Counts from the same index."""
        from writeros_entities.store.engines.sqlite import postings

        return postings

    @property
    def vectors(self) -> Vectors:
        """Bytes, compared in memory."""
        from writeros_entities.store.engines.sqlite import vectors

        return vectors


class _VectorBytes(TypeDecorator["Vector"]):
    """A vector as the bytes of its numbers."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Vector | None, dialect: sa.Dialect) -> object:
        """Convert an array to bytes."""
        return None if value is None else value.astype(STORED, copy=False).tobytes()

    def process_result_value(self, value: Any, dialect: sa.Dialect) -> Vector | None:
        """Convert bytes to an array."""
        import numpy as np

        return (
            None if value is None else np.frombuffer(value, STORED).astype(np.float32, copy=False)
        )


class _JsonText(TypeDecorator[Collection[Any]]):
    """A list as JSON, for `json_each`."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Collection[Any] | None, dialect: sa.Dialect) -> object:
        """Convert a list to JSON."""
        return None if value is None else json.dumps(value)


class _Clock:
    """Says when the statement that a connection runs has taken too long."""

    deadline = math.inf

    def is_over(self) -> bool:
        return time.monotonic() > self.deadline


def _code_of(error: Exception) -> int:
    code: int = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    return code


def _is_of_undecodable_text(error: Exception) -> bool:
    return isinstance(error, UnicodeDecodeError) or "Could not decode to UTF-8" in str(error)


def _create_private(file: Path) -> None:
    """Create the file if it is missing, so that only its owner can use it.

    SQLite would create it with the permissions that the process gives to any file; to its log and
    its shared memory it gives those of the file.
    """
    with suppress(OSError):  # it is there; or SQLite will say why it cannot be
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _close_to_others(file: Path) -> None:
    for one in (file, *(file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))):
        with suppress(OSError):  # it is not there, or another user's
            mode = stat.S_IMODE(one.stat().st_mode)
            if mode & OTHERS:
                one.chmod(mode & ~OTHERS)


def _set_pragma(connection: Any, pragma: str) -> None:
    """Set a pragma, retrying while the file is locked.

    Processes that open a new file at once compete for setting the journal mode, which the busy
    timeout does not cover.
    """
    for _ in range(TRIES):
        try:
            connection.execute(f"pragma {pragma}")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            time.sleep(SECONDS_BETWEEN_TRIES)
    connection.execute(f"pragma {pragma}")
