"""An HTTP server in its own process, and clients for it."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from types import ModuleType
from typing import Any

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

TESTS = Path(__file__).parents[1]
TOY_PROGRAM = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from surfaces.toys import open_toys, read_toys
from writeros_entities.surfaces.cli import build_cli
build_cli(read_toys, open_toys)()
"""
REAL_PROGRAM = "from writeros_entities.surfaces.cli import main; main()"

TOKEN = "a-token-of-the-tests-0123456789"
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "Authorization": f"Bearer {TOKEN}",
}
INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "tests", "version": "1"},
        },
    }
)


FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "pytest",
        "uvicorn",
        "writeros_entities.capabilities",
        "writeros_entities.session",
        "writeros_entities.surfaces.cli",
        "writeros_entities.surfaces.http",
        "writeros_entities.surfaces.mcp",
        "tests.surfaces.long_calls",
        "tests.surfaces.toys",
    ]
)


class Program:
    """A program that runs in a process of its own, forked from one that has imported the product.

    What it writes to standard error can be read; of standard output nothing is kept.
    """

    def __init__(self, code: str, arguments: list[str], environment: Mapping[str, str]) -> None:
        reading, writing = FORKS.Pipe(duplex=False)
        self._process: ForkServerProcess = FORKS.Process(
            target=_run, args=(code, arguments, dict(environment), writing)
        )
        self._process.start()
        writing.close()
        self.stderr = os.fdopen(os.dup(reading.fileno()), "r", encoding="utf-8")
        reading.close()

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def wait(self, seconds: float) -> int:
        """Wait for the end, and return the code of it: of a signal, less than 0."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, f"The program still runs after {seconds} seconds."
        return code

    def end(self) -> None:
        """Kill the program if it still runs."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self.stderr.close()


def _run(code: str, arguments: list[str], environment: dict[str, str], errors: Connection) -> None:
    os.dup2(errors.fileno(), 2)
    errors.close()
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(0, 1)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c", *arguments]
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
    main = sys.modules["__main__"] = ModuleType("__main__")
    exec(code, vars(main))


@dataclass(frozen=True, slots=True)
class Running:
    """A running server with a known address."""

    process: Program
    port: int
    said: str

    def send(
        self, headers: dict[str, str] | None = None, body: Any = INITIALIZE
    ) -> tuple[int, dict[str, str]]:
        """Send one request and return the answer's status and headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=240)
        merged = {name: value for name, value in (HEADERS | (headers or {})).items() if value}
        connection.request("POST", "/mcp", body=body, headers=merged)
        response = connection.getresponse()
        response.read()
        connection.close()
        return response.status, {name.lower(): value for name, value in response.headers.items()}


@contextmanager
def serving(program: str, *arguments: str, token: str | None = TOKEN) -> Iterator[Running]:
    """Run a program that serves over HTTP; kill it at the end, if it is still running."""
    environment = {**os.environ, **({"WRITEROS_SERVE_TOKEN": token} if token else {})}
    process = Program(program, list(arguments), environment)
    said: list[str] = []
    try:
        while not (found := re.search(r":(\d+)/mcp", said[-1] if said else "")):
            said.append(process.stderr.readline())
            assert said[-1], said
        yield Running(process, int(found[1]), "".join(said))
    finally:
        process.end()


@asynccontextmanager
async def connect(port: int, mode: str = "auto") -> AsyncIterator[Client]:
    """Connect a client of the official library to a local server."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with create_mcp_http_client(headers) as http_client:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http_client)
        async with Client(transport, mode=mode) as client:
            yield client
