"""A cache of parsed notes between the stages of a sync, so that no file is parsed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import Note

ROOM = 32_000_000
"""Characters of notes cached by all processes of a sync together; each takes about 5 bytes parsed.
"""


class ParsedNotes:
    """Holds parsed notes by path, up to `room` characters."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._notes: dict[str, Note] = {}

    def keep(self, note: Note) -> None:
        """Store a note, unless there is no room for it."""
        if len(note.text) <= self._room:
            self._room -= len(note.text)
            self._notes[note.path] = note

    def find(self, path: str, content_hash: str) -> Note | None:
        """Return the note with this path and content hash, if it is held."""
        note = self._notes.get(path)
        return note if note is not None and note.content_hash == content_hash else None

    def take(self, path: str, content_hash: str) -> Note | None:
        """Return the note like `find`, and free the room of what was held for the path."""
        found = self.find(path, content_hash)
        held = self._notes.pop(path, None)
        self._room += len(held.text) if held is not None else 0
        return found
