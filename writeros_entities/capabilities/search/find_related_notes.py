"""Find notes related to a note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, empty_page, omitted
from writeros_entities.capabilities.parts import (
    EveryPassage,
    entity_refs,
    more_here,
    plain_text,
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

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.excerpts import Excerpt
    from writeros_entities.capabilities.search.related_notes import RelatedNote as Related
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View

SHOWN = 10
"""Most shared entities to name."""


class FindRelatedNotes(Request["RelatedNotes"]):
    """The note whose related notes to find."""

    note: NoteName
    every_passage: EveryPassage = False
    as_of: AsOf = None
    limit: Limit = 10
    offset: Offset = 0


class RelatedNote(Answer):
    """A related note, what relates it, and the passage that does so most."""

    path: str
    title: str
    heading: str
    position: int | None
    line: int = Field(description="Line of the excerpt.")
    start: int = Field(description="Offset of the passage in the file.")
    end: int
    score: float
    nearness: float | None = Field(description="Cosine of the vectors; null without vectors.")
    sharing: float = Field(description="Overlap of the entities, rare ones counting for more.")
    shared_entities: list[EntityRef] = Field(description="Those that count most, at most ten.")
    shared_count: int
    excerpt: str = Field(description="The sentence that speaks of what is shared, or the first.")
    more_here: int = Field(description="Passages of the note that are not listed (every_passage).")

    def as_text(self) -> str:
        """Return the note as one Markdown list item, with the reasons."""
        reasons = [] if self.nearness is None else [f"alike in meaning ({self.nearness:.2f})"]
        if self.shared_entities:
            names = [entity.name for entity in self.shared_entities]
            more = self.shared_count - len(names)
            names += [f"{more} more"] if more else []
            reasons.append(f"both mention {', '.join(names)}")
        item = f"- {self.path}:{self.line} ({self.score:.2f}; {'; '.join(reasons)})"
        return f"{item} — {self.excerpt}{more_here(self.more_here)}"


class NoteTopic(Answer):
    """What a note is about."""

    name: str
    confidence: float


class RelatedNotes(Response):
    """A page of notes, nearest first, and the topics of the note itself."""

    limited: ClassVar[str | None] = "notes"

    path: str
    topics: list[NoteTopic] = Field(description="Of the note itself, the surest first.")
    notes: list[RelatedNote] = Field(description="With every_passage, one for each passage.")
    total: int
    remark: str | None = Field(description="What is missing, usually vectors.")

    def as_text(self) -> str:
        """Return the notes as a list."""
        text = empty_page(self.total, "result", "No related notes.")
        if self.notes:
            text = "\n".join(note.as_text() for note in self.notes)
            text += omitted(len(self.notes), self.total, "result")
        if self.topics:
            about = ", ".join(plain_text(topic.name) for topic in self.topics)
            text = f"{self.path} is about: {about}.\n\n{text}"
        return f"{text}\n\n{self.remark}" if self.remark else text


@capability(family="search", offered=False)
def find_related_notes(view: View, request: FindRelatedNotes) -> RelatedNotes:
    """Find the notes related to a note: similar in meaning, or about the same entities.

    Without vectors, by the entities alone. Each note is listed once, with the passage that relates
    it most; `every_passage` lists all that mention what is shared, each with its own score.

    The score is the mean of both: the cosine of the nearest of a note's passages, and the overlap
    of the entities, in which rare ones count for more.
    """
    from writeros_entities.capabilities.search.related_notes import find_related_notes as find_notes
    from writeros_entities.capabilities.search.vectors import why_without
    from writeros_entities.story.notes import find_note, topics_of
    from writeros_entities.story.passages import chunk_places

    embedder = view.embedder()
    note = find_note(view, request.note)
    topics = topics_of(view, note.id)
    model = embedder.identity if embedder else None
    found = find_notes(view, note.id, model, by_note=not request.every_passage)
    page = found[request.offset : request.offset + request.limit]
    places = chunk_places(view, [one.chunk_id for one in page])
    shown = [one for one in page if view.has_file(places[one.chunk_id].path)]
    excerpts = _excerpts(view, shown, places)
    refs = entity_refs(view, {entity for one in shown for entity in one.shared[:SHOWN]})
    related = [
        RelatedNote(
            path=place.path,
            title=place.title,
            heading=excerpt.heading,
            position=place.position,
            line=excerpt.line,
            start=place.start,
            end=place.end,
            score=one.score,
            nearness=one.nearness,
            sharing=one.sharing,
            shared_entities=[refs[item] for item in one.shared[:SHOWN]],
            shared_count=len(one.shared),
            excerpt=excerpt.text,
            more_here=one.more_here,
        )
        for one in shown
        for place, excerpt in ((places[one.chunk_id], excerpts[one.chunk_id]),)
    ]
    about = [NoteTopic(name=name, confidence=confidence) for name, confidence in topics]
    total = len(found) - len(page) + len(shown)
    return RelatedNotes(
        path=note.path, topics=about, notes=related, total=total, remark=why_without(view)
    )


def _excerpts(
    view: View, shown: list[Related], places: Mapping[int, ChunkPlace]
) -> dict[int, Excerpt]:
    """Return the sentence of each passage that speaks of what is shared, or else its first one."""
    from writeros_entities.capabilities.search.excerpts import entity_excerpts, text_excerpt
    from writeros_entities.story.mentions import mentions_in

    shared = {one.chunk_id: set(one.shared) for one in shown}
    here = {
        row.chunk_id for row in mentions_in(view, shared) if row.entity_id in shared[row.chunk_id]
    }
    first = {one: text_excerpt(places[one], ()) for one in shared if one not in here}
    return first | entity_excerpts(view, {one: shared[one] for one in here}, places)
