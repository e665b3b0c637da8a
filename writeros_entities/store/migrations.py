"""The schema of a database: at which migration it is, and how it is brought to this version's.

An empty database gets the tables of the classes at once, which are those that all migrations make.
Migrations change tables and their rows. All that follows from these, full text and views, is
dropped before them and made anew after them: no migration need care for it, and an index that was
migrated has the same as one built anew. Everything happens in the caller's transaction.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from writeros_entities.errors import StoreError
from writeros_entities.store.engine import engine_of
from writeros_entities.store.schema import metadata
from writeros_entities.store.views import create_views, drop_views

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

VERSION_TABLE = "schema_revision"
"""The table in which Alembic keeps the migration that a database is at."""

BEFORE = "before 0001"
"""Stands for the schemas of before the first release, which no migration leads from."""

MADE_ANEW = (
    "The index was made by an earlier version of the product, in another form. It is made anew "
    "from the vault, with its vectors. Other vaults in the same database are read again when they "
    "are synced."
)
"""Says what becomes of an index of before."""

_TABLES_OF_BEFORE = (
    *("evidence", "relation", "entity_change", "mention", "alias", "proposal", "topic", "link"),
    *("chunk", "embedding", "relation_model", "entity", "note", "vault", "alembic_version"),
)
"""The tables of these schemas, each before those that it refers to."""


def revisions() -> list[str]:
    """Return this version's migrations in order, as their files are named."""
    versions = migrations_folder() / "versions"
    return sorted(file.name.partition("_")[0] for file in versions.glob("*.py"))


def head() -> str:
    """Return the migration that matches the tables of this version."""
    return revisions()[-1]


def find_revision(connection: Connection) -> str | None:
    """Return the migration that a database is at: None if it has no index yet, or `BEFORE`."""
    tables = inspect(connection)
    if tables.has_table(VERSION_TABLE):
        found: str | None = connection.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))
        return found
    if tables.has_table("alembic_version") and tables.has_table("vault"):
        is_ours = "lexicon_identity" in {column["name"] for column in tables.get_columns("vault")}
        return BEFORE if is_ours else None
    return None


def upgrade(connection: Connection, found: str | None) -> None:
    """Bring a database to this version's schema from the migration that was found.

    An index of before is dropped and made empty.
    """
    engine = engine_of(connection)
    if found is not None:
        drop_views(connection)
        engine.drop_full_text(connection)
    if found == BEFORE:
        for table in _TABLES_OF_BEFORE:
            connection.exec_driver_sql(f"DROP TABLE {table}")
    if found in (None, BEFORE):
        _create_tables(connection)
    else:
        from alembic import command

        command.upgrade(alembic_config(connection), "head")
    engine.create_full_text(connection)
    create_views(connection)


def _create_tables(connection: Connection) -> None:
    """Create the tables, and Alembic's as if it had run all migrations."""
    metadata.create_all(connection, checkfirst=False)
    connection.exec_driver_sql(
        f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
        f"CONSTRAINT {VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql(f"INSERT INTO {VERSION_TABLE} VALUES ('{head()}')")


def alembic_config(connection: Connection) -> Config:
    """Return Alembic's configuration, with migrations found by path, not by import."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def migrations_folder() -> Path:
    """Return the folder of the migrations, in an installed package or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "migrations", package.parent / "alembic"):
        if (folder / "env.py").is_file():
            return folder
    raise StoreError("The migrations are missing: the product is not installed completely.")
