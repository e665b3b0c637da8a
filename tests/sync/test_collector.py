"""What a large sync leaves to the garbage collector."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.sync.collector import _SAMPLED, Collector


class Knot:
    """An object in a cycle, which only the collector can free."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Return the collector of a process that seems to have exempted nothing.

    What the tests have imported is exempt all the same: to traverse it takes long.
    """
    gc.freeze()
    monkeypatch.setattr(gc, "get_freeze_count", lambda: 0)
    collector = Collector()
    yield collector
    collector.restore()
    gc.freeze()


def leave_knots(collector: Collector, batches: int) -> list[bool]:
    """Leave a cycle in each of some batches; return for each whether it was freed at once."""
    freed = []
    for _ in range(batches):
        knot = weakref.ref(Knot())
        collector.settle()
        freed.append(knot() is None)
    return freed


def test_garbage_is_looked_for_in_one_batch_of_several(collector: Collector) -> None:
    assert leave_knots(collector, _SAMPLED) == [False] * (_SAMPLED - 1) + [True]


def test_where_there_is_garbage_every_batch_is_collected(collector: Collector) -> None:
    leave_knots(collector, _SAMPLED)
    assert leave_knots(collector, 3) == [True, True, True]


def test_a_batch_without_garbage_ends_that(collector: Collector) -> None:
    leave_knots(collector, _SAMPLED)
    collector.settle()
    assert leave_knots(collector, 1) == [False]


def test_all_garbage_can_be_collected_in_the_end(collector: Collector) -> None:
    knot = weakref.ref(Knot())
    collector.settle()
    assert knot() is not None
    collector.restore()
    gc.collect()
    assert knot() is None


def test_garbage_of_an_earlier_sync_is_collected_by_the_next(collector: Collector) -> None:
    knot = weakref.ref(Knot())
    collector.settle()
    collector.restore()
    later = Collector()
    assert knot() is None
    later.restore()


SYNCING = """
import gc, sys
from pathlib import Path
from writeros_entities.session import Session

folder = Path(sys.argv[1])
with Session.open(folder, database=f"sqlite:///{folder}/index.sqlite3") as session:
    for burst in range(5):
        for number in range(120):
            (folder / f"{number}.md").write_text(f"[[Mara]] came {burst} times.", "utf-8")
        session.call("sync", {})
        print(len(gc.get_objects()))
"""


def test_memory_does_not_grow_with_the_syncs_of_many_notes(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    command = [sys.executable, "-c", SYNCING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    *_, before, after = map(int, done.stdout.split())
    assert abs(after - before) < 500, done.stdout


def test_a_process_that_exempted_objects_keeps_its_collector() -> None:
    thresholds = gc.get_threshold()
    gc.freeze()
    collector = Collector()
    assert gc.get_threshold() == thresholds
    collector.restore()
    assert gc.get_freeze_count() > 0
