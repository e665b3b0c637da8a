"""What the program writes to a terminal or a pipe, and what it says where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

PROGRAM = (sys.executable, "-m", "writeros_entities")

NOVEL = Path(__file__).resolve().parents[2] / "vault_fixtures" / "novel"

needs_a_full_device = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a full device"
)


def run(redirection: str, *arguments: str) -> tuple[int, str, str]:
    """Run the program by a shell, with its streams redirected; return its code and output.

    What it writes is buffered, as it is for users: some of it may wait for the very end.
    """
    words = ["sh", "-c", f'"$@" {redirection}', "sh", *PROGRAM, *arguments]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(words, capture_output=True, text=True, timeout=100, env=buffered)
    return ended.returncode, ended.stdout, ended.stderr


@needs_a_full_device
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
    assert shown == "Files: 1 added. Mentions looked for in 1 note.\n"


def ask_at_a_terminal(pager: str, *arguments: str) -> str:
    """Return what the program writes to a terminal of 24 lines."""
    import pty

    seen, terminal = pty.openpty()
    environment = {**os.environ, "PAGER": pager, "LINES": "24", "COLUMNS": "100", "TERM": "xterm"}
    words = [*PROGRAM, "--vault", str(NOVEL), *arguments]
    with subprocess.Popen(words, stdin=terminal, stdout=terminal, env=environment) as program:
        os.close(terminal)
        shown = b""
        while part := _read(seen):
            shown += part
    os.close(seen)
    assert program.returncode == 0
    return shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how Linux says that nobody writes any more
        return b""


@pytest.fixture(scope="module")
def novel_at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        file = tmp_path_factory.mktemp("index") / "novel.sqlite3"
        monkeypatch.setenv("WRITEROS_DATABASE", f"sqlite:///{file}")
        with Session.open(NOVEL) as session:
            session.call("sync", {"vectors": False})
        yield


@pytest.mark.usefixtures("novel_at_home")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such terminals")
def test_an_answer_longer_than_the_terminal_goes_through_the_pager(tmp_path: Path) -> None:
    paged = tmp_path / "paged"
    shown = ask_at_a_terminal(f"tee {paged}", "list-entities")
    assert "Isolde Marrow" in paged.read_text("utf-8")
    assert shown.count("Isolde Marrow") == 1


@pytest.mark.usefixtures("novel_at_home")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such terminals")
@pytest.mark.parametrize(
    "options", [("--limit", "5"), ("--no-pager",), ("--json",)], ids=["short", "unwanted", "data"]
)
def test_any_other_answer_is_printed_at_once(tmp_path: Path, options: tuple[str, ...]) -> None:
    paged = tmp_path / "paged"
    assert "Isolde Marrow" in ask_at_a_terminal(f"tee {paged}", "list-entities", *options)
    assert not paged.exists()


@pytest.mark.usefixtures("novel_at_home")
def test_a_pipe_gets_an_answer_without_the_pager(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", f"tee {tmp_path / 'paged'}")
    code, shown, _ = run("</dev/null", "--vault", str(NOVEL), "list-entities")
    assert (code, shown.count("Isolde Marrow")) == (0, 1)
    assert not (tmp_path / "paged").exists()
