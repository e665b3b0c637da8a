"""Load the story that continuity rules read, out of what a view may see.

    story = load_story(view)
    [scene.heading for scene in story.scenes]

Reads 14 chapters in about a tenth of a second, most of which goes into parsing Markdown.

Determine the tense in which a scene is narrated: "Ann laughed", or "Ann laughs".

    with_tenses(scenes)[0].tense        # "past" or "present"; None for a section of another note

Finite verbs outside speech are counted: *was*, *had*, *did*, *is*, *has*, *does* and the like
anywhere, other verbs directly after a name or a pronoun. The more frequent tense wins; a tie is
decided by the chapter, then by the book, then as past. General truths in a past narration ("fools
die young") and memories in a present one are outvoted in this way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from writeros_entities.language.inflections import GROUPS, PAST_FORMS
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.asserted import evidence_of, load_relations
from writeros_entities.story.dating import load_dating
from writeros_entities.story.genders import guess_genders
from writeros_entities.story.history import load_changes
from writeros_entities.story.property_names import load_story_names
from writeros_entities.story.scenes import load_scenes
from writeros_entities.story.sheets import Sheets
from writeros_entities.story.speakers import certain, reader_of, with_speeches
from writeros_entities.values import Evidence, PartyRole
from writeros_entities.values.story import (
    Scene,
    Sentence,
    Story,
    StoryChange,
    StoryEntity,
    StoryEvent,
    StoryRelation,
)

if TYPE_CHECKING:
    from writeros_entities.values import Tense
    from writeros_entities.view import View


_ANYWHERE: Mapping[Tense, tuple[str, ...]] = {
    "past": (" was ", " were ", " had ", " did "),
    "present": (" is ", " are ", " am ", " has ", " does "),
}
_ADVERB = r"(?:(?:\w+ly|then|only|just|still|never|always|also|again) )?"
_BEHIND_PRONOUN = re.compile(
    r"\b(?:(?P<one>he|she|it|who)|i|we|they|there|that)"
    rf"(?:(?P<short>['’](?:s|m|re|ve)\b)| {_ADVERB}(?P<verb>[a-z]+))"
)
_BEHIND_NAME = re.compile(rf"(?:,[^,.;:]{{1,60}},)? {_ADVERB}([a-z]+)")
_COUNTED = frozenset(word.strip() for words in _ANYWHERE.values() for word in words)
_PLURALS = (frozenset(GROUPS) - PAST_FORMS) | {"have", "do"}
"""Present forms that may follow *I* or *they*. Regular verbs are not listed: they look like nouns.
"""

_WORDS_IN_S = """
across afterwards always as backwards besides downstairs downwards forwards hers his its less
nevertheless ours perhaps plus sometimes theirs this thus towards unless upstairs upwards us yes
"""
_NO_VERBS = frozenset(_WORDS_IN_S.split())
"""Words in -s that may follow a name and are not verbs."""


def with_tenses(scenes: Iterable[Scene]) -> tuple[Scene, ...]:
    """Return the scenes, with the narration's tense set on those of the manuscript."""
    counted = [(scene, _count(scene) if scene.position is not None else None) for scene in scenes]
    chapters: dict[str, Counter[Tense]] = {}
    book: Counter[Tense] = Counter()
    for scene, count in counted:
        if count is not None:
            chapters.setdefault(scene.path, Counter()).update(count)
            book.update(count)
    return tuple(
        scene
        if count is None
        else replace(
            scene, tense=_most(count) or _most(chapters[scene.path]) or _most(book) or "past"
        )
        for scene, count in counted
    )


def _most(count: Counter[Tense]) -> Tense | None:
    if count["past"] == count["present"]:
        return None
    return "past" if count["past"] > count["present"] else "present"


def _count(scene: Scene) -> Counter[Tense]:
    """Return the number of finite verbs of each tense in a scene's narration."""
    text = f" {' '.join(sentence.narration for sentence in scene.sentences)} ".lower()
    count = Counter(_count_words(text))
    for sentence in scene.sentences:
        for name in sentence.names:
            found = None if name.is_spoken else _BEHIND_NAME.match(sentence.narration, name.end)
            if found:
                count.update(_tense(found[1], is_of_one=True))
    return count


@lru_cache(maxsize=512)
def _count_words(text: str) -> Mapping[Tense, int]:
    """Return the verbs of each tense in a text in lower case, those behind names aside."""
    count = Counter({tense: sum(map(text.count, words)) for tense, words in _ANYWHERE.items()})
    for is_one, short, verb in _BEHIND_PRONOUN.findall(text):
        count.update(("present",) if short else _tense(verb, is_of_one=bool(is_one)))
    return count


def is_present_verb(word: str) -> bool:
    """Say whether a word after a name, "she" or "he" may be a verb in the present tense."""
    return word.endswith("s") and not word.endswith("ss") and word not in _NO_VERBS


def _tense(verb: str, *, is_of_one: bool) -> Iterable[Tense]:
    """Return the tense of a word that may be a verb, or nothing if it is counted elsewhere."""
    if verb in _COUNTED:
        return ()
    if verb in PAST_FORMS or verb.endswith("ed"):
        return ("past",)
    is_present = is_present_verb(verb) if is_of_one else verb in _PLURALS
    return ("present",) if is_present else ()


CERTAIN_PART = 0.85
"""The least confidence of somebody's part in an event that rules are told of: a name's."""


def load_story(view: View) -> Story:
    """Return the vault's story as a reader at the view's position knows it."""
    people = {kind.name for kind in view.plugins.entity_types.values() if kind.personal}
    sheets = Sheets(view)
    entities = _entities(view, sheets, people)
    dating = load_dating(view)
    scenes = _with_events(view, with_tenses(dating.date(load_scenes(view))))
    persons = [entity for entity in entities.values() if entity.is_personal]
    genders = guess_genders(persons, scenes)
    first: dict[str, list[int]] = defaultdict(list)
    for scene in scenes:
        if scene.position is not None:
            for sentence in scene.sentences:
                for name in sentence.names:
                    first[name.entity].append(scene.position)
    keys = {entity_id: row.key for entity_id, row in sheets.entities.items()}
    return Story(
        {
            key: _placed(replace(entity, gender=genders.get(key)), first.get(key, ()))
            for key, entity in entities.items()
        },
        certain(
            with_speeches(
                view.each(scene for scene in scenes if scene.position is not None),
                {person.id: genders.get(person.id) for person in persons},
                reader_of(view),
            )
        ),
        tuple(scene for scene in scenes if scene.position is None),
        tuple(sorted(_relations(view, keys), key=_proven)),
        tuple(_changes(view, keys)),
        view.as_of,
        dating.reader(dating.main),
    )


def _entities(view: View, sheets: Sheets, people: set[str]) -> dict[str, StoryEntity]:
    names = load_story_names(view, sheets.entities)
    shown = display_names(view, sheets.entities)
    found = [
        StoryEntity(
            row.key,
            shown.get(entity_id, row.name),
            row.type,
            row.status,
            tuple(names.get(entity_id, ())),
            sheets.properties(row),
            sheets.paths.get(row.note_id),
            is_personal=row.type in people,
        )
        for entity_id, row in sheets.entities.items()
    ]
    return {entity.id: entity for entity in sorted(found, key=_called)}


class _Told(NamedTuple):
    """Somebody's part in an event, and where that is told."""

    path: str
    start: int
    verb: str
    kind: str
    is_earlier: bool
    role: PartyRole
    entity: str


def _with_events(view: View, scenes: Sequence[Scene]) -> list[Scene]:
    """Return scenes whose sentences have the events that they tell."""
    told: dict[str, list[_Told]] = defaultdict(list)
    for one in view.fetch(_Told, _events(view)):
        told[one.path].append(one)
    return [
        replace(
            scene,
            sentences=tuple(_with_own(sentence, told[scene.path]) for sentence in scene.sentences),
        )
        if scene.path in told
        else scene
        for scene in scenes
    ]


def _with_own(sentence: Sentence, told: Sequence[_Told]) -> Sentence:
    """Return a sentence with those of its note's events that it tells."""
    span = sentence.evidence
    first = bisect_left(told, span.start, key=attrgetter("start"))
    last = bisect_left(told, span.end, first, key=attrgetter("start"))
    by_verb = groupby(told[first:last], key=lambda one: (one.start, *one[2:5]))
    events = (
        StoryEvent(verb, kind, tuple((one.role, one.entity) for one in parts), is_earlier)
        for (_, verb, kind, is_earlier), parts in by_verb
    )
    return replace(sentence, events=tuple(events)) if first < last else sentence


@prepared
def _events(scope: Scope) -> Query:
    event, chunk, note, entity = scope.event, scope.chunk, scope.note, scope.entity
    return (
        select(note.c.path, event.c.start, event.c.verb, event.c.kind, event.c.is_earlier)
        .add_columns(event.c.role, entity.c.key.label("entity"))
        .join(chunk, chunk.c.id == event.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .join(entity, entity.c.id == event.c.entity_id)
        .where(event.c.confidence >= CERTAIN_PART)
        .order_by(note.c.path, event.c.start, event.c.role, entity.c.key)
    )


def _called(entity: StoryEntity) -> tuple[str, ...]:
    """Return what orders entities: the ids of their rows depend on which note came first."""
    return entity.name, entity.note_path or "", entity.id


def _placed(entity: StoryEntity, positions: Iterable[int]) -> StoryEntity:
    found = list(positions)
    if not found:
        return entity
    return replace(entity, first_position=min(found), last_position=max(found))


def _proven(relation: StoryRelation) -> tuple[object, ...]:
    """Return the place of a relation's evidence: the order must not depend on ids."""
    proof = relation.evidence
    in_order = proof.position is None, proof.position or 0, proof.path, proof.start, proof.end
    return *in_order, relation.kind, relation.source, relation.target


def _relations(view: View, keys: Mapping[int, str]) -> Iterable[StoryRelation]:
    found = load_relations(view)
    proofs = evidence_of(view, [row.id for row in found], limit=4)
    for row in found:
        if row.source_id not in keys or row.target_id not in keys:
            continue
        for proof in proofs.get(row.id, ()):
            yield StoryRelation(
                keys[row.source_id],
                keys[row.target_id],
                row.kind,
                proof.key,
                proof.position,
                proof.has_ended,
                Evidence(
                    *(proof.path, proof.start, proof.end, proof.quote, proof.line),
                    *(proof.heading, proof.position),
                ),
            )


def _changes(view: View, keys: Mapping[int, str]) -> Iterable[StoryChange]:
    for row in load_changes(view):
        if row.entity_id in keys:
            yield StoryChange(
                keys[row.entity_id],
                row.kind,
                row.previous,
                row.new,
                None if row.other_id is None else keys.get(row.other_id),
                row.since,
                Evidence(
                    *(row.path, row.start, row.end, row.quote, row.line),
                    *(row.heading, row.position),
                ),
            )
