"""Gather the content of a scene's brief, before it is cut to its budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

from sqlalchemy import select

from writeros_entities.capabilities.answers import EntityRef, Quote
from writeros_entities.capabilities.context.brief_parts import (
    AlsoTold,
    CastMember,
    LastGain,
    LastSeen,
    OmittedPart,
    SceneBrief,
    SceneFact,
    SceneNote,
    SheetFacts,
    SheetSummary,
    Voice,
)
from writeros_entities.capabilities.context.cast_facts import (
    CastRelations,
    find_looks,
    last_gains,
)
from writeros_entities.capabilities.context.quotes import (
    first_words,
    last_named,
    list_facts,
    quote_sentences,
)
from writeros_entities.capabilities.context.setting import Setting, find_places, find_times, ref_of
from writeros_entities.capabilities.context.threads import find_noted, find_threads
from writeros_entities.capabilities.context.wishes import read_wishes
from writeros_entities.capabilities.entities.describe_voice import VoiceFigures
from writeros_entities.capabilities.parts import find_alternatives, readable
from writeros_entities.capabilities.time.get_entity_history import EntityChange, to_entity_changes
from writeros_entities.story.history import load_changes
from writeros_entities.story.listing import property_sheets, source_of
from writeros_entities.story.passages import chunk_places
from writeros_entities.story.proofs import quote_chunk
from writeros_entities.story.resolution import resolve_entities
from writeros_entities.story.scene_notes import LookingBack
from writeros_entities.story.scene_people import Member, find_cast, load_named, load_people
from writeros_entities.story.scene_words import find_voices
from writeros_entities.story.scenes import load_scenes
from writeros_entities.story.speakers import reader_of
from writeros_entities.story.speeches import speeches_in
from writeros_entities.story.voices import describe_voice

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.store.rows import Row
    from writeros_entities.story.history import ChangeRow
    from writeros_entities.story.scene_words import Passage
    from writeros_entities.story.speeches import FoundSpeech
    from writeros_entities.values.story import Scene, Sentence
    from writeros_entities.view import View

ALIASES, CHANGES, VOICES = 10, 3, 2
"""Most aliases, changes and voices per member of the cast."""

RECENT_NOTES = 12
"""Number of chapters before a scene that are read for set-ups and voices."""

NOTES_OF_EACH = 2
"""Number of earlier chapters read per member of the cast, for how they talk."""

_CHANGES = ("alias_added", "relationship_ended", "status_changed", "property_added")
"""Kinds of changes included; relations that still hold are listed as relations instead."""

_ABSENT = ("missing",)
"""Statuses that end when somebody is there again."""


class Briefing:
    """Everything there is to say about one scene, as of a view."""

    def __init__(self, view: View, setting: Setting, max_cast: int) -> None:
        self.view, self.setting, self.max_cast = view, setting, max_cast
        scene = setting.scene
        own = [] if scene is None else load_scenes(view, note_ids=[scene.id])
        asked = [row.key for row in (*setting.cast, setting.place) if row is not None]
        personal = {kind.name for kind in view.plugins.entity_types.values() if kind.personal}
        named = load_named(view, own, asked).values()
        near = [row for row in named if row.type in personal or row.key in asked]
        self.back = LookingBack(view, setting.end, [row.id for row in near])
        self.back.look_near()
        sheets = {row.note_id for row in near} - {None, None if scene is None else scene.id}
        told = load_scenes(view, [*self._notes_to_read([row.id for row in near]), *sheets])
        self.earlier = [
            one
            for one in told
            if one.position is not None and setting.has_come(one.path, one.start)
        ]
        self.sections = [one for one in told if one.position is None]
        self.people = load_people(view, [*own, *told], personal, asked)
        self.scenes = self.people.speaking(view, own)
        self.wishes = read_wishes(view)
        never = self.wishes.never()
        cast = find_cast(self.scenes, self.people)
        cast += [Member(row.key, (), 0) for row in setting.cast]
        members = [one for one in cast if one.is_present and one.key not in never]
        self.total = len(members)
        self.members = members[:max_cast]
        keys = [one.key for one in self.members]
        of_members = (self.people.rows[key].note_id for key in keys)
        self._sheets = property_sheets(view, [one for one in of_members if one is not None])
        self.cast_relations = CastRelations(view, self.people, keys, self.earlier, setting)

    def write(self, quiet_chapters: int, max_tokens: int) -> SceneBrief:
        """Return the complete brief, regardless of its budget of `max_tokens`.

        A thread is open if nothing has mentioned it for `quiet_chapters`.
        """
        setting, more = self.setting, self.total - len(self.members)
        told = (*self.earlier, *self.scenes)
        about = None if setting.scene is not None else {one.key for one in self.members}
        threads, remark = find_threads(
            self.view, setting.here, told, self.people, quiet_chapters, about
        )
        places = self._places()
        told_of = {member.key for member in self.members}
        told_of |= {place.entity.id for place in places if place.entity is not None}
        note_id = None if setting.scene is None else setting.scene.id
        return SceneBrief(
            scene=None if setting.scene is None else SceneNote.of(setting.scene),
            after=None if setting.after is None else SceneNote.of(setting.after),
            as_of=self.view.as_of,
            places=places,
            times=self._times(),
            cast=[self._member(one) for one in self.members],
            cast_total=self.total,
            unmet=self._unmet(),
            pairs=self.cast_relations.pairs(),
            also=self._also(),
            threads=threads,
            noted=find_noted(self.view, note_id, setting.here or 0, told_of),
            voices=self._voices(),
            omitted=[OmittedPart(part="cast", number=more, reason="limit")] if more else [],
            total_tokens=0,
            max_tokens=max_tokens,
            budget_utilized=0.0,
            remark=remark,
        )

    def _places(self) -> list[SceneFact]:
        place = self.setting.place
        if place is None:
            return find_places(self.scenes, self.people)
        ref = ref_of(self.people, place.key)
        last = self._last_seen(place.key)
        return [SceneFact(key=None, text=ref.name, entity=ref, quote=last.quote if last else None)]

    def _times(self) -> list[SceneFact]:
        moment = self.setting.moment
        if moment is None:
            return find_times(self.scenes)
        return [SceneFact(key=None, text=moment.shown, entity=None, quote=None)]

    def _also(self) -> list[AlsoTold]:
        """Return the beginnings of the notes of the place, and of those that wish to be told."""
        known = {member.key for member in self.members}
        wished = self.wishes.beside(self.view, [self._id(one.key) for one in self.members])
        place = self.setting.place
        asked = dict.fromkeys([*([] if place is None else [place.key]), *wished])
        keys = [key for key in asked if key not in known]
        found = resolve_entities(self.view, keys, must_exist=False)
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

    def _id(self, key: str) -> int:
        return int(self.people.rows[key].id)

    def _member(self, member: Member) -> CastMember:
        row, key = self.people.rows[member.key], member.key
        person = self.people.persons.get(key)
        name = row.name if person is None else person.name
        aliases = (one.form for one in person.names if one.kind == "alias") if person else ()
        called = (form for form in aliases if form != name)
        moment = self.setting.moment
        return CastMember(
            entity=ref_of(self.people, key),
            roles=list(member.roles),
            mentions=member.mentions,
            also_called=list(islice(called, ALIASES)),
            age=moment.age(row.frontmatter or {}) if moment and not row.heading else None,
            summary=self._summary(member),
            facts=self._facts(member),
            looks=self._looks(key),
            last_seen=self._last_seen(key),
            gains=self._gains.get(row.id, []),
            relations=self.cast_relations.relations_of(row.id),
            changes=self._changes(member),
            speaks=self._speaks(row.id),
        )

    @cached_property
    def _gains(self) -> Mapping[int, list[LastGain]]:
        """What the members of a scene to come gained or lost last, by their ids."""
        if self.setting.scene is not None:
            return {}
        ids = [self._id(one.key) for one in self.members]
        return last_gains(self.view, ids, self.setting.has_come)

    def _looks(self, key: str) -> SheetSummary | None:
        """Return what the sheet says of somebody's looks."""
        sections = [one for one in self.sections if one.subject == key and self._is_there(one.path)]
        words = self._words_of(sections[0]) if sections else None
        found = find_looks(sections, words) if words else []
        if not found:
            return None
        first = found[0].evidence
        text = " ".join(one.text for one in found)
        return SheetSummary(path=first.path, line=first.line, text=text)

    @cached_property
    def _words_of(self) -> Callable[[Scene], Words]:
        return reader_of(self.view)

    def _speaks(self, person: int) -> VoiceFigures | None:
        """Return how a member speaks in the chapters that were read, if that is often enough."""
        voice = describe_voice(self._speeches, person)
        if voice is None or not voice.is_enough:
            return None
        keys = {int(row.id): key for key, row in self.people.rows.items()}
        refs = {one.to: ref_of(self.people, keys[one.to]) for one in voice.addresses}
        named = [one for one in voice.addresses if one.form == refs[one.to].name]
        for one in named:  # that somebody is called by her name needs no telling
            del refs[one.to]
        return VoiceFigures.told(voice, refs)

    @cached_property
    def _speeches(self) -> Sequence[FoundSpeech]:
        """What is surely said by somebody in the chapters that were read."""
        said = speeches_in((*self._spoken_before, *self.scenes), self.people, self._words_of)
        return [one for one in said if one.speaker is not None and self._is_there(one.path)]

    def _summary(self, member: Member) -> SheetSummary | None:
        return self._summary_of(self.people.rows[member.key])

    def _summary_of(self, entity: Row) -> SheetSummary | None:
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

    def _last_seen(self, key: str) -> LastSeen | None:
        """Return where the narrator last named somebody, else where she was last mentioned."""
        for scene, named in self._named_before:
            sentence = named.get(key)
            if sentence is not None and scene.position is not None and self._is_there(scene.path):
                return LastSeen(
                    title=scene.title,
                    position=scene.position,
                    places=[ref_of(self.people, place).name for place in scene.places],
                    quote=quote_sentences((sentence,)),
                )
        return self._last_mentioned(self._id(key))

    @cached_property
    def _named_before(self) -> list[tuple[Scene, Mapping[str, Sentence]]]:
        """The earlier scenes, the nearest first, each with where it last names whom."""
        return [(scene, last_named(scene)) for scene in reversed(self.earlier)]

    def _last_mentioned(self, entity_id: int) -> LastSeen | None:
        seen = self.back.last_of(entity_id)
        if seen is None or not self._is_there(seen.path):
            return None
        if not self.setting.has_come(seen.path, seen.start):
            return None
        place = chunk_places(self.view, [seen.chunk_id])[seen.chunk_id]
        others = find_alternatives(self.view, [seen.named]).get(seen.named, [])
        quote = Quote.of(quote_chunk(place, seen.start, seen.end))
        quote = quote.model_copy(update={"alternatives": others})
        return LastSeen(title=place.title, position=seen.position, places=[], quote=quote)

    def _is_there(self, path: str) -> bool:
        return self.view.has_file(path)

    @cached_property
    def _changes_before(self) -> Mapping[int, Sequence[ChangeRow]]:
        """What happened to the members, by the ids of their rows."""
        found: dict[int, list[ChangeRow]] = {}
        ids = [self._id(one.key) for one in self.members]
        for row in load_changes(self.view, ids, _CHANGES):
            found.setdefault(row.entity_id, []).append(row)
        return found

    def _changes(self, member: Member) -> list[EntityChange]:
        name = ref_of(self.people, member.key).name
        last = [
            row
            for row in self._changes_before.get(self._id(member.key), ())
            if row.since is not None and self._is_there(row.path)
            if self.setting.has_come(row.path, row.start)
            if row.kind != "alias_added" or not _is_part(row.new or "", name)
            if row.new not in _ABSENT or not self._is_back(member.key, row)
        ][-CHANGES:]
        return to_entity_changes(self.view, last[::-1])

    def _is_back(self, key: str, row: ChangeRow) -> bool:
        """Say whether the narrator names somebody behind the words that show a change."""
        if row.position is None:
            return False
        own = ((scene, last_named(scene)) for scene in self.scenes)
        last = ((scene, named.get(key)) for scene, named in chain(self._named_before, own))
        return any(
            (scene.position or 0, one.evidence.start) > (row.position, row.start)
            for scene, one in last
            if one is not None
        )

    @cached_property
    def _spoken_before(self) -> Sequence[Scene]:
        """The earlier scenes in which the members may speak, the nearest first."""
        back = sorted(self.earlier, key=lambda scene: -(scene.position or 0))
        keys = {member.key for member in self.members}
        return self.people.speaking(self.view, back, keys)

    def _voices(self) -> list[Voice]:
        """Return passages spoken by the cast: one of each member, then a second of each."""
        before = find_voices(self._spoken_before, VOICES)
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


def _is_part(form: str, name: str) -> bool:
    """Return whether a form shares a word with somebody's name, and is thus no news."""
    return bool({*form.casefold().split()} & {*name.casefold().split()})
