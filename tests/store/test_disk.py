"""What can go wrong with a file on a disk: it is full, it is damaged, it is somebody else's."""

from __future__ import annotations

import os
import resource
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from writeros_entities import Session, StoreError
from writeros_entities.surfaces.cli import build_cli

WriteVault = Callable[[dict[str, str]], Path]

FILE_BYTES = 300_000
"""Room for the schema, and for little else."""


@contextmanager
def small_disk() -> Iterator[None]:
    """Let no file grow beyond `FILE_BYTES`."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def vault(write_vault: WriteVault) -> Path:
    return write_vault({f"{number}.md": f"It rained, {number}. " for number in range(50)})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "index.sqlite3"


def test_a_full_disk_is_told_and_the_next_sync_makes_the_index_whole(
    vault: Path, file: Path
) -> None:
    (vault / "0.md").write_text("It rained all day. " * (FILE_BYTES // 10), "utf-8")
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        with small_disk(), pytest.raises(StoreError, match="cannot be read or written: "):
            session.call("sync", {})
        session.call("sync", {})
        assert session.call("status", {}).model_dump()["notes"] == {"note": 50}
        assert session.call("doctor", {}).model_dump()["total"] == 0


def test_a_damaged_index_is_told_with_what_mends_it(vault: Path, file: Path) -> None:
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
    size = file.stat().st_size
    with file.open("r+b") as damaged:
        damaged.seek(size // 2)
        damaged.write(b"\xff" * (size - size // 2))
    with (
        Session.open(vault, database=f"sqlite:///{file}") as session,
        pytest.raises(StoreError, match="is damaged; delete its file, and `sync` creates it again"),
    ):
        session.call("rebuild", {})


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE chunk SET text = CAST(x'4d617261ff' AS TEXT)",
        "UPDATE sqlite_master SET sql = CAST(x'4d617261ff' AS TEXT) WHERE name = 'chunk'",
    ],
)
def test_a_text_that_is_damaged_is_told_like_a_damaged_page(
    vault: Path, file: Path, damage: str
) -> None:
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA writable_schema = on")
        connection.execute(damage)
    with (
        pytest.raises(StoreError, match="is damaged; delete its file, and `sync` creates it again"),
        Session.open(vault, database=f"sqlite:///{file}") as session,
    ):
        session.call("read_note", {"note": "1.md"})


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
def test_an_index_that_is_deleted_is_not_asked_any_more(vault: Path, file: Path) -> None:
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
        assert len(session.list_notes()) == 50
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()
        with pytest.raises(StoreError, match="has not been read yet"):
            session.call("list_entities", {})

        (vault / "0.md").unlink()
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()
        with Session.open(vault, database=f"sqlite:///{file}") as another:
            another.call("sync", {})
        assert len(session.list_notes()) == 49
        assert session.call("sync", {}).model_dump()["revision"] == 1


def test_a_tilde_is_the_users_folder_and_no_folder_of_the_vault(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(vault)
    with Session.open(vault, database="sqlite:///~/indexes/novel.sqlite3") as session:
        session.call("status", {})
    assert (tmp_path / "home" / "indexes" / "novel.sqlite3").is_file()
    assert not (vault / "~").exists()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_an_index_in_memory_is_refused(vault: Path, url: str) -> None:
    with (
        Session.open(vault, database=url) as session,
        pytest.raises(StoreError, match="An index in memory would be separate"),
    ):
        session.call("status", {})


def test_a_folder_that_cannot_be_made_is_told(vault: Path, file: Path) -> None:
    file.write_text("A note.", "utf-8")
    with (
        Session.open(vault, database=f"sqlite:///{file}/below/index.sqlite3") as session,
        pytest.raises(StoreError, match="cannot be created: Not a directory"),
    ):
        session.call("status", {})


def test_a_file_that_is_no_index_is_not_called_damaged(vault: Path, file: Path) -> None:
    file.write_text("Chapter one. " * 1000, "utf-8")
    with (
        Session.open(vault, database=f"sqlite:///{file}") as session,
        pytest.raises(StoreError, match="cannot be opened: file is not a database"),
    ):
        session.call("status", {})


@pytest.mark.parametrize("command", ["status", "migrate"])
def test_an_index_of_a_newer_version_asks_for_an_update(
    vault: Path, file: Path, command: str
) -> None:
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE schema_revision SET version_num = '9999'")
    connection.close()
    options = ["--vault", str(vault), "--database", f"sqlite:///{file}"]
    result = CliRunner().invoke(build_cli(), [*options, command])
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: The index sqlite:///{file} was made by a newer version of the product. Yours must "
        "be updated.\n"
    )


@pytest.mark.parametrize("url", ["sqlite://home/me/index.sqlite3", "/home/me/index.sqlite3"])
def test_a_path_with_too_few_slashes_is_answered_with_examples(tmp_path: Path, url: str) -> None:
    examples = r"is not a database URL\. Examples: .*sqlite:////home/me/"
    with (
        Session.open(tmp_path, database=url) as session,
        pytest.raises(StoreError, match=examples),
    ):
        session.call("status", {})


class Interrupting:
    """A value whose writing is interrupted, as by Ctrl-C."""

    def __conform__(self, _protocol: object) -> None:
        raise KeyboardInterrupt


def test_an_interrupted_statement_lets_go_of_the_file(vault: Path, file: Path) -> None:
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
        statement = "UPDATE vault SET revision = ?"
        with (
            pytest.raises(KeyboardInterrupt) as interrupted,
            session.database.write() as connection,
        ):
            connection.exec_driver_sql(statement, [(70,), (Interrupting(),)])
        (vault / "More.md").write_text("Ann slept.")
        assert session.call("sync", {}).model_dump()["added"] == 1
        assert interrupted.traceback


@pytest.fixture
def _open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes_below(folder: Path) -> dict[str, str]:
    found = [folder, *folder.iterdir()]
    return {one.name.replace(folder.name, "."): f"{one.stat().st_mode & 0o777:o}" for one in found}


@pytest.mark.usefixtures("_open_to_all")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
def test_only_its_owner_can_read_an_index_and_the_folder_made_for_it(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for database, folder in (
        (None, tmp_path / "data" / "writeros-entities"),
        (f"sqlite:///{tmp_path / 'own' / 'index.sqlite3'}", tmp_path / "own"),
    ):
        with Session.open(vault, database=database) as session:
            session.call("sync", {})
            modes = modes_below(folder)
        assert len(modes) == 4  # the folder, and the file with its log and its shared memory
        assert modes.pop(".") == "700"
        assert set(modes.values()) == {"600"}


@pytest.mark.usefixtures("_open_to_all")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
def test_an_index_that_others_can_read_is_closed_to_them_and_a_folder_of_ones_own_is_left(
    vault: Path, tmp_path: Path
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "shopping list.txt").write_text("Lamp oil.", "utf-8")
    file = shared / "index.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=wal")
    with Session.open(vault, database=f"sqlite:///{file}") as session:
        session.call("sync", {})
        assert modes_below(shared) == {
            ".": "777",
            "shopping list.txt": "666",
            "index.sqlite3": "600",
            "index.sqlite3-wal": "600",
            "index.sqlite3-shm": "600",
        }


@pytest.mark.usefixtures("_open_to_all")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such permissions")
def test_the_folder_of_all_indexes_is_closed_to_others_even_if_it_was_open(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data" / "writeros-entities"
    folder.mkdir(parents=True)
    with Session.open(vault) as session:
        session.call("status", {})
    assert modes_below(folder)["."] == "700"
