"""List who and what is in a note."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    Quote,
    empty_page,
    omitted,
    or_others,
    part_of,
    table,
)
from writeros_entities.capabilities.parts import (
    MOST_ALTERNATIVES,
    NamedEntity,
    Types,
    entity_refs,
    find_alternatives,
    readable,
    to_snake_case,
    types_meant,
)
from writeros_entities.capability import (
    AsOf,
    Limit,
    NoteName,
    Offset,
    Request,
    Response,
    capability,
)
from writeros_entities.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


class ListNoteEntities(Request["PresentEntities"]):
    """Which note, and which part of it."""

    note: NoteName = Field(
        description="A note's path or title, a chapter's number, or a name of its entity; with "
        "`#heading` or `#^block`, that part of it."
    )
    from_line: Annotated[
        int | None, Field(ge=1, description="Only from this line of the file on.")
    ] = None
    to_line: Annotated[int | None, Field(ge=1, description="Only up to this line.")] = None
    types: Types = ()
    include_text: Annotated[bool, Field(description="Also its text, with each mention.")] = False
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0

    _types = field_validator("types")(to_snake_case)


class PresentEntity(EntityRef):
    """An entity in a note: how often, how surely, and where first."""

    mentions: int
    confidence: float = Field(description="Mean of its mentions.")
    met_before: int | None = Field(
        None, description="Of a chapter: the first one before it that names the entity."
    )
    last_before: int | None = Field(
        None, description="Of a chapter: the last one before it that names the entity."
    )
    first: Quote = Field(description="Its first mention, and who may be meant by each of them.")


class NamedSpan(NamedEntity):
    """A mention in a passage: whom it names, and where, as offsets into the passage's text."""

    start: int
    end: int


class MarkedPassage(Answer):
    """A passage of a note as a reader sees it, without the author's comments."""

    heading: str
    line: int = Field(description="Line of the file where it begins, from 1.")
    is_properties: bool
    text: str
    mentions: list[NamedSpan] = Field(description="In order.")


class PresentEntities(Response):
    """A page of the entities in a note, most mentioned first, and how many there are."""

    limited: ClassVar[str | None] = "entities"

    path: str
    title: str
    position: int | None = Field(description="Place in reading order; null outside it.")
    entities: list[PresentEntity]
    total: int
    passages: list[MarkedPassage] = Field(
        default=[], description="Its text, if asked for (include_text)."
    )

    def as_text(self) -> str:
        """Return the note, and its entities as a table."""
        place = "" if self.position is None else f" (place {self.position} in reading order)"
        head = f"{self.path}{place}"
        if not self.entities:
            return f"{head}: {empty_page(self.total, 'entity', 'nobody is named here.')}"
        rows = [
            (
                one.name + or_others(one.first.alternatives, one.name),
                one.type,
                one.mentions,
                f"{one.confidence:.2f}",
                one.first.line,
            )
            for one in self.entities
        ]
        listed = table(["entity", "type", "mentions", "confidence", "first line"], rows)
        listed += omitted(len(self.entities), self.total, "entity")
        return f"{head}: {part_of(len(self.entities), self.total, 'entity')}\n\n{listed}"


@capability(family="entities", job="see who and what is in a chapter or another note")
def list_note_entities(view: View, request: ListNoteEntities) -> PresentEntities:
    """List who and what is named in a note, a section or a span of lines, most mentioned first.

    For a chapter, that is who is in it.
    """
    from writeros_entities.story.notes import find_place
    from writeros_entities.story.passages import spans_at

    first, last = request.from_line or 1, request.to_line
    if last is not None and last < first:
        raise RequestError(f"list_note_entities: to_line: {last} is before from_line, {first}.")
    types = types_meant(view, request.types)
    note, place = find_place(view, request.note)
    view.require_file(note.path)
    named = _Named(view, spans_at(view, note, place), first, last)
    entities = [one for one in named.by_entity if not types or named.refs[one].type in types]
    page = entities[request.offset : request.offset + request.limit]
    return PresentEntities(
        path=note.path,
        title=note.title,
        position=note.position,
        entities=named.present(page, note.position),
        total=len(entities),
        passages=named.passages(entities) if request.include_text else [],
    )


class _Named:
    """The mentions in some lines of a note, by entity: the most mentioned and earliest first."""

    def __init__(
        self, view: View, spans: Mapping[int, tuple[int, int]], first: int, last: int | None
    ) -> None:
        from writeros_entities.story.mentions import mentions_in
        from writeros_entities.story.passages import chunk_places

        self._view = view
        self._spans = spans
        self._places = chunk_places(view, spans)
        found: dict[int, list[Row]] = defaultdict(list)
        for row in mentions_in(view, spans):
            start, end = spans[row.chunk_id]
            line = self._line(row)
            if start <= row.start and row.end <= end and first <= line <= (last or line):
                found[row.entity_id].append(row)
        order = sorted(found, key=lambda one: (-len(found[one]), found[one][0].start, one))
        self.by_entity = {one: found[one] for one in order}
        self.refs = entity_refs(view, order)

    def _line(self, row: Row) -> int:
        place = self._places[row.chunk_id]
        return place.line + place.text.count("\n", 0, row.start - place.start)

    def present(self, entity_ids: Sequence[int], position: int | None) -> list[PresentEntity]:
        """Return entities for an answer; doubtful are those of which every mention is."""
        from writeros_entities.story.listing import chapters_before
        from writeros_entities.story.mentions import Naming
        from writeros_entities.story.proofs import quote_chunk

        named = {
            one: [Naming(row.chunk_id, row.start, row.end, one) for row in self.by_entity[one]]
            for one in entity_ids
        }
        doubts = find_alternatives(self._view, chain.from_iterable(named.values()))
        before = {} if position is None else chapters_before(self._view, entity_ids, position)
        present = []
        for one, spans in named.items():
            rows = self.by_entity[one]
            others = [doubts.get(span, []) for span in spans]
            meant = {other.entity.id: other for each in others for other in each if all(others)}
            told = list(meant.values())[:MOST_ALTERNATIVES]
            quote = Quote.of(quote_chunk(self._places[rows[0].chunk_id], *spans[0][1:3]))
            present.append(
                PresentEntity(
                    **self.refs[one].model_dump(),
                    mentions=len(rows),
                    confidence=round(sum(row.confidence for row in rows) / len(rows), 4),
                    met_before=before[one].first if one in before else None,
                    last_before=before[one].last if one in before else None,
                    first=quote.model_copy(update={"alternatives": told}),
                )
            )
        return present

    def passages(self, entity_ids: Sequence[int]) -> list[MarkedPassage]:
        """Return the text for an answer, with the mentions of these entities."""
        from writeros_entities.story.mentions import Naming

        named: dict[int, list[Naming]] = defaultdict(list)
        for one in entity_ids:
            for row in self.by_entity[one]:
                named[row.chunk_id].append(Naming(row.chunk_id, row.start, row.end, one))
        doubts = find_alternatives(self._view, chain.from_iterable(named.values()))
        told = {one: self.refs[one].model_dump() for one in entity_ids}
        passages = []
        for chunk_id, (start, end) in self._spans.items():
            place = self._places[chunk_id]
            text = place.text[start - place.start : end - place.start]
            shown = readable(text).rstrip()
            spans = [
                NamedSpan(
                    **told[one.entity_id],
                    alternatives=doubts.get(one, []),
                    start=len(readable(text[: one.start - start])),
                    end=len(readable(text[: one.end - start])),
                )
                for one in sorted(named[chunk_id])
            ]
            if shown:
                passages.append(
                    MarkedPassage(
                        heading=place.heading,
                        line=place.line + place.text.count("\n", 0, start - place.start),
                        is_properties=place.ordinal < 0,
                        text=shown,
                        mentions=[one for one in spans if one.end <= len(shown)],
                    )
                )
        return passages
