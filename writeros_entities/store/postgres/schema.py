"""What the migrations need of PostgreSQL beyond tables: encoding, extension, full text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from writeros_entities.errors import StoreError
from writeros_entities.store.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection


def require_features(connection: Connection) -> None:
    """Make sure that text is UTF-8 and that vectors can be stored; raise StoreError otherwise."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise StoreError(
            f"The database's encoding is {encoding}; notes need UTF-8. Make another one: "
            "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0."
        )
    if connection.scalar(text("SELECT 1 FROM pg_extension WHERE extname = 'vector'")):
        return
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
            f"The extension pgvector cannot be created ({_first_line(error)}). Ask who runs the "
            "server for: CREATE EXTENSION vector; in this database."
        ) from None


def create_functions(connection: Connection) -> None:
    """Create the functions that find words."""
    for statement in function_statements():
        connection.exec_driver_sql(statement)


def drop_functions(connection: Connection) -> None:
    """Undo `create_functions`."""
    for statement in drop_statements():
        connection.exec_driver_sql(statement)


def keep_words(connection: Connection, table: str, title: str, body: str) -> None:
    """Have the database itself keep the words of two columns of a table, with an index on them.

    `title` and `body` are expressions.
    """
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN terms tsvector "
        f"GENERATED ALWAYS AS (writeros_terms({title}, {body})) STORED"
    )
    connection.exec_driver_sql(f"CREATE INDEX ix_{table}_terms ON {table} USING gin (terms)")


def keep_counts(connection: Connection, table: str, title: str, body: str) -> None:
    """Have the database itself keep how often each word stands in two columns."""
    connection.exec_driver_sql(
        f"ALTER TABLE {table} ADD COLUMN counts jsonb "
        f"GENERATED ALWAYS AS (writeros_counts({title}, {body})) STORED"
    )


def drop_words(connection: Connection, table: str) -> None:
    """Undo `keep_words`."""
    connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN terms")


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0]
