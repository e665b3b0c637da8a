"""The clients of a server that are to be told of something: a changed resource, or a warning.

Clients of the older protocol subscribe to an address, and are told on the connection that they keep
open. Those of the newer one ask for a stream of what they want to be told. Warnings go to whoever
has asked for their level: with the answer of the call that they are about, or else to all.
"""

from __future__ import annotations

import contextvars
import hashlib
import logging
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp.shared.exceptions import MCPError

from writeros_entities.errors import NotFoundError, WriterosError
from writeros_entities.surfaces.resources import read_resource
from writeros_entities.surfaces.upkeep import Watch

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.server.session import ServerSession

    from writeros_entities.surfaces.serving import Serving

Context: TypeAlias = "ServerRequestContext[Serving, Any]"

MOST_CLIENTS = 256
"""The clients of the older protocol that are remembered, the latest ones: as many as can be served
over HTTP at a time.
"""

MOST_SUBSCRIPTIONS = 100
"""The most addresses to which a client may subscribe, since each is read after each change."""

PRODUCT = logging.getLogger("writeros_entities")

LEVELS: dict[types.LoggingLevel, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO + 5,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}

_asking: contextvars.ContextVar[Context | None] = contextvars.ContextVar("asking", default=None)
"""The request in whose task or thread this runs."""


@dataclass
class _Client:
    """A client of the older protocol, on its connection."""

    session: ServerSession
    uris: set[str] = field(default_factory=set)
    has_listed: bool = False
    level: int | None = None


class Audience:
    """The clients of one server, and what each wants to be told."""

    def __init__(self) -> None:
        self._clients: dict[str | None, _Client] = {}
        self._streams: dict[object, list[str]] = {}
        self._known: dict[str, str | None] = {}
        self._paths: str | None = None
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)

    async def subscribe(self, ctx: Context, params: types.SubscribeRequestParams) -> Any:
        """Tell the client whenever what an address says has changed; it need not exist yet."""
        client = self._client(ctx)
        uri = str(params.uri)
        self._check_number({*client.uris, uri})
        client.uris.add(uri)
        await self._learn([uri], ctx.lifespan_context)
        return types.EmptyResult()

    async def unsubscribe(self, ctx: Context, params: types.UnsubscribeRequestParams) -> Any:
        """Undo `subscribe`."""
        self._client(ctx).uris.discard(str(params.uri))
        return types.EmptyResult()

    async def listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Answer with a stream of changes, until the client or the server ends it."""
        wanted = params.notifications
        uris = [str(uri) for uri in wanted.resource_subscriptions or ()]
        self._check_number(uris)
        offered = wanted.model_copy(
            update={"tools_list_changed": None, "prompts_list_changed": None}
        )
        stream = object()
        self._streams[stream] = uris
        try:
            await self._learn(uris, ctx.lifespan_context)
            return await self._listen(ctx, params.model_copy(update={"notifications": offered}))
        finally:
            del self._streams[stream]

    @asynccontextmanager
    async def told(self, serving: Serving, *, watch: bool) -> AsyncIterator[None]:
        """Tell the clients what is logged during the block; with `watch`, keep the index up to date
        and tell them what changes.
        """
        token = anyio.lowlevel.current_token()
        poke, poked = anyio.create_memory_object_stream[None](1)

        def note_change() -> None:
            with suppress(anyio.WouldBlock):
                poke.send_nowait(None)

        def on_revision() -> None:
            with suppress(RuntimeError):  # the server ends
                anyio.from_thread.run_sync(note_change, token=token)

        async def tell() -> None:
            async for _ in poked:
                await self.tell_changes(serving)

        watching = Watch(serving.workspace.open, on_revision) if watch else None
        async with poke, poked, anyio.create_task_group() as group:
            handler = LogHandler(self.tell_log, group)
            PRODUCT.addHandler(handler)
            if watching is not None:
                group.start_soon(tell)
                watching.begin()
            try:
                yield
            finally:
                PRODUCT.removeHandler(handler)
                PRODUCT.setLevel(logging.NOTSET)
                self._clients.clear()
                if watching is not None:
                    with anyio.CancelScope(shield=True):
                        await anyio.to_thread.run_sync(watching.stop)
                group.cancel_scope.cancel()

    def close(self) -> None:
        """End all streams, as a server that stops must."""
        self._listen.close()

    async def set_level(self, ctx: Context, params: types.SetLevelRequestParams) -> Any:
        """Tell the client of what is logged, from a level on."""
        self._client(ctx).level = LEVELS[params.level]
        _log_from(LEVELS[params.level])
        return types.EmptyResult()

    async def hear_listing(self, ctx: Context) -> None:
        """Remember that a client knows which notes there are."""
        await self._learn([], ctx.lifespan_context)
        self._client(ctx).has_listed = True

    def hear(self, ctx: Context) -> None:
        """Let what is logged in this task, or in a thread of its call, be about this request."""
        _asking.set(ctx)
        asked = self._level(ctx)
        if asked is not None:
            _log_from(asked)

    async def tell_changes(self, serving: Serving) -> None:
        """Tell the clients which resources have changed, after a change of the index."""
        clients = list(self._clients.values())
        subscribed = {uri for client in clients for uri in client.uris}
        subscribed.update(uri for uris in self._streams.values() for uri in uris)
        self._known = {uri: self._known.get(uri) for uri in subscribed}
        for uri in sorted(subscribed):
            text = await _text_of(uri, serving)
            if text is not None and text != self._known[uri]:
                self._known[uri] = text
                for client in clients:
                    if uri in client.uris:
                        await client.session.send_resource_updated(uri)
                await self._bus.publish(ResourceUpdated(uri))
        former, now = self._paths, await _paths(serving)
        self._paths = now or former
        if former is not None and self._paths != former:
            for client in clients:
                if client.has_listed:
                    await client.session.send_resource_list_changed()
            await self._bus.publish(ResourcesListChanged())

    async def tell_log(self, record: logging.LogRecord, ctx: Context | None) -> None:
        """Send what was logged to the client that it is about, or else to all."""
        if ctx is not None:
            asked = self._level(ctx)
            if asked is not None and record.levelno >= asked:
                await ctx.session.send_notification(_message(record), ctx.request_id)
            return
        for client in list(self._clients.values()):
            if client.level is not None and record.levelno >= client.level:
                await client.session.send_notification(_message(record))

    def _level(self, ctx: Context) -> int | None:
        """Return the level that a request, or else its client, has asked for."""
        asked = (ctx.meta or {}).get(types.LOG_LEVEL_META_KEY)
        if asked in LEVELS:
            return LEVELS[asked]
        client = self._clients.get(_key(ctx))
        return client.level if client is not None else None

    def _client(self, ctx: Context) -> _Client:
        key = _key(ctx)
        client = self._clients.pop(key, None) or _Client(ctx.session)
        client.session = ctx.session
        self._clients[key] = client
        while len(self._clients) > MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]
        return client

    def _check_number(self, uris: Iterable[str]) -> None:
        if len(list(uris)) > MOST_SUBSCRIPTIONS:
            raise MCPError(
                types.INVALID_PARAMS,
                f"A client may subscribe to {MOST_SUBSCRIPTIONS} addresses at most.",
            )

    async def _learn(self, uris: Iterable[str], serving: Serving) -> None:
        """Remember what some addresses say, and which notes there are, before it changes."""
        if self._paths is None:
            self._paths = await _paths(serving)
        for uri in uris:
            if uri not in self._known:
                self._known[uri] = await _text_of(uri, serving)


class LogHandler(logging.Handler):
    """Sends what the product logs to the clients; thread-safe."""

    def __init__(
        self,
        tell: Callable[[logging.LogRecord, Context | None], Coroutine[Any, Any, None]],
        group: TaskGroup,
    ) -> None:
        super().__init__()
        self._tell = tell
        self._group = group
        self._token = anyio.lowlevel.current_token()
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record, in the server's event loop."""
        start = partial(self._group.start_soon, self._tell, record, _asking.get())
        with suppress(RuntimeError):  # the server ends
            if threading.get_ident() == self._thread:
                start()
            else:
                anyio.from_thread.run_sync(start, token=self._token)


def log_to_stderr() -> None:
    """Print warnings on standard error, whatever level clients ask for."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    logging.basicConfig(handlers=[handler], level=logging.WARNING)


def _log_from(level: int) -> None:
    """Let the product log from a level on, at least."""
    PRODUCT.setLevel(min(level, PRODUCT.getEffectiveLevel()))


def _key(ctx: Context) -> str | None:
    """Return what tells a connection from others of the server."""
    return None if ctx.request is None else ctx.request.headers.get("mcp-session-id")


def _message(record: logging.LogRecord) -> types.LoggingMessageNotification:
    level = max(
        (name for name, number in LEVELS.items() if number <= record.levelno),
        key=lambda name: LEVELS[name],
        default="debug",
    )
    return types.LoggingMessageNotification(
        params=types.LoggingMessageNotificationParams(
            level=level, data=record.getMessage(), logger=record.name
        )
    )


async def _text_of(uri: str, serving: Serving) -> str | None:
    """Return a digest of what an address says, empty if that is nothing, or None if unknown."""
    try:
        found = await serving.run("resources", lambda session: read_resource(session, uri))
    except NotFoundError:
        return ""
    except WriterosError:
        return None
    return hashlib.blake2b(found.model_dump_json().encode(), digest_size=16).hexdigest()


async def _paths(serving: Serving) -> str | None:
    """Return a digest of the paths of all notes, or None if they are unknown."""
    try:
        paths = await serving.run("resources", lambda session: session.list_notes())
    except WriterosError:
        return None
    return hashlib.blake2b("\n".join(paths).encode(), digest_size=16).hexdigest()
