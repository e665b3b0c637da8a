"""Read a vault's files: regular files only, whole, and without ever blocking."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from writeros_entities.values import Note


AT_LEAST = 1 << 12
"""Least number of bytes to read at once."""

_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Do not wait for a pipe; on Windows, do not translate line ends or stop at Ctrl-Z."""


class StoredNote(NamedTuple):
    """A note of the index: where its file is, and the content hash that it should have."""

    note_id: int
    path: str
    disk_path: bytes
    content_hash: str


def read_file(path: bytes, limit: int) -> bytes | None:
    """Return a file's content up to `limit` bytes, or None if it cannot be read now.

    Anything but a regular file (say, a pipe with a note's name) gives None, without waiting for it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return None
        return _read_up_to(descriptor, limit, found.st_size)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _read_up_to(descriptor: int, limit: int, expected: int) -> bytes:
    """Read to the end of the file or `limit`; a file of the `expected` size takes one read."""
    pieces = []
    while limit and (piece := os.read(descriptor, min(limit, max(expected + 1, AT_LEAST)))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


ROOM = 36_000_000
"""Characters of notes cached by all processes of a sync together; each takes about 5 bytes parsed.
"""

NOTE = 1_200
"""What a note takes besides its text, as so many characters: that is most of a small sheet."""


class ParsedNotes:
    """Holds parsed notes by path, up to `room` characters and what notes take besides."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._notes: dict[str, Note] = {}

    def keep(self, note: Note) -> None:
        """Store a note, unless there is no room for it."""
        taken = NOTE + len(note.text)
        if taken <= self._room:
            self._room -= taken
            self._notes[note.path] = note

    def find(self, path: str, content_hash: str) -> Note | None:
        """Return the note with this path and content hash, if it is held."""
        note = self._notes.get(path)
        return note if note is not None and note.content_hash == content_hash else None

    def take(self, path: str, content_hash: str) -> Note | None:
        """Return the note like `find`, and free the room of what was held for the path."""
        found = self.find(path, content_hash)
        held = self._notes.pop(path, None)
        self._room += NOTE + len(held.text) if held is not None else 0
        return found
