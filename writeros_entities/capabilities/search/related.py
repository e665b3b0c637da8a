"""Find notes related to a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, empty_page, omitted
from writeros_entities.capabilities.entities.parts import entity_refs, plain_text
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
    from writeros_entities.workspace import Workspace

SHOWN = 10
"""Most shared entities to name."""


class FindRelatedNotes(Request["RelatedNotes"]):
    """The note whose related notes to find."""

    note: NoteName
    as_of: AsOf = None
    limit: Limit = 10
    offset: Offset = 0


class RelatedNote(Answer):
    """A related note, and what relates it."""

    path: str
    title: str
    position: int | None
    score: float
    nearness: float | None = Field(description="Cosine of the vectors; null without vectors.")
    sharing: float = Field(description="Overlap of the entities, rare ones counting for more.")
    shared_entities: list[EntityRef] = Field(description="Those that count most, at most ten.")
    shared_count: int

    def as_text(self) -> str:
        """Return the note as one Markdown list item, with the reasons."""
        reasons = [] if self.nearness is None else [f"alike in meaning ({self.nearness:.2f})"]
        if self.shared_entities:
            names = [entity.name for entity in self.shared_entities]
            more = self.shared_count - len(names)
            names += [f"{more} more"] if more else []
            reasons.append(f"both mention {', '.join(names)}")
        return f"- {self.path} ({self.score:.2f}) — {'; '.join(reasons)}"


class NoteTopic(Answer):
    """What a note is about."""

    name: str
    confidence: float


class RelatedNotes(Response):
    """A page of notes, nearest first, and the topics of the note itself."""

    limited: ClassVar[str | None] = "notes"

    path: str
    topics: list[NoteTopic] = Field(description="Of the note itself, the surest first.")
    notes: list[RelatedNote]
    total: int
    remark: str | None = Field(description="What is missing, usually vectors.")

    def as_text(self) -> str:
        """Return the notes as a list."""
        text = empty_page(self.total, "note", "No related notes.")
        if self.notes:
            text = "\n".join(note.as_text() for note in self.notes)
            text += omitted(len(self.notes), self.total, "note")
        if self.topics:
            about = ", ".join(plain_text(topic.name) for topic in self.topics)
            text = f"{self.path} is about: {about}.\n\n{text}"
        return f"{text}\n\n{self.remark}" if self.remark else text


@capability(family="search", offered=False)
def find_related_notes(workspace: Workspace, request: FindRelatedNotes) -> RelatedNotes:
    """Find the notes related to a note: similar in meaning, or about the same entities.

    Without vectors, by the entities alone.

    The score is the mean of both: the cosine of the nearest of a note's passages, and the overlap
    of the entities, in which rare ones count for more.
    """
    from writeros_entities.capabilities.search.vectors import why_without
    from writeros_entities.query.search.related_notes import find_related_notes as find_notes
    from writeros_entities.query.vault.notes import find_note, notes_by_id, topics_of

    embedder = workspace.embedder()
    with workspace.view(request.as_of) as view:
        note = find_note(view, workspace.plugins, request.note)
        topics = topics_of(view, note.id)
        found = find_notes(view, note.id, embedder.identity if embedder else None)
        page = found[request.offset : request.offset + request.limit]
        notes = notes_by_id(view, [one.note_id for one in page])
        shown = [one for one in page if workspace.has_file(notes[one.note_id].path)]
        refs = entity_refs(view, {entity for one in shown for entity in one.shared[:SHOWN]})
        related = [
            RelatedNote(
                path=notes[one.note_id].path,
                title=notes[one.note_id].title,
                position=notes[one.note_id].position,
                score=one.score,
                nearness=one.nearness,
                sharing=one.sharing,
                shared_entities=[refs[item] for item in one.shared[:SHOWN]],
                shared_count=len(one.shared),
            )
            for one in shown
        ]
    about = [NoteTopic(name=name, confidence=confidence) for name, confidence in topics]
    total = len(found) - len(page) + len(shown)
    return RelatedNotes(
        path=note.path, topics=about, notes=related, total=total, remark=why_without(workspace)
    )
