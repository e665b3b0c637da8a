"""What happens, in reading order: the events in which an entity takes part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, func, select, tuple_

from writeros_entities.store.columns import is_one_of
from writeros_entities.story.passages import chunk_places

if TYPE_CHECKING:
    from writeros_entities.store.rows import Query
    from writeros_entities.story.dating import Place, StoryTimes
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View


class Part(NamedTuple):
    """Somebody's part in an event."""

    entity_id: int
    role: str
    confidence: float


class FoundEvent(NamedTuple):
    """An event: the place of its verb, and those that take part, doers first."""

    chunk: ChunkPlace
    start: int
    end: int
    verb: str
    kind: str
    is_earlier: bool
    parts: Sequence[Part]


class _Verb(NamedTuple):
    """The verb of an event, and its place."""

    chunk_id: int
    start: int
    end: int
    verb: str
    kind: str
    is_earlier: bool


class _ToldVerb(NamedTuple):
    """The verb of an event, its place, and its note."""

    chunk_id: int
    start: int
    end: int
    verb: str
    kind: str
    is_earlier: bool
    path: str


_IN_TURN = ("doer", "done to", "to", "with", "at")


def find_events(
    view: View,
    entities: Sequence[int],
    *,
    kind: str | None,
    notes: Collection[int] | None,
    limit: int,
    offset: int,
    times: StoryTimes | None = None,
    within: Callable[[Place], bool] | None = None,
) -> tuple[list[FoundEvent], int]:
    """Return a page of the events in which all of some entities take part, and how many there are.

    `notes` are the ids of those that may tell them, None means all. The manuscript comes first, in
    reading order, then other notes by path. With `times`, it comes in story order; of places in the
    story that `within` rejects, and of what happened before what is told there, nothing is returned
    then, nor of other notes.
    """
    event, chunk, note = view.event, view.chunk, view.note
    told = [event.c[name] for name in _Verb._fields]
    statement = (
        select(*told)
        .join(chunk, chunk.c.id == event.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .group_by(*told, note.c.position, note.c.path)
    )
    for entity_id in entities:
        other = view.event.alias()
        is_same = and_(other.c.chunk_id == event.c.chunk_id, other.c.start == event.c.start)
        statement = statement.join(other, and_(is_same, other.c.entity_id == entity_id))
    if kind is not None:
        statement = statement.where(event.c.kind == kind)
    if notes is not None:
        statement = statement.where(is_one_of(note.c.id, "note_ids"))
    given = {} if notes is None else {"note_ids": sorted(notes)}
    count = select(func.count()).select_from(statement.subquery("found"))
    in_order = (note.c.position.is_(None), note.c.position, note.c.path, event.c.start)
    in_turn = statement.order_by(*in_order)
    if times is None:
        verbs = view.fetch(_Verb, in_turn.limit(limit).offset(offset), **given)
        total = int(view.scalar(count, **given))
    else:
        with_path: Query = in_turn.add_columns(note.c.path)
        rows = view.fetch(_ToldVerb, with_path, **given)
        placed = [(times.place_at(one.path, one.start), one) for one in rows]
        kept = sorted(
            (
                (place, one)
                for place, one in placed
                if place is not None and (within is None or (within(place) and not one.is_earlier))
            ),
            key=lambda one: one[0],
        )
        total = len(kept)
        verbs = [_Verb(*one[:-1]) for _, one in kept[offset : offset + limit]]
    places = chunk_places(view, {one.chunk_id for one in verbs})
    parts = _parts(view, verbs)
    found = [
        FoundEvent(
            *(places[one.chunk_id], one.start, one.end, one.verb, one.kind, one.is_earlier),
            parts[one.chunk_id, one.start],
        )
        for one in verbs
    ]
    return found, total


def _parts(view: View, verbs: Sequence[_Verb]) -> dict[tuple[int, int], list[Part]]:
    """Return who takes part in each event, by its place."""
    event = view.event
    place = tuple_(event.c.chunk_id, event.c.start)
    found: dict[tuple[int, int], list[Part]] = defaultdict(list)
    for row in view.all_among(select(event), place, [(one.chunk_id, one.start) for one in verbs]):
        found[row.chunk_id, row.start].append(Part(row.entity_id, row.role, row.confidence))
    for parts in found.values():
        parts.sort(key=lambda one: (_IN_TURN.index(one.role), one.entity_id))
    return found
