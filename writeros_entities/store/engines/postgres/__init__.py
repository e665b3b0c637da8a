"""PostgreSQL: a server for those who share a vault, or have outgrown one machine.

The class has its connections, errors and locks; `schema` the full text and the upkeep, `postings`
and `vectors` what else is searched, `rows` the bulk writes, `columns` the form of values.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import ARRAY, Text, event, make_url, text
from sqlalchemy.exc import DBAPIError

from writeros_entities.errors import StoreError
from writeros_entities.settings import user_cache_folder
from writeros_entities.store.engines.postgres import schema

if TYPE_CHECKING:
    import sqlalchemy as sa
    from sqlalchemy import Connection, Table
    from sqlalchemy.pool import ConnectionPoolEntry
    from sqlalchemy.types import TypeEngine

    from writeros_entities.arrays import Vector
    from writeros_entities.store.engine import FullText, PostingLists, Vectors

logging.getLogger("psycopg").addHandler(logging.NullHandler())
"""The driver's warnings stay out of the answers: a lost connection has an error of its own."""

DRIVER = "postgresql+psycopg"
CONNECT_SECONDS = 10

_UNESCAPED_AT = re.compile(r"[\w+]+://[^:/]*:[^@]*@(?:[^?]*|[^=]*)@")
"""Matches a URL in whose password an @ is not escaped: what follows it would be taken for a host,
and shown.
"""

_GONE = ("08", "57P", "53300")
"""Prefixes of SQLSTATE codes: the connection is lost, or there are too many."""

_REFUSED = ("42501", "25006", "53", "57014")
"""Prefixes of SQLSTATE codes: the role lacks a privilege, the server is read-only (a standby), has
run out of disk or memory, or has cancelled a statement (for its administrator, or after a timeout).
"""

_CANCELLED = "57014"

_NOT_AVAILABLE = "55P03"

_BLOCKED = (_NOT_AVAILABLE, "40")
"""Prefixes of SQLSTATE codes: a lock was not available within the role's `lock_timeout`, or the
server has rolled back a transaction because of another.
"""

VAULT_SECONDS = 2
"""How long a writer waits for another writer's transaction."""

_SCHEMA_KEY = 0x77726974
"""Key of the product's advisory lock: "writ" in ASCII."""

_LIMIT = (
    "SELECT set_config('statement_timeout', %(limit)s, false) FROM pg_settings "
    "WHERE name = 'statement_timeout' AND setting::bigint NOT BETWEEN 1 AND %(limit)s::bigint"
)
"""Limits the statements of a connection, in milliseconds, unless its role or URL does so more."""

_LIMITED = "limited"


class PostgresEngine:
    """The engine of `postgresql://…`; see `store.engine.Engine` for what each method is for."""

    examples: tuple[str, ...] = ("postgresql://me@server/vaults",)

    missing_driver = (
        "PostgreSQL needs the extra `postgres`: pip install 'writeros-entities[postgres]'."
    )

    driver_errors: tuple[type[Exception], ...] = ()

    # -- Reaching it -------------------------------------------------------------------------------

    def read_url(self, written: str) -> sa.URL:
        """Return the URL with the product's driver."""
        if _UNESCAPED_AT.match(written):
            raise ValueError(written)
        return make_url(written).set(drivername=DRIVER)

    def label(self, url: sa.URL) -> str:
        """Return the URL without passwords."""
        secret = {name: "***" for name in url.query if "password" in name}
        return url.update_query_dict(secret).render_as_string(hide_password=True)

    def identify(self, url: sa.URL) -> object:
        """Return None: a lost or restarted server shows as a failed connection."""
        return None

    def folder_beside(self, url: sa.URL) -> Path | None:
        """Return a folder in the user's cache."""
        digest = hashlib.blake2b(self.label(url).encode(), digest_size=8).hexdigest()
        return user_cache_folder() / f"names-{digest}"

    def connect_arguments(self, url: sa.URL) -> dict[str, object]:
        """Return the driver's arguments, except those that the URL sets itself."""
        arguments: dict[str, object] = {
            "fallback_application_name": "writeros-entities",
            "client_encoding": "utf8",
        }
        if "connect_timeout" not in url.query:
            arguments["connect_timeout"] = CONNECT_SECONDS
        return arguments

    def configure(
        self, pool: sa.Engine, limits: tuple[float, float] | None
    ) -> tuple[sa.Engine, sa.Engine]:
        """Set transactions up; where the server has a lower limit for its user, that holds for all.

        A reader sees one state of the index from its first query to its last (REPEATABLE READ), and
        cannot write. A writer sees what others have committed (READ COMMITTED); the lease makes
        sure that each vault has only one. Readers and writers never wait for each other.
        """
        reader = pool.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        writer = pool.execution_options(isolation_level="READ COMMITTED", writer=True)
        if limits is not None:
            for_readers, for_writers = (str(round(seconds * 1000)) for seconds in limits)

            @event.listens_for(pool, "connect")
            def _limit(driver: Any, record: ConnectionPoolEntry) -> None:
                with driver.cursor() as cursor:
                    cursor.execute(_LIMIT, {"limit": for_readers})
                    record.info[_LIMITED] = cursor.rowcount == 1
                driver.commit()

            @event.listens_for(pool, "begin")
            def _give_time(connection: Connection) -> None:
                is_writer = connection.get_execution_options().get("writer")
                if is_writer and connection.info[_LIMITED]:
                    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {for_writers}")

        return reader, writer

    def interrupt(self, driver: Any) -> None:
        """Ask the server to end the statement that a connection runs."""
        import psycopg

        with suppress(psycopg.Error):  # the server is gone, and so is the statement
            driver.cancel_safe(timeout=CONNECT_SECONDS)

    # -- What went wrong ---------------------------------------------------------------------------

    def is_overdue(self, error: Exception) -> bool:
        """Return whether a statement was ended since it took too long."""
        return _state_of(error) == _CANCELLED and "statement timeout" in str(_original(error))

    def is_busy(self, error: Exception) -> bool:
        """Return whether another transaction was in the way."""
        return (_state_of(error) or "").startswith(_BLOCKED)

    def trouble_of(self, error: Exception) -> str | None:
        """Return what is wrong with the server."""
        import psycopg

        code = _state_of(error)
        lost = isinstance(_original(error), psycopg.OperationalError) and (
            code is None or code.startswith(_GONE)
        )
        if lost or (isinstance(error, DBAPIError) and error.connection_invalidated):
            return "cannot be reached"
        return "cannot be read or written" if code and code.startswith(_REFUSED) else None

    # -- The form of values ------------------------------------------------------------------------

    def text_type(self) -> TypeEngine[str]:
        """Return text that is compared by code point whatever the server's locale."""
        return Text(collation="C")

    def json_type(self) -> TypeEngine[Any]:
        """Return JSONB, with the order of keys beside it."""
        from writeros_entities.store.engines.postgres.columns import OrderedJsonb

        return OrderedJsonb()

    def vector_type(self) -> TypeEngine[Vector]:
        """Return pgvector's type."""
        from writeros_entities.store.engines.postgres.columns import PgVector

        return PgVector()

    def list_type(self, of: TypeEngine[Any]) -> TypeEngine[Any]:
        """Return an array."""
        return ARRAY(of)

    def one_of(self, column: str, values: str) -> str:
        """Return a condition on the members of an array."""
        return f"{column} = ANY ({values})"

    # -- The schema --------------------------------------------------------------------------------

    def require_features(self, connection: Connection) -> None:
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
        lies_in = connection.scalar(text(made))
        if lies_in is not None:
            raise StoreError(
                f"The extension pgvector is in the schema {lies_in!r}, where it is not looked for. "
                f"Add {lies_in!r} to the search_path, of the role or in the URL: "
                f"?options=-csearch_path%3Dmine,{lies_in}"
            )
        offered = text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
        if connection.scalar(offered) is None:
            raise StoreError(
                "The PostgreSQL server does not have the extension pgvector, which vectors need. "
                "Install it there (https://github.com/pgvector/pgvector), or choose a server with "
                "it."
            )
        try:
            with connection.begin_nested():
                connection.execute(text("CREATE EXTENSION vector"))
        except DBAPIError as error:
            raise StoreError(
                f"The extension pgvector cannot be created ({_first_line(error)}). Ask the "
                "administrator to run CREATE EXTENSION vector; in this database."
            ) from None

    def create_full_text(self, connection: Connection) -> None:
        """Create the generated columns."""
        schema.create_full_text(connection)

    def drop_full_text(self, connection: Connection) -> None:
        """Drop them."""
        schema.drop_full_text(connection)

    def lock_schema(self, connection: Connection) -> None:
        """Take the product's advisory lock.

        Several processes may find the same database empty; each must check again once it has it.
        """
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _SCHEMA_KEY})

    # -- Writing -----------------------------------------------------------------------------------

    def lock_vault(self, connection: Connection, vault_id: int) -> bool:
        """Lock the vault's row, to which other rows can still refer."""
        statement = text("SELECT 1 FROM vault WHERE id = :vault_id FOR NO KEY UPDATE")
        try:
            with connection.begin_nested():
                connection.execute(text(f"SET LOCAL lock_timeout = '{VAULT_SECONDS}s'"))
                connection.execute(statement, {"vault_id": vault_id})
                connection.execute(text("SET LOCAL lock_timeout = DEFAULT"))
        except DBAPIError as error:
            if _state_of(error) != _NOT_AVAILABLE:
                raise
            return False
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
        """Insert tuples by COPY."""
        from writeros_entities.store.engines.postgres.rows import copy_rows

        copy_rows(connection, table, columns, values)

    # -- Care --------------------------------------------------------------------------------------

    def refresh_statistics(self, connection: Connection) -> None:
        """Analyse the product's tables."""
        schema.refresh_statistics(connection)

    def settle(self, pool: sa.Engine, seconds: float, *, anew: bool) -> None:
        """Vacuum the product's tables."""
        schema.settle(pool, seconds)

    def size_in_bytes(self, connection: Connection) -> int | None:
        """Return the size of the product's tables and their indexes, all vaults together."""
        return schema.size_in_bytes(connection)

    def find_faults(self, connection: Connection) -> list[str]:
        """Return invalid indexes, unchecked constraints and damaged pages known to the server."""
        return schema.find_faults(connection)

    # -- Searching ---------------------------------------------------------------------------------

    @property
    def full_text(self) -> FullText:
        """Generated columns of words."""
        return schema

    @property
    def postings(self) -> PostingLists:
        """Counts from the same index."""
        from writeros_entities.store.engines.postgres import postings

        return postings

    @property
    def vectors(self) -> Vectors:
        """The extension pgvector."""
        from writeros_entities.store.engines.postgres import vectors

        return vectors


def _original(error: Exception) -> BaseException | None:
    return error.orig if isinstance(error, DBAPIError) else error


def _state_of(error: Exception) -> str | None:
    """Return the SQLSTATE of an error, if the server has raised it."""
    state: str | None = getattr(_original(error), "sqlstate", None)
    return state


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0]
