"""What the migrations need of PostgreSQL beyond tables: encoding, extension, full text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from writeros_entities.errors import StoreError
from writeros_entities.store.postgres.words import drop_statements, function_statements

if TYPE_CHECKING:
    from sqlalchemy import Connection

FULL_TEXT = {"chunk": ("heading", "text"), "entity": ("name", "forms")}
"""The tables that have words: which column is the title, which the body."""


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


def create_full_text(connection: Connection) -> None:
    """Give chunks and entities their words, kept by the database itself, and an index on them."""
    for statement in function_statements():
        connection.exec_driver_sql(statement)
    for table, (title, body) in FULL_TEXT.items():
        connection.exec_driver_sql(
            f"ALTER TABLE {table} ADD COLUMN terms tsvector "
            f"GENERATED ALWAYS AS (writeros_terms({title}, {body})) STORED"
        )
        connection.exec_driver_sql(f"CREATE INDEX ix_{table}_terms ON {table} USING gin (terms)")


def drop_full_text(connection: Connection) -> None:
    """Undo `create_full_text`."""
    for table in FULL_TEXT:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN terms")
    for statement in drop_statements():
        connection.exec_driver_sql(statement)


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).partition("\n")[0]
