"""Read the notes themselves: which there are, in what order, and what is written in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, empty_page, omitted, table
from writeros_entities.capability import (
    AsOf,
    Below,
    Limit,
    NoteName,
    Offset,
    Request,
    Response,
    capability,
)
from writeros_entities.vault.roles import RoleName

if TYPE_CHECKING:
    from writeros_entities.story.dating import StoryTimes
    from writeros_entities.view import View


class ListNotes(Request["NoteList"]):
    """Which notes to list."""

    below: Below | None = None
    chapters_only: Annotated[bool, Field(description="Only the manuscript.")] = False
    role: Annotated[RoleName | None, Field(description="Only notes that are this.")] = None
    order: Annotated[
        Literal["reading", "story"],
        Field(description="As read, or as it happens, with story dates."),
    ] = "reading"
    as_of: AsOf = None
    limit: Limit = 100
    offset: Offset = 0


class ListedNote(Answer):
    """A note of the list."""

    path: str
    title: str
    position: int | None = Field(description="Place in reading order; null outside it.")
    tokens: int = Field(description="Length of its text.")
    role: RoleName = Field(description="What the note is.")
    role_reason: str = Field(description="Why it is that.")
    role_confidence: float = Field(description="How sure that is, from 0 to 1.")
    story_date: str | None = Field(
        default=None, description="When its first scene takes place, if listed in story order."
    )
    story_date_reason: str | None = Field(default=None, description="Where that is told.")
    story_date_confidence: float | None = Field(default=None, description="How sure that is.")


class NoteList(Response):
    """A page of notes: the manuscript in the order asked for, then the others by path."""

    limited: ClassVar[str | None] = "notes"

    notes: list[ListedNote]
    total: int

    def as_text(self) -> str:
        """Return the notes as a table."""
        if not self.notes:
            return empty_page(self.total, "note", "No notes.")
        if any(note.story_date for note in self.notes):
            dates = [
                (one.story_date, one.story_date_reason, one.position, one.path)
                for one in self.notes
            ]
            listed = table(("story date", "by", "reading order", "note"), dates)
        else:
            rows = [(note.position, note.path, note.role, note.tokens) for note in self.notes]
            listed = table(("reading order", "note", "role", "tokens"), rows)
        return listed + omitted(len(self.notes), self.total, "note")


class ReadNote(Request["NoteText"]):
    """The note or section to read, and from which passage on."""

    note: NoteName = Field(
        description="A note's path or title, a chapter's number, or a name of its entity; with "
        "`#heading` or `#^block`, that part of it."
    )
    as_of: AsOf = None
    limit: Limit = 100
    offset: Offset = 0


class NotePassage(Answer):
    """A passage of a note as a reader sees it, without the author's comments."""

    heading: str
    line: int = Field(description="Line of the file where it begins, from 1.")
    tokens: int
    text: str


class NoteText(Response):
    """A page of the passages of a note, in order."""

    limited: ClassVar[str | None] = "passages"

    path: str
    title: str
    position: int | None = Field(description="Place in reading order; null outside it.")
    passages: list[NotePassage]
    total: int

    @property
    def note_text(self) -> tuple[str, str] | None:
        """The path, and the text of the passages."""
        own = "\n\n".join(passage.text for passage in self.passages)
        return (self.path, own) if own else None

    def as_text(self) -> str:
        """Return the path, and below it the text."""
        place = "" if self.position is None else f" (place {self.position} in reading order)"
        text = empty_page(self.total, "passage", "The note is empty.")
        if self.note_text:
            text = self.note_text[1]
            text += omitted(
                len(self.passages), self.total, "passage", "limit, offset, or a `#heading`"
            )
        return f"{self.path}{place}\n\n{text}"


@capability(family="vault", job="see which chapters and notes there are")
def list_notes(view: View, request: ListNotes) -> NoteList:
    """List the notes: the manuscript in order, then the others by path."""
    from writeros_entities.story.dating import load_times
    from writeros_entities.story.notes import find_below, list_in_reading_order

    asked = request.below
    times = load_times(view) if request.order == "story" else None
    page, total = list_in_reading_order(
        view,
        request.offset,
        request.limit,
        below=None if asked is None else find_below(view, asked),
        chapters_only=request.chapters_only,
        role=request.role,
        in_order=None if times is None else times.notes_in_order(),
    )
    notes = [ListedNote.of(note) for note in page if view.has_file(note.path)]
    if times is not None:
        notes = [_with_date(note, times) for note in notes]
    return NoteList(notes=notes, total=total - len(page) + len(notes))


def _with_date(note: ListedNote, times: StoryTimes) -> ListedNote:
    """Return a note with the story date of its first scene."""
    time = next((scene.time for scene in times.of_note(note.path)), None)
    if time is None:
        return note
    told = {
        "story_date": time.date.name,
        "story_date_reason": time.reason,
        "story_date_confidence": time.confidence,
    }
    return note.model_copy(update=told)


@capability(family="vault", job="read a chapter or another note")
def read_note(view: View, request: ReadNote) -> NoteText:
    """Read a note or a part of it, as far as a reader may see it, without the author's comments."""
    from writeros_entities.story.notes import find_place
    from writeros_entities.story.passages import passages_at, passages_of

    note, place = find_place(view, request.note)
    if place:
        counter = view.plugins.token_counter(view.settings.token_counter)
        found = passages_at(view, note, place, counter)
    else:
        found = passages_of(view, note.id)
    view.require_file(note.path)
    page = found[request.offset : request.offset + request.limit]
    return NoteText(
        path=note.path,
        title=note.title,
        position=note.position,
        passages=[NotePassage.of(passage) for passage in page],
        total=len(found),
    )
