import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import click
import pytest

from writeros_entities import Diagnostic, Response, SyncOutcome
from writeros_entities.progress import SilentProgress
from writeros_entities.surfaces.terminal import (
    BarProgress,
    describe_outcome,
    reported_progress,
    show,
)

from .toys import People, Person


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def at_a_terminal() -> Iterator[Terminal]:
    stream = Terminal()
    with redirect_stdout(stream), redirect_stderr(stream):
        yield stream


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"TERM": "xterm", "COLUMNS": "100", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)


def test_a_terminal_shows_markdown_rendered() -> None:
    with at_a_terminal() as terminal:
        show(People(people=[Person(name="Jane", chapter=1)], total=1), as_json=False)
    assert "# 1 people" not in terminal.getvalue()
    assert "Jane: chapter 1" in terminal.getvalue()
    assert "- Jane" not in terminal.getvalue()


class Keeper(Response):
    """An answer that is a table."""

    def as_text(self) -> str:
        heads = "| entity | type | status | mentions | notes | positions |"
        return (
            f"{heads}\n{'| --- ' * 6}|\n| Tobias Wren (younger) | person | noted | 57 | 16 | 1–14 |"
        )


def test_a_narrow_terminal_shows_the_whole_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    with at_a_terminal() as terminal:
        show(Keeper(), as_json=False)
    shown = click.unstyle(terminal.getvalue())
    assert max(map(len, shown.splitlines())) == 40
    row = re.split("[─━]", shown)[-1]  # the line below the heads, of this release of rich or older
    assert sorted("".join(row.split())) == sorted("TobiasWren(younger)personnoted57161–14")


def test_json_is_json_on_a_terminal_too() -> None:
    with at_a_terminal() as terminal:
        show(Person(name="Gánz Ágnes", chapter=1), as_json=True)
    assert terminal.getvalue() == '{\n  "name": "Gánz Ágnes",\n  "chapter": 1\n}\n'


def test_a_terminal_gets_a_bar_with_what_is_done() -> None:
    with at_a_terminal() as terminal, reported_progress(wanted=True) as progress:
        assert isinstance(progress, BarProgress)
        progress.update("reading notes", 10, 40)
        progress.update("embedding", 5, 40)
    assert "embedding" in terminal.getvalue()
    assert "5/40" in terminal.getvalue()


def test_nothing_appears_before_the_first_update() -> None:
    with at_a_terminal() as terminal, reported_progress(wanted=True):
        pass
    assert terminal.getvalue() == ""


def test_fast_capabilities_get_no_bar() -> None:
    with at_a_terminal(), reported_progress(wanted=False) as progress:
        assert isinstance(progress, SilentProgress)


def test_a_pipe_gets_no_bar() -> None:
    with redirect_stderr(io.StringIO()), reported_progress(wanted=True) as progress:
        assert isinstance(progress, SilentProgress)


def test_an_outcome_is_one_line() -> None:
    outcome = SyncOutcome(
        revision=3,
        added=("a.md",),
        changed=("b.md", "c.md"),
        redetected=1200,
        diagnostics=(("a.md", Diagnostic("broken-frontmatter", "It is broken.")),),
        seconds=0.1234,
    )
    assert describe_outcome(outcome) == ("1 added, 2 changed, 1,200 read again, 1 problem (0.12 s)")
    assert describe_outcome(SyncOutcome(revision=3)) == "nothing changed (0.00 s)"
