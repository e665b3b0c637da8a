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


def load_speeches(workspace: Workspace, view: View) -> Sequence[FoundSpeech]:
    """Return the speeches of the manuscript in reading order; kept until the index changes."""
    return view.kept("speeches", lambda: _read(workspace, view))


def _read(workspace: Workspace, view: View) -> Sequence[FoundSpeech]:
    scenes = [one for one in load_scenes(view) if one.position is not None]
    personal = {kind.name for kind in workspace.plugins.entity_types.values() if kind.personal}
    people = load_people(view, scenes, personal)
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
