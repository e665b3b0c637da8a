"""A session: a workspace together with all its capabilities.

with Session.open("~/vault") as session:
    session.call("sync", {})
    print(session.call("find_mentions", {"entity": "Isolde", "as_of": 7}).as_text())
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from writeros_entities.capabilities import collect_capabilities
from writeros_entities.capability import AnswerT, Request
from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.workspace import Workspace

if TYPE_CHECKING:
    from writeros_entities.capabilities import Capabilities
    from writeros_entities.capability import Capability, Response
    from writeros_entities.story.notes import Chapter
    from writeros_entities.sync.freshness import Lag


class Session(Workspace):
    """A workspace whose capabilities can be called by name; used by programs and surfaces."""

    @cached_property
    def capabilities(self) -> Capabilities:
        """All capabilities of the framework and the plugins, by name."""
        return collect_capabilities(self.plugins)

    @overload
    def call(self, asked: Request[AnswerT], /) -> AnswerT: ...

    @overload
    def call(self, asked: str, arguments: Mapping[str, object], /) -> Response: ...

    def call(
        self, asked: str | Request[Any], arguments: Mapping[str, object] | None = None, /
    ) -> Response:
        """Run a capability: on its request, or by its name on plain arguments.

        Raises NotFoundError with the nearest names if there is no such capability, and any other
        WriterosError if the caller can fix the cause. TypeError if a request comes with arguments,
        or if it is neither a name nor a request, such as the class of one.
        """
        response: Response
        if isinstance(asked, Request):
            if arguments:
                raise TypeError("A request has its arguments in itself; give no others.")
            response = self.answer(self._capability_of(asked), asked)
            return response
        if not isinstance(asked, str):
            raise TypeError(
                "Give a capability's name, or a request with its arguments, such as "
                f"GetEntity(entity='Ann'); not {asked!r}."
            )
        if asked not in self.capabilities:
            raise NotFoundError("capability", asked, nearest_names(asked, self.capabilities))
        found = self.capabilities[asked]
        response = self.answer(found, found.parse(arguments or {}))
        return response

    @overload
    async def acall(self, asked: Request[AnswerT], /) -> AnswerT: ...

    @overload
    async def acall(self, asked: str, arguments: Mapping[str, object], /) -> Response: ...

    async def acall(self, asked: Any, arguments: Mapping[str, object] | None = None, /) -> Response:
        """Run a capability as `call` does, in a worker thread; for programs that use asyncio.

        There are no more threads than the database has connections; further calls wait. If the
        task that awaits the call is cancelled, it ends at once, and the call soon after.
        """
        import asyncio

        from writeros_entities.store.interruption import Interruption

        interruption = Interruption()
        twin, context = self.ended_by(interruption), copy_context()

        def call() -> Any:
            return twin.call(asked, arguments or {})

        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, context.run, call)
        except asyncio.CancelledError:
            interruption.set()
            raise

    def _capability_of(self, request: Request[Any]) -> Capability:
        kind = type(request)
        found = self.capabilities.asked_by(kind)
        if not found:
            raise NotFoundError("capability with the request", kind.__name__)
        if len(found) > 1:
            raise AmbiguousNameError(kind.__name__, list(found), kind="capabilities", by="name")
        return found.popitem()[1]

    def read_note(self, note: int | str, as_of: int | str | None = None) -> str:
        """Return the indexed text of a note that is visible as of a reading position.

        A note may be named as in `read_note` of the capabilities. Raises NotFoundError or
        AmbiguousNameError if no note has the name, or several.
        """
        from writeros_entities.story.notes import find_note, text_of

        with self.view(as_of) as view:
            found = find_note(view, str(note))
            view.require_file(found.path)
            return text_of(view, found.id)

    def read_chapter(self, chapter: int | str) -> Chapter:
        """Return a chapter of the manuscript, named as a note is.

        Raises NotFoundError with the nearest chapters if there is no such chapter, and
        AmbiguousNameError if it has several scenes.
        """
        from writeros_entities.store.chapters import no_such_chapter
        from writeros_entities.story.notes import Chapter, text_of
        from writeros_entities.story.scene_notes import find_scene

        with self.view() as view:
            found = find_scene(view, str(chapter))
            if found.position is None:
                raise no_such_chapter(view, str(chapter), self.plugins.place_of, "chapter")
        with self.view(found.position) as view:
            return Chapter(found.path, found.position, text_of(view, found.id))

    def list_notes(
        self, offset: int = 0, limit: int | None = None, as_of: int | str | None = None
    ) -> list[str]:
        """Return a page of the paths of the vault's notes, in order; all of them by default."""
        from writeros_entities.story.notes import list_notes

        with self.view(as_of, may_be_unread=True) as view:
            return list_notes(view, offset, limit)

    def measure_lag(self, pause: Callable[[], None] = lambda: None) -> Lag:
        """Return how many notes have changed since the last sync, without reading them in.

        `pause` is called all the time, and may wait. Raises StoreError if there was no sync yet.
        """
        from writeros_entities.sync.freshness import measure_lag

        return measure_lag(self, pause)

    def revision(self) -> int | None:
        """Return the number of changes to the index; None while a sync is running."""
        with self.view(may_be_unread=True) as view:
            return view.revision

    def list_chapters(self) -> list[str]:
        """Return the titles of the manuscript's notes, in reading order; paths for repeated titles.

        `as_of` accepts each of them.
        """
        from writeros_entities.story.notes import list_chapters

        with self.view(may_be_unread=True) as view:
            return list_chapters(view)
