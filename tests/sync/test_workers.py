"""Workers change how fast a sync is, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import hookimpl
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.settings import Settings
from writeros_entities.store.rows import VaultRows
from writeros_entities.sync import links, run, workers
from writeros_entities.sync.drafting import pipeline as stages
from writeros_entities.sync.drafting.pipeline import Drafted, FileToRead, FoundTopics, Pipeline
from writeros_entities.sync.links import resolve_links
from writeros_entities.sync.touched import Touched
from writeros_entities.sync.worker import SENT, Stages, Worker
from writeros_entities.sync.workers import AHEAD, count_workers
from writeros_entities.values import Note
from writeros_entities.vault.notes import parse_note

from ..databases import Databases, one_engine
from .snapshot import take_snapshot

databases = one_engine  # workers read files; only the writer has the database

FIXTURES = Path(__file__).resolve().parents[2] / "vault_fixtures"

Sync = Callable[[Path, int], object]
RunScript = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def sync_with(databases: Databases, monkeypatch: pytest.MonkeyPatch) -> Sync:
    """Sync a vault into a new database with so many workers, and return its rows."""
    monkeypatch.setattr(workers, "MUCH_TEXT", 1)

    def sync(root: Path, count: int) -> object:
        with Session.open(root, database=databases.create(), workers=count) as session:
            session.call("sync", {})
            return take_snapshot(session)

    return sync


def rows_of(vault: str, databases: Databases) -> object:
    """Return the rows that one process makes of a vault."""
    with Session.open(FIXTURES / vault, database=databases.create(), workers=0) as session:
        session.call("sync", {})
        return take_snapshot(session)


@pytest.fixture(scope="module")
def of_novel(databases: Databases) -> object:
    return rows_of("novel", databases)


@pytest.fixture(scope="module")
def of_technical(databases: Databases) -> object:
    """Return the rows of a vault with a quarter of the novel's notes."""
    return rows_of("technical", databases)


@pytest.mark.parametrize(("chapters", "workers_started"), [(2, 0), (4, 2)])
def test_few_notes_are_work_for_several_processes_if_they_are_long(
    tmp_path: Path,
    databases: Databases,
    monkeypatch: pytest.MonkeyPatch,
    chapters: int,
    workers_started: int,
) -> None:
    for number in range(chapters):
        (tmp_path / f"{number}.md").write_text("The tide came in.\n\n" * 180, "utf-8")
    monkeypatch.setattr(workers, "MUCH_TEXT", workers.MUCH_TEXT // 100)
    started: list[Pipeline] = []
    monkeypatch.setattr(Worker, "start", lambda pipeline, room: started.append(pipeline))
    with Session.open(tmp_path, database=databases.create(), workers=2) as session:
        session.call("sync", {})
    assert len(started) == workers_started


def test_workers_give_the_same_rows_as_one_process(
    sync_with: Sync, of_novel: object, of_technical: object
) -> None:
    assert sync_with(FIXTURES / "novel", 2) == of_novel
    assert sync_with(FIXTURES / "technical", 2) == of_technical


def test_a_dying_worker_costs_time_and_nothing_else(
    sync_with: Sync, of_technical: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive = Worker.receive

    def die_and_receive(worker: Worker) -> object:
        worker.stop()
        return receive(worker)

    monkeypatch.setattr(Worker, "receive", die_and_receive)
    assert sync_with(FIXTURES / "technical", 2) == of_technical


def test_a_worker_that_cannot_start_is_done_without(
    sync_with: Sync, of_technical: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert sync_with(FIXTURES / "technical", 2) == of_technical


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the path of each note that this process parses is added."""
    found: list[str] = []

    def count(path: str, data: bytes, *, max_links: int) -> Note:
        found.append(path)
        return parse_note(path, data, max_links=max_links)

    monkeypatch.setattr(stages, "parse_note", count)
    return found


def test_a_note_is_parsed_once_for_its_chunks_and_its_mentions(
    sync_with: Sync, parsed: list[str]
) -> None:
    sync_with(FIXTURES / "technical", 0)
    assert parsed.count("Services/Quayside.md") == 1
    assert len(parsed) == len(set(parsed)) == 12


def test_small_notes_take_more_room_than_their_text(
    sync_with: Sync,
    parsed: list[str],
    write_vault: Callable[[dict[str, str]], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "ROOM", 3_000)
    sync_with(write_vault({f"{name}.md": "A lamp." for name in ("One", "Two", "Three", "Four")}), 0)
    assert sorted(Counter(parsed).values()) == [1, 1, 3, 3]


@pytest.mark.parametrize("count", [0, 2])
def test_notes_that_there_is_no_room_for_give_the_same_rows(
    count: int, sync_with: Sync, of_technical: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "ROOM", 6_000)
    assert sync_with(FIXTURES / "technical", count) == of_technical


def test_plugins_given_as_objects_stay_in_their_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Observer:
        @hookimpl
        def note_synced(self) -> None:
            return

    monkeypatch.setattr(workers, "MUCH_TEXT", 1)
    settings = Settings(workers=2)
    assert count_workers(Pipeline(load_plugins(settings), settings), 10) == 2
    plugins = load_plugins(settings, {"observer": Observer()})
    assert count_workers(Pipeline(plugins, settings), 10) == 0


def test_a_worker_with_other_plugins_refuses_the_work(
    sync_with: Sync, of_technical: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pipeline, "identity", "another one")
    assert sync_with(FIXTURES / "technical", 2) == of_technical


@pytest.mark.parametrize(("cores", "wanted"), [(1, 0), (2, 1), (4, 3), (64, 8)])
def test_the_writer_takes_a_core_and_workers_the_others(
    cores: int, wanted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MUCH_TEXT", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(cores), raising=False)
    settings = Settings()
    assert count_workers(Pipeline(load_plugins(settings), settings), 10) == wanted


def test_the_writer_reads_notes_itself_while_a_worker_does(
    sync_with: Sync, of_novel: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: Counter[str] = Counter()
    receive, draft = Worker.receive, Stages.draft

    def count_answer(worker: Worker) -> object:
        done["there"] += 1
        return receive(worker)

    def count_draft(here: Stages, batch: Sequence[FileToRead]) -> list[Drafted]:
        done["here"] += 1
        return draft(here, batch)

    monkeypatch.setattr(run, "NOTES_PER_BATCH", 2)
    monkeypatch.setattr(Worker, "receive", count_answer)
    monkeypatch.setattr(Stages, "draft", count_draft)
    assert sync_with(FIXTURES / "novel", 1) == of_novel
    assert done["here"] > 0
    assert done["there"] > 0


def test_the_writer_does_not_wait_for_what_a_worker_has_not_begun(
    sync_with: Sync, of_novel: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafted: list[Sequence[FileToRead]] = []
    is_rest_drafted = threading.Event()
    waits: list[bool] = []
    receive, draft = Worker.receive, Stages.draft

    def wait_and_receive(worker: Worker) -> object:
        waits.append(is_rest_drafted.wait(240))
        return receive(worker)

    def note_draft(here: Stages, batch: Sequence[FileToRead]) -> list[Drafted]:
        drafted.append(batch)
        if len(drafted) == 2 * AHEAD - SENT - 1:
            is_rest_drafted.set()
        return draft(here, batch)

    monkeypatch.setattr(run, "NOTES_PER_BATCH", 1)
    monkeypatch.setattr(Worker, "receive", wait_and_receive)
    monkeypatch.setattr(Stages, "draft", note_draft)
    assert sync_with(FIXTURES / "novel", 1) == of_novel
    assert waits
    assert all(waits)


def test_a_worker_finds_topics_while_the_writer_derives_the_names(
    sync_with: Sync, of_technical: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    are_topics_found = threading.Event()
    waits: list[bool] = []
    receive = Worker.receive

    def receive_topics(worker: Worker) -> Any:
        answer = receive(worker)
        if any(isinstance(item, FoundTopics) for item in answer[0] or ()):
            are_topics_found.set()
        return answer

    def wait_and_resolve(index: VaultRows, touched: Touched) -> None:
        waits.append(are_topics_found.wait(240))
        resolve_links(index, touched)

    monkeypatch.setattr(Worker, "receive", receive_topics)
    monkeypatch.setattr(links, "resolve_links", wait_and_resolve)
    assert sync_with(FIXTURES / "technical", 1) == of_technical
    assert waits == [True]


@pytest.fixture
def run_script(
    tmp_path: Path, database: str, write_vault: Callable[[dict[str, str]], Path]
) -> RunScript:
    """Return what runs lines of Python, and then a sync with a worker, as a script of its own."""
    root = write_vault({f"Note {number}.md": "Ada Vane waits." for number in range(9)})
    script = tmp_path / "script.py"
    opened = f"Session.open({str(root)!r}, database={database!r}, workers=1)"

    def run_lines(*lines: str) -> subprocess.CompletedProcess[str]:
        script.write_text(
            "\n".join(
                [
                    "from writeros_entities.session import Session",
                    "from writeros_entities.sync import workers",
                    "workers.MUCH_TEXT = 1",
                    *lines,
                    f"with {opened} as session:",
                    "    session.call('sync', {})",
                    "print('synced')",
                ]
            ),
            "utf-8",
        )
        return subprocess.run(
            [sys.executable, str(script)],
            capture_output=True,
            text=True,
            timeout=240,
            start_new_session=True,
        )

    return run_lines


def test_a_script_without_a_main_guard_does_not_run_twice(run_script: RunScript) -> None:
    done = run_script("print('begun')")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "begun\nsynced\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_an_interrupt_at_the_terminal_is_left_to_the_process_that_has_workers(
    run_script: RunScript,
) -> None:
    done = run_script(
        "import os, signal",
        "from writeros_entities.sync.worker import Worker",
        "start, receive = Worker.start, Worker.receive",
        "def start_and_interrupt(pipeline, room):",
        "    worker = start(pipeline, room)",
        "    os.killpg(0, signal.SIGINT)",
        "    return worker",
        "def receive_and_tell(worker):",
        "    answer = receive(worker)",
        "    print('answered')",
        "    return answer",
        "signal.signal(signal.SIGINT, lambda *_: print('interrupted'))",
        "Worker.start, Worker.receive = start_and_interrupt, receive_and_tell",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("interrupted\nanswered\n")
