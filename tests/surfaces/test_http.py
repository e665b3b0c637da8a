"""The server over HTTP: who is let in, what is refused, how it starts and how it ends."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters, stdio_client
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from writeros_entities.surfaces.cli import build_cli
from writeros_entities.surfaces.guard import Access, Bounds, Guard

from ..databases import Databases
from .http_server import (
    HEADERS,
    REAL_PROGRAM,
    TOKEN,
    TOY_PROGRAM,
    Running,
    connect,
    serving,
)
from .toys import TOYS, open_toys, read_toys

NOVEL = Path(__file__).parents[2] / "vault_fixtures" / "novel"
MEBIBYTE = 1024 * 1024
ON_LOOPBACK = ("serve", "--http", "--port", "0")


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with serving(TOY_PROGRAM, *ON_LOOPBACK, "--answers", "data") as running:
        yield running


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_with_the_token_is_served(server: Running, mode: str) -> None:
    async with connect(server.port, mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("list_people", {"names": ["王熙鳳"]})
    assert {tool.name for tool in tools} == set(TOYS)
    assert result.structured_content["people"] == [{"name": "王熙鳳", "chapter": 4}]


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_progress_is_reported_over_http(server: Running, mode: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with connect(server.port, mode) as client:
        await client.call_tool("read_vault", {"notes": 3}, progress_callback=hear)
    # What lies between is told as well if it took long.
    ends = [one for one in heard if one[0] in (0, 3, 6)]
    assert ends == [(0, 3, "reading"), (3, 3, "reading"), (6, 6, "embedding")]


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer a b",
        "Bearer \xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9",
    ],
)
def test_nobody_is_served_without_the_token(server: Running, authorization: str) -> None:
    status, headers = server.send({"Authorization": authorization})
    assert (status, headers["www-authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "localhost"}, 200),
        ({"Host": "127.0.0.1:1"}, 200),
        ({"Host": "[::1]:8765"}, 200),
        ({"Host": "novel.example"}, 421),
        ({"Host": "novel.example:8765"}, 421),
        ({"Host": "localhost.novel.example"}, 421),
        ({"Host": "127.0.0.1.novel.example"}, 421),
        ({"Host": "192.168.0.7"}, 421),
        ({"Origin": "http://localhost:6274"}, 200),
        ({"Origin": "http://[::1]"}, 200),
        ({"Origin": "https://novel.example"}, 403),
        ({"Origin": "http://localhost.novel.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_a_page_of_elsewhere_cannot_use_the_readers_browser(
    server: Running, headers: dict[str, str], status: int
) -> None:
    assert server.send(headers)[0] == status
    if status != 200:
        assert server.send({**headers, "Authorization": ""})[0] == status


def test_a_hundred_megabytes_are_refused_and_the_server_lives(server: Running) -> None:
    before = psutil.Process(server.process.pid).memory_info().rss
    with socket.create_connection(("127.0.0.1", server.port), timeout=240) as connection:
        lines = [f"{name}: {value}" for name, value in HEADERS.items()]
        head = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Length: 104857600", *lines]
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
        with suppress(ConnectionError):
            for _ in range(100):
                connection.sendall(b"x" * MEBIBYTE)
    assert server.send()[0] == 200
    assert psutil.Process(server.process.pid).memory_info().rss - before < 50 * MEBIBYTE


def test_a_body_of_unknown_length_is_cut_off_where_it_is_too_long(server: Running) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=240) as connection:
        lines = [f"{name}: {value}" for name, value in HEADERS.items()]
        head = ["POST /mcp HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", *lines]
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        connection.sendall(chunk * 64)  # as much as is taken; nothing is left unread at the end
        connection.sendall(b"1\r\nx\r\n")
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")
    assert server.send()[0] == 200


async def ask(guard: ASGIApp, messages: Sequence[Message], method: str = "POST") -> int:
    """Send one request to a guard, and return the status of its answer; then nothing comes."""
    statuses: list[int] = []
    coming = iter(messages)

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> Message:
        for message in coming:
            return message
        await anyio.sleep_forever()
        raise AssertionError("For ever is over.")

    headers = [(b"host", b"localhost")]
    await guard({"type": "http", "method": method, "headers": headers}, receive, send)
    [status] = statuses
    return status


WHOLE: Message = {"type": "http.request", "body": b"{}", "more_body": False}


@pytest.mark.anyio
async def test_more_requests_than_are_allowed_at_a_time_are_sent_away() -> None:
    answering, leave = anyio.Event(), anyio.Event()
    statuses: list[int] = []

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        answering.set()
        await leave.wait()
        await PlainTextResponse("done")(scope, receive, send)

    guard = Guard(slow, Access(), Bounds(requests=1))

    async def wait_for_an_answer() -> None:
        statuses.append(await ask(guard, [WHOLE]))

    async with anyio.create_task_group() as group:
        group.start_soon(wait_for_an_answer)
        await answering.wait()
        assert await ask(guard, [WHOLE]) == 503
        leave.set()
    assert statuses == [200]
    assert await ask(guard, [WHOLE]) == 200


@pytest.mark.anyio
@pytest.mark.parametrize("begun", [[], [{"type": "http.request", "body": b"{", "more_body": True}]])
async def test_a_body_that_does_not_come_to_an_end_is_not_waited_for(begun: list[Message]) -> None:
    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("The application was asked.")

    guard = Guard(never, Access(), Bounds(body_seconds=0.01, requests=1))
    assert await ask(guard, begun) == 408
    assert await ask(guard, begun) == 408  # the place of the first is free again


@pytest.mark.anyio
async def test_an_application_reads_the_body_that_was_sent_in_pieces() -> None:
    async def echo(scope: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        assert message == {"type": "http.request", "body": b"{}", "more_body": False}
        await PlainTextResponse("done")(scope, receive, send)

    pieces = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.request", "body": b"}", "more_body": False},
    ]
    assert await ask(Guard(echo, Access(), Bounds()), pieces) == 200


def test_a_connection_on_which_nobody_asks_is_given_up() -> None:
    program = TOY_PROGRAM.replace(
        "import sys\n",
        "import sys\nfrom writeros_entities.surfaces import http\nhttp.HEAD_SECONDS = 0.1\n",
        1,
    )
    with serving(program, *ON_LOOPBACK) as running:
        with socket.create_connection(("127.0.0.1", running.port), timeout=240) as connection:
            connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: local")
            assert connection.recv(100) == b""
        assert running.send()[0] == 200


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_server_well_though_a_client_listens(stop: signal.Signals) -> None:
    with serving(TOY_PROGRAM, *ON_LOOPBACK) as running:
        _, headers = running.send()
        listening = {"Accept": "text/event-stream", "Mcp-Session-Id": headers["mcp-session-id"]}
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=240)
        connection.request("GET", "/mcp", headers=HEADERS | listening)
        response = connection.getresponse()
        assert response.status == 200
        running.process.send_signal(stop)
        assert running.process.wait(240) == 0
        assert running.process.stderr.read() == ""
        connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals and named pipes are POSIX")
@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_call_under_way_is_answered_before_the_end(tmp_path: Path, mode: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with serving(TOY_PROGRAM, *ON_LOOPBACK) as running:
        words: list[str] = []

        async def call() -> None:
            async with connect(running.port, mode) as client:
                await client.list_tools()  # the client checks answers by what tools declare
                answer = await client.call_tool("read_pipe", {"path": str(pipe)})
                words.extend(part.text for part in answer.content if part.type == "text")

        def stop_and_write() -> None:
            with pipe.open("w") as writing:  # the call is under way: it has opened the other end
                with socket.create_connection(("127.0.0.1", running.port), timeout=240) as idle:
                    idle.sendall(b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    assert idle.recv(4_096).startswith(b"HTTP/1.1 4")  # now it is taken on
                    running.process.send_signal(signal.SIGTERM)
                    assert idle.recv(1) == b""  # the server closes: it lets go of the idle
                writing.write("All is told.")

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await anyio.to_thread.run_sync(stop_and_write)
        assert words == ["All, is, told."]
        assert running.process.wait(240) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals and named pipes are POSIX")
@pytest.mark.anyio
@pytest.mark.parametrize(("stop", "times"), [(signal.SIGTERM, 1), (signal.SIGINT, 2)])
async def test_what_takes_too_long_is_broken_off_by_the_signal(
    tmp_path: Path, stop: signal.Signals, times: int
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with serving(TOY_PROGRAM, *ON_LOOPBACK) as running:

        def stop_and_wait() -> int:
            with pipe.open("w"):  # the call is under way, and nothing is ever written to it
                for _ in range(times):
                    running.process.send_signal(stop)
                    time.sleep(0.5)  # two signals at once are one
                return running.process.wait(240)

        async def call() -> None:
            async with connect(running.port) as client:
                await client.call_tool("read_pipe", {"path": str(pipe)})

        async with anyio.create_task_group() as group:
            group.start_soon(_in_vain, call)
            assert await anyio.to_thread.run_sync(stop_and_wait) == -stop
            group.cancel_scope.cancel()
        assert running.process.stderr.read() == (
            "Stopped before all requests were answered. If the index was being written, the next "
            "sync completes it.\n"
        )


async def _in_vain(call: Callable[[], Awaitable[None]]) -> None:
    with suppress(Exception):
        await call()


@pytest.mark.anyio
async def test_two_clients_are_answered_at_once(server: Running) -> None:
    answers: list[Any] = []

    async def meet() -> None:
        async with connect(server.port) as client:
            answers.append((await client.call_tool("meet", {})).structured_content)

    async with anyio.create_task_group() as group:
        group.start_soon(meet)
        group.start_soon(meet)
    assert answers == [{"broken": False}, {"broken": False}]


@pytest.mark.anyio
async def test_over_http_the_novel_gives_the_answers_that_it_gives_over_stdio(
    sqlite_databases: Databases,
) -> None:
    where = ["--vault", str(NOVEL), "--database", sqlite_databases.create()]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("get_entity", {"entity": "Isolde Marrow", "as_of": 7}),
        ("find_mentions", {"entity": "林月", "limit": 5}),
        ("get_entity", {"entity": "Isolde Marow"}),
    ]
    read = ["vault://note/Manuscript/10%20-%20Gloves.md", "vault://entity/Hope?as_of=4"]

    async def everything(client: Client) -> list[Any]:
        tools = (await client.list_tools()).tools
        prompts = (await client.list_prompts()).prompts
        called = [await client.call_tool(*one) for one in calls]
        resources = [await client.list_resources(), await client.list_resource_templates()]
        texts = [(await client.read_resource(uri)).contents for uri in read]
        return [tools, prompts, called, resources, texts]

    async def stages_of_a_rebuild(client: Client) -> set[str | None]:
        stages: set[str | None] = set()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            stages.add(message)

        await client.call_tool("rebuild", {}, progress_callback=hear)
        return stages

    with serving(REAL_PROGRAM, *where, *ON_LOOPBACK, "--tools", "all") as running:
        async with connect(running.port) as client:
            assert await stages_of_a_rebuild(client) >= {"reading notes", "finding mentions"}
            over_http = await everything(client)
    stdio = StdioServerParameters(
        command=sys.executable,
        args=["-c", REAL_PROGRAM, *where, "serve", "--tools", "all"],
        env=dict(os.environ),
    )
    async with Client(stdio_client(stdio)) as client:
        over_stdio = await everything(client)
        assert await stages_of_a_rebuild(client) >= {"reading notes", "finding mentions"}
    assert over_http == over_stdio


def test_what_is_logged_never_has_the_token() -> None:
    loud = TOY_PROGRAM.replace(
        "import sys\n", "import sys, logging\nlogging.basicConfig(level=0)\n", 1
    )
    with serving(loud, *ON_LOOPBACK) as running:
        running.send()
        running.send({"Authorization": f"Bearer {TOKEN}x"})
        running.send({"Origin": f"https://{TOKEN}.example"})
        running.send(body="no JSON")
        running.process.send_signal(signal.SIGTERM)
        logged = running.process.stderr.read()
    assert "Invalid Origin header" in logged
    assert TOKEN not in logged.replace(f"https://{TOKEN}.example", "")
    assert TOKEN not in running.said


def test_the_token_is_made_once_and_kept_where_only_its_owner_reads(tmp_path: Path) -> None:
    file = tmp_path / "own" / "token"
    arguments = [*ON_LOOPBACK, "--token-file", str(file)]
    tokens = []
    for _ in range(2):
        with serving(TOY_PROGRAM, *arguments, token=None) as running:
            tokens.append(file.read_text().strip())
            assert str(file) in running.said
            assert tokens[-1] not in running.said
            assert running.send({"Authorization": f"Bearer {tokens[-1]}"})[0] == 200
            assert running.send()[0] == 401
    assert tokens[0] == tokens[1]
    assert len(tokens[0]) == 43
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600


def test_on_this_computer_the_token_can_be_left_out() -> None:
    arguments = [*ON_LOOPBACK, "--no-token"]
    with serving(TOY_PROGRAM, *arguments, token=None) as running:
        assert "without a token" in running.said
        assert running.send({"Authorization": ""})[0] == 200
        assert running.send({"Authorization": "", "Host": "novel.example"})[0] == 421


def test_a_page_that_was_allowed_may_ask_from_a_browser() -> None:
    with serving(TOY_PROGRAM, *ON_LOOPBACK, "--allow-origin", "app://obsidian.md") as running:
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=240)
        asked = {
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, mcp-session-id",
        }
        allowed = []
        for origin in ("app://obsidian.md", "https://novel.example"):
            connection.request("OPTIONS", "/mcp", headers={**asked, "Origin": origin})
            response = connection.getresponse()
            response.read()
            allowed.append((response.status, response.headers["Access-Control-Allow-Origin"]))
        connection.close()
        _, headers = running.send({"Origin": "app://obsidian.md"})
    assert allowed == [(200, "app://obsidian.md"), (400, None)]
    assert headers["access-control-allow-origin"] == "app://obsidian.md"
    assert headers["access-control-expose-headers"] == "Mcp-Session-Id"


def test_every_address_is_served_by_the_names_that_were_allowed() -> None:
    names = ["--allow-host", "desk.example", "--allow-origin", "https://app.example/"]
    arguments = ["serve", "--http", "--host", "0.0.0.0", "--port", "0", *names]
    with serving(TOY_PROGRAM, *arguments) as running:
        assert "http://desk.example:" in running.said
        assert running.send({"Host": "desk.example:80"})[0] == 200
        assert running.send({"Origin": "https://app.example"})[0] == 200
        assert running.send({"Host": "0.0.0.0"})[0] == 421
        assert running.send({"Authorization": "", "Host": "desk.example"})[0] == 401


def refusal(*arguments: str, code: int = 1) -> str:
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["serve", *arguments])
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return result.stderr.strip().splitlines()[-1].removeprefix("Error: ")


def test_a_port_that_is_taken_is_an_error_of_the_start(server: Running) -> None:
    assert refusal("--http", "--port", str(server.port)) == (
        f"Port {server.port} of 127.0.0.1 is in use: choose another with --port, or 0 for any free "
        "one."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "no.such.host.invalid"], "There is no host 'no.such.host.invalid' to listen"),
        (["--host", "192.0.2.1"], "192.0.2.1 is not an address of this computer."),
        (
            ["--host", "0.0.0.0"],
            "0.0.0.0 means every address of this computer: name the one that clients",
        ),
        (
            ["--host", "0.0.0.0", "--allow-host", "desk", "--no-token"],
            "0.0.0.0 can be reached from other computers, which requires a token.",
        ),
        (["--token-file", "/dev/null/token"], "The token's file /dev/null/token cannot be used"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(arguments: list[str], message: str) -> None:
    assert refusal("--http", "--port", "0", *arguments).startswith(message)


def test_a_tokens_file_is_its_owners_alone_and_has_a_token(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.touch(mode=0o600)
    arguments = ["--http", "--port", "0", "--token-file", str(file)]
    assert (
        refusal(*arguments)
        == f"{file} contains no valid token. Remove it, and a new one is created."
    )
    if sys.platform != "win32":
        file.chmod(0o644)
        assert refusal(*arguments) == (
            f"Others can read the token in {file}: run `chmod 600` on it."
        )


@pytest.mark.parametrize("token", ["", "short", "sixteen letters or more", "t" * 600])
def test_a_token_is_long_and_of_one_word(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    monkeypatch.setenv("WRITEROS_SERVE_TOKEN", token)
    said = refusal("--http", "--port", "0")
    assert said.startswith("A token must have 16 or more characters")
    assert not token or token not in said


@pytest.mark.parametrize("option", [["--port", "0"], ["--host", "::1"], ["--no-token"]])
def test_options_of_http_need_http(option: list[str]) -> None:
    assert refusal(*option, code=2) == f"{option[0]} requires --http."
