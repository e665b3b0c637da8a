"""The note of a scene, and the mentions in the manuscript before it.

scene = find_scene(view, "The Keeper")
back = LookingBack(view, scene.position, [ann.id, ben.id])
back.last_of(ann.id)          # her last mention before the scene
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, select

from writeros_entities.errors import NotFoundError
from writeros_entities.store.chapters import no_such_chapter
from writeros_entities.store.chunks import NEVER
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query, batches
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.listing import entities_by_id
from writeros_entities.story.mentions import Naming
from writeros_entities.story.notes import find_note, list_chapters
from writeros_entities.vault.order.chapters import without_link

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

NEAREST = 48
"""How many notes before a scene are searched first; each further batch is four times as large."""

LOUDEST = 64
"""How many quiet entities are looked up at once, the most mentioned first."""


def find_scene(view: View, name: str) -> Row:
    """Return the note that a name means, as `find_note` does.

    If there is none, the error has the nearest chapters.
    """
    try:
        return find_note(view, name)
    except NotFoundError:
        if not list_chapters(view):
            raise
        raise no_such_chapter(view, without_link(name), view.plugins.place_of, "scene") from None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A mention in a note of the manuscript."""

    position: int
    path: str
    chunk_start: int
    chunk_id: int
    note_id: int
    entity_id: int
    start: int
    end: int

    @property
    def named(self) -> Naming:
        """The entity, and the span that names it."""
        return Naming(self.chunk_id, self.start, self.end, self.entity_id)


class LookingBack:
    """The mentions of some entities before a position of the manuscript, nearest first.

    Notes are read backwards in batches, and only until the requested entity is found.
    """

    def __init__(self, view: View, before: int | None, entity_ids: Sequence[int]) -> None:
        self._view = view
        self._before = before
        self._entity_ids = sorted(entity_ids)
        self._found: dict[int, list[Sighting]] = defaultdict(list)
        self.notes: list[Row] = []
        """The notes searched so far (id, path, title, position), nearest first."""
        self._batches = self._read_back()

    def last_of(self, entity_id: int) -> Sighting | None:
        """Return the last mention of an entity before the position."""
        while not self._found[entity_id]:
            if next(self._batches, None) is None:
                return None
        return self._found[entity_id][0]

    def sightings(self, entity_id: int) -> Sequence[Sighting]:
        """Return the mentions of an entity in the notes searched so far, last one first."""
        return self._found[entity_id]

    def _read_back(self) -> Iterator[int]:
        """Search the next batch of earlier notes, and yield its size."""
        size = NEAREST
        while True:
            batch = self._earlier(len(self.notes), size)
            if not batch:
                return
            self.notes += batch
            for sighting in sorted(self._in(batch), key=_place, reverse=True):
                self._found[sighting.entity_id].append(sighting)
            size *= 4
            yield len(batch)

    def look_near(self) -> None:
        """Search the nearest batch of notes, unless that was done before."""
        if not self.notes:
            next(self._batches, None)

    def _earlier(self, offset: int, limit: int) -> Sequence[Row]:
        note = self._view.note
        statement = select(note.c.id, note.c.path, note.c.title, note.c.position).where(
            note.c.position.is_not(None), note.c.kind == "note"
        )
        if self._before is not None:
            statement = statement.where(note.c.position < self._before)
        ordered = statement.order_by(note.c.position.desc(), note.c.path.desc())
        return self._view.all(ordered.offset(offset).limit(limit))

    def _in(self, notes: Sequence[Row]) -> Iterator[Sighting]:
        known = {row.id: row for row in notes}
        mention, chunk = self._view.mention, self._view.chunk
        statement = (
            select(mention.c.entity_id, mention.c.start, mention.c.end)
            .add_columns(chunk.c.id, chunk.c.note_id, chunk.c.start.label("chunk_start"))
            .join(chunk, chunk.c.id == mention.c.chunk_id)
            .where(mention.c.entity_id.in_(self._entity_ids))
        )
        for row in self._view.all_among(statement, chunk.c.note_id, sorted(known)):
            note = known[row.note_id]
            yield Sighting(
                *(note.position, note.path, row.chunk_start, row.id, row.note_id),
                *(row.entity_id, row.start, row.end),
            )


def _place(sighting: Sighting) -> tuple[object, ...]:
    return sighting.position, sighting.path, sighting.start, sighting.end, sighting.entity_id


@dataclass(frozen=True, slots=True)
class Quiet:
    """An entity that the manuscript has not mentioned for some chapters."""

    entity_id: int
    mentions: int
    first: int
    last: int


def quiet_entities(
    view: View, here: int, chapters: int, but: Sequence[str], most: int
) -> list[Quiet]:
    """Return the entities mentioned at least twice, but not in the last `chapters` chapters.

    The chapters are counted back from `here`, inclusively. The `most` most mentioned entities are
    returned, in order; those of the types in `but` and the dead are left out.
    """
    note = view.note
    known = select(note.c.position).where(note.c.position <= here, note.c.kind == "note")
    latest = view.all(known.distinct().order_by(note.c.position.desc()).limit(chapters))
    if len(latest) < chapters:
        return []
    told = view.whole().kept("told mentions", lambda: _Told(view.whole()))
    alive: list[Quiet] = []
    for batch in batches(told.last_before(view, here, latest[-1].position), LOUDEST):
        if len(alive) >= most and _loudest(batch[0]) > _loudest(alive[most - 1]):
            break
        rows = entities_by_id(view, [one.entity_id for one in batch])
        dead = _dead(view, list(rows))
        alive += [
            one
            for one in batch
            if one.entity_id in rows and rows[one.entity_id].type not in but
            if one.entity_id not in dead
        ]
    if len(alive) > most:
        alive = [one for one in alive if _loudest(one) <= _loudest(alive[most - 1])]
    names = display_names(view, [one.entity_id for one in alive])
    return sorted(alive, key=lambda one: (_loudest(one), names.get(one.entity_id, "")))[:most]


class _Told:
    """Where the manuscript mentions whom: 32 bytes for each mention, so that it can be kept.

    It is read as of no position, and filtered by what a view sees.
    """

    def __init__(self, whole: View) -> None:
        found = whole.array(_TOLD, _told_mentions(whole))
        found = found[np.lexsort((found["position"], found["entity_id"]))]
        self._entities, self._positions, self._until = (
            found[name].copy() for name in ("entity_id", "position", "visible_until")
        )
        self._visible_from = np.max([found[name] for name in _SOURCES], axis=0)

    def last_before(self, view: View, here: int, end: int) -> Iterator[Quiet]:
        """Yield who is mentioned twice and more up to `here`, but not from `end` on.

        The loudest come first.
        """
        seen = self._positions <= here
        if view.as_of is None:
            seen &= self._until == NEVER
        else:
            seen &= (self._visible_from <= view.as_of) & (self._until > view.as_of)
        ids, positions = self._entities[seen], self._positions[seen]
        begins = np.flatnonzero(np.diff(ids, prepend=-1))
        counts = np.diff(begins, append=len(ids))
        firsts, lasts = positions[begins], positions[begins + counts - 1]
        quiet = np.flatnonzero((counts > 1) & (lasts < end))
        order = quiet[np.lexsort((firsts[quiet], -lasts[quiet], -counts[quiet]))]
        for start in range(0, len(order), LOUDEST):
            part = order[start : start + LOUDEST]
            found = ids[begins[part]], counts[part], firsts[part], lasts[part]
            yield from map(Quiet, *(column.tolist() for column in found))


_SOURCES = ("mention", "chunk", "note")
"""Whose `visible_from` decides on a mention: the greatest does."""

_TOLD = np.dtype([(name, "i8") for name in ("entity_id", "position", "visible_until", *_SOURCES)])


@prepared
def _told_mentions(scope: Scope) -> Query:
    mention, chunk, note = scope.candidate, scope.chunk, scope.note
    visible = (
        func.coalesce(table.c.visible_from, NEVER).label(name)
        for name, table in zip(_SOURCES, (mention, chunk, note), strict=True)
    )
    until = func.coalesce(mention.c.visible_until, NEVER).label("visible_until")
    return (
        select(mention.c.entity_id, note.c.position, until, *visible)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(note.c.position.is_not(None))
    )


def _loudest(one: Quiet) -> tuple[int, int, int]:
    return -one.mentions, -one.last, one.first


def last_sightings(view: View, quiet: Sequence[Quiet]) -> dict[int, Sighting]:
    """Return the last mention of each entity, in a note at its last position."""
    note, mention, chunk = view.note, view.mention, view.chunk
    last = {one.entity_id: one.last for one in quiet}
    statement = (
        select(note.c.position, note.c.path, chunk.c.start.label("chunk_start"))
        .add_columns(chunk.c.id.label("chunk_id"))
        .add_columns(chunk.c.note_id, mention.c.entity_id, mention.c.start, mention.c.end)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(mention.c.entity_id.in_(last), note.c.position.in_(last.values()))
        .where(note.c.kind == "note")
    )
    found = sorted(view.fetch(Sighting, statement), key=_place)
    return {one.entity_id: one for one in found if one.position == last[one.entity_id]}


def _dead(view: View, entity_ids: Sequence[int]) -> set[int]:
    """Return the entities whose last known status in the manuscript is dead."""
    change = view.entity_change
    statement = (
        select(change.c.entity_id, change.c.new)
        .where(change.c.kind == "status_changed")
        .order_by(change.c.visible_from, change.c.ordinal)
    )
    found = view.all_among(statement, change.c.entity_id, sorted(entity_ids))
    latest = {row.entity_id: row.new for row in found}
    return {entity_id for entity_id, status in latest.items() if status == "dead"}
