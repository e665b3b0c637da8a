"""The door of the desk: who comes in by the one-time link, and what an answer may do in a browser.

The link has a key that counts once. It is given for a cookie, without which there is nothing to
see. What changes something has to come from the desk's own pages. The guard of the HTTP server
stands before it, so that other hosts and origins have been sent away.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ENTRANCE = "/enter"

OWN_POLICY = "frame-ancestors 'self'"
"""The policy of a page that brings one of its own, for all but who may show it.

Obsidian's pane needs no exception: it is a tab of its own (see `obsidian/main.js`).
"""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    f"connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; {OWN_POLICY}"
)

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Door:
    """An ASGI application that lets in whoever has the cookie, or a key that was not used yet."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._keys: set[str] = set()
        self._secret = secrets.token_urlsafe(32)
        self._cookie = f"desk-{secrets.token_hex(4)}"  # the cookies of all ports go to all ports

    def new_link(self, address: str) -> str:
        """Return a link that lets in once, for a server at an address; any thread may ask.

        It leads to the first page, or to the one that `&to=` adds to it.
        """
        key = secrets.token_urlsafe(24)
        self._keys.add(key)
        return f"{address}{ENTRANCE}?key={key}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", _POLICY)
            await send(message)

        answer = self._answer(request)
        await (answer or self._app)(scope, receive, send_guarded)

    def _answer(self, request: Request) -> Response | None:
        """Return the answer to whoever may not come in, or comes in now."""
        given = request.cookies.get(self._cookie, "")
        is_in = secrets.compare_digest(given.encode(), self._secret.encode())
        if request.url.path == ENTRANCE and request.method == "GET":
            return self._enter(request, is_in=is_in)
        if not is_in:
            return PlainTextResponse(
                "The desk is closed here. Run `writeros-entities desk` again, and open the link "
                "that it prints: it lets in once.",
                403,
            )
        own = f"{request.url.scheme}://{request.headers.get('host', '')}"
        if request.method not in ("GET", "HEAD") and request.headers.get("origin") != own:
            return PlainTextResponse("Only the desk's own pages can change something.", 403)
        return None

    def _enter(self, request: Request, *, is_in: bool) -> Response:
        key = request.query_params.get("key", "")
        same = partial(secrets.compare_digest, key.encode())
        known = next((one for one in list(self._keys) if same(one.encode())), None)
        if known is None and not is_in:
            return PlainTextResponse(
                "This link has been used, or is of another run. Run `writeros-entities desk` "
                "again, and open the link that it prints.",
                403,
            )
        answer = RedirectResponse(own(request.query_params.get("to", "/")), 303)
        if known is not None:
            self._keys.discard(known)
            answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict")
        return answer


def own(address: str) -> str:
    """Return an address of the desk, and the first page for one that would lead elsewhere."""
    parts = urlsplit(address)
    is_own = address.startswith("/") and address[1:2] not in ("/", "\\") and not parts.netloc
    return address if is_own and address.isprintable() else "/"
