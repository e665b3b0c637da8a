"""Gather the content of a scene's brief, before it is cut to its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations, groupby, islice, zip_longest
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.capabilities.answers import EntityRef, Quote
from writeros_entities.capabilities.context.brief_parts import (
    AlsoTold,
    CastMember,
    CastPair,
    LastSeen,
    OmittedPart,
    SceneBrief,
    SceneNote,
    SheetFacts,
    SheetSummary,
    Voice,
)
from writeros_entities.capabilities.context.quotes import (
    first_words,
    last_named,
    list_facts,
    pairs_named,
    quote_sentences,
)
from writeros_entities.capabilities.context.setting import find_places, find_times, ref_of
from writeros_entities.capabilities.context.threads import find_noted, find_threads
from writeros_entities.capabilities.context.wishes import read_wishes
from writeros_entities.capabilities.entities.stated import surest_first, to_stated_relations
from writeros_entities.capabilities.parts import find_alternatives, readable
from writeros_entities.capabilities.time.get_entity_history import EntityChange, to_entity_changes
from writeros_entities.graph.network import holds_at
from writeros_entities.language.marks import CELLS
from writeros_entities.store.lexicon import display_names
from writeros_entities.story.asserted import load_intervals, load_relations
from writeros_entities.story.history import load_changes
from writeros_entities.story.listing import property_sheets, source_of
from writeros_entities.story.passages import chunk_places
from writeros_entities.story.proofs import quote_chunk
from writeros_entities.story.resolution import resolve_entities
from writeros_entities.story.scene_notes import LookingBack
from writeros_entities.story.scene_people import find_cast, load_named, load_people
from writeros_entities.story.scene_words import find_voices
from writeros_entities.story.scenes import load_scenes

if TYPE_CHECKING:
    from writeros_entities.capabilities.entities.stated import StatedRelation
    from writeros_entities.store.view import View
    from writeros_entities.story.asserted import RelationRow
    from writeros_entities.story.history import ChangeRow
    from writeros_entities.story.scene_people import Member, People
    from writeros_entities.story.scene_words import Passage
    from writeros_entities.values.story import Scene, Sentence, StoryEntity
    from writeros_entities.workspace import Workspace


RELATIONS = 6
"""Most relations per member with entities outside the cast."""


class CastRelations:
    """What connects the cast of a scene with each other and with others, as of a view.

    `keys` are the keys of the cast in order, `earlier` the scenes before this one that were read.
    """

    def __init__(
        self,
        workspace: Workspace,
        view: View,
        people: People,
        keys: Sequence[str],
        earlier: Sequence[Scene],
    ) -> None:
        self._workspace, self._view, self._people = workspace, view, people
        self._earlier = earlier
        self._key_of = {int(people.rows[key].id): key for key in keys}

    def relations_of(self, entity_id: int) -> list[StatedRelation]:
        """Return a member's current relations with entities outside the cast, the surest first."""
        return self._with_others.get(entity_id, [])[:RELATIONS]

    def pairs(self) -> list[CastPair]:
        """Return what connects each two of the cast, for pairs that are connected at all."""
        key_of, order = self._key_of, list(self._key_of)
        sides = [
            (min((relation.source_id, relation.target_id), key=order.index), relation)
            for relation in self._relations
            if relation.source_id in key_of and relation.target_id in key_of
            if relation.source_id != relation.target_id
        ]
        stated: dict[tuple[int, int], list[StatedRelation]] = {}
        for own, relation, text in self._to_answers(sides):
            other = relation.source_id + relation.target_id - own
            stated.setdefault((own, other), []).append(text)
        return [
            CastPair(
                one=ref_of(self._people, key_of[one]),
                other=ref_of(self._people, key_of[other]),
                relations=sorted(stated.get((one, other), []), key=surest_first),
                together=self._together.get(frozenset((key_of[one], key_of[other]))),
            )
            for one, other in combinations(order, 2)
            if (one, other) in stated or frozenset((key_of[one], key_of[other])) in self._together
        ]

    @cached_property
    def _relations(self) -> Sequence[RelationRow]:
        """The stated relations of the cast that have not ended."""
        found = load_relations(self._view, list(self._key_of))
        over = load_intervals(self._view, {relation.source_id for relation in found})
        return [relation for relation in found if not holds_at(over.get(relation.edge, ()))]

    @cached_property
    def _with_others(self) -> Mapping[int, list[StatedRelation]]:
        """For each member, current relations with entities outside the cast, surest first."""
        cast = set(self._key_of)
        found: dict[int, list[tuple[RelationRow, int]]] = {}
        for relation in self._relations:
            ends = {relation.source_id, relation.target_id}
            if not ends <= cast:
                own = (ends & cast).pop()
                found.setdefault(own, []).append((relation, (ends - cast).pop()))
        names = display_names(self._view, {other for side in found.values() for _, other in side})

        def surest(side: tuple[RelationRow, int]) -> tuple[object, ...]:
            relation, other = side
            sure = -relation.evidence_count, -relation.confidence
            return *sure, relation.kind, relation.first_position or 0, names.get(other, "")

        sides = [
            (own, relation)
            for own, relations in found.items()
            for relation, _ in sorted(relations, key=surest)[:RELATIONS]
        ]
        by_owner: dict[int, list[StatedRelation]] = {}
        for own, _, text in self._to_answers(sides):
            by_owner.setdefault(own, []).append(text)
        return {own: sorted(relations, key=surest_first) for own, relations in by_owner.items()}

    def _to_answers(
        self, sides: Sequence[tuple[int, RelationRow]]
    ) -> list[tuple[int, RelationRow, StatedRelation]]:
        """Return relations as answers, seen from one end; those without a quote are dropped."""
        texts = to_stated_relations(self._workspace, self._view, sides)
        return [
            (own, relation, text)
            for (own, relation), text in zip(sides, texts, strict=True)
            if text.evidence
        ]

    @cached_property
    def _together(self) -> Mapping[frozenset[str], Quote]:
        """For each two of the cast, the last paragraph that names both; a table tells nothing."""
        keys = dict.fromkeys(self._key_of.values())
        found: dict[frozenset[str], Quote] = {}
        for scene in reversed(self._earlier):
            if not self._workspace.has_file(scene.path):
                continue
            told = (one for one in scene.sentences if CELLS not in one.text)
            paragraphs = groupby(told, key=lambda sentence: sentence.paragraph)
            for sentences in reversed([tuple(some) for _, some in paragraphs]):
                for pair, said in pairs_named(sentences, keys):
                    if pair not in found:
                        found[pair] = quote_sentences(said)
        return found


ALIASES, CHANGES, VOICES = 10, 3, 2
"""Most aliases, changes and voices per member of the cast."""

RECENT_NOTES = 12
"""Number of chapters before a scene that are read for set-ups and voices."""

NOTES_OF_EACH = 2
"""Number of earlier chapters read per member of the cast, for how they talk."""

_CHANGES = ("alias_added", "relationship_ended", "status_changed", "property_added")
"""Kinds of changes included; relations that still hold are listed as relations instead."""


class Briefing:
    """Everything there is to say about one scene, as of a view."""

    def __init__(self, workspace: Workspace, view: View, note: Any, max_cast: int) -> None:
        self.workspace, self.view, self.note, self.max_cast = workspace, view, note, max_cast
        own = load_scenes(view, note_ids=[note.id])
        personal = {kind.name for kind in workspace.plugins.entity_types.values() if kind.personal}
        near = [row for row in load_named(view, own).values() if row.type in personal]
        self.back = LookingBack(view, note.position, [row.id for row in near])
        self.back.look_near()
        sheets = (row.note_id for row in near if row.note_id not in (None, note.id))
        read = [*self._notes_to_read([row.id for row in near]), *sheets]
        told = load_scenes(view, note_ids=read)
        self.earlier = [scene for scene in told if scene.position is not None]
        self.people = load_people(view, [*own, *told], personal)
        self.scenes = self.people.speaking(workspace, own)
        self.wishes = read_wishes(view)
        never = self.wishes.never()
        cast = find_cast(self.scenes, self.people)
        members = [one for one in cast if one.is_present and one.key not in never]
        self.total = len(members)
        self.members = members[:max_cast]
        keys = [one.key for one in self.members]
        of_members = (self.people.rows[key].note_id for key in keys)
        self._sheets = property_sheets(view, [one for one in of_members if one is not None])
        self.cast_relations = CastRelations(workspace, view, self.people, keys, self.earlier)

    def write(self, quiet_chapters: int, max_tokens: int) -> SceneBrief:
        """Return the complete brief, regardless of its budget of `max_tokens`.

        A thread is open if nothing has mentioned it for `quiet_chapters`.
        """
        more = self.total - len(self.members)
        told = (*self.earlier, *self.scenes)
        threads, remark = find_threads(
            self.workspace, self.view, self.note, told, self.people, quiet_chapters
        )
        places = find_places(self.scenes, self.people)
        told_of = {member.key for member in self.members}
        told_of |= {place.entity.id for place in places if place.entity is not None}
        return SceneBrief(
            scene=SceneNote.of(self.note),
            as_of=self.view.as_of,
            places=places,
            times=find_times(self.scenes),
            cast=[self._member(one) for one in self.members],
            cast_total=self.total,
            unmet=self._unmet(),
            pairs=self.cast_relations.pairs(),
            also=self._also(),
            threads=threads,
            noted=find_noted(self.workspace, self.view, self.note, told_of),
            voices=self._voices(),
            omitted=[OmittedPart(part="cast", number=more, reason="limit")] if more else [],
            total_tokens=0,
            max_tokens=max_tokens,
            budget_utilized=0.0,
            remark=remark,
        )

    def _also(self) -> list[AlsoTold]:
        """Return the beginnings of the notes that wish to be told with the cast."""
        known = {member.key for member in self.members}
        wished = self.wishes.beside(self.view, [self._id(one) for one in self.members])
        keys = [key for key in wished if key not in known]
        found = resolve_entities(self.view, self.workspace.plugins, keys, must_exist=False)
        entity = self.view.entity
        noted = select(entity.c.id, entity.c.note_id, entity.c.heading)
        ids = [one.id for one in found]
        rows = {row.id: row for row in self.view.all_among(noted, entity.c.id, ids)}
        told = ((one, self._summary_of(rows[one.id])) for one in found)
        return [
            AlsoTold(entity=EntityRef(**one.reference()), summary=summary)
            for one, summary in told
            if summary is not None
        ]

    def _unmet(self) -> list[str]:
        found = dict.fromkeys(name for scene in self.scenes for name in scene.unmet)
        return list(found)[: self.max_cast]

    def _notes_to_read(self, entity_ids: Sequence[int]) -> list[int]:
        """Return the chapters right before the scene, and those that last mention its people."""
        chosen = dict.fromkeys(row.id for row in self.back.notes[:RECENT_NOTES])
        for entity_id in entity_ids:
            of_one = dict.fromkeys(one.note_id for one in self.back.sightings(entity_id))
            chosen |= dict.fromkeys(list(of_one)[:NOTES_OF_EACH])
        return list(chosen)

    def _id(self, member: Member) -> int:
        return int(self.people.rows[member.key].id)

    def _member(self, member: Member) -> CastMember:
        person = self.people.persons[member.key]
        aliases = (name.form for name in person.names if name.kind == "alias")
        called = (form for form in aliases if form != person.name)
        return CastMember(
            entity=ref_of(self.people, member.key),
            roles=list(member.roles),
            mentions=member.mentions,
            also_called=list(islice(called, ALIASES)),
            summary=self._summary(member),
            facts=self._facts(member),
            last_seen=self._last_seen(member),
            relations=self.cast_relations.relations_of(self._id(member)),
            changes=self._changes(member),
        )

    def _summary(self, member: Member) -> SheetSummary | None:
        return self._summary_of(self.people.rows[member.key])

    def _summary_of(self, entity: Any) -> SheetSummary | None:
        found = source_of(self.view, entity)
        if found is None or found.text is None or not self._is_there(found.path):
            return None
        line, text = first_words(readable(found.text))
        if not text:
            return None
        return SheetSummary(path=found.path, line=found.line + line, text=text)

    def _facts(self, member: Member) -> SheetFacts | None:
        sheet = self._sheets.get(self.people.rows[member.key].note_id)
        if sheet is None or not self._is_there(sheet.path):
            return None
        text = list_facts(self.people.rows[member.key].name, sheet.frontmatter or {})
        return SheetFacts(path=sheet.path, line=sheet.line, text=text) if text else None

    def _last_seen(self, member: Member) -> LastSeen | None:
        """Return where the narrator last named a member, else where it was last mentioned."""
        for scene, named in self._named_before:
            sentence = named.get(member.key)
            if sentence is not None and scene.position is not None and self._is_there(scene.path):
                return LastSeen(
                    title=scene.title,
                    position=scene.position,
                    places=[ref_of(self.people, key).name for key in scene.places],
                    quote=quote_sentences((sentence,)),
                )
        return self._last_mentioned(member)

    @cached_property
    def _named_before(self) -> list[tuple[Scene, Mapping[str, Sentence]]]:
        """The earlier scenes, the nearest first, each with where it last names whom."""
        return [(scene, last_named(scene)) for scene in reversed(self.earlier)]

    def _last_mentioned(self, member: Member) -> LastSeen | None:
        seen = self.back.last_of(self._id(member))
        if seen is None or not self._is_there(seen.path):
            return None
        place = chunk_places(self.view, [seen.chunk_id])[seen.chunk_id]
        others = find_alternatives(self.view, [seen.named]).get(seen.named, [])
        quote = Quote.of(quote_chunk(place, seen.start, seen.end))
        quote = quote.model_copy(update={"alternatives": others})
        return LastSeen(title=place.title, position=seen.position, places=[], quote=quote)

    def _is_there(self, path: str) -> bool:
        return self.workspace.has_file(path)

    @cached_property
    def _changes_before(self) -> Mapping[int, Sequence[ChangeRow]]:
        """What happened to the members, by the ids of their rows."""
        found: dict[int, list[ChangeRow]] = {}
        for row in load_changes(self.view, [*map(self._id, self.members)], _CHANGES):
            found.setdefault(row.entity_id, []).append(row)
        return found

    def _changes(self, member: Member) -> list[EntityChange]:
        person = self.people.persons[member.key]
        last = [
            row
            for row in self._changes_before.get(self._id(member), ())
            if row.since is not None and self._is_there(row.path)
            if row.kind != "alias_added" or not _is_part(row.new or "", person)
        ][-CHANGES:]
        return to_entity_changes(self.workspace, self.view, last[::-1])

    def _voices(self) -> list[Voice]:
        """Return passages spoken by the cast: one of each member, then a second of each."""
        back = sorted(self.earlier, key=lambda scene: -(scene.position or 0))
        keys = {member.key for member in self.members}
        before = find_voices(self.people.speaking(self.workspace, back, keys), VOICES)
        here = find_voices(self.scenes, VOICES)
        chosen = [
            [
                self._voice(passage)
                for passage in (*before.get(member.key, ()), *here.get(member.key, ()))
                if self._is_there(passage.first.evidence.path)
            ][:VOICES]
            for member in self.members
        ]
        return [voice for in_turn in zip_longest(*chosen) for voice in in_turn if voice is not None]

    def _voice(self, passage: Passage) -> Voice:
        first, last = passage.first.evidence, passage.last.evidence
        return Voice(
            speaker=ref_of(self.people, passage.speaker),
            path=first.path,
            position=passage.first.position,
            line=first.line,
            start=first.start,
            end=last.end,
            text=passage.text,
        )


def _is_part(form: str, person: StoryEntity) -> bool:
    """Return whether a form shares a word with a person's name, and is thus no news."""
    return bool({*form.casefold().split()} & {*person.name.casefold().split()})
