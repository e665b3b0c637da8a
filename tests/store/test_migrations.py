"""Migrations: together they make the tables that the product reads, and each can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect

from alembic import command
from writeros_entities import Session, StoreError
from writeros_entities.store.database import SCHEMA_REVISION, Database, alembic_config

from ..databases import Databases

WriteVault = Callable[[dict[str, str]], Path]


@pytest.fixture
def url(databases: Databases) -> str:
    """Return the URL of a database that has been migrated, on every engine."""
    return databases.create()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """Return that database."""
    database = Database(url)
    yield database
    database.close()


def run(database: Database, do: Callable[..., Any], *arguments: str) -> None:
    """Have Alembic do something, in one transaction."""
    with database.write() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        do(config, *arguments)


def tables(database: Database) -> list[str]:
    with database.read() as connection:
        return inspect(connection).get_table_names()


def test_the_migrations_make_the_tables_of_the_product(database: Database) -> None:
    run(database, command.check)  # raises where a table, a column or an index differs


def test_an_older_index_is_told_to_be_migrated_and_is(
    database: Database, url: str, write_vault: WriteVault
) -> None:
    run(database, command.downgrade, "-1")
    root = write_vault({"One.md": "Mara came."})
    with Session.open(root, database=url, embedding_model="") as session:
        older = (
            r"an older version .* \(migration 0010 of 0011\)\. Run `writeros-entities migrate` once"
        )
        with pytest.raises(StoreError, match=older):
            session.call("sync", {})
        told = session.call("migrate", {}).as_text()
        assert told.startswith(
            f"Schema migrated from 0010 to {SCHEMA_REVISION}.\n\nFiles: 1 added."
        )


def test_every_migration_can_be_undone_and_done_again(database: Database) -> None:
    while database.revision() is not None:
        run(database, command.downgrade, "-1")
    assert tables(database) == ["alembic_version"]
    assert database.migrate() is True
    run(database, command.check)
