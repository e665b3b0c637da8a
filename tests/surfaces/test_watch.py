from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from writeros_entities import BusyError, Diagnostic, SyncOutcome, VaultError
from writeros_entities.surfaces.cli import build_cli

from .http_server import REAL_PROGRAM
from .toys import open_toys, read_toys

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace

OUTCOMES = [
    SyncOutcome(
        revision=1,
        added=("Jane.md",),
        diagnostics=(("Jane.md", Diagnostic("broken-frontmatter", "It is broken.", 2)),),
        seconds=0.5,
    ),
    SyncOutcome(revision=2, moved=(("Jane.md", "Cast/Jane.md"),), seconds=0.01),
]


class PretendedWatch:
    """A watch that does what a test says, and then ends."""

    happening: Callable[[PretendedWatch], None]

    def __init__(
        self,
        workspace: Workspace,
        on_outcome: Callable[[SyncOutcome], None],
        on_trouble: Callable[[Exception], None],
    ) -> None:
        self.on_outcome, self.on_trouble = on_outcome, on_trouble

    def start(self) -> PretendedWatch:
        return self

    def stop(self) -> None:
        pass

    def wait(self) -> None:
        type(self).happening(self)


def watch_twice(watch: PretendedWatch) -> None:
    for outcome in OUTCOMES:
        watch.on_outcome(outcome)


def meet_trouble(watch: PretendedWatch) -> None:
    watch.on_trouble(VaultError("The drive is not there."))
    watch.on_outcome(OUTCOMES[1])


def refuse(watch: PretendedWatch) -> None:
    raise BusyError("Another process watches this vault.")


def pretend(monkeypatch: pytest.MonkeyPatch, happening: Callable[[PretendedWatch], None]) -> None:
    module = ModuleType("writeros_entities.learning.watching")
    vars(module)["VaultWatch"] = PretendedWatch
    monkeypatch.setattr(PretendedWatch, "happening", happening, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_watch_prints_one_line_for_each_sync(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, watch_twice)
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["watch"])
    assert result.exit_code == 0
    assert result.stdout == "1 added, 1 problem (0.50 s)\n1 moved (0.01 s)\n"
    assert result.stderr == "Watching /vault. Ctrl-C stops.\n"


def test_watch_prints_json_lines_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, watch_twice)
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["watch", "--json"])
    first, second = [json.loads(line) for line in result.stdout.splitlines()]
    assert first["diagnostics"][0][1]["code"] == "broken-frontmatter"
    assert second["moved"] == [["Jane.md", "Cast/Jane.md"]]


def test_watch_tells_what_can_be_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, refuse)
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["watch"])
    assert result.exit_code == 1
    assert result.stderr.endswith("Error: Another process watches this vault.\n")


def test_watch_tells_what_keeps_it_from_syncing_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pretend(monkeypatch, meet_trouble)
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["watch"])
    assert result.exit_code == 0
    assert result.stderr.endswith("Error: The drive is not there.\n")
    assert result.stdout == "1 moved (0.01 s)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_watch_well_though_it_was_started_in_the_background(
    tmp_path: Path, stop: signal.Signals
) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / "One.md").write_text("Mara came.", "utf-8")
    where = ["--vault", str(tmp_path), "--database", f"sqlite:///{tmp_path}/.obsidian/x.sqlite3"]
    # A shell without job control has what it starts in the background ignore Ctrl-C.
    deaf = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {REAL_PROGRAM}"
    command = [sys.executable, "-c", deaf, *where, "watch"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            assert process.stdout.readline().startswith("1 added")
            process.send_signal(stop)
            assert process.wait(240) == 0
            assert process.stderr.read() == f"Watching {tmp_path}. Ctrl-C stops.\n"
        finally:
            process.kill()
