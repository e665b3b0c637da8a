"""What a question of knowledge is about, and what the chapters that have to do with it tell.

question = read_question(view, "Ann sold the lamp")
Reading(view, question).signs
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import select

from writeros_entities.capabilities.continuity.showings import (
    LEAST,
    Attendance,
    Matter,
    MatterTerm,
    Showing,
    Sign,
    find_showings,
    may_show,
    share_of,
    signs_of,
)
from writeros_entities.capabilities.search.entity_scores import count_mentions
from writeros_entities.capabilities.search.full_text import greatest_nearby, rarity
from writeros_entities.capabilities.search.query_terms import read_query, without_names
from writeros_entities.language.marks import unpack_marks
from writeros_entities.properties import dashed
from writeros_entities.store.chapters import chapters_meant
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.postings import find_postings
from writeros_entities.store.words import words as cut
from writeros_entities.story.finding import find_candidates, shared_name
from writeros_entities.story.naming import find_named
from writeros_entities.story.property_names import texts_of
from writeros_entities.story.scene_people import load_people
from writeros_entities.story.scenes import load_scenes
from writeros_entities.story.speakers import reader_of
from writeros_entities.values import Evidence
from writeros_entities.vault.plain_links import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats
    from writeros_entities.store.rows import Row
    from writeros_entities.store.words import Term
    from writeros_entities.values.story import Scene, Sentence
    from writeros_entities.view import View

MOST_CHAPTERS = 12
"""How many of the chapters that have to do with a matter are read, the likeliest ones."""

MOST_SHEETS = 6
"""How many of the other notes that have to do with a matter are read."""

LEAST_OF_PASSAGE = 0.5
"""The least share of a matter's weight in a passage, with those around it, of a note to read."""

MOST_NAMES = 10
"""How many names of a question count."""

REACH = 2
NEARBY_SHARE = 0.8
"""How many passages around one count for it, and how much."""


@dataclass(frozen=True)
class Question:
    """A matter, the entities that are named in it, and the passages with each of its terms."""

    matter: Matter
    entities: tuple[Row, ...]
    passages: Floats


def read_question(view: View, about: str) -> Question:
    """Return what is asked: an entity, several with commas between them, or words.

    Raises AmbiguousNameError if the text, or each of its parts, is a name, and one of several
    entities.
    """
    entities = _as_names(view, about)
    terms: list[tuple[Row | None, Term | None, frozenset[str]]] = []
    if entities:
        terms += ((one, None, frozenset()) for one in entities)
    else:
        entities, terms = _as_words(view, about)
    chunks = visible_chunks(view)
    passages = np.zeros((len(terms), len(chunks)))
    found = iter(find_postings(view, [term for _, term, _ in terms if term is not None]))
    for row, (entity, _, _) in zip(passages, terms, strict=True):
        ids = next(found).chunk_ids if entity is None else count_mentions(view, entity.id)[0]
        row[chunks.rows_of(ids)] = 1.0
        if entity is not None and entity.note_id is not None:
            row[chunks.note_ids == entity.note_id] = 1.0
    matter = Matter(
        tuple(
            MatterTerm(rarity(row), None if entity is None else entity.key, term, but)
            for row, (entity, term, but) in zip(passages, terms, strict=True)
        )
    )
    return Question(matter, tuple(entities), passages)


def _as_names(view: View, about: str) -> list[Row]:
    """Return the entities of a text that is a name, or names with commas between them, or []."""
    whole = find_candidates(view, about)
    if len(whole) > 1:
        raise shared_name(view, about, whole)
    if whole:
        return whole
    parts = [part.strip() for part in about.split(",")]
    named = [find_candidates(view, part) for part in parts]
    if not 1 < len(named) <= MOST_NAMES or not all(named):
        return []
    for part, found in zip(parts, named, strict=True):
        if len(found) > 1:
            raise shared_name(view, part, found)
    return [one[0] for one in named]


def _as_words(
    view: View, about: str
) -> tuple[list[Row], list[tuple[Row | None, Term | None, frozenset[str]]]]:
    """Return the entities that words name, and the terms for them and for the other words.

    Who is named twice is somebody behind another name: that name is sought as words, and the entity
    by any other of its names.
    """
    found = find_named(view, about).entities[:MOST_NAMES]
    named = {one.entity.key: one for one in found}
    surfaces: dict[str, set[str]] = {key: {one.surface} for key, one in named.items()}
    rest = about
    for one in named.values():
        rest = rest.replace(one.surface, " ")
    for one in find_named(view, rest).entities[: MOST_NAMES - len(found)]:
        surfaces.setdefault(one.entity.key, set()).add(one.surface)
        named.setdefault(one.entity.key, one)
    behind: set[str] = set()
    names = display_names(view, [one.entity.id for one in named.values()])
    for key, forms in surfaces.items():
        if len(forms) > 1:
            own = set(cut(names.get(named[key].entity.id, named[key].entity.name)))
            behind |= {form for form in forms if own.isdisjoint(cut(form))}
    shown = [form for forms in surfaces.values() for form in forms if form not in behind]
    others = without_names(read_query(about), shown)
    if named and {one.shown for one in others} == {
        one.shown for one in read_query(" ".join(shown))
    }:
        others = ()
    but = frozenset(word for form in behind for word in cut(form))
    entities = [one.entity for one in named.values()]
    terms: list[tuple[Row | None, Term | None, frozenset[str]]] = []
    terms += ((one, None, but) for one in entities)
    terms += ((None, one.term, frozenset()) for one in others)
    return entities, terms


class Reading:
    """What the manuscript, and the writer's other notes, tell of a matter."""

    def __init__(self, view: View, question: Question, person_id: int | None = None) -> None:
        """Read first the chapters that name a person, if she is asked for."""
        self._view, self._question = view, question
        chapters, sheets = self._notes(person_id)
        self.chapters, self.chapters_read = len(chapters), min(len(chapters), MOST_CHAPTERS)
        read = [*chapters[:MOST_CHAPTERS], *sheets[:MOST_SHEETS]]
        scenes = load_scenes(view, read) if read else []
        told = [one for one in scenes if one.position is not None]
        likely = [one for one in view.each(told) if may_show(one, question.matter)]
        self._sections = [one for one in scenes if one.position is None]
        kinds = view.plugins.entity_types.values()
        personal = {one.name for one in kinds if one.personal}
        self._people = load_people(view, [*likely, *self._sections], personal)
        self._words = reader_of(view)
        self._scenes = self._people.speaking(view, view.each(likely))

    def _notes(self, person_id: int | None) -> tuple[list[int], list[int]]:
        """Return the ids of the chapters and of the other notes to read, the likeliest first."""
        chunks, passages = visible_chunks(self._view), self._question.passages
        weights = np.array([one.weight for one in self._question.matter.terms])
        rows = np.flatnonzero(passages.any(axis=0))
        here, notes = passages[:, rows], chunks.note_ids[rows]
        near = NEARBY_SHARE * greatest_nearby(here, rows, notes, REACH)
        shares = weights @ np.maximum(here, near) / (weights.sum() or 1.0)
        best: dict[int, float] = {}
        named = [one.entity is not None for one in self._question.matter.terms]
        with_all = [set(chunks.note_ids[np.flatnonzero(row)].tolist()) for row in passages[named]]
        for note, share in zip(notes.tolist(), shares.round(2).tolist(), strict=True):
            if share >= LEAST_OF_PASSAGE and all(note in each for each in with_all):
                best[note] = max(share, best.get(note, 0.0))
        hers: set[int] = set()
        if person_id is not None:
            hers = set(chunks.note_ids[chunks.rows_of(count_mentions(self._view, person_id)[0])])
        note = self._view.note
        statement = select(note.c.id, note.c.position, note.c.path).where(note.c.kind == "note")
        found = sorted(
            self._view.all_among(statement, note.c.id, sorted(best)),
            key=lambda row: (row.id not in hers, -best[row.id], row.position or 0, row.path),
        )
        found = [row for row in found if self._view.has_file(row.path)]
        return (
            [row.id for row in found if row.position is not None],
            [row.id for row in found if row.position is None],
        )

    @cached_property
    def _showings(self) -> list[tuple[Scene, Showing]]:
        return self._found(self._scenes)

    @cached_property
    def _stated(self) -> list[tuple[Scene, Showing]]:
        return self._found(self._sections)

    def _found(self, scenes: Sequence[Scene]) -> list[tuple[Scene, Showing]]:
        matter = self._question.matter
        return [
            (scene, one)
            for scene in scenes
            for one in find_showings(scene, matter, self._genders, self._words(scene))
        ]

    @cached_property
    def signs(self) -> list[Sign]:
        """What tells that somebody knows the matter: what the writer notes, then what is told."""
        noted = sorted(self._noted(), key=lambda one: (one.since or 0, one.person))
        return [one for one in (*noted, *self._signs()) if one.person not in self.herself]

    @property
    def herself(self) -> set[str]:
        """The only one who is asked about, of whom it would be idle to say that she knows."""
        matter = self._question.matter
        return {one.entity for one in matter.terms if one.entity and matter.is_one_entity}

    def _noted(self) -> Iterator[Sign]:
        """Yield who knows it by the writer's word: `known_by`, behind what it is that is known.

        Such a line in a section is about what stands above it; a note's property, about all of it,
        and about what the property `secret` says.
        """
        matter, about_all, secret = self._question.matter, set[str](), set[str]()
        stated = {id(one.sentence) for _, one in self._stated}
        for scene in self._sections:
            above = matter.is_entity(scene.subject)
            about_all |= {scene.path} if above else set()
            for one in scene.sentences:
                line = self._knowing_line(scene, one)
                if line is not None and above:
                    yield from self._knowers(line, one.evidence)
                is_here = id(one) in stated and not matter.is_one_entity
                about_all |= {scene.path} if is_here else set()
                above = line is None and (above or is_here) and not matter.is_one_entity
            if self._is_secret(scene):
                secret.add(scene.path)
        for scene in self._sections:
            has_secret = bool(self._values(scene, "secrets"))
            if scene.path in (secret if has_secret else about_all):
                about_all.discard(scene.path)
                secret.discard(scene.path)
                for text, evidence in self._properties(scene, "knowing"):
                    yield from self._knowers(text, evidence)

    def _properties(self, scene: Scene, which: str) -> Iterator[tuple[str, Evidence]]:
        """Yield the values of some properties of a section's note, each with its place."""
        note, page = self._view.note, self._view.page
        statement = select(note.c.frontmatter, page.c.marks).where(note.c.path == scene.path)
        row = self._view.one(statement.outerjoin(page, page.c.note_id == note.c.id))
        written = unpack_marks(row.marks).found_properties() if row and row.marks else {}
        labels = self._labels(scene, which)
        for name, value in (row.frontmatter or {}).items() if row else ():
            if dashed(name) in labels:
                start, end, line = written.get(name, (0, 0, 1))
                for text in texts_of(value):
                    quote = f"{name}: {with_plain_links(text)}"
                    yield text, Evidence(scene.path, start, end, quote, line)

    def _knowing_line(self, scene: Scene, sentence: Sentence) -> str | None:
        """Return what a line of a section says of who knows what is above it, or None."""
        label, colon, told = sentence.text.partition(":")
        if colon and dashed(label.strip("*_ ")) in self._labels(scene, "knowing"):
            return told
        is_field = sentence.text in self._values(scene, "knowing")
        return sentence.evidence.quote if is_field else None

    def _labels(self, scene: Scene, which: str) -> frozenset[str]:
        listed: frozenset[str] = getattr(self._words(scene), which)
        return frozenset(map(dashed, listed))

    def _values(self, scene: Scene, which: str) -> list[str]:
        labels = self._labels(scene, which)
        return [text for key, each in scene.properties.items() if key in labels for text in each]

    def _is_secret(self, scene: Scene) -> bool:
        """Say whether the matter is what a property of a note says is secret."""
        return any(one.path == scene.path for one in self._secrets)

    @cached_property
    def _secrets(self) -> list[Evidence]:
        """The properties `secret` of notes that say what the matter is."""
        found: dict[str, Evidence] = {}
        matter = self._question.matter
        for scene in self._sections if not matter.is_one_entity else ():
            if self._values(scene, "secrets") and scene.path not in found:
                for text, evidence in self._properties(scene, "secrets"):
                    named = find_named(self._view, text).entities
                    keys = {one.entity.key for one in named}
                    keys |= {scene.subject} if scene.subject else set()
                    if share_of(matter, text, keys) >= LEAST:
                        found[scene.path] = evidence
        return [*found.values()]

    def _knowers(self, text: str, evidence: Evidence) -> Iterator[Sign]:
        """Yield those whom a value of `known_by` names, each from the chapter named with her on."""
        for part in with_plain_links(text).split(","):
            person, rest = self._named_first(part.strip(" \t*_.()"))
            since = self._chapter_in(rest)
            is_open = since is None and (
                any(each.isdigit() for each in rest)
                if self._view.as_of is None
                else rest  # it may be the name of a chapter that the reader has not reached
            )
            if person is not None and not is_open:
                yield Sign(person, "knows", "noted", None, since, evidence)

    def _named_first(self, text: str) -> tuple[str | None, str]:
        """Return whom the first words of a text name, as many as do, and the others."""
        parts = text.split()
        for end in range(len(parts), 0, -1):
            found = find_candidates(self._view, " ".join(parts[:end]))
            if len(found) == 1:
                return found[0].key, " ".join(parts[end:])
        return None, text

    def _chapter_in(self, text: str) -> int | None:
        """Return the position of the chapter that a text ends with, or None."""
        place_of = self._view.plugins.place_of
        parts = text.split()
        for at in range(len(parts)):
            meant = chapters_meant(self._view, " ".join(parts[at:]), place_of)
            if meant:
                return min(meant.values())
        return None

    def _signs(self) -> Iterator[Sign]:
        known: dict[int, Attendance] = {}
        for scene, showing in self._showings:
            there = known.get(id(scene)) or Attendance(scene, self._genders, self._words(scene))
            known[id(scene)] = there
            yield from signs_of(showing, there)

    @cached_property
    def _genders(self) -> dict[str, Any]:
        return {key: self._people.genders.get(key) for key in self._people.persons}

    @cached_property
    def present(self) -> set[str]:
        """Who is named by the narrator in the scenes that show the matter."""
        scenes = {id(scene): scene for scene, _ in self._showings}.values()
        told = (one for scene in scenes for each in scene.sentences for one in each.names)
        return {one.entity for one in told if one.is_plain and one.entity in self._people.persons}

    @property
    def first(self) -> Evidence | None:
        """Where a reader first meets the matter."""
        return self._showings[0][1].sentence.evidence if self._showings else None

    def best(self, most: int) -> list[Evidence]:
        """Return the places that tell the matter best, the manuscript's first among equals."""
        found = [one for _, one in (*self._showings, *self._stated)]
        ranked = sorted(found, key=lambda one: (one.is_doubted, -round(one.share, 2)))
        return [*self._secrets, *(one.sentence.evidence for one in ranked)][:most]

    def ids_of(self, keys: Collection[str]) -> list[int]:
        """Return the ids of the rows of entities, by their keys."""
        entity = self._view.entity
        statement = select(entity.c.id)
        return [row.id for row in self._view.all_among(statement, entity.c.key, sorted(keys))]
