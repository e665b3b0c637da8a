"""All that is said in the manuscript, each speech with its speaker: what `find_speeches` asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from writeros_entities.story.scene_people import load_people
from writeros_entities.story.scenes import load_scenes
from writeros_entities.story.speakers import reader_of, with_speeches

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.story.scene_people import People
    from writeros_entities.values import SpeakerRule
    from writeros_entities.values.story import Scene
    from writeros_entities.view import View


class FoundSpeech(NamedTuple):
    """A speech and its place; speaker and addressee are ids of rows.

    `names` are those in its sentences, each with the id of the person whom it means, if it is one;
    `words` those of its language.
    """

    path: str
    heading: str
    position: int
    paragraph: int
    line: int
    start: int
    end: int
    text: str
    speaker: int | None
    addressee: int | None
    confidence: float
    rule: SpeakerRule | None
    is_narrators: bool
    is_to_narrator: bool
    names: tuple[tuple[str, int | None], ...]
    words: Words


def load_speeches(view: View, note_id: int | None = None) -> Sequence[FoundSpeech]:
    """Return the speeches of the manuscript in reading order, or those of one note.

    They are kept until the index changes.
    """
    notes = None if note_id is None else [note_id]
    return view.kept(("speeches", note_id), lambda: _read(view, notes))


def _read(view: View, notes: list[int] | None) -> Sequence[FoundSpeech]:
    scenes = _told(view, notes)
    personal = {kind.name for kind in view.plugins.entity_types.values() if kind.personal}
    people = view.kept(
        "speaking people",
        lambda: load_people(view, scenes if notes is None else _told(view, None), personal),
    )
    genders = {key: people.genders.get(key) for key in people.persons}
    words_of = reader_of(view)
    return [*speeches_in(with_speeches(view.each(scenes), genders, words_of), people, words_of)]


def speeches_in(
    scenes: Iterable[Scene], people: People, words_of: Callable[[Scene], Words]
) -> Iterator[FoundSpeech]:
    """Yield the speeches of those of some scenes that the manuscript has, once they are found."""
    ids = {key: int(people.rows[key].id) for key in people.persons}
    for scene in scenes:
        for one in scene.speeches if scene.position is not None else ():
            said = scene.sentences[one.first : one.last + 1]
            yield FoundSpeech(
                *(scene.path, scene.heading, scene.position or 0, one.paragraph),
                said[0].evidence.line,
                *(one.start, one.end, one.text),
                ids[one.speaker] if one.speaker is not None else None,
                ids[one.addressee] if one.addressee is not None else None,
                one.confidence,
                one.rule,
                *(one.is_narrators, one.is_to_narrator),
                tuple(
                    (name.surface, None if name.rivals else ids.get(name.entity))
                    for sentence in said
                    for name in sentence.names
                    if name.is_spoken
                ),
                words_of(scene),
            )


def _told(view: View, notes: list[int] | None) -> list[Scene]:
    """Return the scenes of the manuscript, or of some of its notes."""
    note = view.note
    told = select(note.c.id).where(note.c.position.is_not(None))
    chosen = view.scalars(told if notes is None else told.where(note.c.id.in_(notes)))
    return load_scenes(view, chosen) if chosen else []
