"""Migrations: together they make the tables that the product reads, and each can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import inspect

from alembic import command
from writeros_entities.store.database import Database, alembic_config

from ..databases import Databases


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    """Return a database that has been migrated, on every engine."""
    database = Database(databases.create())
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


def test_every_migration_can_be_undone_and_done_again(database: Database) -> None:
    while database.revision() is not None:
        run(database, command.downgrade, "-1")
    assert tables(database) == ["alembic_version"]
    assert database.migrate() is True
    run(database, command.check)
