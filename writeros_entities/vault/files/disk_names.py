"""File names: bytes on disk, text in the vault."""

from __future__ import annotations

import os
import re
import sys
import unicodedata

from writeros_entities.vault.files.file_kinds import (
    evicted_name,
)

_CASE_BLIND = sys.platform in ("darwin", "win32")

_CONTROL = re.compile("[\\0-\\x08\\x0b-\\x0c\\x0e-\\x1f\\x7f]")


def find_name(folder: bytes, part: str) -> bytes | None:
    """Return the spelling on disk of a shown name: another Unicode form, an escaped name or a stub.

    Returns None if the folder has no such file.
    """
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
    """Return a file name as text: NFC, with control characters, and bytes that are not UTF-8,
    escaped (`\\x1b`, `\\xff`).
    """
    text = name.decode("utf-8", "backslashreplace")
    if not text.isprintable():
        text = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_utf_8(disk_path: bytes) -> bool:
    """Return whether a path is valid UTF-8."""
    try:
        disk_path.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
