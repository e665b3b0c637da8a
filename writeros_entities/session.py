"""A session: a workspace together with all its capabilities.

with Session.open("~/vault") as session:
    session.call("sync", {})
    print(session.call("find_mentions", {"entity": "Isolde", "as_of": 7}).as_text())
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities import collect_capabilities
from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_names
from writeros_entities.workspace import Workspace

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, Response
    from writeros_entities.query.vault.notes import Chapter
    from writeros_entities.sync.freshness import Lag


class Session(Workspace):
    """A workspace whose capabilities can be called by name; used by programs and surfaces."""

    @cached_property
    def capabilities(self) -> Mapping[str, Capability[Any, Any]]:
        """All capabilities of the framework and the plugins, by name."""
        return collect_capabilities(self.plugins)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Response:
        """Run a capability on plain arguments.

        Raises NotFoundError with the nearest names if there is no such capability, and any other
        WriterosError if the caller can fix the cause.
        """
        if name not in self.capabilities:
            raise NotFoundError("capability", name, nearest_names(name, self.capabilities))
        response: Response = self.capabilities[name].call(self, arguments)
        return response

    def read_note(self, path: str, as_of: int | str | None = None) -> str:
        """Return the indexed text of a note that is visible as of a reading position.

        Raises NotFoundError if there is no such note.
        """
        from writeros_entities.query.vault.notes import read_note

        with self.view(as_of) as view:
            text = read_note(view, path)
        self.require_file(path)
        return text

    def read_chapter(self, chapter: int | str) -> Chapter:
        """Return a chapter of the manuscript, by its name or reading position.

        Raises NotFoundError with the nearest chapters if there is no such chapter.
        """
        from writeros_entities.query.vault.notes import read_chapter

        with self.view(as_of=chapter) as view:
            return read_chapter(view, str(chapter))

    def list_notes(
        self, offset: int = 0, limit: int | None = None, as_of: int | str | None = None
    ) -> list[str]:
        """Return a page of the paths of the vault's notes, in order; all of them by default."""
        from writeros_entities.query.vault.notes import list_notes

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
        from writeros_entities.query.vault.notes import list_chapters

        with self.view(may_be_unread=True) as view:
            return list_chapters(view)
