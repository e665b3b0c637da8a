"""A sync that is killed at any point leaves an index that the next sync makes whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..conftest import OpenVault
from ..databases import Databases
from .snapshot import check_full_text, take_snapshot

KILLED = """
import os, pathlib, signal, sys, tempfile
from sqlalchemy import Engine, event
from writeros_entities.session import Session
from writeros_entities.sync import run

run.NOTES_PER_TRANSACTION = 7
run.NOTES_PER_BATCH = 3

def sync(root, database, statements):
    seen = 0

    @event.listens_for(Engine, "before_cursor_execute")
    def count(*_):
        nonlocal seen
        seen += 1
        if seen == statements:
            os.kill(os.getpid(), signal.SIGKILL)

    with Session.open(root, database=database) as session:
        session.call("sync", {})
    return seen

with tempfile.TemporaryDirectory() as folder:  # import what each of the processes would
    pathlib.Path(folder, "Vane.md").write_text("[[Mara Vane]] met Ilse Holt.")
    sync(folder, f"sqlite:///{folder}/index.sqlite3", -1)

for line in sys.stdin:
    root, database, statements = line.rstrip("\\n").split("\\t")
    end, start = os.pipe()
    child = os.fork()
    if not child:
        os.write(start, str(sync(root, database, int(statements))).encode())
        os._exit(0)
    os.close(start)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), os.read(end, 99).decode(), flush=True)
    os.close(end)
"""

Syncing = Callable[[Path, str, int], tuple[int, str]]


@pytest.fixture(scope="module")
def run_and_kill() -> Iterator[Syncing]:
    """Return a function that syncs in a process of its own, killed at one of its statements.

    It returns the code with which the process ended, and how many statements there were. What the
    processes import is imported once, by the one that they are forked from.
    """
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        asked, told = parent.stdin, parent.stdout
        assert asked is not None
        assert told is not None

        def run(root: Path, database: str, statements: int) -> tuple[int, str]:
            print(root, database, statements, sep="\t", file=asked, flush=True)
            code, _, seen = told.readline().rstrip("\n").partition(" ")
            return int(code), seen

        yield run


def write_chapters(root: Path, count: int, *, offset: int = 0) -> None:
    chance = random.Random(offset)
    people = [
        f"{given} {family}" for given in ("Mara", "Ilse", "Piet") for family in ("Vane", "Holt")
    ]
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for number in range(offset, offset + count):
        first, second = chance.sample(people, 2)
        text = (
            f"---\nchapter: {number}\nthemes: [{second}, the sea]\n---\n# Chapter {number}\n\n"
            f"{first} met [[{second}]] at Gallows Point. {first.split()[0]} left.\n"
        )
        (root / f"Chapter {number}.md").write_text(text, "utf-8")
    (root / "Mara Vane.md").write_text("---\ntype: person\n---\nMara.\n", "utf-8")


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_sync_is_made_whole_by_the_next(
    seed: int,
    tmp_path: Path,
    databases: Databases,
    open_vault: OpenVault,
    run_and_kill: Syncing,
) -> None:
    chance = random.Random(seed)
    root = tmp_path / "vault"
    write_chapters(root, 15)
    database = databases.create()
    if seed % 2:
        assert run_and_kill(root, database, -1)[0] == 0
        write_chapters(root, 6, offset=12)
        (root / "Chapter 3.md").unlink()
        (root / "Mara Vane.md").rename(root / "Mara Holt.md")
        whole = databases.copy(database)
    else:
        whole = databases.create()
    last = int(run_and_kill(root, whole, -1)[1])
    at = chance.randrange(last // 4, last)
    assert run_and_kill(root, database, at) == (-signal.SIGKILL, "")

    session = open_vault(root, database=database)
    session.call("sync", {})
    fresh = open_vault(root)
    fresh.call("sync", {})

    assert take_snapshot(session) == take_snapshot(fresh)
    check_full_text(session)
    assert session.call("sync", {}).model_dump()["redetected"] == 0


def test_what_a_killed_sync_left_is_readable_meanwhile(
    tmp_path: Path, database: str, open_vault: OpenVault, run_and_kill: Syncing
) -> None:
    root = tmp_path / "vault"
    write_chapters(root, 15)
    assert run_and_kill(root, database, 120) == (-signal.SIGKILL, "")

    status = open_vault(root, database=database).call("status", {}).model_dump()

    assert status["unfinished"] is True
    assert status["writer"] is None
