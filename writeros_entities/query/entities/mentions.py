"""Mentions, each with its proof and the rival candidates of its span."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_

from writeros_entities.store.folders import is_at
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.sentences.ends import read_ends

if TYPE_CHECKING:
    from writeros_entities.store.view import View

CONTEXT = 110
"""Characters shown on each side of a mention, at most."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span as stored, and the sentence around it as a reader sees it.

    `text[text_start:text_end]` is where the sentence shows the span.
    """

    surface: str
    text: str
    text_start: int
    text_end: int
    line: int
    column: int


def find_mentions(view: View, entity_id: int, *, below: str | None = None) -> tuple[int, Any]:
    """Return the number of mentions of an entity, and the statement that selects them in order.

    The manuscript comes first, in reading order, then other notes by path. `below` restricts them
    to one note or folder.
    """
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(
            mention,
            chunk.c.text,
            chunk.c.heading,
            chunk.c.sections,
            chunk.c.line,
            chunk.c.start.label("chunk_start"),
            note.c.path,
            note.c.position,
        )
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(mention.c.entity_id == entity_id)
    )
    if below is not None:
        statement = statement.where(is_at(note.c.path, below))
    total = view.scalar(select(func.count()).select_from(statement.subquery()))
    ordered = statement.order_by(
        note.c.position.is_(None), note.c.position, note.c.path, mention.c.start, mention.c.end
    )
    return int(total or 0), ordered


def find_rivals(view: View, mentions: Sequence[Any]) -> dict[tuple[int, int, int], list[Any]]:
    """Return all candidates of each mention's span by (chunk id, start, end)."""
    candidate = view.candidate
    rivals: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    span = tuple_(candidate.c.chunk_id, candidate.c.start, candidate.c.end)
    spans = {(row.chunk_id, row.start, row.end) for row in mentions}
    for row in view.all_among(select(candidate).order_by(candidate.c.entity_id), span, spans):
        rivals[row.chunk_id, row.start, row.end].append(row)
    return rivals


def quote(text: str, chunk_start: int, chunk_line: int, start: int, end: int) -> Passage:
    """Return the passage around a span of a chunk: its sentence, shortened if long.

    Link syntax, formatting marks and comments are left out. `start` and `end` are offsets into the
    file.
    """
    from writeros_entities.vault.sentences.passages import read_passage

    begin, finish = start - chunk_start, end - chunk_start
    line = chunk_line + text.count("\n", 0, begin)
    column = begin - (text.rfind("\n", 0, begin) + 1) + 1
    passage = read_passage(text, begin, finish)
    before = _from_sentence(passage.before, passage.span)
    after = _to_sentence(passage.after)
    return Passage(
        surface=" ".join(without_comments(text[begin:finish]).split()),
        text=before + passage.span + after,
        text_start=len(before),
        text_end=len(before) + len(passage.span),
        line=line,
        column=column,
    )


def _from_sentence(before: str, span: str) -> str:
    begins = max(read_ends(before, span), default=0)
    if len(before) - begins <= CONTEXT:
        return before[begins:]
    return "… " + before[len(before) - CONTEXT :].partition(" ")[2]


def _to_sentence(after: str) -> str:
    ends = min(read_ends(after), default=len(after))
    if ends <= CONTEXT:
        return after[:ends].rstrip()
    return after[:CONTEXT].rpartition(" ")[0] + " …"
