"""Where and when a scene is set: as asked for, by its properties, or else by its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.capabilities.context.brief_parts import SceneFact
from writeros_entities.capabilities.context.quotes import quote_sentences
from writeros_entities.capabilities.parts import entity_ref
from writeros_entities.names import fold_name
from writeros_entities.properties import PLACE_KEYS, TIME_KEYS
from writeros_entities.story.scene_words import time_phrase

if TYPE_CHECKING:
    from writeros_entities.capabilities.answers import EntityRef
    from writeros_entities.capabilities.entities.moments import Moment
    from writeros_entities.store.rows import Row
    from writeros_entities.story.scene_people import People
    from writeros_entities.values.story import Scene


@dataclass(frozen=True)
class Setting:
    """What a brief is for: the row of a scene's note, or who is to meet where in one to come.

    `after` is the row of the note behind which a scene to come stands, `moment` the time of the
    story that is asked for.
    """

    scene: Row | None = None
    after: Row | None = None
    cast: Sequence[Row] = ()
    place: Row | None = None
    moment: Moment | None = None

    @property
    def here(self) -> int | None:
        """The last position of the manuscript that the brief is about."""
        note = self.scene or self.after
        return None if note is None else note.position

    @property
    def end(self) -> int | None:
        """The position before which there is something to look back to."""
        return self.here if self.scene is not None or self.here is None else self.here + 1

    def has_come(self, path: str, start: int) -> bool:
        """Say whether what stands at a place has happened by the time that is asked for."""
        return self.moment is None or self.moment.has_come(path, start)


def ref_of(people: People, key: str) -> EntityRef:
    """Return the reference to an entity of the brief's scenes."""
    return entity_ref(people.rows[key], people.names)


def find_places(scenes: Sequence[Scene], people: People) -> list[SceneFact]:
    """Return where scenes are set."""
    known = [ref_of(people, key) for scene in scenes for key in scene.places]
    by_name = {fold_name(ref.name): ref for ref in known}
    facts = [
        SceneFact(key=key, text=value, entity=by_name.get(fold_name(value)), quote=None)
        for key, value in _given(scenes, PLACE_KEYS)
    ]
    return facts or _place_in_words(scenes, people)


def _place_in_words(scenes: Sequence[Scene], people: People) -> list[SceneFact]:
    """Return the place that the narrator names most often, quoted where it is first named."""
    named = [
        (name.entity, sentence)
        for scene in scenes
        for sentence in scene.sentences
        for name in sentence.names
        if name.is_plain
        if people.rows[name.entity].type == "place"
    ]
    if not named:
        return []
    keys = [key for key, _ in named]
    best = max(dict.fromkeys(keys), key=keys.count)
    quote = quote_sentences((next(sentence for key, sentence in named if key == best),))
    ref = ref_of(people, best)
    return [SceneFact(key=None, text=ref.name, entity=ref, quote=quote)]


def find_times(scenes: Sequence[Scene]) -> list[SceneFact]:
    """Return when scenes are set."""
    facts = [
        SceneFact(key=key, text=value, entity=None, quote=None)
        for key, value in _given(scenes, TIME_KEYS)
    ]
    found = None if facts else time_phrase(scenes)
    if found:
        sentence, start, end = found
        text = sentence.text[start:end]
        quote = quote_sentences((sentence,))
        facts.append(SceneFact(key=None, text=text, entity=None, quote=quote))
    return facts


def _given(scenes: Sequence[Scene], keys: Iterable[str]) -> list[tuple[str, str]]:
    """Return the values that scenes have under some property keys, without duplicates."""
    found = {
        (key, value): None
        for key in keys
        for scene in scenes
        for value in scene.properties.get(key, ())
    }
    return list(found)
