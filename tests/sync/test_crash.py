"""A sync that is killed at any point leaves an index that the next sync makes whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import OpenVault
from ..databases import Databases
from .snapshot import check_full_text, take_snapshot

KILLED = """
import os, signal, sys
from sqlalchemy import Engine, event
from writeros_entities.session import Session
from writeros_entities.sync import run

root, database, statements = sys.argv[1], sys.argv[2], int(sys.argv[3])
run.NOTES_PER_TRANSACTION = 7
run.NOTES_PER_BATCH = 3
seen = 0

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global seen
    seen += 1
    if seen == statements:
        os.kill(os.getpid(), signal.SIGKILL)

with Session.open(root, database=database) as session:
    session.call("sync", {})
    print(seen)
"""


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


def run_and_kill(root: Path, database: str, statements: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(root), database, str(statements)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_killed_sync_is_made_whole_by_the_next(
    seed: int, tmp_path: Path, databases: Databases, open_vault: OpenVault
) -> None:
    chance = random.Random(seed)
    root = tmp_path / "vault"
    write_chapters(root, 30)
    database = databases.create()
    if seed % 2:
        assert run_and_kill(root, database, -1).returncode == 0
        write_chapters(root, 12, offset=24)
        (root / "Chapter 3.md").unlink()
        (root / "Mara Vane.md").rename(root / "Mara Holt.md")
        whole = databases.copy(database)
    else:
        whole = databases.create()
    complete = run_and_kill(root, whole, -1)
    last = int(complete.stdout)
    killed = run_and_kill(root, database, chance.randrange(last // 4, last))
    assert killed.returncode == -signal.SIGKILL

    session = open_vault(root, database=database)
    session.call("sync", {})
    fresh = open_vault(root)
    fresh.call("sync", {})

    assert take_snapshot(session) == take_snapshot(fresh)
    check_full_text(session)
    assert session.call("sync", {}).model_dump()["redetected"] == 0


def test_what_a_killed_sync_left_is_readable_meanwhile(
    tmp_path: Path, database: str, open_vault: OpenVault
) -> None:
    root = tmp_path / "vault"
    write_chapters(root, 30)
    assert run_and_kill(root, database, 120).returncode == -signal.SIGKILL

    status = open_vault(root, database=database).call("status", {}).model_dump()

    assert status["unfinished"] is True
    assert status["writer"] is None
