"""Migrations: together they make the tables of the classes, and a killed one leaves nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text, update

from alembic import command
from writeros_entities import Session, StoreError
from writeros_entities.store import migrations, rows
from writeros_entities.store.database import Database
from writeros_entities.store.migrations import MADE_ANEW, VERSION_TABLE, create_views, drop_views
from writeros_entities.store.tables import metadata

from ..conftest import OpenVault
from ..databases import Databases
from ..sync.snapshot import check_full_text, take_snapshot

WriteVault = Callable[[dict[str, str]], Path]
Schema = Mapping[str, Any]

VAULT = {
    "Characters/Mara.md": "---\ntype: person\naliases: [Mads]\n---\nA smith. Sister of [[Ilse]].",
    "One.md": "---\nchapter: 1\n---\nMara met [[Ilse]].",
    "Two.md": "---\nchapter: 2\n---\nMads and Ilse went on.",
}

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"

def upgrade() -> None:
    op.add_column("mention", sa.Column("told", sa.Integer(), nullable=False, server_default="0"))
    op.create_index("ix_mention_told", "mention", ["vault_id", "told"])
    op.drop_index("ix_link_target_key", "link")
"""

HEAD = migrations.head()

KILLED_AGAIN_AND_AGAIN = """
import os, signal, sys
from pathlib import Path
from alembic import command
from sqlalchemy import event
from writeros_entities.store import migrations, tables
from writeros_entities.store.database import Database

url, folder = sys.argv[1:]
migrations.migrations_folder = lambda: Path(folder)

def migrate(killed_at):
    database = Database(url)
    left = iter(range(killed_at))
    @event.listens_for(database._pool, "before_cursor_execute")
    def count(*_):
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)
    database.migrate()

statements = 1
while True:
    child = os.fork()
    if not child:
        migrate(statements)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    database = Database(url)
    print(database.revision())
    database.close()
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
    statements += 8
"""


def describe(connection: Connection) -> Schema:
    """Return everything in a database's schema, but not the order in which it was made."""
    found = inspect(connection)
    described: dict[str, Any] = {}
    for name in sorted({*found.get_table_names(), *found.get_view_names()} - {VERSION_TABLE}):
        described[name] = {
            "columns": {
                one["name"]: (str(one["type"]), one["nullable"], one["default"])
                for one in found.get_columns(name)
            },
            "key": found.get_pk_constraint(name),
            "references": sorted(map(repr, found.get_foreign_keys(name))),
            "unique": sorted(map(repr, found.get_unique_constraints(name))),
            "indexes": sorted(
                repr(one | {"dialect_options": _told(one.get("dialect_options", {}))})
                for one in found.get_indexes(name)
            ),
        }
    if connection.dialect.name == "sqlite":
        statement = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
    else:
        statement = (
            "SELECT c.relname, a.attname, a.attcollation::regcollation::text, c.reloptions::text "
            "FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 "
            "WHERE pg_table_is_visible(c.oid) AND c.relkind IN ('r', 'v') "
            "AND NOT a.attisdropped AND c.relnamespace = 'public'::regnamespace"
        )
    described[""] = sorted(map(tuple, connection.execute(text(statement))))
    return described


def _told(options: Mapping[str, Any]) -> dict[str, str]:
    """Return the options of an index as text: a condition is an object without one."""
    return {name: str(option) for name, option in options.items()}


def schema_of(database: Database) -> Schema:
    with database.read() as connection:
        return describe(connection)


@pytest.fixture
def created(databases: Databases) -> Iterator[Database]:
    """Return an empty index, on every engine; its tables are those of the classes."""
    database = Database(databases.create())
    yield database
    database.close()


def test_the_migrations_make_the_tables_of_the_classes(created: Database) -> None:
    database, schema = created, schema_of(created)
    assert schema.keys() > metadata.tables.keys()
    with database.write() as connection:
        engine = database.engine
        drop_views(connection)
        engine.drop_full_text(connection)
        metadata.drop_all(connection)
        connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
        command.upgrade(migrations.alembic_config(connection), "head")
        engine.create_full_text(connection)
        create_views(connection)
    assert schema_of(database) == schema
    assert database.revision() == HEAD


def test_the_latest_migration_is_the_one_that_the_others_lead_to() -> None:
    scripts = ScriptDirectory(str(migrations.migrations_folder()))
    assert scripts.get_heads() == [migrations.head()]
    assert {one.revision for one in scripts.walk_revisions()} == set(migrations.revisions())


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Return a function that adds a migration to this version's."""

    def add() -> Path:
        folder = tmp_path / "migrations"
        shutil.copytree(migrations.migrations_folder(), folder)
        (folder / "versions" / "9999_told.py").write_text(NEXT.format(head=HEAD), "utf-8")
        monkeypatch.setattr(migrations, "migrations_folder", lambda: folder)
        return folder

    return add


def test_an_index_that_was_killed_while_it_was_migrated_equals_one_built_anew(
    databases: Databases,
    write_vault: WriteVault,
    open_vault: OpenVault,
    later: Callable[[], Path],
) -> None:
    root, url, other = write_vault(VAULT), databases.create(), databases.create()
    with Session.open(root, database=url) as session:
        session.call("sync", {})
    program = [sys.executable, "-c", KILLED_AGAIN_AND_AGAIN, url, str(later())]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    told = done.stdout.split()
    assert len(told) > 3
    assert told == [HEAD] * (len(told) - 1) + ["9999"]
    migrated, anew = open_vault(root, database=url), open_vault(root, database=other)
    anew.call("migrate", {})
    assert take_snapshot(migrated) == take_snapshot(anew)
    assert schema_of(migrated.database) == schema_of(anew.database)
    check_full_text(migrated)


def test_questions_of_an_older_index_say_what_to_do_and_the_next_sync_does_it(
    databases: Databases,
    write_vault: WriteVault,
    later: Callable[[], Path],
) -> None:
    root, url = write_vault(VAULT), databases.create()
    later()
    with Session.open(root, database=url) as session:
        with pytest.raises(StoreError, match=r"an earlier version .* Run `writeros-entities sync`"):
            session.call("status", {})
        told = session.call("migrate", {}).as_text()
        assert told.startswith(f"Schema migrated from {HEAD} to 9999.\n\nFiles: 3 added.")
        assert session.call("status", {}).model_dump()["notes"] == {"note": 3}


def make_older(session: Session) -> None:
    """Turn an index into one of before the first migration, in a database with another's table."""
    with session.database.write() as connection:
        drop_views(connection)
        for statement in (
            f"DROP TABLE {VERSION_TABLE}",
            "DROP TABLE page",
            "DROP TABLE thread",
            "DROP TABLE event",
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
            "INSERT INTO alembic_version VALUES ('0011')",
            "ALTER TABLE entity ADD COLUMN primary_chunk_id BIGINT",
            "CREATE TABLE diary (day TEXT)",
            "INSERT INTO diary VALUES ('Monday')",
        ):
            connection.execute(text(statement))
    session.close()


def test_an_index_of_before_the_first_migration_is_made_anew_from_the_vault(
    created: Database, databases: Databases, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root, url = write_vault(VAULT), databases.create()
    schema = schema_of(created)
    session = open_vault(root, database=url)
    session.call("sync", {})
    rows = take_snapshot(session)
    make_older(session)
    session = open_vault(root, database=url)
    for question in ("status", "list_entities"):
        with pytest.raises(StoreError, match=r"an earlier version .* Run `writeros-entities sync`"):
            session.call(question, {})
    told = session.call("sync", {}).as_text()
    assert told.startswith(f"{MADE_ANEW}\n\nFiles: 3 added.")
    assert take_snapshot(session) == rows
    check_full_text(session)
    with session.database.write() as connection:
        assert connection.scalar(text("SELECT day FROM diary")) == "Monday"
        connection.execute(text("DROP TABLE diary"))
    assert schema_of(session.database) == schema
    assert session.call("sync", {}).as_text() == "Nothing has changed."


def test_the_other_vaults_of_an_index_of_before_are_read_again_at_their_next_sync(
    databases: Databases, write_vault: WriteVault, open_vault: OpenVault, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Ilse.md").write_text("A baker.", "utf-8")
    url = databases.create()
    one, other = (
        open_vault(root, database=url) for root in (write_vault(VAULT), tmp_path / "other")
    )
    for session in (one, other):
        session.call("sync", {})
    rows = take_snapshot(other)
    other.close()
    make_older(one)
    open_vault(one.root, database=url).call("migrate", {})
    other = open_vault(other.root, database=url)
    with pytest.raises(StoreError, match="has not been read yet"):
        other.call("list_entities", {})
    assert other.call("sync", {}).as_text().startswith("Files: 1 added.")
    assert take_snapshot(other) == rows


BEFORE_0012 = (
    "ALTER TABLE relation ADD COLUMN strength FLOAT NOT NULL DEFAULT 0.5",
    "UPDATE link SET raw = '[[' || target || ']]' WHERE raw = ''",
    "UPDATE evidence SET quote = 'A quote.' WHERE chunk_id IS NOT NULL",
    "UPDATE entity_change SET quote = 'A quote.' WHERE chunk_id IS NOT NULL",
    "UPDATE schema_revision SET version_num = '0011'",
)
SHEET = '---\ntype: person\nsister: "[[Ilse]]"\n---\nA smith, who met [[Ilse|her]].\n'
UNSAID: Mapping[str, Any] = {"kind": None, "revealed": [], "fields": {}, "context": None}


def test_what_follows_from_other_columns_is_stored_no_more(
    databases: Databases, write_vault: WriteVault
) -> None:
    root, url = write_vault({**VAULT, "Characters/Mara.md": SHEET}), databases.create()
    note = rows.note
    is_sheet = note.c.path == "Characters/Mara.md"
    with Session.open(root, database=url) as session:
        session.call("sync", {})
        anew = take_snapshot(session)
        with session.database.write() as connection:
            for statement in BEFORE_0012:
                connection.exec_driver_sql(statement)
            ((said, stated),) = connection.execute(
                select(note.c.declaration, note.c.statements).where(is_sheet)
            )
            assert stated == [["frontmatter", "sister", None, 0, 17, 35, 3]]
            before = {
                "declaration": {**said, **UNSAID},
                "statements": [[*stated[0], 'sister: "[[Ilse]]"', None]],
            }
            connection.execute(update(note).where(is_sheet).values(before))
        assert take_snapshot(session) != anew
        session.database.migrate()
        assert take_snapshot(session) == anew
