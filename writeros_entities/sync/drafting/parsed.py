"""Parsed notes on their way from drafting to detection, so that no file is parsed twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import Note

ROOM = 32_000_000
"""Characters of notes that all processes of a sync keep together; parsed, each takes about 5 bytes.
"""


class ParsedNotes:
    """Keeps notes by path, as long as there is room; whoever takes one makes room again."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._notes: dict[str, Note] = {}

    def keep(self, note: Note) -> None:
        """Keep a note for whoever takes it, unless there is no room for it."""
        if len(note.text) <= self._room:
            self._room -= len(note.text)
            self._notes[note.path] = note

    def take(self, path: str, content_hash: str) -> Note | None:
        """Return the note of this path and content, if it is here, and keep it no longer."""
        note = self._notes.pop(path, None)
        if note is None:
            return None
        self._room += len(note.text)
        return note if note.content_hash == content_hash else None
