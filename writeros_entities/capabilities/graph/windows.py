"""The windows in which entities co-occur: chunk, scene and note.

A scene is the part of a manuscript note between two headings or scene breaks (`***`, `---`, `⁂`, a
lone `#`). A note outside the manuscript is a single window: its sections are about one thing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, select

from writeros_entities.graph.cooccurrence import NOWHERE, Occurrences
from writeros_entities.graph.network import places_of
from writeros_entities.language.marking import ORNAMENT
from writeros_entities.store.chunks import notes_in_order

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers
    from writeros_entities.view import View

Scenes = Mapping[int, Sequence[int]]
"""By note id, the ascending offsets of its headings and scene breaks."""

_SCENE_BREAK = re.compile(
    rf"^[ \t]{{0,3}}(?:\#{{1,6}}[ \t].*|(?:{ORNAMENT}|(?:[*_-][ \t]*+){{3,}})[ \t]*)$",
    re.MULTILINE,
)

_CHUNK = np.dtype([("id", "i8"), ("note_id", "i8")])
_MENTION = np.dtype(
    [
        *(("entity_id", "i8"), ("chunk_id", "i8"), ("start", "i4"), ("end", "i4")),
        ("visible_from", "i4"),
    ]
)

LONGEST = np.int64(1 << 32)
"""More than any offset in a note."""


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


@dataclass(frozen=True, eq=False)
class Mentions:
    """Every mention that a view shows, by chunk and span, as arrays of equal length.

    `note` is the place of the mention's note in reading order; `note_ids` and `positions` are those
    of the note at each place. Positions may be NOWHERE.
    """

    entity: Integers
    chunk: Integers
    start: Integers
    end: Integers
    visible_from: Integers
    note: Integers
    note_ids: Integers
    positions: Integers

    @property
    def places(self) -> Integers:
        """The place of each mention in reading order: that of its note × LONGEST + its start."""
        return self.note * LONGEST + self.start


def load_mentions(view: View) -> Mentions:
    """Read every visible mention.

    Notes and chunks are joined here, which takes a quarter of the time that databases need.
    """
    mention, chunk = view.mention, view.chunk
    notes = notes_in_order(view)
    chunks = view.array(_CHUNK, select(chunk.c.id, chunk.c.note_id))
    statement = select(
        *(mention.c.entity_id, mention.c.chunk_id, mention.c.start, mention.c.end),
        func.coalesce(mention.c.visible_from, NOWHERE).label("visible_from"),
    )
    found = view.array(_MENTION, statement)
    found = found[np.lexsort((found["end"], found["start"], found["chunk_id"]))]
    ids = np.array([one.id for one in notes], np.int64)
    note_of_chunk = np.append(places_of(ids, chunks["note_id"]), -1)
    at = note_of_chunk[places_of(chunks["id"], found["chunk_id"])]
    found, at = found[at >= 0], at[at >= 0].astype(np.int32)
    positions = [NOWHERE if one.position is None else one.position for one in notes]
    return Mentions(
        entity=found["entity_id"].copy(),
        chunk=found["chunk_id"].copy(),
        start=found["start"].copy(),
        end=found["end"].copy(),
        visible_from=found["visible_from"].copy(),
        note=at,
        note_ids=ids,
        positions=np.array(positions, np.int32),
    )


def find_occurrences(view: View, mentions: Mentions, node: Integers) -> Occurrences:
    """Return the unambiguous mentions of the nodes; `node` is that of each mention, or -1.

    A span that names two entities equally well is evidence for neither.
    """
    kept = (node >= 0) & ~are_repeated(mentions.chunk, mentions.start, mentions.end)
    note = mentions.note[kept]
    note_id = mentions.note_ids[note]
    return Occurrences(
        node=node[kept],
        chunk=np.unique(mentions.chunk[kept], return_inverse=True)[1].astype(np.int32),
        scene=_number_scenes(load_scenes(view), note_id, mentions.start[kept]).astype(np.int32),
        note=note,
        position=mentions.positions[note],
        visible_from=mentions.visible_from[kept],
    )


def are_repeated(*columns: Integers) -> Flags:
    """Return flags of the rows, among sorted ones, that another row equals in these columns."""
    same = np.all([column[1:] == column[:-1] for column in columns], axis=0)
    flags = np.zeros(len(columns[0]), bool)
    flags[1:] |= same
    flags[:-1] |= same
    return flags


def _number_scenes(scenes: Scenes, note_id: Integers, start: Integers) -> Integers:
    """Return a number for the scene of each offset, in the order of notes and offsets.

    It is the number of boundaries before it, in its note and all earlier ones, and of these notes.
    """
    boundaries = [(note, offset) for note, offsets in scenes.items() for offset in offsets]
    notes, number = np.unique(note_id, return_inverse=True)
    column = np.array(boundaries, np.int64).reshape(-1, 2)
    ends = places_of(notes, column[:, 0]) * LONGEST + column[:, 1]
    ends = np.sort(ends[ends >= 0])
    return np.asarray(number + np.searchsorted(ends, number * LONGEST + start, side="right"))


def count_chunks(view: View) -> int:
    """Return the number of visible chunks."""
    return int(view.scalar(select(func.count()).select_from(view.chunk)) or 0)
