"""What one saved note costs does not grow with the vault: counted in rows, not in seconds."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from writeros_entities.session import Session
from writeros_entities.sync.synchronizer import Synchronizer

STEPS = 50
"""Steps of SQLite's virtual machine between two counts."""


def write_notes(root: Path, number: int) -> None:
    """Write a vault in which everybody is named equally often, whatever its size."""
    (root / ".obsidian").mkdir(parents=True)
    for at in range(number):
        name = f"{chr(65 + at % 26)}{'aeiou'[at // 26 % 5]}l{'aeiou'[at // 130 % 5]}n Vane{at}"
        text = f"---\ntype: character\n---\n# {name}\n\n{name} waits by [[Note {at // 2}]].\n"
        (root / f"{name}.md").write_text(text, "utf-8")
        (root / f"Note {at}.md").write_text(f"A plain note with {name} in it.\n", "utf-8")
    (root / "Chapter 1.md").write_text("---\nchapter: 1\n---\nThe rain came.\n", "utf-8")


class Saves:
    """A synced vault, and what one saved note costs in it."""

    def __init__(self, root: Path, session: Session) -> None:
        self._root, self._database = root, session.database
        self._synchronizer = Synchronizer(session)
        self._synchronizer.sync()
        self._synchronizer.warm_up()

    def measure(self, path: str, text: str) -> tuple[int, int]:
        """Return how many statements, and how many steps of the engine, one saved note costs."""
        self._append(path, "First of all, the rain.\n")
        counted = {"statements": 0, "steps": 0}

        def count_steps() -> int:
            counted["steps"] += 1
            return 0

        def count_statement(connection: object, cursor: sqlite3.Cursor, *more: object) -> None:
            counted["statements"] += 1
            cursor.connection.set_progress_handler(count_steps, STEPS)

        event.listen(self._database._pool, "before_cursor_execute", count_statement)
        try:
            self._append(path, text)
        finally:
            event.remove(self._database._pool, "before_cursor_execute", count_statement)
        return counted["statements"], counted["steps"] * STEPS

    def _append(self, path: str, text: str) -> None:
        file = self._root / path
        file.write_text(file.read_text("utf-8") + text, "utf-8")
        assert self._synchronizer.sync_paths([path]).changed == (path,)


@contextmanager
def open_saves(folder: Path, write: Callable[[Path, int], None]) -> Iterator[list[Saves]]:
    """Yield a small vault and one ten times as large."""
    with ExitStack() as stack:
        opened = []
        for number in (60, 600):
            root = folder / f"vault-{number}"
            write(root, number)
            database = f"sqlite:///{folder}/{number}.sqlite3"
            session = stack.enter_context(Session.open(root, database=database, workers=0))
            opened.append(Saves(root, session))
        yield opened


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Saves]]:
    with open_saves(tmp_path_factory.mktemp("saves"), write_notes) as opened:
        yield opened


def check_costs(vaults: list[Saves], path: str, text: str) -> None:
    (few, small), (many, large) = (vault.measure(path, text) for vault in vaults)
    assert many <= few + 2
    assert large <= small * 1.5


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("Note 3.md", "The rain went on.\n", id="prose"),
        pytest.param("Note 5.md", "Aalan Vane0 came in.\n", id="a mention"),
        pytest.param("Note 9.md", "See [[Note 7]].\n", id="a link"),
        pytest.param("Chapter 1.md", "The rain went on.\n", id="a chapter"),
    ],
)
def test_a_saved_note_costs_the_same_in_a_large_vault(
    vaults: list[Saves], path: str, text: str
) -> None:
    check_costs(vaults, path, text)


def write_suggestions(root: Path, number: int) -> None:
    """Write a vault of people without notes, each used often enough to be suggested."""
    (root / ".obsidian").mkdir(parents=True)
    for at in range(number):
        name = f"{chr(65 + at % 26)}{'aeiou'[at // 26 % 5]}l{'aeiou'[at // 130 % 5]}n Vane{at}"
        (root / f"Note {at}.md").write_text(f"He met {name}. So {name} sat by {name}.\n", "utf-8")


def test_using_a_suggested_name_costs_the_same_beside_many(tmp_path: Path) -> None:
    with open_saves(tmp_path, write_suggestions) as vaults:
        check_costs(vaults, "Note 3.md", "He met Aalan Vane0 again, and Vane0 smiled.\n")


def test_a_process_that_syncs_each_save_does_not_keep_its_garbage(tmp_path: Path) -> None:
    write_notes(tmp_path, 20)
    with Session.open(tmp_path, database=f"sqlite:///{tmp_path}.sqlite3", workers=0) as session:
        synchronizer = Synchronizer(session)
        synchronizer.sync()
        gc.collect()
        gc.disable()
        try:
            before = len(gc.get_objects(2))
            (tmp_path / "Note 3.md").write_text("The rain went on.", "utf-8")
            assert synchronizer.sync_paths(["Note 3.md"]).changed == ("Note 3.md",)
            assert len(gc.get_objects(2)) <= before
        finally:
            gc.enable()
