"""All that is said in the manuscript, each speech with its speaker: what `find_speeches` asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.story.scene_people import load_people
from writeros_entities.story.scenes import load_scenes
from writeros_entities.story.speakers import reader_of, with_speeches

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.values import SpeakerRule
    from writeros_entities.values.story import Scene
    from writeros_entities.workspace import Workspace


class FoundSpeech(NamedTuple):
    """A speech and its place; speaker and addressee are ids of rows."""

    path: str
    heading: str
    position: int
    line: int
    start: int
    end: int
    text: str
    speaker: int | None
    addressee: int | None
    confidence: float
    rule: SpeakerRule | None
    is_narrators: bool


def load_speeches(
    workspace: Workspace, view: View, note_id: int | None = None
) -> Sequence[FoundSpeech]:
    """Return the speeches of the manuscript in reading order, or those of one note.

    They are kept until the index changes.
    """
    notes = None if note_id is None else [note_id]
    return view.kept(("speeches", note_id), lambda: _read(workspace, view, notes))


def _read(workspace: Workspace, view: View, notes: list[int] | None) -> Sequence[FoundSpeech]:
    scenes = _told(view, notes)
    personal = {kind.name for kind in workspace.plugins.entity_types.values() if kind.personal}
    people = view.kept(
        "speaking people",
        lambda: load_people(view, scenes if notes is None else _told(view, None), personal),
    )
    ids = {key: people.rows[key].id for key in people.persons}
    genders = {key: people.genders.get(key) for key in people.persons}
    found = []
    for scene in with_speeches(view.each(scenes), genders, reader_of(workspace)):
        for one in scene.speeches:
            assert scene.position is not None
            found.append(
                FoundSpeech(
                    *(scene.path, scene.heading, scene.position),
                    scene.sentences[one.first].evidence.line,
                    *(one.start, one.end, one.text),
                    ids[one.speaker] if one.speaker is not None else None,
                    ids[one.addressee] if one.addressee is not None else None,
                    *(one.confidence, one.rule, one.is_narrators),
                )
            )
    return found


def _told(view: View, notes: list[int] | None) -> list[Scene]:
    """Return the scenes of the manuscript, or of some of its notes."""
    return [one for one in load_scenes(view, notes) if one.position is not None]
