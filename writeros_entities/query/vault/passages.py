"""The passages of a note as a reader sees them: all, or those of a section or block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.errors import NotFoundError
from writeros_entities.language.marks import Marks, unpack_marks
from writeros_entities.names import nearest_or_all
from writeros_entities.values import Note
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.headings import heading_at
from writeros_entities.vault.links import find_block, find_heading, section_span

if TYPE_CHECKING:
    from writeros_entities.protocols import TokenCounter
    from writeros_entities.store.view import View
    from writeros_entities.values import BlockId, Span

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


def passages_at(view: View, note: Any, place: str, counter: TokenCounter) -> list[Passage]:
    """Return the visible passages of a note's section or block, named as behind a link's `#`.

    Raises NotFoundError with the nearest headings, or blocks, that are visible.
    """
    parts = _parts_at(view, note, place)
    return _readable(_cut(row, start, end, counter) for row, start, end in parts)


def spans_at(view: View, note: Any, place: str) -> dict[int, tuple[int, int]]:
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


def _parts_at(view: View, note: Any, place: str) -> Iterator[tuple[Any, int, int]]:
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


def _as_seen(view: View, note_id: int, path: str, chunks: Iterable[Any]) -> Note:
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


def _chunks(view: View, note_id: int) -> list[Any]:
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


def _cut(chunk: Any, start: int, end: int, counter: TokenCounter) -> Passage:
    if end - start == len(chunk.text):
        return Passage(chunk.heading, chunk.line, chunk.tokens, chunk.text)
    text = chunk.text[start:end]
    return Passage(
        heading_at(chunk.heading, chunk.sections, start),
        chunk.line + chunk.text.count("\n", 0, start),
        int(counter.count([without_comments(text)])[0]),
        text,
    )
