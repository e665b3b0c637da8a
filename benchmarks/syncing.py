"""Measure a first sync, a sync without changes, and watching while a writer saves."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from writeros_entities.session import Session
from writeros_entities.sync.watch import Watcher

SYNCS = 3
SAVES = 15
PATIENCE_SECONDS = 120.0

_SYNC = """
import os, sys, time
from writeros_entities.session import Session
from writeros_entities.sync.synchronizer import Synchronizer
with Session.open(sys.argv[1], database=sys.argv[2]) as session:
    session.vault_id
    for _ in range(2):
        before = time.perf_counter()
        Synchronizer(session).sync()
        print(time.perf_counter() - before, sum(os.times()[:4]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class SyncFigures:
    """Medians for a first sync and one without changes."""

    notes_per_second: float
    cpu_seconds: float
    again_seconds: float
    megabytes: float
    size_ratio: float


def measure_sync(vault: Path, scratch: Path) -> SyncFigures:
    """Sync a vault from nothing, and again, in new processes.

    Memory is measured in one more sync, as measuring it uses the same cores.
    """
    notes = list(vault.rglob("*.md"))
    indexes = [scratch / f"{vault.name}-{number}.sqlite3" for number in range(SYNCS + 1)]
    timed = [_sync(vault, index) for index in indexes[1:]]
    megabytes = _sync(vault, indexes[0], with_memory=True).megabytes
    size = sum(file.stat().st_size for file in notes)
    return SyncFigures(
        len(notes) / statistics.median(one.first_seconds for one in timed),
        statistics.median(one.cpu_seconds for one in timed),
        statistics.median(one.again_seconds for one in timed),
        megabytes,
        indexes[0].stat().st_size / size,
    )


class _Run(NamedTuple):
    """The cost of one first sync, and of the one after it."""

    first_seconds: float
    cpu_seconds: float
    again_seconds: float
    megabytes: float


def _sync(vault: Path, index: Path, *, with_memory: bool = False) -> _Run:
    command = [sys.executable, "-c", _SYNC, str(vault), f"sqlite:///{index}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peak = _Peak(process.pid) if with_memory else None
        assert process.stdout is not None
        wall, cpu = process.stdout.readline().split()
        megabytes = peak.stop() / 1e6 if peak else 0.0
        again = process.stdout.readline().split()[0]
    return _Run(float(wall), float(cpu), float(again), megabytes)


def measure_saves(vault: Path, scratch: Path) -> float:
    """Return the median seconds, while watching, from a save until its words are found.

    A save is done as editors do it: a temporary file replaces the note. Each save has a new word.
    """
    database = f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"
    notes = sorted(vault.glob("Notes/*/*.md"))
    chosen = notes[:: max(1, len(notes) // SAVES)][:SAVES]
    before = {note: note.read_bytes() for note in chosen}
    with Session.open(vault, database=database, embedding_model="") as watched:
        watched.call("sync", {})
        watcher = Watcher(watched)
        thread = threading.Thread(target=watcher.run)
        thread.start()
        with Session.open(vault, database=database, embedding_model="") as reader:
            _wait_until_followed(reader, vault)
            taken = [_save(reader, note, number) for number, note in enumerate(chosen)]
        watcher.stop()
        thread.join()
    for note, content in before.items():
        note.write_bytes(content)
    return statistics.median(taken)


def _wait_until_followed(reader: Session, vault: Path) -> None:
    probe = vault / "Notes" / "Probe.md"
    probe.write_text("quillfeather", "utf-8")
    _wait_for(reader, "quillfeather")
    probe.unlink()
    time.sleep(1)


def _save(reader: Session, note: Path, number: int) -> float:
    word = f"zibeline{number}"
    temporary = note.with_name(f".{note.name}.tmp")
    temporary.write_bytes(note.read_bytes() + f"\nThe {word} lay by the door.\n".encode())
    started = time.perf_counter()
    temporary.replace(note)
    _wait_for(reader, word)
    taken = time.perf_counter() - started
    time.sleep(0.3)
    return taken


def _wait_for(reader: Session, word: str) -> None:
    from sqlalchemy import text

    statement = text("SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH :word LIMIT 1")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with reader.database.read() as connection:
            if connection.scalar(statement, {"word": word}):
                return
        time.sleep(0.005)
    raise TimeoutError(f"{word} was not found within {PATIENCE_SECONDS:.0f} seconds")


class _Peak:
    """The peak memory of a process and its children together, sampled continuously."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._greatest = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def stop(self) -> int:
        self._stopped.set()
        self._thread.join()
        return self._greatest

    def _look(self) -> None:
        import psutil

        process = psutil.Process(self._pid)
        while not self._stopped.wait(0.1):
            try:
                family = [process, *process.children(recursive=True)]
                self._greatest = max(self._greatest, sum(map(_memory, family)))
            except psutil.NoSuchProcess:
                continue


def _memory(process: object) -> int:
    return int(process.memory_info().rss)  # type: ignore[attr-defined]  # psutil has no types
