"""What the program says where its output cannot be written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = (sys.executable, "-m", "writeros_entities")

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")


def run(redirection: str, *arguments: str) -> tuple[int, str, str]:
    """Run the program by a shell, with its streams redirected; return its code and output.

    What it writes is buffered, as it is for users: some of it may wait for the very end.
    """
    words = ["sh", "-c", f'"$@" {redirection}', "sh", *PROGRAM, *arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(words, capture_output=True, text=True, timeout=100, env=buffered)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["list-plugins", "--json"]])
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">/dev/full", "No space left on device"), (">&-", "it is closed")],
)
def test_output_that_cannot_be_written_is_one_line(
    tmp_path: Path, arguments: list[str], redirection: str, reason: str
) -> None:
    code, _, messages = run(redirection, "--vault", str(tmp_path), *arguments)
    assert (code, messages) == (1, f"Error: The standard output cannot be written: {reason}.\n")


def test_a_pipe_that_nobody_reads_is_no_error(tmp_path: Path) -> None:
    code, shown, messages = run("| true", "--vault", str(tmp_path), "list-plugins")
    assert (code, shown, messages) == (0, "", "")


def test_messages_that_nobody_wants_are_not_missed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "Ann.md").write_text("Ann ran.\n", "utf-8")
    database = f"sqlite:///{tmp_path / 'index.sqlite3'}"
    code, shown, _ = run("2>&-", "--vault", str(vault), "--database", database, "sync")
    assert code == 0
    assert shown == "Files: 1 added. Mentions looked for in 1 note. Revision 1.\n"
