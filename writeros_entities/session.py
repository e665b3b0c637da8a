"""A session: a workspace together with all that can be done in it.

with Session.open("~/vault") as session:
    session.call("sync", {})
    print(session.call("find_mentions", {"entity": "Isolde", "as_of": 7}).as_text())
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities import collect_capabilities
from writeros_entities.errors import NotFoundError
from writeros_entities.workspace import Workspace

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, Response
    from writeros_entities.query.vault.notes import Chapter


class Session(Workspace):
    """A workspace whose capabilities can be called by name; what programs and surfaces open."""

    @cached_property
    def capabilities(self) -> Mapping[str, Capability[Any, Any]]:
        """Every capability, the framework's and the plugins', by name."""
        return collect_capabilities(self.plugins)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Response:
        """Run a capability on plain arguments.

        Raises NotFoundError, with the nearest names, for one that does not exist, and any other
        WriterosError for what a caller can mend.
        """
        if name not in self.capabilities:
            from writeros_entities.names import nearest_names

            raise NotFoundError("capability", name, nearest_names(name, self.capabilities))
        response: Response = self.capabilities[name].call(self, arguments)
        return response

    def read_note(self, path: str, as_of: int | str | None = None) -> str:
        """Return the indexed text of a note, as far as it may be seen as of a reading position.

        Raises NotFoundError for an unknown one.
        """
        from writeros_entities.query.vault.notes import read_note

        with self.view(as_of) as view:
            return read_note(view, path)

    def read_chapter(self, chapter: int | str) -> Chapter:
        """Return a chapter of the manuscript, by its name or reading position.

        Raises NotFoundError, with the nearest chapters, for one that there is not.
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

    def list_chapters(self) -> list[str]:
        """Return the titles of the manuscript's notes, in reading order; a path where two have one.

        Each of them is one that `as_of` takes.
        """
        from writeros_entities.query.vault.notes import list_chapters

        with self.view(may_be_unread=True) as view:
            return list_chapters(view)
