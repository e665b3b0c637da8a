"""A served vault that changes: the index follows, or answers say that it does not."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated

from writeros_entities.session import Session
from writeros_entities.surfaces import upkeep
from writeros_entities.surfaces.mcp import ServerOptions, build_server

from ..conftest import OpenVault
from . import long_calls
from .http_server import connect
from .http_server import serving as serving_http

WriteVault = Callable[[dict[str, str]], Path]

pytestmark = pytest.mark.anyio

OLDER = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
"""The client of the tests warns where it does what only the older protocol has."""

NOTES = {f"Story/0{number}.md": f"Ansel came {number} times." for number in range(1, 6)}


@pytest.fixture
def root(write_vault: WriteVault) -> Path:
    return write_vault({"Cast/Ansel.md": "---\ntype: person\n---\n", **NOTES})


@pytest.fixture
def session(root: Path, open_vault: OpenVault) -> Session:
    return open_vault(root, plugins=long_calls.load())


@asynccontextmanager
async def client_of(
    session: Session, mode: str = "auto", *, watch: bool = False, page: int = 100, **client: Any
) -> AsyncIterator[Client]:
    options = ServerOptions(tools=["all"], watch=watch, page=page)
    server = build_server(session, options=options)
    async with Client(server, mode=mode, **client) as connected:
        yield connected


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


async def answer_with(client: Client, wanted: Callable[[str], bool]) -> str:
    """Ask until an answer is as wanted, and return it."""
    while True:
        text = text_of(await client.call_tool("get_entity", {"entity": "Ansel"}))
        if wanted(text):
            return text
        await anyio.sleep(0.02)


async def test_an_answer_says_how_many_notes_have_changed_since_the_last_sync(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "LOOK_SECONDS", 0.01)
    session.call("sync", {})
    async with client_of(session) as client:
        before = await answer_with(client, lambda text: True)
        assert "changed since" not in before
        (root / "Story/01.md").write_text("Ansel left.", "utf-8")
        (root / "Story/02.md").unlink()
        (root / "Story/09.md").write_text("Ansel slept.", "utf-8")
        (root / "Story/map.png").write_bytes(b"a map")
        (root / "Story/03.md").touch()
        line = "(changed since the last sync: 3 notes)"
        told = await answer_with(client, lambda text: "3 notes" in text)
        assert told.splitlines()[-1] == line
        missing = await client.call_tool("get_entity", {"entity": "Nobody"})
        assert missing.is_error
        assert text_of(missing).splitlines()[-1] == line
        await client.call_tool("sync", {})
        after = await answer_with(client, lambda text: True)
        assert "changed since" not in after


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_server_that_watches_follows_the_vault_from_the_start(
    session: Session, root: Path, mode: str
) -> None:
    async with client_of(session, mode, watch=True) as client:
        await answer_with(client, lambda text: "5 mentions" in text)
        (root / "Story/06.md").write_text("Ansel wept.", "utf-8")
        text = await answer_with(client, lambda text: "6 mentions" in text)
    assert "changed since" not in text


async def test_a_server_that_watches_says_that_the_vault_is_being_read(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep.Watch, "_run", lambda watch: None)
    told = "The vault is being read for the first time. Ask again in a moment."
    async with client_of(session, watch=True) as client:
        assert text_of(await client.call_tool("get_entity", {"entity": "Ansel"})) == told
        with pytest.raises(MCPError, match=told):
            await client.read_resource("vault://entity/Ansel")
    async with client_of(session) as client:
        asked = await client.call_tool("get_entity", {"entity": "Ansel"})
        assert text_of(asked) == "The vault has not been read yet. Run sync first, then ask again."


async def test_over_http_too_a_server_can_watch(root: Path, database: str) -> None:
    where = ["--vault", str(root), "--database", database]
    with serving_http(
        long_calls.PROGRAM, *where, "serve", "--watch", "--http", "--port", "0"
    ) as running:
        async with connect(running.port) as client:
            await answer_with(client, lambda text: "5 mentions" in text)
            async with client.listen(resources_list_changed=True):
                running.process.send_signal(signal.SIGTERM)
                assert await anyio.to_thread.run_sync(running.process.wait, 240) == 0


@OLDER
async def test_a_subscriber_is_told_of_the_note_that_changed_and_of_no_other(
    session: Session, root: Path
) -> None:
    told: list[Any] = []

    async def hear(message: Any) -> None:
        told.append(message)

    def named(uri: str) -> str:
        return f"vault://note/Story/{uri}.md"

    session.call("sync", {})
    async with client_of(session, "legacy", watch=True, message_handler=hear) as client:
        assert client.server_capabilities.resources == types.ResourcesCapability(
            subscribe=True, list_changed=True
        )
        assert client.server_capabilities.tools == types.ToolsCapability(list_changed=False)
        for note in ("01", "02", "03", "07"):
            await client.subscribe_resource(named(note))
        await client.unsubscribe_resource(named("03"))
        await client.list_resources()
        for note in ("03", "04", "01"):
            (root / f"Story/{note}.md").write_text("Ansel left.", "utf-8")
        await until(lambda: named("01") in updated(told))
        (root / "Story/07.md").write_text("Ansel slept.", "utf-8")
        await until(lambda: named("07") in updated(told) and len(updated(told)) < len(told))
    assert set(updated(told)) == {named("01"), named("07")}
    (others,) = {type(one) for one in told} - {types.ResourceUpdatedNotification}
    assert others is types.ResourceListChangedNotification


def updated(told: list[Any]) -> list[str]:
    """Return the addresses of which it was told that what they say has changed, in order."""
    return [one.params.uri for one in told if isinstance(one, types.ResourceUpdatedNotification)]


async def test_a_client_that_listens_is_told_on_a_stream(session: Session, root: Path) -> None:
    session.call("sync", {})
    uri = "vault://entity/Ansel"
    async with (
        client_of(session, watch=True) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=[uri]) as stream,
    ):
        (root / "Story/06.md").write_text("Ansel wept.", "utf-8")
        events = {await anext(stream)}
        while len(events) < 2:
            events.add(await anext(stream))
    assert events == {ResourceUpdated(uri), ResourcesListChanged()}


@OLDER
async def test_without_a_watch_no_subscription_is_offered(session: Session) -> None:
    async with client_of(session, "legacy") as client:
        assert client.server_capabilities.resources == types.ResourcesCapability(
            subscribe=False, list_changed=False
        )
        with pytest.raises(MCPError, match="Method not found"):
            await client.subscribe_resource("vault://note/Story/01.md")


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await anyio.sleep(0.01)


@OLDER
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("level", "heard"), [("warning", 1), ("error", 0), (None, 0)])
async def test_a_client_hears_the_warnings_that_it_asked_for(
    root: Path,
    open_vault: OpenVault,
    tmp_path: Path,
    mode: str,
    level: types.LoggingLevel | None,
    heard: int,
) -> None:
    told: list[types.LoggingMessageNotificationParams] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        told.append(params)

    session = open_vault(root, plugins=long_calls.load(), call_seconds=0.1)
    session.call("sync", {})
    async with client_of(session, mode, logging_callback=hear, log_level=level) as client:
        if level is not None and mode == "legacy":
            await client.set_logging_level(level)
        arguments = {"way": "python", "notes": str(tmp_path)}
        await client.call_tool("work_endlessly", arguments)
        await client.list_prompts()
    assert [(one.level, one.data) for one in told] == [
        ("warning", "work_endlessly was stopped after 0.1 seconds.")
    ] * heard


async def test_lists_are_given_in_pages(session: Session) -> None:
    session.call("sync", {})
    async with client_of(session, page=2) as client:
        first = await client.list_tools()
        second = await client.list_tools(cursor=first.next_cursor)
        prompts = await client.list_prompts()
        resources = await client.list_resources()
        templates = await client.list_resource_templates()
        with pytest.raises(MCPError, match="There is no page at cursor 'x'"):
            await client.list_prompts(cursor="x")
    assert len({tool.name for tool in [*first.tools, *second.tools]}) == 4
    assert (len(prompts.prompts), prompts.next_cursor) == (2, "2")
    assert [note.name for note in resources.resources] == ["Cast/Ansel.md", "Story/01.md"]
    assert (len(templates.resource_templates), templates.next_cursor) == (2, None)
