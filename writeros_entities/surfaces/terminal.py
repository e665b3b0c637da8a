"""Output of answers and progress: formatted on a terminal, plain in a pipe."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, ClassVar

import click

from writeros_entities.progress import Progress, SilentProgress

if TYPE_CHECKING:
    from rich.console import RenderResult
    from rich.markdown import Markdown
    from rich.progress import Progress as RichProgress
    from rich.progress import Task, TaskID

    from writeros_entities.capability import Response
    from writeros_entities.values import JSON, SyncOutcome


_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
"""Error codes of writing to a full disk or a closed stream."""

_OUTPUT, _MESSAGES = 1, 2


def reopen_closed_streams() -> None:
    """Reopen standard streams that the shell has closed (`>&-`): no file may take their numbers.

    Writing to the output then fails; messages on standard error are discarded, as intended.
    """
    for number, mode in ((_OUTPUT, os.O_RDONLY), (_MESSAGES, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            _point(number, mode)
    if sys.stdout is None:
        sys.stdout = os.fdopen(_OUTPUT, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_MESSAGES, "w", closefd=False)


@contextmanager
def report_output_errors() -> Iterator[None]:
    """Turn an output error into a message and exit code 1; ignore a closed pipe."""
    try:
        yield
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _point(_OUTPUT, os.O_WRONLY)  # discards buffered output, instead of writing it again
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        click.echo(f"Error: The standard output cannot be written: {reason}.", err=True)
        sys.exit(1)


def _point(number: int, mode: int) -> None:
    """Point a file descriptor at the null device."""
    opened = os.open(os.devnull, mode)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def use_utf8() -> None:
    """Make the standard streams UTF-8, regardless of the locale; escape what cannot be encoded."""
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors=errors)


def show(response: Response, *, as_json: bool, pages: bool = False) -> None:
    """Print an answer: as JSON, as rendered Markdown on a terminal, or as plain Markdown.

    With `pages`, one that is longer than the terminal is shown by the user's pager (PAGER).
    """
    if as_json:
        show_json(response.model_dump(mode="json"), indent=2)
    elif not sys.stdout.isatty():
        click.echo(response.as_text())
    else:
        from rich.console import Console

        console = Console()
        with console.capture() as captured:
            console.print(_render(response.as_text()))
        shown = captured.get()
        if pages and shown.count("\n") >= console.height and sys.stdin.isatty():
            click.echo_via_pager(shown)
        else:
            click.echo(shown, nl=False, color=True)


def _render(text: str) -> Markdown:
    from rich.console import Console, ConsoleOptions
    from rich.markdown import Markdown, TableElement
    from rich.table import Table

    class WholeTable(TableElement):
        """A table that breaks a word too long for its column, where rich cuts it off."""

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for part in super().__rich_console__(console, options):
                for column in part.columns if isinstance(part, Table) else ():
                    column.overflow = "fold"
                yield part

    class WholeMarkdown(Markdown):
        elements: ClassVar = {**Markdown.elements, "table_open": WholeTable}

    return WholeMarkdown(text)


def show_json(data: JSON, indent: int | None = None) -> None:
    """Print data as JSON, without escaping non-ASCII characters."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=indent))


def describe_outcome(outcome: SyncOutcome) -> str:
    """Describe what a sync did, in one line."""
    problems = len(outcome.diagnostics)
    counts = {
        "added": len(outcome.added),
        "changed": len(outcome.changed),
        "moved": len(outcome.moved),
        "removed": len(outcome.removed),
        "read again": outcome.redetected,
        "problem" if problems == 1 else "problems": problems,
    }
    parts = [f"{count:,} {what}" for what, count in counts.items() if count]
    return f"{', '.join(parts) or 'nothing changed'} ({outcome.seconds:.2f} s)"


@contextmanager
def reported_progress(*, wanted: bool) -> Iterator[Progress]:
    """Yield a progress bar if it is wanted and stderr is a terminal, else a silent progress."""
    if not (wanted and sys.stderr.isatty()):
        yield SilentProgress()
        return
    with closing(BarProgress()) as bar:
        yield bar


class BarProgress:
    """A progress bar on stderr with rate and remaining time; it appears with the first update."""

    def __init__(self) -> None:
        self._bars: RichProgress | None = None
        self._stage = ""
        self._task: TaskID | None = None

    def close(self) -> None:
        """Remove the bar from the terminal."""
        if self._bars is not None:
            self._bars.stop()

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Update the bar; a new stage replaces the one before."""
        if self._bars is None:
            self._bars = _make_bars()
            self._bars.start()
        if self._task is None or stage != self._stage:
            if self._task is not None:
                self._bars.remove_task(self._task)
            self._stage = stage
            self._task = self._bars.add_task(stage, total=total)
        self._bars.update(self._task, completed=done, total=total)


def _make_bars() -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class RateColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            rate = task.finished_speed or task.speed
            return Text(f"{rate:,.0f}/s" if rate else "", style="progress.data.speed")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
