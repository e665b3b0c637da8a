"""Mentions, each with its proof and with whom else its span may name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, tuple_

from writeros_entities.store import rows

if TYPE_CHECKING:
    from writeros_entities.store.view import View

CONTEXT = 110
"""Characters shown on each side of a mention, at most."""

_COMMENT = re.compile(r"%%.*?(?:%%|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|\n\s*\n")


@dataclass(frozen=True, slots=True)
class Passage:
    """A span and what stands around it, in one line."""

    surface: str
    text: str
    line: int
    column: int


def find_mentions(view: View, entity_id: int, *, below: str | None = None) -> tuple[int, Any]:
    """Return how many mentions an entity has, and the statement that selects them in order.

    The manuscript comes first, in reading order, then other notes by path. `below` keeps those in
    one note or folder.
    """
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(
            mention,
            chunk.c.text,
            chunk.c.heading,
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
        folder = below.rstrip("/") + "/"
        statement = statement.where(
            (note.c.path == below) | note.c.path.startswith(folder, autoescape=True)
        )
    total = view.scalar(select(func.count()).select_from(statement.subquery()))
    ordered = statement.order_by(
        note.c.position.is_(None), note.c.position, note.c.path, mention.c.start, mention.c.end
    )
    return int(total or 0), ordered


def find_rivals(view: View, mentions: Sequence[Any]) -> dict[tuple[int, int, int], list[Any]]:
    """Return, by (chunk, start, end), the other candidates of each span, likeliest first."""
    candidate = view.candidate
    rivals: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    for batch in rows.batches({(row.chunk_id, row.start, row.end) for row in mentions}):
        span = tuple_(candidate.c.chunk_id, candidate.c.start, candidate.c.end)
        statement = (
            select(candidate)
            .where(span.in_(batch))
            .order_by(candidate.c.confidence.desc(), candidate.c.entity_id)
        )
        for row in view.all(statement):
            rivals[row.chunk_id, row.start, row.end].append(row)
    return rivals


def quote(text: str, chunk_start: int, chunk_line: int, start: int, end: int) -> Passage:
    """Return the passage around a span of a chunk: its sentence, cut where that is long.

    Comments of the author's are left out. `start` and `end` are offsets into the file.
    """
    begin, finish = start - chunk_start, end - chunk_start
    line = chunk_line + text.count("\n", 0, begin)
    column = begin - (text.rfind("\n", 0, begin) + 1) + 1
    left = _from_sentence(text[max(0, begin - CONTEXT) : begin], begin > CONTEXT)
    right = _to_sentence(text[finish : finish + CONTEXT], len(text) - finish > CONTEXT)
    surface = " ".join(text[begin:finish].split())
    passage = without_comments(left + text[begin:finish] + right)
    return Passage(surface, " ".join(passage.split()), line, column)


def without_comments(text: str) -> str:
    """Return a text as a reader sees it: without the author's comments."""
    return _COMMENT.sub("", text)


def _from_sentence(left: str, is_cut: bool) -> str:
    ends = list(_SENTENCE_END.finditer(left))
    if ends:
        return left[ends[-1].end() :]
    return "… " + left.partition(" ")[2] if is_cut else left


def _to_sentence(right: str, is_cut: bool) -> str:
    end = _SENTENCE_END.search(right)
    if end:
        return right[: end.end()].rstrip()
    return right.rpartition(" ")[0] + " …" if is_cut else right


def chunk_entities(view: View, chunk_ids: Sequence[int]) -> dict[int, set[int]]:
    """Return the entities that each chunk mentions."""
    mention = view.mention
    found: dict[int, set[int]] = defaultdict(set)
    for batch in rows.batches(chunk_ids):
        statement = select(mention.c.chunk_id, mention.c.entity_id).where(
            mention.c.chunk_id.in_(batch)
        )
        for chunk_id, entity_id in view.all(statement.distinct()):
            found[chunk_id].add(entity_id)
    return found
