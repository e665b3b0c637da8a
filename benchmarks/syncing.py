"""Measure a first sync, a sync without changes, and watching while a writer saves."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil
from answering import private_megabytes

from writeros_entities.capabilities.search.search import Search
from writeros_entities.session import Session
from writeros_entities.sync.watch import Watcher

SYNCS = 3
SAVES = 15
PATIENCE_SECONDS = 120.0

_SYNC = """
import os, sys, time
from writeros_entities.session import Session
with Session.open(sys.argv[1], database=sys.argv[2]) as session:
    for _ in range(2):
        before = time.perf_counter()
        session.call("sync", {"vectors": False, "close_reading": False})
        print(time.perf_counter() - before, sum(os.times()[:4]), flush=True)
"""


@dataclass(frozen=True, slots=True)
class SyncFigures:
    """Medians for a first sync and one without changes.

    `megabytes` is the peak of the private memory of all its processes, `own_megabytes` that of the
    first of them; `size_megabytes` is the size of the index, `size_ratio` by that of the text.
    """

    seconds: float
    notes_per_second: float
    cpu_seconds: float
    again_seconds: float
    megabytes: float
    own_megabytes: float
    size_megabytes: float
    size_ratio: float


def measure_sync(vault: Path, scratch: Path, times: int = SYNCS) -> SyncFigures:
    """Sync a vault from nothing, and again, in new processes, so many `times`.

    Memory is measured in one more sync, as measuring it uses the same cores; its index is left at
    `index_of`.
    """
    notes = list(vault.rglob("*.md"))
    index = index_of(vault, scratch)
    indexes = [scratch / f"{vault.name}-{number}.sqlite3" for number in range(times)]
    timed = [_sync(vault, one) for one in indexes]
    for one in indexes:
        one.unlink()
    measured = _sync(vault, index, with_memory=True)
    size = sum(file.stat().st_size for file in notes)
    seconds = statistics.median(one.first_seconds for one in timed)
    return SyncFigures(
        seconds,
        len(notes) / seconds,
        statistics.median(one.cpu_seconds for one in timed),
        statistics.median(one.again_seconds for one in timed),
        measured.megabytes,
        measured.own_megabytes,
        index.stat().st_size / 1e6,
        index.stat().st_size / size,
    )


def index_of(vault: Path, scratch: Path) -> Path:
    """Return where `measure_sync` leaves an index of a vault."""
    return scratch / f"{vault.name}.sqlite3"


class _Run(NamedTuple):
    """The cost of one first sync, and of the one after it."""

    first_seconds: float
    cpu_seconds: float
    again_seconds: float
    megabytes: float
    own_megabytes: float


def _sync(vault: Path, index: Path, *, with_memory: bool = False) -> _Run:
    command = [sys.executable, "-c", _SYNC, str(vault), f"sqlite:///{index}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        peak = _Peak(process.pid) if with_memory else None
        assert process.stdout is not None
        wall, cpu = process.stdout.readline().split()
        megabytes, own = peak.stop() if peak else (0.0, 0.0)
        again = process.stdout.readline().split()[0]
    return _Run(float(wall), float(cpu), float(again), megabytes, own)


def measure_saves(vault: Path, scratch: Path) -> float:
    """Return the median seconds, while watching, from a save until its words are found.

    A save is done as editors do it: a temporary file replaces the note. Each save has a new word.
    """
    database = f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"
    notes = sorted(vault.glob("Notes/*/*.md"))
    chosen = notes[:: max(1, len(notes) // SAVES)][:SAVES]
    before = {note: note.read_bytes() for note in chosen}
    with Session.open(vault, database=database, embedding_model="") as watched:
        watched.call("sync", {"vectors": False, "close_reading": False})
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
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = reader.call(Search(query=word, limit=1)).passages
        if any(word in one.as_text() for one in found):
            return
        time.sleep(0.005)
    raise TimeoutError(f"{word} was not found within {PATIENCE_SECONDS:.0f} seconds")


class _Peak:
    """The peak private memory of a process and its children together, sampled continuously."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._all = self._own = 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def stop(self) -> tuple[float, float]:
        """Stop looking; return the megabytes of all processes, and those of the first."""
        self._stopped.set()
        self._thread.join()
        return self._all, self._own

    def _look(self) -> None:
        while not self._stopped.wait(0.1):
            with suppress(psutil.NoSuchProcess):
                own = private_megabytes(self._process)
                children = map(private_megabytes, self._process.children(recursive=True))
                self._own, self._all = max(self._own, own), max(self._all, own + sum(children))
