"""Watching: rows equal files a moment after whatever happens to the files."""

from __future__ import annotations

import errno
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from watchdog.observers import Observer

from writeros_entities import Mention, Note, ProposedName, Settings, hookimpl
from writeros_entities.errors import VaultError
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.sync.watch import Watcher

from ..conftest import OpenVault
from ..databases import Databases, one_engine
from .snapshot import take_snapshot

databases = one_engine

WITHIN_SECONDS = 240.0
"""Far more than a watcher needs: a machine that does other things as well must not fail a test."""

StartWatching = Callable[..., Session]


@pytest.fixture
def troubles() -> list[Exception]:
    """Return what watchers could not do; a test that expects something takes it out."""
    return []


@pytest.fixture
def watch(open_vault: OpenVault, troubles: list[Exception]) -> Iterator[StartWatching]:
    """Return a function that watches a vault in a thread and returns a session to read with."""
    watchers: list[tuple[Watcher, threading.Thread]] = []

    def start(root: Path, **settings: Any) -> Session:
        watched = open_vault(root, **settings)
        reader = open_vault(root, **settings)
        watcher = Watcher(watched, on_trouble=troubles.append)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        watchers.append((watcher, thread))
        eventually(lambda: reader.call("status", {}).model_dump()["last_sync"] is not None)
        return reader

    yield start
    for watcher, thread in watchers:
        watcher.stop()
        thread.join(10)
        assert not thread.is_alive()
    assert troubles == []


def eventually(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"not within {WITHIN_SECONDS} seconds"
        time.sleep(0.02)


def indexed(session: Session) -> set[str]:
    with session.database.read() as connection:
        return set(
            connection.scalars(
                select(rows.note.c.path).where(rows.note.c.vault_id == session.vault_id)
            )
        )


def files(root: Path) -> set[str]:
    """Return the files that are there now; unlike `rglob`, `walk` bears folders that vanish."""
    return {
        Path(folder, name).relative_to(root).as_posix()
        for folder, _, names in os.walk(root)
        for name in names
        if ".obsidian" not in Path(folder).parts
    }


def served(session: Session, name: str) -> set[str]:
    answer = session.call("find_mentions", {"entity": name, "limit": 500}).model_dump()
    return {item["path"] for item in answer["mentions"]}


def write_vault(root: Path, count: int) -> None:
    (root / ".obsidian").mkdir(parents=True)
    for folder in ("Cast", "Drafts", "Notes"):
        (root / folder).mkdir()
    (root / "Cast" / "Mara Vane.md").write_text("---\ntype: person\n---\nA smith.", "utf-8")
    for number in range(count):
        folder = ("Drafts", "Notes")[number % 2]
        (root / folder / f"N{number}.md").write_text(f"Mara Vane, {number}.", "utf-8")


def burst(root: Path) -> None:
    """Delete, rename, save by renaming, make folders and move one, put a file back: at once."""
    kept = (root / "Drafts" / "N2.md").read_bytes()
    for number in range(0, 20, 2):
        (root / "Drafts" / f"N{number}.md").unlink()
    for number in range(1, 11, 2):
        (root / "Notes" / f"N{number}.md").rename(root / "Cast" / f"R{number}.md")
    for number in range(11, 21, 2):
        temporary = root / "Notes" / f".N{number}.tmp"
        temporary.write_text(f"Mara Vane again, {number}.", "utf-8")
        temporary.rename(root / "Notes" / f"N{number}.md")
    (root / "New" / "Deep").mkdir(parents=True)
    for number in range(5):
        (root / "New" / "Deep" / f"Q{number}.md").write_text("Mara Vane, once.", "utf-8")
    (root / "Drafts").rename(root / "Old drafts")
    (root / "Drafts").mkdir()
    (root / "Drafts" / "N2.md").write_bytes(kept)


@pytest.mark.parametrize("method", ["events", "polling"])
def test_a_saved_note_is_found(tmp_path: Path, watch: StartWatching, method: str) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root, watch_method=method)
    (root / "Notes" / "New.md").write_text("Then Mara Vane came.", "utf-8")
    eventually(lambda: "Notes/New.md" in served(session, "Mara Vane"))


def test_a_vault_is_polled_where_the_system_can_watch_no_more_folders(
    tmp_path: Path, watch: StartWatching, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(Observer, "schedule", refuse)
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root)
    (root / "Notes" / "New.md").write_text("Then Mara Vane came.", "utf-8")
    eventually(lambda: "Notes/New.md" in served(session, "Mara Vane"))


def test_a_burst_leaves_the_rows_of_the_files(
    tmp_path: Path, watch: StartWatching, open_vault: OpenVault, databases: Databases
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 40)
    session = watch(root)
    stop = threading.Event()
    wrong: list[str] = []

    def ask_all_the_time() -> None:
        while not stop.is_set():
            before = files(root)
            answer = served(session, "Mara Vane")
            after = files(root)
            wrong.extend(answer - before - after)

    asking = threading.Thread(target=ask_all_the_time)
    asking.start()
    try:
        burst(root)
        eventually(lambda: indexed(session) == files(root))
    finally:
        stop.set()
        asking.join()
    fresh = open_vault(root, database=databases.create())
    fresh.call("sync", {})
    eventually(lambda: take_snapshot(session) == take_snapshot(fresh))
    assert wrong == []


def test_folders_made_within_folders_just_made_are_followed(
    tmp_path: Path, watch: StartWatching
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root)
    for number in range(100):
        folder = root / f"New {number}" / "Deep" / "Deeper"
        folder.mkdir(parents=True)
        (folder / "Late.md").write_text("Mara Vane, once.", "utf-8")
    eventually(lambda: indexed(session) == files(root))
    (folder / "Later.md").write_text("Mara Vane, again.", "utf-8")
    eventually(lambda: indexed(session) == files(root))


def test_a_folder_moved_out_of_the_vault_is_forgotten(tmp_path: Path, watch: StartWatching) -> None:
    root = tmp_path / "vault"
    write_vault(root, 10)
    session = watch(root)
    (root / "Drafts").rename(tmp_path / "elsewhere")
    eventually(lambda: indexed(session) == files(root))


def test_a_folder_moved_in_is_read(tmp_path: Path, watch: StartWatching) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    outside = tmp_path / "outside"
    write_vault(outside, 6)
    (outside / ".obsidian").rmdir()
    session = watch(root)
    outside.rename(root / "More")
    eventually(lambda: indexed(session) == files(root))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_note_whose_name_is_no_unicode_is_found(tmp_path: Path, watch: StartWatching) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root)
    Path(os.fsdecode(os.fsencode(root / "Notes") + b"/Caf\xe9.md")).write_text(
        "Mara Vane.", "utf-8"
    )
    eventually(lambda: "Notes/Caf\\xe9.md" in served(session, "Mara Vane"))


def test_a_watcher_that_is_stopped_ends_after_the_note_in_hand(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 300)
    read: list[str] = []

    class StoppingAtTheTenth:
        @hookimpl
        def propose_entities(self, note: Note) -> list[ProposedName]:
            read.append(note.path)
            if len(read) == 10:
                watcher.stop()
            return []

    plugins = load_plugins(Settings(), {"stopping": StoppingAtTheTenth()})
    session = open_vault(root, plugins=plugins)
    watcher = Watcher(session)
    watcher.run()
    assert len(read) <= 100
    assert indexed(session) == set()
    with open_vault(root) as later:
        later.call("sync", {})
        assert indexed(later) == files(root)


def test_notes_that_are_touched_but_not_changed_are_only_hashed(
    tmp_path: Path, watch: StartWatching
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 30)
    read: list[str] = []

    class Reading:
        @hookimpl
        def propose_entities(self, note: Note) -> list[ProposedName]:
            read.append(note.path)
            return []

        @hookimpl
        def detect_entities(self, note: Note) -> list[Mention]:
            read.append(note.path)
            return []

    session = watch(root, plugins=load_plugins(Settings(), {"reading": Reading()}))
    revision = session.call("status", {}).model_dump()["revision"]
    read.clear()
    for file in root.rglob("*.md"):
        os.utime(file, ns=(10**18, 10**18))
        file.open("a", encoding="utf-8").close()  # an event, as `touch` gives one
    eventually(lambda: modified(session) == {10**18})
    (root / "Notes" / "New.md").write_text("Then Mara Vane came.", "utf-8")
    eventually(lambda: "Notes/New.md" in indexed(session))
    eventually(lambda: set(read) == {"Notes/New.md"})
    assert session.call("status", {}).model_dump()["revision"] == revision + 1


def modified(session: Session) -> set[int]:
    """Return the times at which notes were modified, as the index has them."""
    with session.database.read() as connection:
        chosen = select(rows.note.c.mtime_ns).where(rows.note.c.vault_id == session.vault_id)
        return set(connection.scalars(chosen))


def test_a_full_scan_finds_what_no_event_told(tmp_path: Path, watch: StartWatching) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    outside = tmp_path / "outside"
    outside.mkdir()
    session = watch(root, rescan_seconds=0.3)
    (outside / "Late.md").write_text("Mara Vane came late.", "utf-8")
    (root / ".hidden").mkdir()
    (outside / "Late.md").rename(root / ".hidden" / "Late.md")
    (root / ".hidden").rename(root / "Shown")
    eventually(lambda: indexed(session) == files(root))


@pytest.mark.parametrize("method", ["events", "polling"])
def test_a_vault_that_vanishes_and_comes_back_is_followed_again(
    tmp_path: Path, watch: StartWatching, troubles: list[Exception], method: str
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root, watch_method=method)
    shutil.copytree(root, tmp_path / "copy")
    shutil.rmtree(root)
    eventually(lambda: bool(troubles))
    shutil.copytree(tmp_path / "copy", root)
    (root / "Notes" / "Later.md").write_text("Mara Vane came later.", "utf-8")
    eventually(lambda: indexed(session) == files(root))
    (root / "Notes" / "Latest.md").write_text("Mara Vane came last.", "utf-8")
    eventually(lambda: indexed(session) == files(root))
    assert {type(trouble) for trouble in troubles} == {VaultError}
    troubles.clear()


def test_a_vault_replaced_by_a_copy_of_itself_is_followed(
    tmp_path: Path, watch: StartWatching, troubles: list[Exception]
) -> None:
    root = tmp_path / "vault"
    write_vault(root, 4)
    session = watch(root)
    shutil.copytree(root, tmp_path / "copy")
    root.rename(tmp_path / "old")
    (tmp_path / "copy").rename(root)
    (root / "Notes" / "Later.md").write_text("Mara Vane came later.", "utf-8")
    eventually(lambda: indexed(session) == files(root))
    (root / "Notes" / "Latest.md").write_text("Mara Vane came last.", "utf-8")
    eventually(lambda: indexed(session) == files(root))
    troubles.clear()


def test_an_index_that_is_deleted_is_told_and_made_anew(
    tmp_path: Path,
) -> None:
    root, file = tmp_path / "vault", tmp_path / "index.sqlite3"
    write_vault(root, 4)
    troubles: list[str] = []
    with Session.open(root, database=f"sqlite:///{file}") as session:
        watcher = Watcher(session, on_trouble=lambda error: troubles.append(str(error)))
        thread = threading.Thread(target=watcher.run)
        thread.start()
        try:
            eventually(lambda: is_whole(root, file))
            for beside in filter(Path.is_file, tmp_path.glob("index.sqlite3*")):
                beside.unlink()
            eventually(lambda: is_whole(root, file))
            (root / "Notes" / "Later.md").write_text("Mara Vane came later.", "utf-8")
            eventually(lambda: is_whole(root, file))
        finally:
            watcher.stop()
            thread.join(10)
    assert troubles == [f"The index sqlite:///{file} was deleted or replaced. It is being rebuilt."]


def is_whole(root: Path, index: Path) -> bool:
    """Say whether an index, opened as it is now, has every file of its vault."""
    if not index.exists():
        return False
    with Session.open(root, database=f"sqlite:///{index}") as reader:
        return indexed(reader) == files(root)
