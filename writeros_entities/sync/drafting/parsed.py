"""A cache of parsed notes between drafting and detection, so that no file is parsed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import Note

ROOM = 32_000_000
"""Characters of notes cached by all processes of a sync together; each takes about 5 bytes parsed.
"""


class ParsedNotes:
    """Holds parsed notes by path, up to `room` characters; `take` frees the room again."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._notes: dict[str, Note] = {}

    def keep(self, note: Note) -> None:
        """Store a note, unless there is no room for it."""
        if len(note.text) <= self._room:
            self._room -= len(note.text)
            self._notes[note.path] = note

    def take(self, path: str, content_hash: str) -> Note | None:
        """Remove and return the note with this path and content hash, or return None."""
        note = self._notes.pop(path, None)
        if note is None:
            return None
        self._room += len(note.text)
        return note if note.content_hash == content_hash else None
