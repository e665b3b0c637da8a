"""The MCP server over streamable HTTP, for clients that do not start it themselves.

    with listen("127.0.0.1", 8765) as listener:
        serve_http(build_server(workspace), listener, Access(token=token))

The server is one application at `/mcp`, behind a guard. Its socket is opened before the address is
announced: a port in use is an error at the start, and a client that has the address can connect.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import anyio
import uvicorn
from sse_starlette.sse import AppStatus
from starlette.middleware.cors import CORSMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol

from writeros_entities.errors import ServeError
from writeros_entities.surfaces.audience import log_to_stderr
from writeros_entities.surfaces.guard import Access, Bounds, Guard, in_url

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from writeros_entities.surfaces.mcp import VaultServer

PATH = "/mcp"

HEAD_SECONDS = 10
"""How long a new connection may be open without starting a request."""

GRACE_SECONDS = 5
"""How long requests in progress may take at shutdown."""

SESSIONS = 256
"""The most clients active within the last half hour."""

CONNECTIONS = 256
"""The most connections open at a time."""

_BACKLOG = 128


def serve_http(server: VaultServer, listener: socket.socket, access: Access) -> None:
    """Serve an MCP server; see `serve_app`."""
    # By default the library cuts off streaming answers as soon as a signal arrives.
    AppStatus.enable_automatic_graceful_drain = False
    bounds = Bounds()
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=bounds.body_bytes,
        max_sessions=SESSIONS,
        transport_security=access.places,
    )
    serve_app(app, listener, access, server.stop_streams)


def serve_app(
    app: ASGIApp, listener: socket.socket, access: Access, stop_streams: Callable[[], None]
) -> None:
    """Serve an application behind the guard until SIGINT or SIGTERM, then allow `GRACE_SECONDS` for
    requests in progress.

    If a request takes longer, the process ends itself by the signal. `stop_streams` is called when
    it stops, for what only listens.
    """
    log_to_stderr()
    guard = Guard(app, access, Bounds())
    config = uvicorn.Config(
        _for_browsers(guard, access.origins),
        http=_PromptProtocol,
        lifespan="on",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
    )

    def close_streams() -> None:
        guard.close()
        stop_streams()

    anyio.run(_QuietServer(config, close_streams).serve, [listener])


def _for_browsers(guard: Guard, origins: tuple[str, ...]) -> CORSMiddleware:
    """Wrap the guard in CORS headers, which tell a browser which pages may read the answers."""
    return CORSMiddleware(
        guard,
        allow_origins=origins,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["*"],
        expose_headers=["Mcp-Session-Id"],
    )


class _QuietServer(uvicorn.Server):
    """A server that treats a signal as a normal stop, and does not raise it again."""

    def __init__(self, config: uvicorn.Config, close_streams: Callable[[], None]) -> None:
        super().__init__(config)
        self._close_streams = close_streams
        self._signal: int = signal.SIGTERM

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop when requests in progress are answered; on the second signal, at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._signal = sig

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Disconnect clients that only listen, and wait for the answers to the others."""
        self._close_streams()
        with anyio.move_on_after(GRACE_SECONDS) as grace:
            await super().shutdown(sockets)
        if grace.cancelled_caught or self.force_exit:
            self._break_off()

    def _break_off(self) -> None:
        """End the process by the signal, since a running thread cannot be stopped."""
        print(
            "Stopped before all requests were answered. If the index was being written, the next "
            "sync completes it.",
            file=sys.stderr,
            flush=True,
        )
        signal.signal(self._signal, signal.SIG_DFL)
        signal.raise_signal(self._signal)


class _PromptProtocol(H11Protocol):
    """A connection that is closed if no request starts on it in time."""

    def connection_made(
        self,
        transport: asyncio.Transport,  # type: ignore[override]  # as in the class above
    ) -> None:
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if not self.cycle:
            self.transport.close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a host; port 0 means any free port.

    Raises ServeError for a host that is not this computer, and for a port in use.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise ServeError(f"There is no host {host!r} to listen on.") from None
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise ServeError(_explain(error, host, port)) from None
    return listener


def address_of(listener: socket.socket, host: str | None = None, path: str = PATH) -> str:
    """Return the URL for clients, with a host's name or else the socket's address."""
    address, port = listener.getsockname()[:2]
    return f"http://{in_url(host or address)}:{port}{path}"


def is_loopback(listener: socket.socket) -> bool:
    """Return whether a socket can be reached from this computer only."""
    return _address(listener).is_loopback


def is_every_address(listener: socket.socket) -> bool:
    """Return whether a socket listens on all addresses of this computer."""
    return _address(listener).is_unspecified


def _address(listener: socket.socket) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(listener.getsockname()[0].partition("%")[0])


def _explain(error: OSError, host: str, port: int) -> str:
    reasons = {
        errno.EADDRINUSE: f"Port {port} of {host} is in use: choose another with --port, or 0 for "
        "any free one.",
        errno.EADDRNOTAVAIL: f"{host} is not an address of this computer.",
        errno.EACCES: f"Port {port} needs special rights: choose one above 1023.",
    }
    return reasons.get(error.errno or 0, f"{host}:{port} cannot be listened on: {error.strerror}.")
