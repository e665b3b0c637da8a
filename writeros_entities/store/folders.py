"""SQL conditions for paths in a folder."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from sqlalchemy import and_

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

_AFTER_SLASH = chr(ord("/") + 1)


def is_at(path: ColumnElement[str], asked: str) -> ColumnElement[bool]:
    """Return the condition that a path equals the given one, or is below it as a folder.

    The path asked for may be in another Unicode form than those of the index, which are in NFC.
    """
    composed = unicodedata.normalize("NFC", asked)
    return (path == composed) | lies_below(path, composed.rstrip("/"))


def lies_below(path: ColumnElement[str], folder: str) -> ColumnElement[bool]:
    """Return the condition that a path is below a folder, at any depth.

    A range, which an index can answer. LIKE would ignore case on SQLite, but not on PostgreSQL.
    """
    return and_(path >= f"{folder}/", path < f"{folder}{_AFTER_SLASH}")
