"""A stranger's engine, installed as a distribution of its own, holds an index like the built-in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..installing import EXAMPLES, install

CONTRACT = EXAMPLES / "writeros-sqlite-traced" / "test_contract.py"
BROKEN = {
    "METADATA": "Metadata-Version: 2.1\nName: writeros-broken\nVersion: 1\n",
    "entry_points.txt": (
        "[writeros_entities.engines]\n"
        "broken = writeros_not_there:Engine\nsqlite = writeros_not_there:Engine\n"
    ),
}
"""What an installer writes of a distribution whose engines are not there."""

OPEN = """
import sys
from writeros_entities import StoreError
from writeros_entities.store.database import Database
for url in sys.argv[1:]:
    try:
        Database(url)
    except StoreError as error:
        print(error)
"""


@dataclass(frozen=True)
class Site:
    """A folder of installed distributions, and the program that finds them."""

    folder: Path
    home: Path

    def python(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONUTF8": "1"}
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
            environment[variable] = str(self.home)
        return subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=self.home,
            timeout=240,
        )

    def ask(self, vault: Path, url: str, *command: str) -> subprocess.CompletedProcess[str]:
        where = ("--vault", str(vault), "--database", url)
        words = ("-m", "writeros_entities", *where, *command)
        return self.python(*words)


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return a site with the example engine."""
    site = install("writeros-sqlite-traced", tmp_path_factory.mktemp("example"))
    return Site(site, tmp_path_factory.mktemp("home"))


def test_the_engine_keeps_the_contract(traced: Site) -> None:
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "--import-mode=importlib",
        f"--rootdir={traced.home}",
    ]
    done = traced.python("-m", "pytest", *options, CONTRACT)
    assert done.returncode == 0, done.stdout


def test_an_index_is_synced_and_asked_through_it(
    traced: Site, write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    vault = write_vault(
        {"Mara.md": "---\ntype: person\n---\n", "Chapter 1.md": "Mara came to the ford.\n"}
    )
    file = tmp_path / "index.sqlite3"
    synced = traced.ask(vault, f"traced:///{file}?slow=60", "sync")
    assert (synced.returncode, synced.stderr) == (0, "")
    asked = traced.ask(vault, f"traced:///{file}?slow=0", "find-mentions", "Mara")
    assert asked.stdout == (
        "Mara (person): 1 mention\n\n**Chapter 1.md**\n\n- line 1: **Mara** came to the ford.\n"
    )
    assert " s: SELECT " in asked.stderr
    # The same file, without the engine.
    assert traced.ask(vault, f"sqlite:///{file}", "find-mentions", "Mara").stdout == asked.stdout


def test_an_unknown_scheme_is_answered_with_the_known_ones(traced: Site) -> None:
    asked = traced.python("-c", OPEN, "mysql://me:secret@server/vaults")
    assert asked.stdout == (
        "No engine is installed for mysql:// databases. Known: postgres://, postgresql://, "
        "sqlite://, traced://.\n"
    )


def test_an_engine_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    site = Site(tmp_path / "site", tmp_path)
    installed = site.folder / "writeros_broken-1.dist-info"
    installed.mkdir(parents=True)
    for name, text in BROKEN.items():
        (installed / name).write_text(text, "utf-8")
    assert site.python("-c", OPEN, "broken://", "sqlite:///index.sqlite3").stdout.splitlines() == [
        "The engine for broken:// databases, of writeros-broken, cannot be loaded: "
        "ModuleNotFoundError: No module named 'writeros_not_there'",
        "Several distributions, writeros-broken, writeros-entities, offer an engine for "
        "sqlite:// databases. Uninstall all but one.",
    ]
