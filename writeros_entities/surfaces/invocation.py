"""One run of the command line: the chosen vault, its catalogue, and how to open it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import click

from writeros_entities.errors import WriterosError

if TYPE_CHECKING:
    from pathlib import Path

    from writeros_entities.plugins import Plugins
    from writeros_entities.progress import Progress
    from writeros_entities.session import Session
    from writeros_entities.surfaces.catalogue import Catalogue


PROGRAM_OPTIONS = (
    "Before or after the command: --vault, --database and --no-pager (see writeros-entities "
    "--help)."
)
"""Ends the help of each command."""


class OpenWorkspace(Protocol):
    """Opens the workspace for a command."""

    def __call__(
        self,
        vault: Path | None,
        *,
        database: str | None,
        plugins: Plugins | None,
        progress: Progress | None,
    ) -> Session:
        """Return an open workspace; the caller closes it."""
        ...


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of the program; commands find it in `ctx.obj`."""

    vault: Path | None
    database: str | None
    read_catalogue: Callable[[], Catalogue]
    open_workspace: OpenWorkspace
    pages: bool = True
    """Whether a long answer is shown by a pager, on a terminal."""

    def open(self, progress: Progress | None = None) -> Session:
        """Open the chosen workspace; the caller closes it."""
        return self.open_workspace(
            self.vault,
            database=self.database,
            plugins=self.read_catalogue().plugins,
            progress=progress,
        )


def _take_apart(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> list[str] | None:
    names = [name.strip().replace("-", "_") for group in given for name in group.split(",")]
    return [name for name in names if name] or None


families_option = click.option(
    "--families",
    multiple=True,
    callback=_take_apart,
    help="Offer these families of capabilities: comma-separated, or repeat the option.",
)
"""Option for a command that gets the families as a list, or None."""

tools_option = click.option(
    "--tools",
    "names",
    multiple=True,
    callback=_take_apart,
    help="Offer these capabilities by name, or `all`; by default those that an agent of a "
    "writer needs.",
)
"""Option for a command that gets the names of capabilities as a list, or None."""


@contextmanager
def mendable_errors(spell: Callable[[str], str] = str) -> Iterator[None]:
    """Turn an error that the user can fix into a message, spelled for them, and exit code 1."""
    try:
        yield
    except WriterosError as error:
        raise click.ClickException(spell(str(error))) from None
