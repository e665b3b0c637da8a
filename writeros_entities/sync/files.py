"""Reading a vault's files: regular ones, whole, and never waiting for anybody."""

from __future__ import annotations

import os
import stat


def read_file(path: bytes, limit: int) -> bytes | None:
    """Return a file's content up to `limit` bytes, or None where it cannot be read now.

    What is no regular file by now (a pipe that took a note's name) is not waited for.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return stream.read(limit)
        except OSError:
            return None
