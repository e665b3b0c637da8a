"""The people of some scenes: who is there, in which role, and who says what.

scenes = load_scenes(view, note_ids=[note.id])
people = load_people(view, scenes, personal={"person"})
cast = find_cast(scenes, people)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import select

from writeros_entities.properties import GENDER_KEYS, dashed
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.genders import KIN_KEYS, guess_genders
from writeros_entities.story.property_names import load_story_names, texts_of
from writeros_entities.story.sheets import plain
from writeros_entities.story.speakers import certain, reader_of, with_speeches
from writeros_entities.values import Evidence
from writeros_entities.values.story import NamedSpan, Scene, StoryEntity, StoryProperty

if TYPE_CHECKING:
    from writeros_entities.store.rows import Query
    from writeros_entities.values import JSON, Gender
    from writeros_entities.view import View

Role = Literal["viewpoint", "listed", "speaks", "named", "spoken of"]


@dataclass(frozen=True)
class People:
    """The entities that some scenes name, by key: their rows, and the people among them.

    `names` has the display names, by entity id.
    """

    rows: Mapping[str, Any]
    names: Mapping[int, str]
    persons: Mapping[str, StoryEntity]
    genders: Mapping[str, Gender]

    def speaking(
        self, view: View, scenes: Iterable[Scene], among: Set[str] | None = None
    ) -> tuple[Scene, ...]:
        """Return the scenes with their speeches.

        With `among`, only those scenes are returned in which one of these people may speak.
        """
        people = {key: self.genders.get(key) for key in self.persons}
        told = [scene for scene in scenes if among is None or _may_speak(scene, among)]
        return certain(with_speeches(told, people, reader_of(view)))


def _may_speak(scene: Scene, people: Set[str]) -> bool:
    """Say whether a scene names one of some people, or is told by one or lists one."""
    named = (name for sentence in scene.sentences for name in sentence.names)
    return (
        scene.viewpoint in people
        or scene.subject in people
        or not people.isdisjoint(scene.cast)
        or any(one.entity in people or not people.isdisjoint(one.rivals) for one in named)
    )


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a scene's cast: the entity's key, its roles, and the number of its mentions.

    The roles: viewpoint character, listed in the properties, speaks, named by the narrator, or only
    spoken of in speech.
    """

    key: str
    roles: tuple[Role, ...]
    mentions: int

    @property
    def is_present(self) -> bool:
        """Whether the member has any role besides being spoken of."""
        return self.roles != ("spoken of",)


def load_people(
    view: View, scenes: Sequence[Scene], personal: Collection[str], keys: Iterable[str] = ()
) -> People:
    """Return the entities that scenes name, or that have one of these keys, as of a view.

    Those of `personal` types are people.
    """
    found = load_named(view, scenes, keys)
    names = display_names(view, [row.id for row in found.values()])
    known = load_story_names(view, [row.id for row in found.values() if row.type in personal])
    persons = {
        key: StoryEntity(
            key,
            names.get(row.id, row.name),
            row.type,
            row.status,
            tuple(known.get(row.id, ())),
            _gender_properties(row.path, {} if row.heading else row.frontmatter or {}),
            row.path,
            is_personal=True,
        )
        for key, row in found.items()
        if row.type in personal
    }
    return People(found, names, persons, guess_genders(persons.values(), scenes))


def load_named(view: View, scenes: Iterable[Scene], keys: Iterable[str] = ()) -> dict[str, Any]:
    """Return the rows of the entities that scenes name, or that have one of these keys, by key."""
    asked = set(keys)
    for scene in scenes:
        asked.update(name.entity for sentence in scene.sentences for name in sentence.names)
        asked.update((*scene.cast, *scene.places))
        asked.update(one for one in (scene.viewpoint, scene.subject) if one)
    return {row.key: row for row in view.all(_entities(view), keys=sorted(asked))}


@prepared
def _entities(scope: Scope) -> Query:
    entity, note = scope.entity, scope.note
    own = (entity.c.id, entity.c.key, entity.c.name, entity.c.type, entity.c.status)
    of_note = (entity.c.note_id, entity.c.heading, note.c.path, note.c.frontmatter)
    statement = select(*own, *of_note).outerjoin(note, note.c.id == entity.c.note_id)
    return statement.where(is_one_of(entity.c.key, "keys")).order_by(entity.c.key)


def _gender_properties(
    path: str | None, frontmatter: Mapping[str, JSON]
) -> tuple[StoryProperty, ...]:
    """Return the properties that imply a gender: the person's own, or a relative's."""
    return tuple(
        StoryProperty(dashed(key), plain(text), Evidence(path or "", 0, 0, f"{key}: {text}"))
        for key, value in frontmatter.items()
        if dashed(key) in KIN_KEYS or dashed(key) in GENDER_KEYS
        for text in texts_of(value)
    )


def find_cast(scenes: Sequence[Scene], people: People) -> list[Member]:
    """Return the cast of a note's scenes: the viewpoint first, those listed, then by mentions.

    `scenes` must have their speeches. Names in lists and tables count only if these hold most of
    the sentences, as in the notes of campaign sessions; beside prose they may name anybody.
    """
    named = _named_in(scenes)
    roles: dict[str, dict[Role, None]] = {}
    for key, role in _roles(scenes, named):
        if key is not None and key in people.persons:
            roles.setdefault(key, {})[role] = None
    for name in named:
        if name.entity in people.persons and not name.rivals:
            roles.setdefault(name.entity, {"spoken of": None})
    counts = Counter(name.entity for name in named)
    members = [Member(key, tuple(parts), counts[key]) for key, parts in roles.items()]
    return sorted(members, key=_place)  # stable: else in the order in which they come up


def _named_in(scenes: Sequence[Scene]) -> list[NamedSpan]:
    """Return the names in prose, and those in lists and tables if these hold most sentences."""
    sentences = [sentence for scene in scenes for sentence in scene.sentences]
    tells_in_rows = 2 * sum(sentence.is_row for sentence in sentences) > len(sentences)
    return [
        name
        for sentence in sentences
        for name in sentence.names
        if tells_in_rows or not sentence.is_row
    ]


def _roles(
    scenes: Sequence[Scene], named: Sequence[NamedSpan]
) -> Iterator[tuple[str | None, Role]]:
    """Yield what shows that an entity is present, surest first."""
    for scene in scenes:
        yield scene.viewpoint, "viewpoint"
    for scene in scenes:
        for key in scene.cast:
            yield key, "listed"
    for scene in scenes:
        for speech in scene.speeches:
            yield speech.speaker, "speaks"
    for name in named:
        if name.is_plain:
            yield name.entity, "named"


def _place(member: Member) -> tuple[object, ...]:
    is_given = not {"viewpoint", "listed"}.isdisjoint(member.roles)
    return not member.is_present, not is_given, 0 if is_given else -member.mentions
