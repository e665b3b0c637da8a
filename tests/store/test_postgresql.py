"""What can go wrong on PostgreSQL alone: servers go, URLs tell passwords, features are missing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from mcp import Client
from sqlalchemy import select

from writeros_entities.errors import BusyError, LimitError, StoreError
from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.database import Database
from writeros_entities.surfaces.mcp import build_server
from writeros_entities.sync.watch import Watcher

from ..conftest import OpenVault
from ..databases import PostgresqlDatabases, Server, open_server
from ..models import WordModel, with_model

WriteVault = Callable[[dict[str, str]], Path]
SECRET = "opensesame"


@pytest.fixture
def anyio_backend() -> str:
    """Run what waits on asyncio."""
    return "asyncio"


@pytest.fixture
def database(postgresql_databases: PostgresqlDatabases) -> str:
    """Return the URL of a new database, on PostgreSQL only."""
    return postgresql_databases.create()


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a server of the test's own, to stop and start."""
    with open_server() as server:
        yield server


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def paths(session: Session) -> set[str]:
    with session.database.read() as connection:
        return set(connection.scalars(select(rows.note.c.path)))


def test_a_watcher_and_its_readers_outlive_a_restart(
    server: Server, write_vault: WriteVault
) -> None:
    root = write_vault({"One.md": "Mara came."})
    url = PostgresqlDatabases(server.uri).create()
    with Session.open(root, database=url) as watched, Session.open(root, database=url) as reader:
        troubles: list[Exception] = []
        watcher = Watcher(watched, on_trouble=troubles.append)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            eventually(lambda: paths(reader) == {"One.md"})
            server.stop()
            (root / "Two.md").write_text("Mara went.", "utf-8")
            with pytest.raises(StoreError, match="cannot be reached"):
                reader.call("status", {})
            eventually(lambda: bool(troubles))
            server.start()
            eventually(lambda: paths(reader) == {"One.md", "Two.md"})
        finally:
            watcher.stop()
            thread.join(20)
        assert all(isinstance(trouble, StoreError) for trouble in troubles)
        assert reader.call("doctor", {}).model_dump()["total"] == 0


@pytest.mark.anyio
async def test_a_watcher_and_a_server_for_clients_outlive_a_restart(
    server: Server, write_vault: WriteVault
) -> None:
    root = write_vault({"One.md": "Mara came."})
    url = PostgresqlDatabases(server.uri).create()
    model = with_model(WordModel())

    async def ask(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
        result = await client.call_tool(tool, arguments)
        return bool(result.is_error), "".join(getattr(part, "text", "") for part in result.content)

    with (
        Session.open(root, database=url, **model) as watched,
        Session.open(root, database=url, **model) as served,
    ):
        troubles: list[Exception] = []
        watcher = Watcher(watched, on_trouble=troubles.append)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            eventually(lambda: vectors(served) == (1, 0))
            async with Client(build_server(served)) as client:
                assert "One.md" in (await ask(client, "search", query="Mara", mode="vector"))[1]
                server.stop()
                (root / "Two.md").write_text("Mara went.", "utf-8")
                is_error, words = await ask(client, "search", query="Mara")
                assert is_error
                assert "cannot be reached" in words
                eventually(lambda: bool(troubles))
                server.start()
                eventually(lambda: vectors(served) == (2, 0))
                is_error, words = await ask(client, "search", query="Mara went", mode="vector")
                assert not is_error
                assert words.index("Two.md") < words.index("One.md")
        finally:
            watcher.stop()
            thread.join(20)
        assert all(isinstance(trouble, StoreError) for trouble in troubles)
        assert served.call("doctor", {}).model_dump()["total"] == 0


def vectors(session: Session) -> tuple[int, int]:
    """Return how many texts have a vector, and how many wait for theirs."""
    try:
        status = session.call("status", {}).model_dump()
    except StoreError:
        return 0, 0
    return status["embedded"], status["waiting"]


def test_a_sync_that_lost_its_server_is_made_whole_by_the_next(
    server: Server, write_vault: WriteVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_vault({f"{number}.md": "Mara came." for number in range(30)})
    url = PostgresqlDatabases(server.uri).create()

    class Stopper:
        def update(self, stage: str, done: int, total: int | None) -> None:
            if stage == "finding mentions":
                server.stop()

    with Session.open(root, database=url) as session:
        with pytest.raises(StoreError, match="cannot be reached"):
            session.reporting(Stopper()).call("sync", {})
        server.start()
        session.call("sync", {})
        assert len(paths(session)) == 30


def test_a_writer_does_not_wait_long_for_anothers_transaction(
    database: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"One.md": "Mara came."}))
    session.call("sync", {})
    with psycopg.connect(database) as other:
        other.execute("SELECT 1 FROM vault FOR UPDATE")
        with pytest.raises(BusyError, match="Another process is writing"):
            session.call("sync", {"wait": 0})
    session.call("sync", {"wait": 0})


def test_many_processes_may_meet_an_empty_database(
    postgresql_databases: PostgresqlDatabases,
) -> None:
    url = postgresql_databases.create_without_schema()
    troubles: list[Exception] = []
    begin = threading.Barrier(4)

    def prepare() -> None:
        database = Database(url)
        begin.wait()
        try:
            database.prepare()
        except Exception as error:
            troubles.append(error)
        finally:
            database.close()

    threads = [threading.Thread(target=prepare) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://mara:{SECRET}@localhost:1/vaults",
        f"postgresql://localhost:1/vaults?user=mara&password={SECRET}",
        f"postgres://mara:{SECRET}@nowhere.invalid/vaults",
        f"postgresql//mara:{SECRET}@localhost/vaults",
        f"mysql://mara:{SECRET}@localhost/vaults",
        f"postgresql://mara:{SECRET}/more@localhost/vaults",
        f"postgresql://mara:{SECRET}:a/b@localhost/vaults",
        f"postgresql://mara:my@{SECRET}@localhost/vaults",
        f"postgresql://mara:my@it/{SECRET}@localhost/vaults",
        f"postgresql://mara:my@it?{SECRET}@localhost/vaults",
    ],
)
def test_no_error_tells_a_password(url: str, write_vault: WriteVault) -> None:
    with Session.open(write_vault({}), database=url) as session:
        for name in ("status", "sync", "doctor", "migrate"):
            with pytest.raises(StoreError) as caught:
                session.call(name, {})
            assert SECRET not in str(caught.value)


def test_status_tells_where_the_index_is_without_its_password(
    database: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    url = database.replace("postgres:@", f"postgres:{SECRET}@")
    session = open_vault(write_vault({"One.md": "Mara."}), database=url)
    session.call("sync", {})
    answer = session.call("status", {})
    assert "postgresql+psycopg://postgres:***@" in answer.as_text()
    assert SECRET not in answer.model_dump_json()
    size = answer.model_dump()["database_bytes"]
    assert size > 100_000


def test_a_missing_driver_is_told_with_the_extra_that_has_it(
    write_vault: WriteVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with (
        Session.open(write_vault({}), database="postgresql://localhost/x") as session,
        pytest.raises(StoreError, match=r"pip install 'writeros-entities\[postgres\]'"),
    ):
        session.call("status", {})


def test_an_extension_that_may_not_be_created_is_asked_for(
    postgresql_databases: PostgresqlDatabases, write_vault: WriteVault
) -> None:
    url = postgresql_databases.create_without_schema()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS writeros_guest")
        connection.execute("CREATE ROLE writeros_guest LOGIN")
    guest = url.replace("postgres:@", "writeros_guest:@")
    with (
        Session.open(write_vault({}), database=guest) as session,
        pytest.raises(StoreError, match="Ask the administrator to run CREATE EXTENSION vector"),
    ):
        session.call("status", {})


def test_an_extension_in_a_schema_that_is_not_searched_is_told(
    postgresql_databases: PostgresqlDatabases, write_vault: WriteVault
) -> None:
    url = postgresql_databases.create_without_schema()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute("CREATE SCHEMA books")
    vault = write_vault({"One.md": "Mara."})
    with (
        Session.open(vault, database=f"{url}&options=-csearch_path%3Dbooks") as session,
        pytest.raises(StoreError, match="pgvector is in the schema 'public', where it is not"),
    ):
        session.call("sync", {})
    with Session.open(vault, database=f"{url}&options=-csearch_path%3Dbooks,public") as session:
        session.call("sync", {})
        assert paths(session) == {"One.md"}


def test_a_statement_that_takes_the_server_too_long_is_told(
    database: str, write_vault: WriteVault
) -> None:
    root = write_vault({f"{number}.md": "Mara came. " * 500 for number in range(50)})
    hurried = f"{database}&options=-cstatement_timeout%3D3ms"
    with (
        Session.open(root, database=hurried) as session,
        pytest.raises(LimitError, match="took longer than the setting statement_seconds, or the"),
    ):
        session.call("sync", {})
    with Session.open(root, database=database) as session:
        session.call("sync", {})
        assert len(paths(session)) == 50


def test_a_table_that_somebody_has_locked_is_told(database: str, write_vault: WriteVault) -> None:
    root = write_vault({"One.md": "Mara came."})
    with Session.open(root, database=database) as session:
        session.call("sync", {})
    impatient = f"{database}&options=-clock_timeout%3D10ms"
    with psycopg.connect(database) as other, Session.open(root, database=impatient) as session:
        other.execute("LOCK TABLE note")
        for name in ("status", "rebuild"):
            with pytest.raises(BusyError, match="Another process is writing to postgresql"):
                session.call(name, {"wait": 0} if name == "rebuild" else {})


def test_a_lost_connection_is_told_once(database: str, write_vault: WriteVault) -> None:
    prose = {f"{number}.md": "Mara came to the ford. " * 500 for number in range(40)}
    command = [sys.executable, "-m", "writeros_entities", "--vault", str(write_vault(prose))]
    writing = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND query LIKE 'COPY %'"
    )
    with (
        psycopg.connect(database, autocommit=True) as other,
        subprocess.Popen(
            [*command, "--database", database, "sync"],
            env={**os.environ, "WRITEROS_EMBEDDING_MODEL": ""},
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        while process.poll() is None and not other.execute(writing).fetchall():
            pass
        _, told = process.communicate()
    assert [line.partition(" ")[0] for line in told.splitlines()] == ["Error:"]


def test_a_database_that_is_not_unicode_is_refused(
    postgresql_databases: PostgresqlDatabases, write_vault: WriteVault
) -> None:
    url = postgresql_databases.create_without_schema("ENCODING 'SQL_ASCII' LOCALE 'C'")
    with (
        Session.open(write_vault({}), database=url) as session,
        pytest.raises(StoreError, match="The database's encoding is SQL_ASCII; notes need UTF-8"),
    ):
        session.call("status", {})


def test_text_is_sorted_by_code_points_whatever_the_server_prefers(
    postgresql_databases: PostgresqlDatabases,
) -> None:
    with psycopg.connect(postgresql_databases.create()) as connection:
        found: list[tuple[Any, ...]] = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND data_type = 'text' AND collation_name <> 'C' "
            "OR table_schema = 'public' AND data_type = 'text' AND collation_name IS NULL"
        ).fetchall()
    assert found == []


def test_a_broken_index_of_the_database_is_a_fault(
    database: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"One.md": "Mara."}))
    session.call("sync", {})
    assert session.call("doctor", {}).model_dump()["errors"] == 0
    with psycopg.connect(database) as connection:
        connection.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_note_path'::regclass"
        )
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert [problem["message"] for problem in problems] == [
        "Index ix_note_path is not valid: run REINDEX INDEX ix_note_path."
    ]


def test_the_server_knows_after_a_large_sync_which_rows_all_may_see(
    write_vault: WriteVault, database: str
) -> None:
    # It knows only of what has reached the disk, for which the server of the tests does not wait.
    url = f"{database}&options=-csynchronous_commit%3Don"
    notes = {f"Log/{day}.md": f"Mara came on day {day}." for day in range(120)}
    with Session.open(write_vault(notes), database=url) as session:
        session.call("sync", {})
        pages = "SELECT relallvisible, relpages FROM pg_class WHERE relname = 'chunk'"
        with session.database.read() as connection:
            visible, every = connection.exec_driver_sql(pages).one()
    assert visible == every > 0


def test_the_planner_knows_a_short_novel_after_its_first_sync(
    write_vault: WriteVault, database: str
) -> None:
    # Autovacuum counts the rows too, but only a minute later; until then plans may take seconds.
    prose = "Mara came to the ford. " * 200
    notes = {f"Book/{number:02}.md": prose for number in range(12)}
    with Session.open(write_vault(notes), database=database) as session:
        session.call("sync", {})
        rows_known = "SELECT reltuples FROM pg_class WHERE relname = 'note'"
        with session.database.read() as connection:
            assert connection.exec_driver_sql(rows_known).scalar_one() == 12
