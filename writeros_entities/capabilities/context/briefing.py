"""Gathers what a scene's brief tells, before it is cut to its budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations, groupby, islice, zip_longest
from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities.answers import EntityRef, Quote
from writeros_entities.capabilities.context.brief_parts import (
    CastMember,
    CastPair,
    LastSeen,
    OmittedPart,
    SceneBrief,
    SceneFact,
    SceneNote,
    SheetSummary,
    Voice,
)
from writeros_entities.capabilities.context.brief_quotes import (
    first_words,
    last_of,
    quote_sentences,
    quotes_of_pairs,
)
from writeros_entities.capabilities.context.brief_threads import find_threads
from writeros_entities.capabilities.entities.parts import entity_ref, readable
from writeros_entities.capabilities.entities.stated import (
    StatedRelation,
    surest_first,
    tell_relations,
)
from writeros_entities.capabilities.time.history import EntityChange, tell_change
from writeros_entities.graph.stretches import is_so
from writeros_entities.names import fold_name
from writeros_entities.properties import PLACE_KEYS
from writeros_entities.query.entities.listing import entities_by_id, source_of
from writeros_entities.query.relations.asserted import load_relations
from writeros_entities.query.relations.proofs import quote_chunk
from writeros_entities.query.relations.turns import load_stretches
from writeros_entities.query.story.scene_notes import LookingBack
from writeros_entities.query.story.scene_people import find_cast, load_people
from writeros_entities.query.story.scene_words import (
    TIME_KEYS,
    find_voices,
    time_phrase,
)
from writeros_entities.query.story.scenes import load_scenes
from writeros_entities.query.time.history import load_changes
from writeros_entities.query.vault.places import chunk_places
from writeros_entities.store.lexicon import display_names

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.scenes import BriefScene
    from writeros_entities.query.relations.asserted import RelationRow
    from writeros_entities.query.story.scene_people import Member
    from writeros_entities.store.view import View
    from writeros_entities.story import StoryEntity
    from writeros_entities.workspace import Workspace

ALIASES, RELATIONS, CHANGES, VOICES = 10, 6, 3, 2
"""How many of each to tell of everybody at most."""

RECENT_NOTES = 12
"""Chapters before a scene that are read for set-ups and voices."""

NOTES_OF_EACH = 2
"""Of everybody, chapters before those that are read for how they talk."""

_CHANGES = ("alias_added", "relationship_ended", "status_changed", "property_added")
"""Kinds of changes that are told; what has begun and still stands is among the relations."""


class Briefing:
    """Everything that there is to tell of one scene, as of a view."""

    def __init__(self, workspace: Workspace, view: View, note: Any, request: BriefScene) -> None:
        self.workspace, self.view, self.note, self.request = workspace, view, note, request
        own = load_scenes(view, note_ids=[note.id])
        personal = {kind.name for kind in workspace.plugins.entity_types.values() if kind.personal}
        near = load_people(view, own, personal)
        present = [one for one in find_cast(near.speaking(own), near) if one.is_present]
        ids = [near.rows[one.key].id for one in present]
        self.back = LookingBack(view, note.position, ids)
        self.back.look_near()
        sheets = [near.rows[one.key].note_id for one in present]
        read = [*self._notes_to_read(ids), *(one for one in sheets if one is not None)]
        told = load_scenes(view, note_ids=read)
        self.earlier = [scene for scene in told if scene.position is not None]
        self.people = load_people(view, [*own, *told], personal)
        self.scenes = self.people.speaking(own)
        members = [one for one in find_cast(self.scenes, self.people) if one.is_present]
        self.total = len(members)
        self.members = members[: request.max_cast]

    def write(self) -> SceneBrief:
        """Return the whole brief, without a measure of its text."""
        more = self.total - len(self.members)
        told = (*self.earlier, *self.scenes)
        threads, remark = find_threads(
            self.workspace, self.view, self.note, told, self.people, self.request.quiet_chapters
        )
        note = self.note
        return SceneBrief(
            scene=SceneNote(path=note.path, title=note.title, position=note.position),
            as_of=self.view.as_of,
            places=self._places(),
            times=self._times(),
            cast=[self._member(one) for one in self.members],
            cast_total=self.total,
            pairs=self._pairs(),
            threads=threads,
            voices=self._voices(),
            omitted=[OmittedPart(part="cast", number=more, reason="limit")] if more else [],
            total_tokens=0,
            max_tokens=self.request.max_tokens,
            budget_utilized=0.0,
            remark=remark,
        )

    def _notes_to_read(self, entity_ids: Sequence[int]) -> list[int]:
        """Return the chapters right before the scene, and those that last told of its people."""
        chosen = dict.fromkeys(row.id for row in self.back.notes[:RECENT_NOTES])
        for entity_id in entity_ids:
            of_one = dict.fromkeys(one.note_id for one in self.back.sightings(entity_id))
            chosen |= dict.fromkeys(list(of_one)[:NOTES_OF_EACH])
        return list(chosen)

    # -- Where and when ----------------------------------------------------------------------------

    def _places(self) -> list[SceneFact]:
        known = {key: self._ref(key) for scene in self.scenes for key in scene.places}
        by_name = {fold_name(ref.name): ref for ref in known.values()}
        facts = [
            SceneFact(key=key, text=value, entity=by_name.get(fold_name(value)), quote=None)
            for key, value in self._given(PLACE_KEYS)
        ]
        return facts or self._place_in_words()

    def _place_in_words(self) -> list[SceneFact]:
        """Return the place that the narrator names most, the first time that it is named."""
        named = [
            (name.entity, sentence)
            for scene in self.scenes
            for sentence in scene.sentences
            for name in sentence.names
            if name.is_plain
            if self.people.rows[name.entity].type == "place"
        ]
        if not named:
            return []
        keys = [key for key, _ in named]
        best = max(dict.fromkeys(keys), key=keys.count)
        quote = quote_sentences((next(sentence for key, sentence in named if key == best),))
        ref = self._ref(best)
        return [SceneFact(key=None, text=ref.name, entity=ref, quote=quote)]

    def _times(self) -> list[SceneFact]:
        facts = [
            SceneFact(key=key, text=value, entity=None, quote=None)
            for key, value in self._given(TIME_KEYS)
        ]
        found = None if facts else time_phrase(self.scenes)
        if found:
            sentence, start, end = found
            text = sentence.text[start:end]
            quote = quote_sentences((sentence,))
            facts.append(SceneFact(key=None, text=text, entity=None, quote=quote))
        return facts

    def _given(self, keys: Iterable[str]) -> Iterable[tuple[str, str]]:
        """Return what the properties of the scenes say under some keys, each value once."""
        found = {
            (key, value): None
            for key in keys
            for scene in self.scenes
            for value in scene.properties.get(key, ())
        }
        return list(found)

    # -- The cast ----------------------------------------------------------------------------------

    def _ref(self, key: str) -> EntityRef:
        return entity_ref(self.people.rows[key], dict(self.people.names))

    def _id(self, member: Member) -> int:
        return int(self.people.rows[member.key].id)

    def _member(self, member: Member) -> CastMember:
        person = self.people.persons[member.key]
        aliases = (name.form for name in person.names if name.kind == "alias")
        called = (form for form in aliases if form != person.name)
        return CastMember(
            entity=self._ref(member.key),
            roles=list(member.roles),
            mentions=member.mentions,
            also_called=list(islice(called, ALIASES)),
            summary=self._summary(member),
            last_seen=self._last_seen(member),
            relations=self._relations.get(self._id(member), [])[:RELATIONS],
            changes=self._changes(member),
        )

    def _summary(self, member: Member) -> SheetSummary | None:
        found = source_of(self.view, self.people.rows[member.key])
        if found is None or found.text is None or not self._is_there(found.path):
            return None
        line, text = first_words(readable(found.text))
        if not text:
            return None
        return SheetSummary(path=found.path, line=found.line + line, text=text)

    def _last_seen(self, member: Member) -> LastSeen | None:
        """Return where somebody last told the story or was named in it, or where anybody did so."""
        for scene in reversed(self.earlier):
            sentence = last_of(scene, member.key)
            if sentence is not None and scene.position is not None and self._is_there(scene.path):
                return LastSeen(
                    title=scene.title,
                    position=scene.position,
                    places=[self._ref(key).name for key in scene.places],
                    quote=quote_sentences((sentence,)),
                )
        return self._last_mentioned(member)

    def _last_mentioned(self, member: Member) -> LastSeen | None:
        seen = self.back.last_of(self._id(member))
        if seen is None or not self._is_there(seen.path):
            return None
        place = chunk_places(self.view, [seen.chunk_id])[seen.chunk_id]
        quote = Quote.of(quote_chunk(place, seen.start, seen.end))
        return LastSeen(title=place.title, position=seen.position, places=[], quote=quote)

    @cached_property
    def _together(self) -> Mapping[frozenset[str], Quote]:
        """For two of the cast, where the narrator last names both in one paragraph."""
        found: dict[frozenset[str], Quote] = {}
        for scene in reversed(self.earlier):
            paragraphs = groupby(scene.sentences, key=lambda sentence: sentence.paragraph)
            for sentences in reversed([tuple(some) for _, some in paragraphs]):
                if self._is_there(scene.path):
                    for pair, quote in quotes_of_pairs(sentences, self._keys):
                        found.setdefault(pair, quote)
        return found

    @cached_property
    def _keys(self) -> list[str]:
        return [member.key for member in self.members]

    def _is_there(self, path: str) -> bool:
        return self.workspace.has_file(path)

    @cached_property
    def _standing(self) -> Sequence[RelationRow]:
        """The stated relations of the cast that are not over."""
        ids = [self._id(member) for member in self.members]
        found = load_relations(self.view, ids)
        over = load_stretches(self.view, {relation.source_id for relation in found})
        return [relation for relation in found if not is_so(over.get(relation.edge, ()))]

    @cached_property
    def _relations(self) -> Mapping[int, list[StatedRelation]]:
        """For everybody, what stands with others than the cast, the surest first."""
        cast = {self._id(member) for member in self.members}
        found: dict[int, list[RelationRow]] = {}
        for relation in self._standing:
            ends = {relation.source_id, relation.target_id}
            if not ends <= cast:
                found.setdefault((ends & cast).pop(), []).append(relation)
        sides = [
            (own, relation)
            for own, relations in found.items()
            for relation in sorted(relations, key=_surest)[:RELATIONS]
        ]
        told = tell_relations(self.workspace, self.view, sides)
        by_owner: dict[int, list[StatedRelation]] = {}
        for (own, _), text in zip(sides, told, strict=True):
            if text.evidence:
                by_owner.setdefault(own, []).append(text)
        return {own: sorted(relations, key=surest_first) for own, relations in by_owner.items()}

    def _changes(self, member: Member) -> list[EntityChange]:
        person = self.people.persons[member.key]
        last = [
            row
            for row in load_changes(self.view, self._id(member), _CHANGES)
            if row.since is not None and self._is_there(row.path)
            if row.kind != "alias_added" or not _is_part(row.new or "", person)
        ][-CHANGES:]
        others = entities_by_id(self.view, sorted({row.other_id for row in last if row.other_id}))
        names = display_names(self.view, others)
        refs = {other: entity_ref(row, names) for other, row in others.items()}
        return [tell_change(row, refs, self.workspace.plugins.ontology) for row in reversed(last)]

    def _pairs(self) -> list[CastPair]:
        key_of = {self._id(member): member.key for member in self.members}
        sides = [
            (min((relation.source_id, relation.target_id), key=list(key_of).index), relation)
            for relation in self._standing
            if relation.source_id in key_of and relation.target_id in key_of
            if relation.source_id != relation.target_id
        ]
        told = tell_relations(self.workspace, self.view, sides)
        stated: dict[tuple[int, int], list[StatedRelation]] = {}
        for (own, relation), text in zip(sides, told, strict=True):
            other = relation.source_id + relation.target_id - own
            if text.evidence:
                stated.setdefault((own, other), []).append(text)
        return [
            CastPair(
                one=self._ref(key_of[one]),
                other=self._ref(key_of[other]),
                relations=sorted(stated.get((one, other), []), key=surest_first),
                together=self._together.get(frozenset((key_of[one], key_of[other]))),
            )
            for one, other in combinations(key_of, 2)
            if (one, other) in stated or frozenset((key_of[one], key_of[other])) in self._together
        ]

    # -- Voices ------------------------------------------------------------------------------------

    def _voices(self) -> list[Voice]:
        """Return how the cast talk: of everybody one passage, then of everybody another."""
        back = sorted(self.earlier, key=lambda scene: -(scene.position or 0))
        before = find_voices(self.people.speaking(back), VOICES)
        here = find_voices(self.scenes, VOICES)
        chosen = [
            [
                (member, passage)
                for passage in (*before.get(member.key, ()), *here.get(member.key, ()))
                if self._is_there(passage.first.evidence.path)
            ][:VOICES]
            for member in self.members
        ]
        return [
            Voice(
                speaker=self._ref(one[0].key),
                path=one[1].first.evidence.path,
                position=one[1].first.position,
                line=one[1].first.evidence.line,
                start=one[1].first.evidence.start,
                end=one[1].last.evidence.end,
                text=one[1].text,
            )
            for in_turn in zip_longest(*chosen)
            for one in in_turn
            if one is not None
        ]


def _surest(relation: RelationRow) -> tuple[object, ...]:
    return -relation.evidence_count, -relation.confidence, relation.kind, relation.first or 0


def _is_part(form: str, person: StoryEntity) -> bool:
    """Say whether a form shares a word with a person's name, so that it tells nothing new."""
    return bool({*form.casefold().split()} & {*person.name.casefold().split()})
