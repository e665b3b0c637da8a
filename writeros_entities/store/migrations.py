"""The schema of a database: at which migration it is, and how it is brought to this version's.

An empty database gets the tables of the classes at once, which are those that all migrations make.
Migrations change tables and their rows. All that follows from these, full text and views, is
dropped before them and made anew after them: no migration need care for it, and an index that was
migrated has the same as one built anew. Everything happens in the caller's transaction.

Views of the index for those who ask it in SQL: they count what the product counts.

They show the whole vault; who wants to know only what a reader of chapter 7 knows adds a condition
on `visible_from`. `key` is the id by which callers know an entity.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, inspect, or_, select, text
from sqlalchemy.schema import CreateView

from writeros_entities.errors import StoreError
from writeros_entities.store.engine import engine_of
from writeros_entities.store.rows import chunk, entity, mention, note
from writeros_entities.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Column, ColumnElement, Connection, Table

    from writeros_entities.store.rows import Statement


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


def entity_summary() -> Statement:
    """Who and what is in the vault: each entity with a note or a mention, and how often it is met.

    `first_position` and `last_position` are those of the chapters that mention it.
    """
    is_met = or_(entity.c.mention_count > 0, entity.c.status == "noted")
    return (
        select(
            *(entity.c.vault_id, entity.c.id.label("entity_id"), entity.c.key, entity.c.name),
            *(entity.c.type, entity.c.status, entity.c.confidence, note.c.path),
            entity.c.mention_count.label("mentions"),
            entity.c.note_count.label("notes"),
            *(entity.c.first_position, entity.c.last_position, entity.c.visible_from),
        )
        .outerjoin(note, _is_row(note, entity.c.note_id))
        .where(is_met)
    )


def mention_current() -> Statement:
    """Where somebody is named: the mentions that hold, one for each span and entity.

    The table `mention` has rival candidates besides, and what only a reader of earlier chapters
    takes a name for.
    """
    own = [column for column in mention.c if column.name not in ("since", "visible_until")]
    return (
        select(
            *(entity.c.key, entity.c.name, entity.c.type),
            *(note.c.id.label("note_id"), note.c.path, note.c.position, *own),
        )
        .join(chunk, _is_row(chunk, mention.c.chunk_id))
        .join(note, _is_row(note, chunk.c.note_id))
        .join(entity, _is_row(entity, mention.c.entity_id))
        .where(mention.c.visible_until.is_(None))
    )


def note_entities() -> Statement:
    """Who is in a chapter or another note: each entity that a note names, and how often."""
    current = mention_current().subquery("current").c
    told = (
        *(current.vault_id, current.note_id, current.path, current.position),
        *(current.entity_id, current.key, current.name, current.type),
    )
    first = func.min(current.visible_from).label("visible_from")
    return select(*told, func.count().label("mentions"), first).group_by(*told)


VIEWS: tuple[Callable[[], Statement], ...] = (entity_summary, note_entities, mention_current)
"""The views: each is the statement that a function of its name returns."""


def create_views(connection: Connection) -> None:
    """Create the views over the tables."""
    for view in VIEWS:
        connection.execute(CreateView(view(), view.__name__))


def drop_views(connection: Connection) -> None:
    """Drop the views, if they are there: no table can be changed under a view."""
    for view in VIEWS:
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {view.__name__}")


def _is_row(table: Table, column: Column[Any]) -> ColumnElement[bool]:
    """Return the condition that a row of a table is the one whose id another table's column is."""
    return and_(table.c.vault_id == column.table.c.vault_id, table.c.id == column)
