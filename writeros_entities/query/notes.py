"""Notes as the index holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_names

if TYPE_CHECKING:
    from writeros_entities.store.view import View


def list_notes(view: View, offset: int, limit: int) -> list[str]:
    """Return a page of the paths of notes, in order."""
    note = view.note
    statement = select(note.c.path).where(note.c.kind == "note").order_by(note.c.path)
    return [row.path for row in view.all(statement.offset(offset).limit(limit))]


def read_note(view: View, path: str) -> str:
    """Return the text of a note: its chunks in order.

    Raises NotFoundError, with the nearest paths, for a note that the index does not have.
    """
    note, chunk = view.note, view.chunk
    found = view.one(select(note.c.id).where(note.c.path == path, note.c.kind == "note"))
    if found is None:
        paths = [row.path for row in view.all(select(note.c.path).where(note.c.kind == "note"))]
        raise NotFoundError("note", path, nearest_names(path, paths))
    statement = select(chunk.c.text).where(chunk.c.note_id == found.id).order_by(chunk.c.ordinal)
    return "\n\n".join(row.text for row in view.all(statement))
