"""Read a vault's files: regular files only, whole, and without ever blocking."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

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
