"""The desk's application: its screens, what the writer decides on them, and news of changes.

    desk = Desk(open_session)
    desk.door.new_link("http://127.0.0.1:8766")
    serve_app(desk.door, ...)

A screen's module has its `PATH` and `TITLE`, its place `NAV` in the menu and the `KEY` that leads
there, if it is in it, and `show`, which returns what its template needs, or a whole page.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, closing, suppress
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pkgutil import iter_modules
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from writeros_entities.errors import FAULTS, NotFoundError, RequestError, UnreadError, WriterosError
from writeros_entities.surfaces.desk.asking import Asked
from writeros_entities.surfaces.desk.door import OWN_POLICY, Door, own
from writeros_entities.surfaces.desk.words import KEYS, colour, counted, link_to, plain, says
from writeros_entities.surfaces.serving import Places, Serving, SharedWorkspace
from writeros_entities.surfaces.upkeep import Watch

if TYPE_CHECKING:
    from types import ModuleType

    from starlette.requests import Request

    from writeros_entities.session import Session

    Change = Callable[[Session, str], None]

logger = logging.getLogger(__name__)

SHORT, LONG, WAITING = 4, 6, 32
"""How many calls run at once, as in the MCP server: no more than a database has connections."""

BEAT_SECONDS = 20
"""How often a page that listens hears that the desk is still there."""

STEP_SECONDS = 0.2
"""Least time between two words of how far a sync has come."""


@cache
def find_screens() -> dict[str, ModuleType]:
    """Return the modules of the screens by name, those of the menu first."""
    package = import_module(f"{__package__}.screens")
    names = [one.name for one in iter_modules(package.__path__)]
    found = {name: import_module(f"{package.__name__}.{name}") for name in names}
    return dict(sorted(found.items(), key=lambda one: (getattr(one[1], "NAV", 99), one[0])))


@cache
def templates() -> Environment:
    """Return the templates of the screens, with the desk's words."""
    source = PackageLoader(__package__, "templates")
    made = Environment(loader=source, autoescape=True, undefined=StrictUndefined)
    made.trim_blocks = made.lstrip_blocks = True
    own_words = (says, colour, counted, plain, link_to)
    made.globals.update({one.__name__: one for one in own_words}, keys=KEYS)
    return made


class Desk:
    """One run of the desk: its application, behind its door, and what was decided at it.

    `open_session` is called once the application starts. With `watch`, the index is kept up to
    date, and pages that are open hear of it.
    """

    def __init__(
        self, open_session: Callable[[], AbstractContextManager[Session]], *, watch: bool = True
    ) -> None:
        self._workspace = SharedWorkspace(open_session)
        self._serving = Serving(self._workspace, Places(SHORT, LONG, WAITING))
        self._watches = watch
        self._decided: list[str] = []
        self._changed = anyio.Event()
        self._changes = 0
        self._progress, self._told_at = "Opening your vault …" if watch else "", 0.0
        self._is_closing = False
        self._kept: tuple[object, Asked | None] = (None, None)
        self.door = Door(
            Starlette(
                lifespan=self._living,
                routes=[
                    Mount("/static", StaticFiles(packages=[(__package__, "static")])),
                    Route("/read-up-to", self._read_up_to),
                    Route("/events", self._listen),
                    Route("/decide", partial(self._change, self._decide), methods=["POST"]),
                    Route("/undo", partial(self._change, self._undo), methods=["POST"]),
                    Route("/later", partial(self._change, _put_off), methods=["POST"]),
                    *(Route(one.PATH, self._screen(name)) for name, one in find_screens().items()),
                ],
                exception_handlers={404: self._unknown},
            )
        )

    def close_streams(self) -> None:
        """Let the pages that listen go, as a server that stops must."""
        self._is_closing = True
        self._changed.set()

    @asynccontextmanager
    async def _living(self, app: Starlette) -> AsyncIterator[None]:
        self._token = anyio.lowlevel.current_token()
        news = partial(self._tell, 1)
        watching = Watch(self._workspace.open, news, self) if self._watches else None
        with closing(self._workspace):
            if watching is not None:
                watching.begin()
            try:
                yield
            finally:
                if watching is not None:
                    with anyio.CancelScope(shield=True):
                        await anyio.to_thread.run_sync(watching.stop)
                await self._serving.close()

    def _tell(self, changes: int = 0) -> None:
        """Let the pages that listen know, from a thread, what is new."""

        def tell() -> None:
            self._changes += changes
            self._progress = "" if changes else self._progress
            former, self._changed = self._changed, anyio.Event()
            former.set()

        with suppress(RuntimeError):  # the desk ends
            anyio.from_thread.run_sync(tell, token=self._token)

    def update(self, stage: str, done: int, total: int | None) -> None:
        """Tell pages how far a sync has come, as the listener of its progress."""
        is_over = done == total
        if is_over or monotonic() - self._told_at > STEP_SECONDS:
            told = f"{says(stage).capitalize()}: {done:,}{f' of {total:,}' if total else ''}"
            self._progress = "" if is_over and self._changes else told
            self._told_at = monotonic()
            self._tell()

    def _screen(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        module = find_screens()[name]

        async def show(request: Request) -> Response:
            changes = self._changes

            def work(session: Session) -> Response:
                asked = self._asked(session, request.url.path, dict(request.query_params))
                found = module.show(asked)
                if isinstance(found, str):
                    return HTMLResponse(found, headers={"Content-Security-Policy": OWN_POLICY})
                page = templates().get_template(f"{name}.html")
                told = {"ask": asked, "screen": name, "title": module.TITLE, "changes": changes}
                told["menu"] = [one for one in find_screens().values() if hasattr(one, "NAV")]
                told |= {"progress": self._progress, "last": self._decided[-1:]}
                return HTMLResponse(page.render({**told, **found}))

            return await self._run(work)

        return show

    def _asked(self, session: Session, path: str, query: Mapping[str, str]) -> Asked:
        """Return a request, with what all pages show: that is kept until something changes."""
        state = (session.revision(), tuple(self._decided))
        kept_as, kept = self._kept
        if kept is None or kept_as != state or state[0] is None:
            whole = Asked("/", {}, session, ())
            chapters = whole.every("list_notes", "notes", chapters_only=True)
            questions = whole.every("list_questions", "questions")
            words = whole.decide(list=True).words
            kept = replace(whole, chapters=chapters, all_questions=questions, words=words)
            self._kept = state, kept
        return replace(kept, path=path, query=query, session=session)

    async def _run(
        self, work: Callable[[Session], Response], *, back: str = "/", writes: bool = False
    ) -> Response:
        """Run work with the session in a thread; an error that the writer can mend is a page."""
        try:
            return await self._serving.run("desk", work, writes=writes, may_last=True)
        except WriterosError as error:
            is_first, message = isinstance(error, UnreadError), str(error)
            if is_first and self._watches:
                message = "It is being read for the first time, and is shown here as soon as it is."
            status = 404 if isinstance(error, NotFoundError) else 503 if is_first else 422
            return _trouble(message, status, back, self._progress)
        except FAULTS as error:
            logger.exception("The desk failed.")
            message = f"The desk itself failed here ({type(error).__name__}). The log says more."
            return _trouble(message, 500, back)

    async def _unknown(self, request: Request, error: Exception) -> Response:
        return _trouble("There is no such page at the desk.", 404, "/")

    async def _read_up_to(self, request: Request) -> Response:
        """Lead back to a page, as of the step that the slider stands at."""
        back = urlsplit(own(request.query_params.get("back", "/")))
        query = dict(parse_qsl(back.query))
        step = request.query_params.get("step", "")

        def work(session: Session) -> Response:
            steps = self._asked(session, back.path, query).steps
            query.pop("as_of", None)
            at = int(step) if step.isdecimal() and len(step) < 10 else len(steps)
            if at < len(steps):
                query["as_of"] = str(steps[at - 1] if at else steps[0] - 1)
            return RedirectResponse(f"{back.path}?{urlencode(query)}", 303)

        return await self._run(work)

    async def _listen(self, request: Request) -> Response:
        """Tell a page how often the index has changed, now and whenever it changes."""

        async def news() -> AsyncIterator[str]:
            while not self._is_closing:
                changed = self._changed
                progress = f"event: progress\ndata: {self._progress}\n\n"
                yield f"{progress}retry: 2000\ndata: {self._changes}\n\n"
                with anyio.move_on_after(BEAT_SECONDS):
                    await changed.wait()

        return StreamingResponse(news(), media_type="text/event-stream")

    async def _change(self, change: Change, request: Request) -> Response:
        """Let something be changed by a form, and lead back to where the writer was."""
        form = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
        back = own(form.get("back", "/"))

        def work(session: Session) -> Response:
            change(session, form.get("line", ""))
            return RedirectResponse(back, 303)

        return await self._run(work, back=back, writes=True)

    def _decide(self, session: Session, line: str) -> None:
        """Write the line that the writer has seen."""
        decided: Any = session.call("decide", {"line": line, "confirmed": True})
        self._decided.append(decided.added)

    def _undo(self, session: Session, line: str) -> None:
        """Take the last line back, if it is still the one that the writer has seen."""
        last: Any = session.call("decide", {"undo": True, "propose": True})
        if last.removed != line:
            raise RequestError(f"The last decision is now another one: {last.removed}")
        session.call("decide", {"undo": True, "confirmed": True})
        self._decided = self._decided[:-1]


def _put_off(session: Session, line: str) -> None:
    session.call("decide", {"later": line})


def _trouble(message: str, status: int, back: str, progress: str = "") -> Response:
    page, told = templates().get_template("trouble.html"), {"message": message, "status": status}
    return HTMLResponse(page.render(told, back=own(back), progress=progress), status)
