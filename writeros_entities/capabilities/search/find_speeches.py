"""Find who says what, and to whom."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, empty_page, omitted, part_of
from writeros_entities.capabilities.parts import EntityName, entity_refs, plain_text
from writeros_entities.capability import (
    BY_PLACE,
    AsOf,
    Limit,
    NoteName,
    Offset,
    Request,
    Response,
    capability,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.story.speeches import FoundSpeech
    from writeros_entities.values import SpeakerRule
    from writeros_entities.view import View

_REASONS: Mapping[SpeakerRule, str] = {
    "tag": "the words beside it say so",
    "beat": "who acts beside it",
    "turn": "whose turn it is",
    "goes on": "the speech before goes on",
}


class FindSpeeches(Request["SpeechList"]):
    """Whose words to find, said to whom, with which words in them, and where."""

    speaker: Annotated[EntityName | None, Field(description="Who says it."), BY_PLACE] = None
    addressee: Annotated[EntityName | None, Field(description="To whom it is said.")] = None
    query: Annotated[
        str | None, Field(max_length=300, description="Words that must all be in it.")
    ] = None
    note: NoteName | None = None
    min_confidence: Annotated[
        float, Field(ge=0, le=1, description="Name no speaker who is less certain.")
    ] = 0.35
    as_of: AsOf = None
    limit: Limit = 20
    offset: Offset = 0


class SpeechFound(Answer):
    """Something said in the manuscript, with its place."""

    speaker: EntityRef | None = Field(description="Who says it, if that is certain enough.")
    is_narrators: bool = Field(description="Said by the narrator, of whom no name is known.")
    addressee: EntityRef | None = Field(description="To whom, if known.")
    is_to_narrator: bool = Field(description="To the narrator, of whom no name is known.")
    text: str = Field(description="The words, with their marks.")
    path: str
    heading: str
    position: int = Field(description="Place in reading order.")
    line: int
    start: int
    end: int
    confidence: float = Field(description="Of the speaker; 0 without one.")
    reason: str | None = Field(description="Why it is this speaker.")

    def as_text(self) -> str:
        """Return the words behind their speaker."""
        who = self.speaker.name if self.speaker else "the narrator" if self.is_narrators else "?"
        told = self.addressee.name if self.addressee else "the narrator"
        to = f" to {told}" if self.addressee or self.is_to_narrator else ""
        sure = f" ({self.confidence:.0%}: {self.reason})" if self.reason else ""
        return f"- line {self.line}: {who}{to}: {plain_text(self.text)}{sure}"


class SpeechList(Response):
    """A page of speeches, in reading order."""

    limited: ClassVar[str | None] = "speeches"

    speeches: list[SpeechFound]
    total: int

    def as_text(self) -> str:
        """Return the speeches by note."""
        if not self.speeches:
            return empty_page(self.total, "speech", "Nobody says that.")
        parts = [part_of(len(self.speeches), self.total, "speech")]
        for path, group in groupby(self.speeches, key=lambda one: one.path):
            parts += [f"**{path}**", "\n".join(one.as_text() for one in group)]
        return "\n\n".join(parts) + omitted(len(self.speeches), self.total, "speech")


@capability(family="search", offered=False)
def find_speeches(view: View, request: FindSpeeches) -> SpeechList:
    """Find who says what in the manuscript, and to whom, with how certain that is.

    A speaker is found by the words beside a speech ("said Ann"), a pronoun there, who acts beside
    it, who is called by name, and whose turn it is.
    """
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.notes import find_note
    from writeros_entities.story.speeches import load_speeches

    ids = [
        None if name is None else find_entity(view, name).id
        for name in (request.speaker, request.addressee)
    ]
    note_id = None
    if request.note is not None:
        note_id = find_note(view, request.note).id
    told = load_speeches(view, note_id)
    found = [one for one in told if _is_asked_for(one, request, *ids)]
    page = found[request.offset : request.offset + request.limit]
    present = [one for one in page if view.has_file(one.path)]
    named = {each for one in present for each in (one.speaker, one.addressee) if each}
    refs = entity_refs(view, named)
    return SpeechList(
        speeches=[_speech(one, refs, request.min_confidence) for one in present],
        total=len(found) - len(page) + len(present),
    )


def _is_asked_for(
    speech: FoundSpeech, request: FindSpeeches, speaker: int | None, addressee: int | None
) -> bool:
    from writeros_entities.names import fold_name

    is_known = speech.confidence >= request.min_confidence
    if speaker is not None and not (is_known and speech.speaker == speaker):
        return False
    if addressee is not None and not (
        _is_sure(speech, request.min_confidence) and speech.addressee == addressee
    ):
        return False
    text = fold_name(speech.text)
    return request.query is None or all(word in text for word in fold_name(request.query).split())


def _is_sure(speech: FoundSpeech, min_confidence: float) -> bool:
    """Say whether it is certain enough to whom a speech is said: who is called by name is."""
    is_of_somebody = speech.speaker is not None or speech.is_narrators
    return not is_of_somebody or speech.confidence >= min_confidence


def _speech(
    speech: FoundSpeech, refs: Mapping[int, EntityRef], min_confidence: float
) -> SpeechFound:
    is_known = speech.speaker is not None and speech.confidence >= min_confidence
    is_sure = _is_sure(speech, min_confidence)
    return SpeechFound(
        speaker=refs[speech.speaker] if is_known and speech.speaker is not None else None,
        is_narrators=speech.is_narrators and speech.confidence >= min_confidence,
        addressee=refs[speech.addressee] if is_sure and speech.addressee is not None else None,
        is_to_narrator=is_sure and speech.is_to_narrator,
        text=speech.text,
        path=speech.path,
        heading=speech.heading,
        position=speech.position,
        line=speech.line,
        start=speech.start,
        end=speech.end,
        confidence=speech.confidence if is_known else 0.0,
        reason=_REASONS[speech.rule] if is_known and speech.rule else None,
    )
