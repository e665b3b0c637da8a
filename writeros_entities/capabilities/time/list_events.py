"""List what happens: who does what, to whom, and where."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    Quote,
    empty_page,
    omitted,
    part_of,
)
from writeros_entities.capabilities.entities.moments import At, find_moment
from writeros_entities.capabilities.parts import EntityName, WithinPositions, entity_refs
from writeros_entities.capability import (
    BY_PLACE,
    AsOf,
    Limit,
    NoteName,
    Offset,
    Response,
    capability,
)
from writeros_entities.errors import NotFoundError
from writeros_entities.values import PartyRole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from writeros_entities.capabilities.time.told import FoundEvent
    from writeros_entities.story.dating import Place, StoryTimes
    from writeros_entities.view import View


class ListEvents(WithinPositions["EventList"]):
    """Whose events to list, of which kind, and where they are told."""

    entity: Annotated[
        EntityName | None, Field(description="Who takes part, or where it happens."), BY_PLACE
    ] = None
    other: Annotated[EntityName | None, Field(description="Who takes part as well.")] = None
    kind: Annotated[
        str | None, Field(max_length=40, description="Only events of this kind: moves, dies, …")
    ] = None
    note: NoteName | None = None
    from_date: Annotated[At, Field(description="From this story date, or this chapter, on.")] = None
    to_date: Annotated[At, Field(description="Up to this story date, or this chapter.")] = None
    order: Annotated[
        Literal["reading", "story"], Field(description="As it is told, or as it happens.")
    ] = "reading"
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class EventPart(Answer):
    """Who or what takes part in an event."""

    entity: EntityRef
    role: PartyRole
    confidence: float = Field(description="How sure it is that it is this one, in 0-1.")


class Event(Quote):
    """Something that happens; the quote's span is its verb."""

    verb: str = Field(description="In its dictionary form.")
    kind: str | None = Field(description="What it changes: moves, dies, …")
    is_earlier: bool = Field(description="It happened before what is told there.")
    parts: list[EventPart]
    story_date: str | None = Field(
        default=None, description="When that is, if asked for by date or in story order."
    )

    def told(self) -> str:
        """Return who takes part, and the sentence with the verb in bold."""
        names = ", ".join(one.entity.name for one in self.parts)
        when = f"{self.story_date}, " if self.story_date else ""
        return f"{when}{names}: {self.marked()}"


class EventList(Response):
    """A page of events, the manuscript in reading order first."""

    limited: ClassVar[str | None] = "events"

    events: list[Event]
    total: int

    def as_text(self) -> str:
        """Return the events by note."""
        if not self.events:
            return empty_page(self.total, "event", "Nothing is told to happen.")
        parts = [part_of(len(self.events), self.total, "event")]
        for path, group in groupby(self.events, key=lambda one: one.path):
            parts += [f"**{path}**", "\n".join(f"- line {one.line}: {one.told()}" for one in group)]
        return "\n\n".join(parts) + omitted(len(self.events), self.total, "event")


@capability(family="time", offered=False)
def list_events(view: View, request: ListEvents) -> EventList:
    """List what happens: who does what, to whom and where, in reading order, with quotes.

    It is read from sentences that say plainly that something happened: not what is planned, feared
    or dreamt, nor how things are. A parser of the notes' language is needed for it.
    """
    from writeros_entities.capabilities.time.told import find_events
    from writeros_entities.story.dating import load_times
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.notes import find_note
    from writeros_entities.story.passages import notes_between

    if request.kind is not None:
        _check_kind(view, request.kind)
    entities = [
        find_entity(view, name).id for name in (request.entity, request.other) if name is not None
    ]
    notes = notes_between(view, request.from_position, request.to_position)
    if request.note is not None:
        asked = {find_note(view, request.note).id}
        notes = asked if notes is None else asked & notes
    by_date = request.from_date is not None or request.to_date is not None
    times = load_times(view) if by_date or request.order == "story" else None
    page, total = find_events(
        view,
        entities,
        kind=request.kind,
        notes=notes,
        limit=request.limit,
        offset=request.offset,
        times=times,
        within=_within(view, request) if by_date else None,
    )
    present = [one for one in page if view.has_file(one.chunk.path)]
    refs = entity_refs(view, {part.entity_id for one in present for part in one.parts})
    return EventList(
        events=[_event(one, refs, times) for one in present], total=total - len(page) + len(present)
    )


def _check_kind(view: View, kind: str) -> None:
    """Raise NotFoundError, with the kinds that there are, for another one."""
    known = {one for each in view.plugins.languages.values() for one in each.words.events.values()}
    if kind not in known:
        raise NotFoundError("kind of event", kind, sorted(known))


def _within(view: View, request: ListEvents) -> Callable[[Place], bool]:
    """Return what says whether a place in the story lies between the dates asked for."""
    first = None if request.from_date is None else find_moment(view, request.from_date)
    last = None if request.to_date is None else find_moment(view, request.to_date)
    return lambda place: (
        (first is None or place >= first.begin) and (last is None or place <= last.place)
    )


def _event(found: FoundEvent, refs: Mapping[int, EntityRef], times: StoryTimes | None) -> Event:
    from writeros_entities.story.proofs import quote_chunk

    is_dated = times is not None and not found.is_earlier
    scene = times.scene_at(found.chunk.path, found.start) if times and is_dated else None
    quoted = quote_chunk(found.chunk, found.start, found.end)
    parts = [
        EventPart(entity=refs[one.entity_id], role=one.role, confidence=one.confidence)
        for one in found.parts
    ]
    return Event(
        **Quote.of(quoted).model_dump(),
        verb=found.verb,
        kind=found.kind or None,
        is_earlier=found.is_earlier,
        parts=parts,
        story_date=None if scene is None or scene.time is None else scene.time.date.name,
    )
