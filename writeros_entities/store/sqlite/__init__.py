"""What is SQLite's own: its pragmas, its transactions, its full-text index."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from writeros_entities.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine
    from sqlalchemy.exc import DBAPIError

MISSING_DRIVER = "This Python was built without SQLite; install one that has the module `sqlite3`."

PRAGMAS = (
    "page_size=8192",  # before the journal mode, with which a new file is written
    "busy_timeout=10000",
    "journal_mode=wal",
    "synchronous=normal",
    "foreign_keys=on",
    "cache_size=-32000",
    "temp_store=memory",
)

_PRIMARY_CODE = 0xFF
"""What is left of an error's code without the details that SQLite adds."""

_OF_THE_DISK = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_NOMEM),
}
"""Codes by which SQLite says that the system does not let it read or write, or has no room."""

TRIES = 100
SECONDS_BETWEEN_TRIES = 0.05


def complete_url(url: URL) -> URL:
    """Return the URL, with `~` as the user's folder and the folder of its file made.

    Raises StoreError where it cannot be made, and where there is to be no file.
    """
    if not url.database or url.database == ":memory:":
        raise StoreError(
            "An index in memory would be another one for each connection. Name a file: "
            "sqlite:////home/me/vault.sqlite3"
        )
    file = Path(url.database).expanduser()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder of {str(file)!r} cannot be made: {error.strerror}") from None
    return url.set(database=str(file))


def identify(url: URL) -> object:
    """Return what tells the file of a URL from another in its place; None where there is none."""
    try:
        found = Path(url.database or "").stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect_arguments(url: URL) -> dict[str, object]:
    """Return nothing: the driver needs to be told no more than the file."""
    return {}


def configure(engine: Engine) -> tuple[Engine, Engine]:
    """Return the engine as readers and as writers use it: readers never wait, a writer says so.

    The driver's own transaction handling is switched off. A connection with the execution option
    `writer` begins IMMEDIATE: it waits for its turn at the beginning, and cannot fail later
    because what it read has changed.
    """

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        for pragma in PRAGMAS:
            _set_pragma(connection, pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        is_writer = connection.get_execution_options().get("writer")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")

    return engine, engine.execution_options(writer=True)


def require_features(connection: Connection) -> None:
    """Require nothing: what Python comes with has all that is needed."""


def trouble_of(error: DBAPIError) -> str | None:
    """Return what is wrong with the file or its disk, to be said of the database; None for a bug.

    Only what SQLite itself finds damaged is called so: a file of another kind may be a mistaken
    URL, and is nothing to delete.
    """
    code = getattr(error.orig, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code == sqlite3.SQLITE_CORRUPT:
        return "is damaged; delete its file, and `sync` makes it anew from the vault"
    if code == sqlite3.SQLITE_NOTADB:
        return "cannot be opened"
    return "cannot be read or written" if code in _OF_THE_DISK else None


def is_busy(error: DBAPIError) -> bool:
    """Say whether an error means that another process has been writing for too long to wait."""
    return getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY


def _set_pragma(connection: Any, pragma: str) -> None:
    """Set a pragma; two who open a new file at once must wait for each other's journal mode.

    The busy timeout does not hold for that.
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
