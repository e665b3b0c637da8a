"""Mentions, each with its proof, the rival candidates of its span, and whether they are close."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, bindparam, select, tuple_

from writeros_entities.decision import CLOSE
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.listing import mentions_by_note
from writeros_entities.values import LARGEST_POSITION
from writeros_entities.vault.comments import without_comments

if TYPE_CHECKING:
    from writeros_entities.language.marks import Part
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

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


def find_mentions(
    view: View, entity_id: int, limit: int, offset: int, *, below: str | None = None
) -> tuple[Sequence[Row], int]:
    """Return a page of the mentions of an entity, and how many there are.

    The manuscript comes first, in reading order, then other notes by path. `below` restricts them
    to one note or folder. Only the mentions in the page's notes are read.
    """
    told = mentions_by_note(view, entity_id, below=below)
    ends = list(accumulate(note.mentions for note in told))
    first, last = bisect_right(ends, offset), bisect_left(ends, offset + limit)
    ids = [note.id for note in told[first : last + 1]]
    if not ids:
        return [], sum(note.mentions for note in told)
    skipped = offset - (ends[first - 1] if first else 0)
    found = view.all(_mentions_of(view), entity_id=entity_id, note_ids=ids)
    return found[skipped : skipped + limit], ends[-1]


@prepared
def _mentions_of(scope: Scope) -> Query:
    mention, chunk, note, page = scope.mention, scope.chunk, scope.note, scope.page
    return (
        select(
            mention,
            chunk.c.text,
            chunk.c.heading,
            chunk.c.sections,
            chunk.c.line,
            chunk.c.start.label("chunk_start"),
            page.c.marks,
            note.c.path,
            note.c.position,
        )
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .outerjoin(page, page.c.note_id == note.c.id)
        .where(
            mention.c.entity_id == bindparam("entity_id"), is_one_of(chunk.c.note_id, "note_ids")
        )
        .order_by(
            *(note.c.position.is_(None), note.c.position, note.c.path),
            *(mention.c.start, mention.c.end),
        )
    )


def mentions_in(view: View, chunk_ids: Collection[int]) -> Sequence[Row]:
    """Return the mentions in some chunks, in order."""
    return view.all(_mentions_in(view), chunk_ids=chunk_ids) if chunk_ids else []


def find_rivals(view: View, mentions: Sequence[Row]) -> dict[tuple[int, int, int], list[Row]]:
    """Return all candidates of each mention's span by (chunk id, start, end)."""
    candidate = view.candidate
    rivals: dict[tuple[int, int, int], list[Row]] = defaultdict(list)
    span = tuple_(candidate.c.chunk_id, candidate.c.start, candidate.c.end)
    spans = {(row.chunk_id, row.start, row.end) for row in mentions}
    for row in view.all_among(select(candidate).order_by(candidate.c.entity_id), span, spans):
        rivals[row.chunk_id, row.start, row.end].append(row)
    return rivals


class _Candidate(NamedTuple):
    """An entity that a span may name, up to a reading position or for good."""

    chunk_id: int
    start: int
    end: int
    entity_id: int
    confidence: float
    method: str
    reason: str | None
    visible_until: int | None


class Naming(NamedTuple):
    """An entity, and a span of a chunk in which it is said to be named."""

    chunk_id: int
    start: int
    end: int
    entity_id: int


def find_doubts(view: View, named: Iterable[Naming]) -> dict[Naming, list[_Candidate]]:
    """Return the candidates that may be meant instead of the entity in each span, surest first.

    They are less than `CLOSE` behind it. Who is also named there beyond doubt is not in doubt.
    """
    asked = list(dict.fromkeys(named))
    chunk_ids = sorted({one.chunk_id for one in asked})
    if not chunk_ids:
        return {}
    until = LARGEST_POSITION if view.as_of is None else view.as_of
    rivals: dict[tuple[int, int, int], list[_Candidate]] = defaultdict(list)
    mentions: dict[tuple[int, int], list[_Candidate]] = defaultdict(list)
    for row in view.fetch(_Candidate, _candidates_in(view), chunk_ids=chunk_ids):
        rivals[row.chunk_id, row.start, row.end].append(row)
        if row.visible_until is None or until < row.visible_until:
            mentions[row.chunk_id, row.entity_id].append(row)
    found: dict[Naming, list[_Candidate]] = {}
    if all(len(rows) == 1 for rows in rivals.values()):
        return found
    for one in asked:
        doubts = [
            _close(row, rivals[row.chunk_id, row.start, row.end])
            for row in mentions[one.chunk_id, one.entity_id]
            if one.start <= row.start and row.end <= one.end
        ]
        if doubts and all(doubts):
            surest: dict[int, _Candidate] = {}
            for rival in sorted((row for rows in doubts for row in rows), key=_surest_first):
                surest.setdefault(rival.entity_id, rival)
            found[one] = list(surest.values())
    return found


def _close(mention: _Candidate, candidates: Iterable[_Candidate]) -> list[_Candidate]:
    least = mention.confidence - CLOSE
    others = (row for row in candidates if row.entity_id != mention.entity_id)
    return [row for row in others if row.confidence > least]


def _surest_first(candidate: _Candidate) -> tuple[float, int]:
    return -candidate.confidence, candidate.entity_id


def doubts_of(view: View, entity_id: int) -> Sequence[Row]:
    """Return every candidate that a mention of an entity may name instead; see `find_doubts`."""
    return view.all(_doubts_of(view), entity_id=entity_id)


@prepared
def _candidates_in(scope: Scope) -> Query:
    candidate = scope.candidate
    columns = (candidate.c[name] for name in _Candidate._fields)
    return (
        select(*columns)
        .where(is_one_of(candidate.c.chunk_id, "chunk_ids"))
        .order_by(candidate.c.start, candidate.c.end, candidate.c.entity_id, candidate.c.since)
    )


@prepared
def _mentions_in(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention)
        .where(is_one_of(mention.c.chunk_id, "chunk_ids"))
        .order_by(mention.c.start, mention.c.end, mention.c.entity_id)
    )


@prepared
def _doubts_of(scope: Scope) -> Query:
    mention, candidate = scope.mention, scope.candidate
    same = (mention.c[name] == candidate.c[name] for name in ("chunk_id", "start", "end"))
    return (
        select(candidate)
        .join(mention, and_(*same))
        .where(
            mention.c.entity_id == bindparam("entity_id"),
            candidate.c.entity_id != mention.c.entity_id,
            candidate.c.confidence > mention.c.confidence - CLOSE,
        )
    )


def quote(part: Part, line: int, start: int, end: int) -> Passage:
    """Return the passage around a span of a chunk: its sentence, shortened if long.

    Link syntax, formatting marks and comments are left out. `line` is the line of the chunk,
    `start` and `end` are offsets into the file.
    """
    text = part.text
    begin, finish = start - part.start, end - part.start
    column = begin - (text.rfind("\n", 0, begin) + 1) + 1
    passage = part.around(start, end)
    before = _from_sentence(passage.before)
    after = _to_sentence(passage.after)
    return Passage(
        surface=" ".join(without_comments(text[begin:finish]).split()),
        text=before + passage.span + after,
        text_start=len(before),
        text_end=len(before) + len(passage.span),
        line=line + text.count("\n", 0, begin),
        column=column,
    )


def _from_sentence(before: str) -> str:
    if len(before) <= CONTEXT:
        return before
    return "… " + before[len(before) - CONTEXT :].partition(" ")[2]


def _to_sentence(after: str) -> str:
    if len(after) <= CONTEXT:
        return after
    return after[:CONTEXT].rpartition(" ")[0] + " …"
