"""What a call may take: time, a place among others, and no more once nobody waits for it."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from writeros_entities.errors import LimitError
from writeros_entities.session import Session
from writeros_entities.surfaces import serving
from writeros_entities.surfaces.mcp import ServerOptions, build_server

from ..conftest import OpenVault
from ..databases import Databases
from . import long_calls
from .http_server import connect
from .http_server import serving as serving_http

WriteVault = Callable[[dict[str, str]], Path]

pytestmark = pytest.mark.anyio

STOPPED = (
    "work_endlessly took longer than 0.2 seconds and was stopped. Ask for less at a time, by "
    "narrower parameters (known: way, notes)."
)


@pytest.fixture
def root(write_vault: WriteVault) -> Path:
    return write_vault({"Cast/Ansel.md": "---\ntype: person\n---\n", "Story/01.md": "Ansel came."})


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Return the folder in which calls leave notes of their begin and end."""
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def open_long(open_vault: OpenVault, root: Path) -> Callable[..., Session]:
    """Return a function that opens the synced vault with the long calls."""

    def open_session(**settings: Any) -> Session:
        session = open_vault(root, plugins=long_calls.load(), **settings)
        session.call("sync", {})
        return session

    return open_session


@asynccontextmanager
async def client_of(session: Session, mode: str = "auto", **options: Any) -> AsyncIterator[Client]:
    server = build_server(session, options=ServerOptions(**options))
    async with Client(server, mode=mode) as client:
        yield client


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await anyio.sleep(0.01)


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def test_a_query_that_takes_too_long_is_stopped(open_long: Callable[..., Session]) -> None:
    session = open_long(statement_seconds=0.2)
    with (
        pytest.raises(LimitError, match="longer than the setting statement_seconds"),
        session.view() as view,
    ):
        view.scalar(long_calls.COUNT, most=10**15)
    assert session.call("get_entity", {"entity": "Ansel"})
    session.call("rebuild", {})


@pytest.mark.parametrize("way", ["python", "sql"])
async def test_a_call_that_takes_too_long_is_stopped_and_says_what_to_do(
    open_long: Callable[..., Session], notes: Path, way: str
) -> None:
    async with client_of(open_long(call_seconds=0.2)) as client:
        result = await client.call_tool("work_endlessly", {"way": way, "notes": str(notes)})
        assert (result.is_error, text_of(result)) == (True, STOPPED)
        assert (notes / "ended").exists()
        again = await client.call_tool("get_entity", {"entity": "Ansel"})
    assert not again.is_error


async def test_a_call_that_does_not_notice_is_answered_all_the_same(
    open_long: Callable[..., Session], notes: Path
) -> None:
    session = open_long(call_seconds=0.2)
    async with client_of(session, workers=1, long_calls=1) as client:
        result = await client.call_tool("work_endlessly", {"way": "deaf", "notes": str(notes)})
        again = await client.call_tool("get_entity", {"entity": "Ansel"})
        assert not (notes / "ended").exists()
        (notes / "enough").touch()
    assert text_of(result) == STOPPED
    assert not again.is_error


async def test_a_call_that_reports_progress_may_take_longer(
    open_long: Callable[..., Session], notes: Path
) -> None:
    results: list[types.CallToolResult] = []
    async with client_of(open_long(call_seconds=0.2)) as client, anyio.create_task_group() as group:

        async def read() -> None:
            results.append(await client.call_tool("read_until_enough", {"notes": str(notes)}))

        group.start_soon(read)
        await until((notes / "begun").exists)
        stopped = await client.call_tool("work_endlessly", {"way": "python", "notes": str(notes)})
        assert stopped.is_error
        assert results == []
        (notes / "enough").touch()
    assert text_of(results[0]) == "Done."


@pytest.mark.parametrize("way", ["python", "sql"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_that_is_given_up_ends_at_once_its_query_too(
    open_long: Callable[..., Session], notes: Path, way: str, mode: str
) -> None:
    async with client_of(open_long(call_seconds=0), mode) as client:
        await give_up(client, notes, way)
        again = await client.call_tool("get_entity", {"entity": "Ansel"})
    assert not again.is_error


SERVE = ("serve", "--tools", "all")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_whose_client_hangs_up_ends(
    root: Path, database: str, notes: Path, mode: str
) -> None:
    where = ["--vault", str(root), "--database", database]
    with serving_http(long_calls.PROGRAM, *where, *SERVE, "--http", "--port", "0") as running:
        async with connect(running.port, mode) as client:
            await client.call_tool("sync", {})
            await give_up(client, notes, "sql")


async def give_up(client: Client, notes: Path, way: str) -> None:
    """Begin a call that has no end, give it up, and wait for its end."""
    async with anyio.create_task_group() as group:
        arguments = {"way": way, "notes": str(notes)}
        group.start_soon(client.call_tool, "work_endlessly", arguments)
        await until((notes / "begun").exists)
        group.cancel_scope.cancel()
    await until((notes / "ended").exists)


async def answer_beside(client: Client, notes: Path) -> None:
    """Ask for an entity while four calls are under way, which end only after the answer."""
    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(client.call_tool, "work_until_enough", {"notes": str(notes)})
        await until(lambda: len(list(notes.glob("begun-*"))) == 4)
        result = await client.call_tool("get_entity", {"entity": "Ansel"})
        (notes / "enough").touch()
    assert not result.is_error


async def test_over_stdio_four_long_calls_keep_no_short_one_waiting(
    root: Path, database: str, notes: Path
) -> None:
    where = ["--vault", str(root), "--database", database]
    command = ["-c", long_calls.PROGRAM, *where, *SERVE]
    stdio = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    async with Client(stdio_client(stdio)) as client:
        await client.call_tool("sync", {})
        await answer_beside(client, notes)


async def test_over_http_four_long_calls_keep_no_short_one_waiting(
    root: Path, sqlite_databases: Databases, notes: Path
) -> None:
    where = ["--vault", str(root), "--database", sqlite_databases.create()]
    with serving_http(long_calls.PROGRAM, *where, *SERVE, "--http", "--port", "0") as running:
        async with connect(running.port) as client:
            await client.call_tool("sync", {})
            await answer_beside(client, notes)


@pytest.mark.parametrize("waiting", [0, 1])
async def test_a_server_that_has_too_much_to_do_says_so(
    open_long: Callable[..., Session],
    notes: Path,
    waiting: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "WAITING_SECONDS", 0.2)
    async with (
        client_of(open_long(), workers=1, long_calls=0, waiting=waiting) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(client.call_tool, "work_until_enough", {"notes": str(notes)})
        await until(lambda: bool(list(notes.glob("begun-*"))))
        result = await client.call_tool("get_entity", {"entity": "Ansel"})
        (notes / "enough").touch()
    assert (result.is_error, text_of(result)) == (
        True,
        "The server is busy (calls under way: 1). Try again in a moment, and make fewer calls at a "
        "time.",
    )
