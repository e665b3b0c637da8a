"""Where passages stand, and their texts as a reader sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from writeros_entities.errors import NotFoundError
from writeros_entities.language.marks import Marks, Part, unpack_marks
from writeros_entities.names import nearest_or_all
from writeros_entities.store.columns import is_at, is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.values import Note
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.headings import heading_at
from writeros_entities.vault.links import find_block, find_heading, section_span

if TYPE_CHECKING:
    from writeros_entities.protocols import TokenCounter
    from writeros_entities.store.rows import Row
    from writeros_entities.values import BlockId, Span
    from writeros_entities.view import View


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
def _places(scope: Scope) -> Query:
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


GAP = "\n\n"
"""Separates the passages of a note that is read as one text."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of a note as a reader sees it: without comments, from `line` (from 1) on."""

    heading: str
    line: int
    tokens: int
    text: str


def passages_of(view: View, note_id: int) -> list[Passage]:
    """Return the visible passages of a note in order, except those that are only comments."""
    return _readable(
        Passage(row.heading, row.line, row.tokens, row.text) for row in _chunks(view, note_id)
    )


def passages_at(view: View, note: Row, place: str, counter: TokenCounter) -> list[Passage]:
    """Return the visible passages of a note's section or block, named as behind a link's `#`.

    Raises NotFoundError with the nearest headings, or blocks, that are visible.
    """
    parts = _parts_at(view, note, place)
    return _readable(_cut(row, start, end, counter) for row, start, end in parts)


def spans_at(view: View, note: Row, place: str) -> dict[int, tuple[int, int]]:
    """Return what of a note's visible chunks is at a place, or all without one: by chunk id, as
    offsets into the file.

    Raises as `passages_at`.
    """
    parts: Iterable[tuple[Any, int, int]] = (
        _parts_at(view, note, place)
        if place
        else ((row, 0, len(row.text)) for row in _chunks(view, note.id))
    )
    return {row.id: (row.start + start, row.start + end) for row, start, end in parts}


def _parts_at(view: View, note: Row, place: str) -> Iterator[tuple[Any, int, int]]:
    """Yield the chunks that are at a place, each with the offsets in its text between which."""
    chunks = _chunks(view, note.id)
    span = _find(_as_seen(view, note.id, note.path, chunks), place)
    for row in chunks:
        start, end = max(span.start - row.start, 0), min(span.end - row.start, len(row.text))
        if start < end:
            yield row, start, end


def note_as_seen(view: View, note_id: int, path: str) -> Note:
    """Return a note with its visible text, headings and blocks, at their offsets in the file."""
    return _as_seen(view, note_id, path, _chunks(view, note_id))


def _as_seen(view: View, note_id: int, path: str, chunks: Iterable[Row]) -> Note:
    page = view.page
    stored = view.scalar(select(page.c.marks).where(page.c.note_id == note_id))
    marks = unpack_marks(stored) if stored else Marks()
    pieces: list[str] = []
    end = 0
    for row in sorted(chunks, key=attrgetter("start")):
        pieces += " " * (row.start - end), row.text
        end = row.start + len(row.text)
    text = "".join(pieces)
    return Note(
        *(path, "", text, "", "", {}),
        headings=tuple(one for one in marks.found_headings() if text[one.start : one.end].strip()),
        block_ids=tuple(one for one in marks.found_blocks() if text[one.start : one.end].strip()),
    )


def _chunks(view: View, note_id: int) -> list[Row]:
    chunk = view.chunk
    columns = (
        *(chunk.c.id, chunk.c.start, chunk.c.heading, chunk.c.sections, chunk.c.line),
        *(chunk.c.tokens, chunk.c.text),
    )
    statement = select(*columns).where(chunk.c.note_id == note_id).order_by(chunk.c.ordinal)
    return list(view.all(statement))


def _readable(passages: Iterable[Passage]) -> list[Passage]:
    shown = (replace(passage, text=without_comments(passage.text).rstrip()) for passage in passages)
    return [passage for passage in shown if passage.text]


def _find(note: Note, place: str) -> Span | BlockId:
    block = place.removeprefix("^")
    if block != place:
        found = find_block(note, block)
        if found is None:
            raise _missing("block", block, [one.id for one in note.block_ids], note.path)
        return found
    heading = find_heading(note, place)
    if heading is None:
        raise _missing("heading", place, [one.text for one in note.headings], note.path)
    return section_span(note, heading)


def _missing(what: str, name: str, known: list[str], path: str) -> NotFoundError:
    reason = f"It was looked for in {path}."
    return NotFoundError(what, name, nearest_or_all(name, known), reason=reason)


def _cut(chunk: Row, start: int, end: int, counter: TokenCounter) -> Passage:
    if end - start == len(chunk.text):
        return Passage(chunk.heading, chunk.line, chunk.tokens, chunk.text)
    text = chunk.text[start:end]
    return Passage(
        heading_at(chunk.heading, chunk.sections, start),
        chunk.line + chunk.text.count("\n", 0, start),
        int(counter.count([without_comments(text)])[0]),
        text,
    )
