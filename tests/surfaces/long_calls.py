"""Capabilities that take as long as a test wants, in Python and in the database, over a real index.

`PROGRAM` is the command line with them, to be served by a process of its own.
"""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import text

from writeros_entities import Capability, Request, Response, hookimpl
from writeros_entities.capability import capability
from writeros_entities.settings import Settings

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins
    from writeros_entities.progress import Progress
    from writeros_entities.session import Session
    from writeros_entities.surfaces.catalogue import Catalogue
    from writeros_entities.workspace import Workspace

REPOSITORY = Path(__file__).parents[2]
PROGRAM = f"""
import sys
sys.path.insert(0, {str(REPOSITORY)!r})
from tests.surfaces.long_calls import main
main()
"""
COUNT = text(
    "WITH RECURSIVE n(i) AS "
    "(SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < :most) "
    "SELECT count(*) FROM n"
)


class Done(Response):
    """That it is done."""

    def as_text(self) -> str:
        return "Done."


class Endless(Request):
    """Where the time goes, and the folder in which the call leaves a note of its begin and end."""

    way: Literal["python", "sql", "deaf"]
    notes: str


@capability(family="tests")
def work_endlessly(session: Workspace, request: Endless) -> Done:
    """Work until the call is ended; if deaf, until there is a file "enough"."""
    folder = Path(request.notes)
    (folder / "begun").touch()
    try:
        with session.view() as view:
            if request.way == "sql":
                view.scalar(COUNT, most=10**15)
            elif request.way == "python":
                for _ in view.each(count()):
                    pass
            while not (folder / "enough").exists():
                time.sleep(0.01)
    finally:
        (folder / "ended").touch()
    return Done()


class Busy(Request):
    """The folder in which the call leaves a note of its begin, and finds a file "enough"."""

    notes: str


@capability(family="tests")
def work_until_enough(session: Workspace, request: Busy) -> Done:
    """Work in the database and in Python until there is a file "enough"."""
    folder = Path(request.notes)
    (folder / f"begun-{uuid.uuid4()}").touch()
    with session.view() as view:
        while not (folder / "enough").exists():
            view.scalar(COUNT, most=100_000)
            for _ in view.each(range(100_000)):
                pass
    return Done()


@capability(family="tests", slow=True)
def read_until_enough(session: Workspace, request: Busy) -> Done:
    """Report progress until there is a file "enough"."""
    folder = Path(request.notes)
    (folder / "begun").touch()
    for done in count():
        session.progress.update("reading", done, None)
        if (folder / "enough").exists():
            return Done()
    raise AssertionError("Counting has come to an end.")


class LongCalls:
    """The plugin with them."""

    @hookimpl
    def register_capabilities(self) -> Iterable[Capability[Any, Any]]:
        return [work_endlessly, work_until_enough, read_until_enough]


def load() -> Plugins:
    from writeros_entities.plugins import load_plugins

    return load_plugins(Settings(), {"long-calls": LongCalls()})


def read(vault: Path | None, database: str | None) -> Catalogue:
    from writeros_entities.capabilities import collect_capabilities
    from writeros_entities.surfaces.catalogue import Catalogue

    plugins = load()
    return Catalogue(collect_capabilities(plugins), plugins)


def open_workspace(
    vault: Path | None,
    *,
    database: str | None,
    plugins: Plugins | None,
    progress: Progress | None,
) -> Session:
    from writeros_entities.session import Session

    return Session.open(vault, database=database, plugins=plugins, progress=progress)


def main() -> None:
    from writeros_entities.surfaces.cli import build_cli

    build_cli(read, open_workspace)(sys.argv[1:])
