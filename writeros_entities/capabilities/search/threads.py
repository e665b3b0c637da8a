"""The open threads that the writer noted: what is yet to do, to answer or to fill in.

threads = list_threads(view)
rank_threads(threads, read_query("why is the well dry"))     # those with one of the words
named_in(view, lexicon, threads)                    # whom each of them names
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, select

from writeros_entities.capabilities.search.excerpts import matched_terms
from writeros_entities.story.extraction import extract
from writeros_entities.story.resolution import resolve_entities
from writeros_entities.vault.headings import heading_at

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.story.resolution import ResolvedEntity
    from writeros_entities.values import ThreadKind
    from writeros_entities.view import View

_BETWEEN = "\n\n"


class NotedThread(NamedTuple):
    """An open thread, where it stands, and in which chunk of its note, if in any."""

    note_id: int
    path: str
    title: str
    position: int | None
    kind: ThreadKind
    text: str
    start: int
    end: int
    line: int
    ordinal: int | None
    chunk_start: int | None
    headings: str | None
    sections: str | None

    @property
    def heading(self) -> str:
        """The headings above it."""
        return heading_at(self.headings, self.sections, self.start - (self.chunk_start or 0))


def list_threads(view: View, note_ids: Collection[int] | None = None) -> list[NotedThread]:
    """Return the open threads of some notes, or of all: in reading order, then by path."""
    thread, note, chunk = view.thread, view.note, view.chunk
    is_in = and_(
        chunk.c.note_id == thread.c.note_id,
        chunk.c.start <= thread.c.start,
        thread.c.start < chunk.c.end,
    )
    statement = (
        select(
            *(note.c.id.label("note_id"), note.c.path, note.c.title, note.c.position),
            *(thread.c.kind, thread.c.text, thread.c.start, thread.c.end, thread.c.line),
            *(chunk.c.ordinal, chunk.c.start.label("chunk_start")),
            *(chunk.c.heading.label("headings"), chunk.c.sections),
        )
        .join(note, note.c.id == thread.c.note_id)
        .outerjoin(chunk, is_in)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, thread.c.ordinal)
    )
    found = view.fetch(NotedThread, statement)
    return found if note_ids is None else [one for one in found if one.note_id in note_ids]


def rank_threads(
    threads: Sequence[NotedThread], terms: Sequence[QueryTerm]
) -> list[tuple[NotedThread, float]]:
    """Return the threads with one of the terms, those with the most first, each with the share it
    has of them; without terms, all of them.
    """
    if not terms:
        return [(one, 1.0) for one in threads]
    found = [(one, matched_terms(one.text, terms) / len(terms)) for one in threads]
    return sorted((one for one in found if one[1]), key=lambda one: -one[1])


def named_in(view: View, threads: Sequence[NotedThread]) -> list[list[ResolvedEntity]]:
    """Return for each thread the entities that it names, in order."""
    texts = [one.text for one in threads]
    starts = [0, *accumulate(len(text) + len(_BETWEEN) for text in texts)]
    found: list[dict[str, None]] = [{} for _ in threads]
    readings = extract(view, _BETWEEN.join(texts)).readings
    for reading in readings:
        found[bisect_right(starts, reading.start) - 1][reading.candidate.entity] = None
    keys = list(dict.fromkeys(key for named in found for key in named))
    known = {one.key: one for one in resolve_entities(view, keys, must_exist=False)}
    return [[known[key] for key in named if key in known] for named in found]
