"""An HTTP server in its own process, and clients for it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
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


@dataclass(frozen=True, slots=True)
class Running:
    """A running server with a known address."""

    process: subprocess.Popen[str]
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
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        said: list[str] = []
        try:
            while not (found := re.search(r":(\d+)/mcp", said[-1] if said else "")):
                said.append(process.stderr.readline())
                assert said[-1], said
            yield Running(process, int(found[1]), "".join(said))
        finally:
            process.kill()


@asynccontextmanager
async def connect(port: int, mode: str = "auto") -> AsyncIterator[Client]:
    """Connect a client of the official library to a local server."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with create_mcp_http_client(headers) as http_client:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http_client)
        async with Client(transport, mode=mode) as client:
            yield client
