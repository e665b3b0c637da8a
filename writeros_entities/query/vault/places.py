"""The locations of chunks, and their texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Select, select

from writeros_entities.language.marks import Part
from writeros_entities.store.folders import is_at
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from writeros_entities.store.view import View


class ChunkPlace(NamedTuple):
    """The location of a chunk, and its text."""

    id: int
    path: str
    title: str
    position: int | None
    ordinal: int
    heading: str
    line: int
    start: int
    end: int
    tokens: int
    text: str
    sections: str | None
    marks: bytes | None

    @property
    def part(self) -> Part:
        """The chunk as a part of its note."""
        return Part(self.text, self.start, self.marks)


def chunk_places(view: View, chunk_ids: Iterable[int]) -> dict[int, ChunkPlace]:
    """Return the locations and texts of chunks, by id."""
    asked = list(chunk_ids)
    found = view.fetch(ChunkPlace, _places(view), chunk_ids=asked) if asked else []
    return {place.id: place for place in found}


def notes_below(view: View, path: str) -> set[int]:
    """Return the ids of the note at a path, or of the notes in the folder there."""
    note = view.note
    return set(view.scalars(select(note.c.id).where(is_at(note.c.path, path))))


def notes_between(view: View, first: int | None, last: int | None) -> set[int] | None:
    """Return the ids of the notes at places in reading order from `first` to `last`.

    None for either is no bound; without both, return None, which means all notes.
    """
    if first is None and last is None:
        return None
    position = view.note.c.position
    statement = select(view.note.c.id).where(position.is_not(None))
    if first is not None:
        statement = statement.where(position >= first)
    if last is not None:
        statement = statement.where(position <= last)
    return set(view.scalars(statement))


def notes_of_types(view: View, types: Iterable[str]) -> set[int]:
    """Return the ids of the notes about entities of these types."""
    entity = view.entity
    statement = select(entity.c.note_id).where(
        entity.c.type.in_(list(types)), entity.c.note_id.is_not(None)
    )
    return set(view.scalars(statement))


@prepared
def _places(scope: Scope) -> Select[Any]:
    chunk, note, page = scope.chunk, scope.note, scope.page
    return (
        select(
            chunk.c.id,
            note.c.path,
            note.c.title,
            note.c.position,
            chunk.c.ordinal,
            chunk.c.heading,
            chunk.c.line,
            chunk.c.start,
            chunk.c.end,
            chunk.c.tokens,
            chunk.c.text,
            chunk.c.sections,
            page.c.marks,
        )
        .join(note, note.c.id == chunk.c.note_id)
        .outerjoin(page, page.c.note_id == note.c.id)
        .where(is_one_of(chunk.c.id, "chunk_ids"))
    )
