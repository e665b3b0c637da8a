"""Which paths lie in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

_AFTER_SLASH = chr(ord("/") + 1)


def is_at(path: ColumnElement[str], asked: str) -> ColumnElement[bool]:
    """Return the condition that a path is the one asked for, or lies in the folder there."""
    return (path == asked) | lies_below(path, asked.rstrip("/"))


def lies_below(path: ColumnElement[str], folder: str) -> ColumnElement[bool]:
    """Return the condition that a path lies in a folder, however deep.

    A range, which an index answers; LIKE would take capitals for small letters, on SQLite alone.
    """
    return and_(path >= f"{folder}/", path < f"{folder}{_AFTER_SLASH}")
