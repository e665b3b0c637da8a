from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from writeros_entities import BusyError, Diagnostic, SyncOutcome, VaultError
from writeros_entities.surfaces.cli import build_cli

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


def watch_twice(
    workspace: Workspace,
    on_outcome: Callable[[SyncOutcome], None],
    on_trouble: Callable[[Exception], None],
) -> None:
    for outcome in OUTCOMES:
        on_outcome(outcome)
    raise KeyboardInterrupt


def meet_trouble(
    workspace: Workspace,
    on_outcome: Callable[[SyncOutcome], None],
    on_trouble: Callable[[Exception], None],
) -> None:
    on_trouble(VaultError("The drive is not there."))
    on_outcome(OUTCOMES[1])
    raise KeyboardInterrupt


def refuse(workspace: Workspace, **listeners: object) -> None:
    raise BusyError("Another process watches this vault.")


def pretend(monkeypatch: pytest.MonkeyPatch, watch: Callable[..., None]) -> None:
    module = ModuleType("writeros_entities.learning.watching")
    vars(module)["watch"] = watch
    monkeypatch.setitem(sys.modules, module.__name__, module)


def test_watch_prints_one_line_for_each_sync_until_ctrl_c(
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
