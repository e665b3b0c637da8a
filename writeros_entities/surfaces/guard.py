"""The guard of the HTTP server: it rejects requests before any of their content is processed.

A web page can make the browser send requests to this computer under the page's own host name (DNS
rebinding); therefore the Host and Origin of a request must be known ones. Anyone else who can reach
the port needs a bearer token. Accepted requests are limited in size, number, and the time that they
may take to arrive.

The bearer token for the HTTP server: create, store and check it.

Unless a token is given, one is created once and stored in a file that only its owner can read, so
that clients need to be configured only once.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from writeros_entities.errors import ServeError
from writeros_entities.settings import OTHERS, create_private_folder, user_data_folder

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,512}=*")
_MADE_BYTES = 32


def default_token_file() -> Path:
    """Return the path of the token file in the user's data folder."""
    return user_data_folder() / "http-token"


def check_token(token: str) -> str:
    """Return the token if it is valid in a header; raise ServeError if not."""
    if not _TOKEN.fullmatch(token):
        raise ServeError(
            "A token must have 16 or more characters: letters, digits and -._~+/. Leave it out, "
            "and one is created."
        )
    return token


def keep_token(file: Path) -> str:
    """Return the token in a file, creating the file with a new token if it does not exist.

    Raises ServeError for a file that others can read, or that cannot be read or created.
    """
    try:
        create_private_folder(file.parent)
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return _read_token(file)
        token = secrets.token_urlsafe(_MADE_BYTES)
        with os.fdopen(made, "w", encoding="ascii") as stream:
            stream.write(f"{token}\n")
    except OSError as error:
        raise ServeError(f"The token's file {file} cannot be used: {error.strerror}.") from None
    return token


def is_token(given: str | None, token: str) -> bool:
    """Return whether an Authorization header has the token; compares in constant time."""
    scheme, _, credentials = (given or "").partition(" ")
    matches = secrets.compare_digest(credentials.strip().encode(), token.encode())
    return matches and scheme.lower() == "bearer"


def _read_token(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        if sys.platform != "win32" and os.fstat(stream.fileno()).st_mode & OTHERS:
            raise ServeError(f"Others can read the token in {file}: run `chmod 600` on it.")
        token = stream.read(1024).strip()
    try:
        return check_token(token)
    except ServeError:
        raise ServeError(
            f"{file} contains no valid token. Remove it, and a new one is created."
        ) from None


LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The loopback names and addresses, as spelled in a URL."""

_GONE: Message = {"type": "http.disconnect"}


@dataclass(frozen=True, slots=True)
class Access:
    """Which clients are accepted.

    `hosts` are further names and addresses of this computer; `origins` are other web pages that may
    send requests. Without a `token`, anyone who can reach the port is accepted.
    """

    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    token: str | None = None

    @property
    def places(self) -> TransportSecuritySettings:
        """Accepted Host and Origin headers; pages of a known host are accepted on any port."""
        names = [*LOOPBACK, *(in_url(host) for host in self.hosts)]
        own = [f"{scheme}://{name}" for scheme in ("http", "https") for name in names]
        return TransportSecuritySettings(
            allowed_hosts=_with_any_port(names),
            allowed_origins=[*_with_any_port(own), *self.origins],
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits: bytes of a request, seconds until it has arrived, and concurrent requests."""

    body_bytes: int = 4 * 1024 * 1024
    body_seconds: float = 20
    requests: int = 64


def in_url(host: str) -> str:
    """Return a host as spelled in a URL, with an IPv6 address in brackets."""
    try:
        return f"[{ipaddress.IPv6Address(host)}]"
    except ValueError:
        return host


class Guard:
    """An ASGI application that forwards accepted requests, and answers all others itself."""

    def __init__(self, app: ASGIApp, access: Access, bounds: Bounds) -> None:
        self._app = app
        self._token = access.token
        self._places = TransportSecurityMiddleware(access.places)
        self._bounds = bounds
        self._at_once = 0
        self._closing = anyio.Event()

    def close(self) -> None:
        """End the event streams of clients; other requests in progress are still answered."""
        self._closing.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject one request, or forward it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = await self._places.validate_request(Request(scope)) or self._refusal(scope)
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
        elif scope["method"] == "GET":
            await self._listen(scope, receive, send)
        else:
            self._at_once += 1
            try:
                await self._pass_on(scope, receive, send)
            finally:
                self._at_once -= 1

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request for an event stream, which lasts until client or server closes it.

        A stream that the server closes is ended properly, as if it were complete.
        """
        is_under_way = False

        async def send_and_note(message: Message) -> None:
            nonlocal is_under_way
            is_start = message["type"] == "http.response.start"
            is_under_way = is_start or message.get("more_body", False)
            await send(message)

        await self._pass_on(scope, self._until_closed(receive), send_and_note)
        if is_under_way:
            await send({"type": "http.response.body", "body": b""})

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Request(scope).headers
        if self._token is not None and not is_token(headers.get("authorization"), self._token):
            return PlainTextResponse(
                "A bearer token is required: the server says at its start where to find it.",
                401,
                {"WWW-Authenticate": "Bearer"},
            )
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._bounds.body_bytes:
            return self._too_long()
        if scope["method"] != "GET" and self._at_once >= self._bounds.requests:
            return PlainTextResponse(
                "Too many requests at a time; try again.", 503, {"Retry-After": "1"}
            )
        return None

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the whole body, within the limits, and pass it to the application at once."""
        body = bytearray()
        with anyio.move_on_after(self._bounds.body_seconds) as reading:
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return
                body += message.get("body", b"")
                if len(body) > self._bounds.body_bytes:
                    await _refuse(self._too_long(), scope, receive, send)
                    return
                if not message.get("more_body", False):
                    break
        if reading.cancelled_caught:
            late = f"A request has to be here within {self._bounds.body_seconds:g} seconds."
            await _refuse(PlainTextResponse(late, 408), scope, receive, send)
            return
        whole = iter([{"type": "http.request", "body": bytes(body), "more_body": False}])

        async def replay() -> Message:
            return next(whole, None) or await receive()

        await self._app(scope, replay, send)

    def _too_long(self) -> Response:
        return PlainTextResponse(
            f"A request may have {self._bounds.body_bytes:,} bytes at most.", 413
        )

    def _until_closed(self, receive: Receive) -> Receive:
        """Wrap `receive` so that it reports a disconnect when the server closes."""

        async def receive_or_close() -> Message:
            message = _GONE
            async with anyio.create_task_group() as group:

                async def wait_for_message() -> None:
                    nonlocal message
                    message = await receive()
                    group.cancel_scope.cancel()

                group.start_soon(wait_for_message)
                await self._closing.wait()
                group.cancel_scope.cancel()
            return message

        return receive_or_close


async def _refuse(refusal: Response, scope: Scope, receive: Receive, send: Send) -> None:
    # Close the connection instead of reading the rest of the request.
    refusal.headers["Connection"] = "close"
    await refusal(scope, receive, send)


def _with_any_port(places: Iterable[str]) -> list[str]:
    return [pattern for place in places for pattern in (place, f"{place}:*")]
