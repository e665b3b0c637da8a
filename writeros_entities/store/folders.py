"""SQL conditions for paths in a folder, and for what is below a heading."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, or_

from writeros_entities.values import HEADING_SEPARATOR

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


def in_own_text(entity: Any, chunk: Any) -> ColumnElement[bool]:
    """Return the condition that a chunk is of the note, or the section of it, about an entity."""
    own, heading = entity.c.heading, chunk.c.heading
    below = func.substr(heading, 1, func.length(own) + len(HEADING_SEPARATOR))
    begins = func.replace(chunk.c.sections, own, "") != chunk.c.sections
    return and_(
        chunk.c.note_id == entity.c.note_id,
        or_(own.is_(None), heading == own, below == own + HEADING_SEPARATOR, begins),
    )
