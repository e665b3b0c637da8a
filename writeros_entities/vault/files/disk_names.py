"""Names of files: in bytes as the disk has them, and as the vault shows them."""

from __future__ import annotations

import os
import sys
import unicodedata

from writeros_entities.vault.files.file_kinds import (
    evicted_name,
)

_CASE_BLIND = sys.platform in ("darwin", "win32")


def find_name(folder: bytes, part: str) -> bytes | None:
    """Return how a name is spelled on disk: in another Unicode form, escaped, or as a stub."""
    try:
        name = os.fsencode(part)
    except UnicodeEncodeError:
        return None
    if not _CASE_BLIND:
        try:
            os.lstat(os.path.join(folder, name))
        except (FileNotFoundError, NotADirectoryError):
            pass
        else:
            return name
    try:
        listing = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return None
    wanted = unicodedata.normalize("NFC", part)
    stub: bytes | None = None
    for candidate in sorted(listing):
        shown = shown_name(candidate)
        if shown == wanted:
            return candidate
        if evicted_name(shown) == wanted:
            stub = candidate
    return stub


def shown_name(name: bytes) -> str:
    """Return a file's name as text: NFC, bytes that are not UTF-8 escaped (`\\xff`)."""
    text = name.decode("utf-8", "backslashreplace")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_utf_8(disk_path: bytes) -> bool:
    """Say whether a path is valid text."""
    try:
        disk_path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
