"""What is specific to SQLite: its pragmas, transactions and errors."""

from __future__ import annotations

import math
import os
import sqlite3
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from writeros_entities.errors import StoreError
from writeros_entities.settings import OTHERS, create_private_folder, sqlite_url

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

MISSING_DRIVER = "This Python was built without SQLite; install one that has the module `sqlite3`."

PRAGMAS = (
    "page_size=8192",  # must precede the journal mode, which creates the file
    "busy_timeout=10000",
    "journal_mode=wal",
    "synchronous=normal",
    "foreign_keys=on",
    "cache_size=-32000",
    "temp_store=memory",
)

DRIVER_ERRORS: tuple[type[Exception], ...] = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What the driver raises past SQLAlchemy: from a cursor of its own, and where even the message of
an error has bytes that are no text.
"""

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


def complete_url(url: URL) -> URL:
    """Expand `~` in the URL's path, and create the folder of its file, for its owner only.

    Raises StoreError if the folder cannot be created, or if the database would be in memory.
    """
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


def label(url: URL) -> str:
    """Return the URL as messages and answers show it."""
    return sqlite_url(Path(url.database or ""))


def identify(url: URL) -> object:
    """Return the device and inode of the URL's file, or None if there is no such file."""
    try:
        found = Path(url.database or "").stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect_arguments(url: URL) -> dict[str, object]:
    """Return no arguments: the driver needs only the file."""
    return {}


class _Clock:
    """Says when the statement that a connection runs has taken too long."""

    deadline = math.inf

    def is_over(self) -> bool:
        return time.monotonic() > self.deadline


def configure(engine: Engine, limits: tuple[float, float] | None = None) -> tuple[Engine, Engine]:
    """Return the engine as configured for readers and for writers; readers never wait.

    `limits` are the seconds that a statement of each may take.

    The driver's own transaction handling is switched off. A connection with the execution option
    `writer` starts with BEGIN IMMEDIATE: it waits for its turn at the start, and cannot fail later
    because another writer has changed what it read.

    A connection is discarded if its statement is interrupted (Ctrl-C). It is rolled back first: the
    traceback still refers to the statement, so closing the connection would not unlock the file.
    """
    file = Path(engine.url.database or "")

    @event.listens_for(engine, "do_connect")
    def _before_connecting(_dialect: Any, _record: Any, _arguments: Any, _options: Any) -> None:
        _create_private(file)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in PRAGMAS:
            _set_pragma(connection, pragma)
        if os.name == "posix":
            _close_to_others(file)
        if limits is not None:
            clock = _record.info[_Clock] = _Clock()
            connection.set_progress_handler(clock.is_over, STEPS)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        is_writer = connection.get_execution_options().get("writer")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

    @event.listens_for(engine, "invalidate")
    def _invalidate(connection: Any, _record: Any, _error: BaseException | None) -> None:
        with suppress(sqlite3.Error):
            connection.rollback()

    if limits is not None:
        for_readers, for_writers = limits

        @event.listens_for(engine, "before_cursor_execute")
        def _start(connection: Connection, *_: object) -> None:
            is_writer = connection.get_execution_options().get("writer")
            seconds = for_writers if is_writer else for_readers
            connection.info[_Clock].deadline = time.monotonic() + seconds

        @event.listens_for(engine, "commit")
        def _stop(connection: Connection) -> None:
            connection.info[_Clock].deadline = math.inf

    return engine, engine.execution_options(writer=True)


def interrupt(driver: Any) -> None:
    """End the statement that a connection of the driver runs, if any; called by another thread."""
    with suppress(sqlite3.ProgrammingError):  # it has been closed meanwhile
        driver.interrupt()


def is_overdue(error: Exception) -> bool:
    """Return whether a statement was ended since it took too long."""
    return _code_of(error) == sqlite3.SQLITE_INTERRUPT


def require_features(connection: Connection) -> None:
    """Do nothing: Python's SQLite has all that is needed."""


def trouble_of(error: Exception) -> str | None:
    """Return what is wrong with file or disk, to follow "The database …"; None for a bug.

    Only what is in a file of SQLite's is called damaged, with the advice to delete it. A file of
    another format may be a mistyped URL, and must not be deleted.
    """
    code = _code_of(error) & _PRIMARY_CODE
    if code == sqlite3.SQLITE_CORRUPT or _is_of_undecodable_text(error):
        return "is damaged; delete its file, and `sync` creates it again from the vault"
    if code == sqlite3.SQLITE_NOTADB:
        return "cannot be opened"
    return "cannot be read or written" if code in _OF_THE_DISK else None


def is_busy(error: Exception) -> bool:
    """Return whether another process held the write lock beyond the busy timeout."""
    return _code_of(error) == sqlite3.SQLITE_BUSY


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
