"""The MCP server: capabilities as tools, the vault's notes and entities as resources.

    server = build_server(workspace)
    async with mcp.Client(server) as client:
        await client.call_tool("find_mentions", {"entity": "Mr. Darcy"})

Listing tools needs no index, so `serve_stdio` takes a function that opens the workspace at the
first call. Standard output belongs to the protocol: nothing here prints to it, and internal errors
are logged to standard error.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    closing,
    nullcontext,
    redirect_stdout,
)
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from writeros_entities import __version__
from writeros_entities.errors import FAULTS, NotFoundError, UnreadError, WriterosError
from writeros_entities.surfaces import resources
from writeros_entities.surfaces.audience import Audience, log_to_stderr
from writeros_entities.surfaces.bounds import (
    ANSWER_TOKENS,
    BYTES_PER_TOKEN,
    AnswerForm,
    bounded_answer,
    bounded_message,
)
from writeros_entities.surfaces.briefs import TEMPLATES, find_template
from writeros_entities.surfaces.catalogue import select_tools
from writeros_entities.surfaces.resources import suggest
from writeros_entities.surfaces.schema import instruct, tool_definition
from writeros_entities.surfaces.serving import Places, Serving, SharedWorkspace
from writeros_entities.surfaces.stopping import stop_soon
from writeros_entities.surfaces.templates import PromptTemplate
from writeros_entities.surfaces.upkeep import Look

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.session import Session

logger = logging.getLogger(__name__)

BEING_READ = "The vault is being read for the first time. Ask again in a moment."

T = TypeVar("T")

Context: TypeAlias = ServerRequestContext[Serving, Any]
Capabilities: TypeAlias = Mapping[str, "Capability"]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options that are rarely changed.

    They are the prompts, the tools, the form and length of answers, and how many calls run at once.
    `tools` names the capabilities to offer; by default, those of the families, or else those whose
    declarations say so. `long_calls` may run besides the `workers`, if they take longer than a
    moment; `waiting` calls may wait. All that run need no more connections than a database's pool
    has. A list is given in pages of `page`. With `watch`, the index is kept up to date.
    """

    templates: Sequence[PromptTemplate] = TEMPLATES
    tools: Sequence[str] | None = None
    answers: AnswerForm = "text"
    answer_tokens: int = ANSWER_TOKENS
    workers: int = 4
    long_calls: int = 6
    waiting: int = 32
    page: int = 100
    watch: bool = False


def serve_stdio(
    open_workspace: Callable[[], Session],
    capabilities: Capabilities,
    families: Iterable[str] | None = None,
    options: ServerOptions | None = None,
) -> None:
    """Serve one client on standard input and output, until it disconnects."""
    log_to_stderr()
    try:
        anyio.run(_serve, build_lazy_server(open_workspace, capabilities, families, options))
    except* BrokenPipeError:
        pass  # the client disconnected before its answer was sent


async def _serve(server: Server[Serving]) -> None:
    stopped = anyio.Event()
    async with stdio_server() as (read, write):
        # A plugin's prints must go to stderr, not wait in stdout's buffer until the protocol ends.
        with redirect_stdout(sys.stderr):
            async with anyio.create_task_group() as group:
                if sys.platform != "win32":
                    group.start_soon(_stop_at_signal, group.cancel_scope, stopped)
                await server.run(read, write, server.create_initialization_options())
                group.cancel_scope.cancel()
        if stopped.is_set():
            # The workspace is closed; the thread blocked on standard input cannot be woken.
            os._exit(0)


async def _stop_at_signal(running: anyio.CancelScope, stopped: anyio.Event) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            stopped.set()
            stop_soon()
            running.cancel()


def build_server(
    workspace: Session,
    families: Iterable[str] | None = None,
    options: ServerOptions | None = None,
) -> VaultServer:
    """Return a server for an open workspace, which the caller must close."""
    capabilities = workspace.capabilities
    return build_lazy_server(lambda: nullcontext(workspace), capabilities, families, options)


def build_lazy_server(
    open_workspace: Callable[[], AbstractContextManager[Session]],
    capabilities: Capabilities,
    families: Iterable[str] | None = None,
    options: ServerOptions | None = None,
) -> VaultServer:
    """Return a server that opens its workspace at the first call, and closes it at shutdown."""
    options = options or ServerOptions()
    audience = Audience()
    tools = select_tools(capabilities, families, options.tools)
    offer = Offer(capabilities, tools, options, audience)

    @asynccontextmanager
    async def lifespan(server: Server[Serving]) -> AsyncIterator[Serving]:
        places = Places(options.workers, options.long_calls, options.waiting)
        look = Look(lambda: places.is_busy)
        begin = (lambda session: None) if options.watch else look.begin
        with closing(SharedWorkspace(open_workspace, begin)) as workspace:
            serving = Serving(workspace, places, look)
            async with audience.told(serving, watch=options.watch):
                try:
                    yield serving
                finally:
                    look.stop()
                    await serving.close()

    server = VaultServer(
        "writeros-entities",
        version=__version__,
        title="Writeros entities",
        instructions=instruct(offer.tools),
        lifespan=lifespan,
        on_list_tools=offer.list_tools,
        on_call_tool=offer.call_tool,
        on_list_resources=offer.list_resources,
        on_list_resource_templates=offer.list_resource_templates,
        on_read_resource=offer.read_resource,
        on_list_prompts=offer.list_prompts,
        on_get_prompt=offer.get_prompt,
        on_completion=offer.complete,
    )
    # The way by which the library does not warn that newer clients ask for it differently.
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, audience.set_level)
    if options.watch:
        server.tell_of_changes(audience)
    return server


class VaultServer(Server[Serving]):
    """A server that declares just those changes that it tells its clients of."""

    _audience: Audience | None = None

    def tell_of_changes(self, audience: Audience) -> None:
        """Offer subscriptions."""
        self._audience = audience
        handlers: list[tuple[str, Any, Any]] = [
            ("resources/subscribe", types.SubscribeRequestParams, audience.subscribe),
            ("resources/unsubscribe", types.UnsubscribeRequestParams, audience.unsubscribe),
            ("subscriptions/listen", types.SubscriptionsListenRequestParams, audience.listen),
        ]
        for handler in handlers:
            self.add_request_handler(*handler)

    def get_capabilities(self, *arguments: Any, **options: Any) -> types.ServerCapabilities:
        """Return what is declared: of the lists, only that of notes changes."""
        declared = super().get_capabilities(*arguments, **options)
        tells = self._audience is not None
        for part, changes in (
            (declared.tools, False),
            (declared.prompts, False),
            (declared.resources, tells),
        ):
            if part is not None:
                part.list_changed = changes
        return declared

    def stop_streams(self) -> None:
        """End the streams of clients that only listen."""
        if self._audience is not None:
            self._audience.close()


@dataclass(frozen=True, slots=True)
class Offer:
    """What a server offers, and its request handlers."""

    capabilities: Capabilities
    tools: Capabilities
    options: ServerOptions
    audience: Audience

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Return a page of tools."""
        definitions = [tool_definition(capability) for capability in self.tools.values()]
        if self.options.answers == "text":
            for definition in definitions:
                del definition["outputSchema"]
        page, following = self._page(definitions, params)
        return types.ListToolsResult(
            tools=[types.Tool.model_validate(definition) for definition in page],
            next_cursor=following,
        )

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Run a capability in a worker thread."""
        capability = self.tools.get(params.name)
        if capability is None:
            nearest = get_close_matches(params.name, self.tools)
            raise _refusal(NotFoundError("tool", params.name, nearest))
        arguments = params.arguments or {}
        self.audience.hear(ctx)
        serving = ctx.lifespan_context
        try:
            capability.parse(arguments)
            return await serving.run(
                capability.name,
                lambda workspace: self._answer(workspace, capability, arguments, serving.look),
                advice=_advice(capability),
                writes=capability.writes,
                progress=ctx.session if capability.slow else None,
            )
        except WriterosError as error:
            return self._failure(self._told(error))

    def _answer(
        self,
        workspace: Session,
        capability: Capability,
        arguments: Mapping[str, object],
        look: Look | None,
    ) -> types.CallToolResult:
        notice = f"\n\n{told}" if look and (told := look.notice()) else ""
        try:
            answer = bounded_answer(
                capability,
                lambda arguments: workspace.call(capability.name, arguments),
                arguments,
                self.options.answers,
                self.options.answer_tokens - len(notice) // BYTES_PER_TOKEN,
            )
        except WriterosError as error:
            return self._failure(self._told(error), notice)
        except FAULTS as error:
            logger.exception("Tool %s failed.", capability.name)
            failure = f"{capability.name} failed: {type(error).__name__}: {error!s:.200}"
            return self._failure(failure, notice)
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text + notice)], structured_content=answer.data
        )

    def _told(self, error: WriterosError) -> str:
        """Return the message of an error; of a vault that the server itself reads, that it does."""
        is_read = self.options.watch and isinstance(error, UnreadError)
        return BEING_READ if is_read else str(error)

    def _failure(self, message: str, notice: str = "") -> types.CallToolResult:
        text = bounded_message(message, self.options.answer_tokens) + notice
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return a page of notes."""
        cursor = params.cursor if params else None
        if self.options.watch:
            await self.audience.hear_listing(ctx)
        page = self.options.page
        return await self._resolve(ctx, lambda session: resources.list_notes(session, cursor, page))

    async def list_resource_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return a page of the templates of resource addresses."""
        page, following = self._page(resources.resource_templates(self.capabilities), params)
        return types.ListResourceTemplatesResult(resource_templates=page, next_cursor=following)

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return the resource at an address."""
        uri = str(params.uri)
        most = self.options.answer_tokens
        return await self._resolve(
            ctx, lambda workspace: resources.read_resource(workspace, uri, most)
        )

    async def list_prompts(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Return a page of the prompt templates."""
        page, following = self._page(self.options.templates, params)
        return types.ListPromptsResult(
            next_cursor=following,
            prompts=[
                types.Prompt(
                    name=template.name,
                    description=template.description,
                    arguments=[
                        types.PromptArgument.model_validate(argument, from_attributes=True)
                        for argument in template.arguments
                    ],
                )
                for template in page
            ],
        )

    async def get_prompt(
        self, ctx: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Return a prompt template, filled."""
        template = self._template(params.name)
        arguments = params.arguments or {}
        text = await self._resolve(ctx, lambda workspace: template.fill(workspace, arguments))
        content = types.TextContent(text=text)
        return types.GetPromptResult(
            description=template.description,
            messages=[types.PromptMessage(role="user", content=content)],
        )

    async def complete(
        self, ctx: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Return possible values for an argument of a prompt or of a resource's address."""
        if isinstance(params.ref, types.PromptReference):
            known = {argument.name for argument in self._template(params.ref.name).arguments}
        else:
            known = resources.arguments_of(params.ref.uri)
        asked = params.argument
        given = (params.context.arguments if params.context else None) or {}
        if asked.name not in known:
            raise _refusal(NotFoundError("argument", asked.name, sorted(known)))
        found = await self._resolve(
            ctx, lambda workspace: suggest(workspace, asked.name, asked.value, given)
        )
        return types.CompleteResult(
            completion=types.Completion(
                values=found.values,
                total=found.total,
                has_more=found.total > len(found.values),
            )
        )

    def _page(
        self, items: Sequence[T], params: types.PaginatedRequestParams | None
    ) -> tuple[Sequence[T], str | None]:
        """Return the page that a client asks for, and the cursor of the next, if there is one."""
        try:
            offset = resources.offset_of(params.cursor if params else None)
        except NotFoundError as error:
            raise _refusal(error) from None
        end = offset + self.options.page
        return items[offset:end], str(end) if end < len(items) else None

    async def _resolve(self, ctx: Context, work: Callable[[Session], T]) -> T:
        """Run a function as a call; an error that the caller can fix becomes an MCP error."""
        self.audience.hear(ctx)
        try:
            return await ctx.lifespan_context.run(ctx.method, work)
        except WriterosError as error:
            raise _refusal(self._told(error)) from None

    def _template(self, name: str) -> PromptTemplate:
        try:
            return find_template(name, self.options.templates)
        except NotFoundError as error:
            raise _refusal(error) from None


def _advice(capability: Capability) -> str:
    """Return what a model can do about a call that takes too long."""
    parameters = ", ".join(capability.request.model_fields)
    return f"Ask for less at a time, by narrower parameters (known: {parameters})."


def _refusal(message: object) -> MCPError:
    return MCPError(types.INVALID_PARAMS, bounded_message(str(message)))
