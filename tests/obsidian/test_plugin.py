"""The Obsidian plugin, run by Node with the real desk; Obsidian itself is a stub."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from writeros_entities import Session
from writeros_entities.testing import hash_vault

from ..conformance.programs import find_node
from ..desk.conftest import NOVEL

HERE = Path(__file__).parent
PLUGIN = HERE.parents[1] / "obsidian"
PROGRAM = """#!{python}
from writeros_entities.surfaces.cli import main
main()
"""


def test_the_plugin_does_what_it_offers(
    write_vault: Callable[[dict[str, str]], Path], tmp_path: Path
) -> None:
    root = write_vault(NOVEL)
    database = f"sqlite:///{tmp_path / 'index.sqlite3'}"
    with Session.open(root, database=database) as session:
        session.call("sync", {})
    before = hash_vault(root)
    program = tmp_path / "writeros-entities"
    program.write_text(PROGRAM.format(python=sys.executable), "utf-8")
    program.chmod(0o755)
    given = {"PLUGIN_PROGRAM": str(program), "PLUGIN_VAULT": str(root)}
    done = subprocess.run(
        [find_node(), "--test", HERE / "plugin.test.js"],
        env={**os.environ, **given, "WRITEROS_DATABASE": database},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout or "ℹ fail 0" in done.stdout
    assert hash_vault(root) == before


def test_the_plugin_is_short() -> None:
    assert sum(len(file.read_text("utf-8").splitlines()) for file in PLUGIN.glob("*.*")) <= 500
