"""What is specific to PostgreSQL: its driver, transactions, full text and vectors."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from writeros_entities.errors import StoreError

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

logging.getLogger("psycopg").addHandler(logging.NullHandler())
"""The driver's warnings stay out of the answers: a lost connection has an error of its own."""

DRIVER = "postgresql+psycopg"
CONNECT_SECONDS = 10

MISSING_DRIVER = "PostgreSQL needs the extra `postgres`: pip install 'writeros-entities[postgres]'."
"""The message if the driver is not installed."""

DRIVER_ERRORS: tuple[type[Exception], ...] = ()
"""What the driver raises past SQLAlchemy: nothing."""

_GONE = ("08", "57P", "53300")
"""Prefixes of SQLSTATE codes: the connection is lost, or there are too many."""

_REFUSED = ("42501", "25006", "53", "57014")
"""Prefixes of SQLSTATE codes: the role lacks a privilege, the server is read-only (a standby), has
run out of disk or memory, or has cancelled a statement (for its administrator, or after a timeout).
"""

_CANCELLED = "57014"

_BLOCKED = ("55P03", "40")
"""Prefixes of SQLSTATE codes: a lock was not available within the role's `lock_timeout`, or the
server has rolled back a transaction because of another.
"""


def complete_url(url: URL) -> URL:
    """Return the URL with the product's driver."""
    return url.set(drivername=DRIVER)


def label(url: URL) -> str:
    """Return the URL without passwords."""
    secret = {name: "***" for name in url.query if "password" in name}
    return url.update_query_dict(secret).render_as_string(hide_password=True)


def identify(url: URL) -> object:
    """Return None: a lost or restarted server shows as a failed connection."""
    return None


def connect_arguments(url: URL) -> dict[str, object]:
    """Return the driver's arguments, except those that the URL sets itself."""
    arguments: dict[str, object] = {
        "fallback_application_name": "writeros-entities",
        "client_encoding": "utf8",
    }
    if "connect_timeout" not in url.query:
        arguments["connect_timeout"] = CONNECT_SECONDS
    return arguments


_LIMIT = (
    "SELECT set_config('statement_timeout', %(limit)s, false) FROM pg_settings "
    "WHERE name = 'statement_timeout' AND setting::bigint NOT BETWEEN 1 AND %(limit)s::bigint"
)
"""Limits the statements of a connection, in milliseconds, unless its role or URL does so more."""

_LIMITED = "limited"


def configure(engine: Engine, limits: tuple[float, float] | None = None) -> tuple[Engine, Engine]:
    """Return the engine as configured for readers and for writers.

    `limits` are the seconds that a statement of each may take; where the server has a lower limit
    for its user, that holds for both.

    A reader sees one state of the index from its first query to its last (REPEATABLE READ), and
    cannot write. A writer sees what others have committed (READ COMMITTED); the lease makes sure
    that each vault has only one. Readers and writers never wait for each other.
    """
    reader = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    writer = engine.execution_options(isolation_level="READ COMMITTED", writer=True)
    if limits is not None:
        for_readers, for_writers = (str(round(seconds * 1000)) for seconds in limits)

        @event.listens_for(engine, "connect")
        def _limit(driver: Any, record: Any) -> None:
            with driver.cursor() as cursor:
                cursor.execute(_LIMIT, {"limit": for_readers})
                record.info[_LIMITED] = cursor.rowcount == 1
            driver.commit()

        @event.listens_for(engine, "begin")
        def _give_time(connection: Connection) -> None:
            is_writer = connection.get_execution_options().get("writer")
            if is_writer and connection.info[_LIMITED]:
                connection.exec_driver_sql(f"SET LOCAL statement_timeout = {for_writers}")

    return reader, writer


def interrupt(driver: Any) -> None:
    """End the statement that a connection of the driver runs, if any; called by another thread."""
    import psycopg

    with suppress(psycopg.Error):  # the server is gone, and so is the statement
        driver.cancel_safe(timeout=CONNECT_SECONDS)


def is_overdue(error: DBAPIError) -> bool:
    """Return whether a statement was ended since it took too long."""
    is_cancelled = getattr(error.orig, "sqlstate", None) == _CANCELLED
    return is_cancelled and "statement timeout" in str(error.orig)


def trouble_of(error: DBAPIError) -> str | None:
    """Return what is wrong with the server, to follow "The database …"; None for a bug."""
    import psycopg

    code = getattr(error.orig, "sqlstate", None)
    lost = isinstance(error.orig, psycopg.OperationalError) and (
        code is None or code.startswith(_GONE)
    )
    if error.connection_invalidated or lost:
        return "cannot be reached"
    return "cannot be read or written" if code and code.startswith(_REFUSED) else None


def is_busy(error: DBAPIError) -> bool:
    """Return whether another transaction was in the way."""
    return (getattr(error.orig, "sqlstate", None) or "").startswith(_BLOCKED)


def require_features(connection: Connection) -> None:
    """Check that text is UTF-8 and pgvector is there; raise StoreError otherwise."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreError(
            f"The database's encoding is {encoding}; notes need UTF-8. Create another one: "
            "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0."
        )
    if connection.scalar(text("SELECT to_regtype('vector')")):
        return
    made = (
        "SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
        "WHERE extname = 'vector'"
    )
    schema = connection.scalar(text(made))
    if schema is not None:
        raise StoreError(
            f"The extension pgvector is in the schema {schema!r}, where it is not looked for. Add "
            f"{schema!r} to the search_path, of the role or in the URL: "
            f"?options=-csearch_path%3Dmine,{schema}"
        )
    offered = text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
    if connection.scalar(offered) is None:
        raise StoreError(
            "The PostgreSQL server does not have the extension pgvector, which vectors need. "
            "Install it there (https://github.com/pgvector/pgvector), or choose a server with it."
        )
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION vector"))
    except DBAPIError as error:
        raise StoreError(
            f"The extension pgvector cannot be created ({_first_line(error)}). Ask the "
            "administrator to run CREATE EXTENSION vector; in this database."
        ) from None


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0]
