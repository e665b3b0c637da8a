"""The graph lies in a file beside the index: the next process answers from it, and the same."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import delete

from writeros_entities import Session
from writeros_entities.capabilities.vault import sync
from writeros_entities.store import rows
from writeros_entities.store.compiling import Compiler

from ..databases import Databases

WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Cast/Isolde.md": '---\ntype: person\nally: "[[Tobias]]"\n---\n',
    "Cast/Tobias.md": "---\ntype: person\n---\n",
    "Cast/Odo.md": "---\ntype: person\n---\n",
    "Story/01.md": "---\nchapter: 1\n---\nTobias met Odo.\n",
    "Story/02.md": "---\nchapter: 2\n---\nTobias was no longer an ally of Isolde.\n",
    "Story/03.md": "---\nchapter: 3\n---\nTobias met Isolde.\n",
}
PATHS = [["Isolde", "Tobias", "Odo"]]


def files_of(session: Session) -> list[Path]:
    folder = session.database.folder_beside
    assert folder is not None
    return sorted(folder.glob("graph-*"))


def paths(session: Session, as_of: int | None = None) -> list[list[str]]:
    asked = {"entities": ["Isolde"], "to": ["Odo"], "as_of": as_of}
    found = session.call("find_paths", asked).model_dump()["paths"]
    return [[entity["name"] for entity in path["entities"]] for path in found]


@pytest.fixture
def told(sqlite_databases: Databases, write_vault: WriteVault) -> tuple[Path, str]:
    """Return a vault and its index, whose paths were asked for by a process before."""
    root, url = write_vault(VAULT), sqlite_databases.create()
    with Session.open(root, database=url) as session:
        session.call("sync", {})
        assert paths(session) == PATHS
    return root, url


def test_a_later_process_answers_without_reading_relations_and_mentions(
    told: tuple[Path, str],
) -> None:
    with Session.open(told[0], database=told[1]) as session:
        graph = session.call("get_entity_graph", {}).model_dump_json()
    with Session.open(told[0], database=told[1]) as session:
        with session.database.write() as connection:
            connection.execute(delete(rows.mention))
        assert paths(session) == PATHS
        assert session.call("get_entity_graph", {}).model_dump_json() == graph


def test_only_its_owner_can_read_the_file(told: tuple[Path, str]) -> None:
    with Session.open(told[0], database=told[1]) as session:
        (file,) = files_of(session)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(Path.unlink, id="missing"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:-7]), id="cut"),
        pytest.param(
            lambda file: file.write_bytes(file.read_bytes().replace(b"ally_of", b"foe_for")),
            id="changed",
        ),
        pytest.param(lambda file: file.write_bytes(Compiler().compile()), id="foreign"),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_made_anew(
    harm: Callable[[Path], object], told: tuple[Path, str]
) -> None:
    with Session.open(told[0], database=told[1]) as session:
        (file,) = files_of(session)
        whole = file.read_bytes()
    harm(file)
    with Session.open(told[0], database=told[1]) as session:
        assert paths(session) == PATHS
        assert file.read_bytes() == whole


def test_what_a_sync_changes_is_in_the_next_file(told: tuple[Path, str]) -> None:
    with Session.open(told[0], database=told[1]) as session:
        (before,) = files_of(session)
        (told[0] / "Story" / "01.md").write_text("---\nchapter: 1\n---\nTobias slept.\n", "utf-8")
        session.call("sync", {})
        assert paths(session) == []
        (after,) = files_of(session)
        assert after != before
    with Session.open(told[0], database=told[1]) as session:
        assert paths(session) == []


def test_an_index_made_anew_is_not_answered_from_the_file_of_the_former(
    told: tuple[Path, str], sqlite_databases: Databases
) -> None:
    sqlite_databases.empty(told[1])
    (told[0] / "Story" / "01.md").write_text("---\nchapter: 1\n---\nTobias slept.\n", "utf-8")
    with Session.open(told[0], database=told[1]) as session:
        session.call("sync", {})
        assert paths(session) == []


def test_each_position_has_a_file_of_its_own_and_the_last_three_are_kept(
    told: tuple[Path, str],
) -> None:
    for _ in range(2):
        with Session.open(told[0], database=told[1]) as session:
            assert [paths(session, position) for position in (2, 3, 4)] == [PATHS] * 3
            names = [file.name.rpartition("-")[2] for file in files_of(session)]
            assert sorted(names) == ["2", "3", "4"]


def test_a_sync_of_many_notes_leaves_the_file(
    monkeypatch: pytest.MonkeyPatch, sqlite_databases: Databases, write_vault: WriteVault
) -> None:
    monkeypatch.setattr(sync, "MANY_NOTES", len(VAULT))
    with Session.open(write_vault(VAULT), database=sqlite_databases.create()) as session:
        session.call("sync", {})
        (file,) = files_of(session)
        assert file.name.endswith("-whole")
