"""The windows in which entities co-occur: chunk, scene and note.

A scene is the part of a manuscript note between two headings or scene breaks (`***`, `---`, `⁂`, a
lone `#`). A note outside the manuscript is a single window: its sections are about one thing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import func, select

from writeros_entities.graph.cooccurrence import NOWHERE, Occurrences
from writeros_entities.vault.sentences.scene_breaks import ORNAMENT

if TYPE_CHECKING:
    from sqlalchemy import Select

    from writeros_entities.store.view import View

Scenes = Mapping[int, Sequence[int]]
"""By note id, the ascending offsets of its headings and scene breaks."""

_SCENE_BREAK = re.compile(
    rf"^[ \t]{{0,3}}(?:\#{{1,6}}[ \t].*|(?:{ORNAMENT}|(?:[*_-][ \t]*+){{3,}})[ \t]*)$",
    re.MULTILINE,
)


def load_scenes(view: View, note_ids: Sequence[int] | None = None) -> Scenes:
    """Return the scene boundaries of all manuscript notes, or of those given."""
    chunk, note = view.chunk, view.note
    statement = (
        select(chunk.c.note_id, chunk.c.start, chunk.c.text)
        .join(note, note.c.id == chunk.c.note_id)
        .where(note.c.position.is_not(None))
        .order_by(chunk.c.note_id, chunk.c.start)
    )
    if note_ids is not None:
        statement = statement.where(chunk.c.note_id.in_(note_ids))
    breaks: dict[int, list[int]] = defaultdict(list)
    for row in view.all(statement):
        breaks[row.note_id] += [
            row.start + found.start() for found in _SCENE_BREAK.finditer(row.text)
        ]
    return breaks


def scene_of(scenes: Scenes, note_id: int, start: int) -> tuple[int, int]:
    """Return the scene of an offset, as the note and the number of boundaries before it."""
    return note_id, bisect_right(scenes.get(note_id, ()), start)


def load_occurrences(view: View, node_of: Mapping[int, int]) -> Occurrences:
    """Return every visible unambiguous mention of the entities in `node_of`, by node.

    A span that names two entities equally well is evidence for neither.
    """
    scenes = load_scenes(view)
    rows = view.all(select_occurrences(view))
    chunks: dict[int, int] = {}
    scene_numbers: dict[tuple[int, int], int] = {}
    notes: dict[int, int] = {}
    columns: list[tuple[int, ...]] = []
    for row in without_ties(rows):
        node = node_of.get(row.entity_id)
        if node is None:
            continue
        scene = scene_of(scenes, row.note_id, row.start)
        columns.append(
            (
                node,
                chunks.setdefault(row.chunk_id, len(chunks)),
                scene_numbers.setdefault(scene, len(scene_numbers)),
                notes.setdefault(row.note_id, len(notes)),
                NOWHERE if row.position is None else row.position,
                NOWHERE if row.visible_from is None else row.visible_from,
            )
        )
    arrays = np.array(columns, np.int64).reshape(-1, 6)
    return Occurrences(*(np.ascontiguousarray(arrays[:, at]) for at in range(6)))


def select_occurrences(view: View) -> Select[Any]:
    """Return the statement for mentions with their note and position, by chunk and span."""
    mention, chunk, note = view.mention, view.chunk, view.note
    return (
        select(
            mention.c.entity_id,
            mention.c.chunk_id,
            mention.c.start,
            mention.c.end,
            mention.c.visible_from,
            chunk.c.note_id,
            note.c.position,
        )
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .order_by(mention.c.chunk_id, mention.c.start, mention.c.end)
    )


def without_ties(rows: Sequence[Any]) -> list[Any]:
    """Return the rows whose span names a single entity; `rows` are sorted by chunk and span."""
    kept: list[Any] = []
    last: tuple[int, int, int] | None = None
    tied = False
    for row in rows:
        span = (row.chunk_id, row.start, row.end)
        if span == last:
            if not tied:
                kept.pop()
            tied = True
            continue
        kept.append(row)
        last, tied = span, False
    return kept


def count_chunks(view: View) -> int:
    """Return the number of visible chunks."""
    return int(view.scalar(select(func.count()).select_from(view.chunk)) or 0)
