"""Load scenes: parts of notes as a reader sees them, with the names and links in them.

scenes = load_scenes(view, note_ids=[note.id])
[sentence.text for sentence in scenes[0].sentences]
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, func, select

from writeros_entities.language.marks import Marks, unpack_marks
from writeros_entities.language.told import ToldSentence, read_told
from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, TIME_KEYS, VIEWPOINT_KEYS, story_key
from writeros_entities.store.cache import LRUCache
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.annotations import load_annotations
from writeros_entities.story.property_names import load_narrator, load_property_names, texts_of
from writeros_entities.values import HEADING_SEPARATOR, Evidence, InlineField
from writeros_entities.values.story import NamedSpan, Scene, Sentence, StoryLink
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.headings import heading_paths
from writeros_entities.vault.plain_links import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.store.rows import Query, Row
    from writeros_entities.story.annotations import Annotations
    from writeros_entities.story.property_names import PropertyNames
    from writeros_entities.values import JSON, Heading
    from writeros_entities.view import View


_START = attrgetter("start")
_NAMING = (*CAST_KEYS, *VIEWPOINT_KEYS, *PLACE_KEYS)
_FIRST_PERSON = re.compile(r"\bI\b(?!\.)")
_OFTEN = 3
"""The fewest uses of "I" that make a narration first-person."""

_NUMBERED = re.compile(
    r"^(?:(?:chapter|part|scene)\s+(?:\d+|[ivxlc]+)\b|\d+\b)[\s\-–—_.:)]*", re.IGNORECASE
)
"""Matches the number before a chapter's name: "3. Ann", "Chapter IV: Ann"."""


class Part(NamedTuple):
    """A chunk of a note: its offset in the file, its id, and its line."""

    start: int
    id: int
    line: int


@dataclass(frozen=True, slots=True)
class SceneNote:
    """The text of a note, joined from its chunks, with its metadata, and its page as it is stored.

    It is read as a whole, so that it does not matter where its chunks end.
    """

    parts: tuple[Part, ...]
    note_id: int
    text: str
    path: str
    title: str
    position: int | None
    frontmatter: Mapping[str, JSON] | None
    stored: bytes | None

    @property
    def start(self) -> int:
        """The offset of its start in the file."""
        return self.parts[0].start

    @property
    def end(self) -> int:
        """The offset of its end in the file."""
        return self.start + len(self.text)

    def written(self, start: int, end: int) -> str:
        """Return what stands in a span of the file, as far as it may be seen, without comments."""
        return without_comments(self.text[start - self.start : end - self.start]).strip()

    def parts_between(self, start: int, end: int) -> Sequence[Part]:
        """Return the chunks that contain a part of a span of the file."""
        first = bisect_right(self.parts, start, key=_START) - 1
        return self.parts[max(0, first) : bisect_left(self.parts, end, key=_START)]

    def line_at(self, offset: int) -> int:
        """Return the line of an offset of the file."""
        part = self.parts_between(offset, offset + 1)[0]
        return part.line + self.text.count("\n", part.start - self.start, offset - self.start)


def join_chunks(note: Row, chunks: Sequence[Row | _Chunk]) -> SceneNote:
    """Return a note, given its row and those of its chunks: id, text, start, line."""
    first = chunks[0]
    line, end = first.line, first.start
    pieces: list[str] = []
    for chunk in chunks:
        lines = chunk.line - line
        pieces += " " * (chunk.start - end - lines), "\n" * lines, chunk.text
        line, end = chunk.line + chunk.text.count("\n"), chunk.start + len(chunk.text)
    return SceneNote(
        tuple(Part(chunk.start, chunk.id, chunk.line) for chunk in chunks),
        *(note.id, "".join(pieces), note.path, note.title, note.position, note.frontmatter),
        note.marks,
    )


@dataclass
class SceneDraft:
    """What has been read of a scene: its note, its number in it, and the headings above it."""

    note: SceneNote
    ordinal: int
    start: int
    heading: str = ""
    end: int = 0
    sentences: list[Sentence] = field(default_factory=list)
    fields: list[InlineField] = field(default_factory=list)

    def add(self, sentence: ToldSentence, annotations: Annotations) -> None:
        """Append a sentence of the note, with the names and links in it."""
        note = self.note
        begin, finish = sentence.start, sentence.end
        quote = without_comments(note.text[begin - note.start : finish - note.start])
        line = note.line_at(begin)
        self.sentences.append(
            Sentence(
                sentence.text,
                sentence.narration,
                Evidence(note.path, begin, finish, quote, line, self.heading, note.position),
                note.position,
                sentence.paragraph,
                sentence.is_row,
                tuple(_names(note, sentence, annotations)),
                tuple(_links(note, sentence, annotations)),
                sentence.shown,
                sentence.first,
            )
        )

    @cached_property
    def told(self) -> tuple[Sentence, ...]:
        """Its sentences, once all are added."""
        return tuple(self.sentences)

    @cached_property
    def written(self) -> Mapping[str, list[str]]:
        """The values of properties and inline fields, by key."""
        found: dict[str, list[str]] = {}
        fields = [(one.key, one.value) for one in self.fields]
        for key, value in [*(self.note.frontmatter or {}).items(), *fields]:
            found.setdefault(story_key(key), []).extend(texts_of(value))
        return found

    @cached_property
    def headings(self) -> list[str]:
        """Texts that may name a first-person narrator: the scene's headings and the note's title.

        They are without their numbers. There are none outside the manuscript, or if the scene is
        not told in the first person.
        """
        if self.note.position is None or not self._is_told_by_one():
            return []
        parts = [*self.heading.split(HEADING_SEPARATOR)[::-1], self.note.title]
        return [_NUMBERED.sub("", part) for part in parts]

    def naming(self) -> Iterator[str]:
        """Yield the values that may name the scene's people and places."""
        for key in _NAMING:
            yield from self.written.get(key, ())
        yield from self.headings

    def scene(self, property_names: PropertyNames, narrator: str | None = None) -> Scene:
        """Return the finished scene, with the entities that its properties name.

        `narrator` is who tells what is told in the first person, unless the scene names another.
        """
        note = self.note
        given = property_names.named(note.note_id, self.written, VIEWPOINT_KEYS)
        viewpoint = given or self._tellers(property_names, narrator)
        end = self.end or (self.sentences[-1].evidence.end if self.sentences else self.start)
        return Scene(
            note.path,
            note.title,
            self.heading,
            self.ordinal,
            note.position,
            self.start,
            end,
            self.told,
            {key: tuple(map(with_plain_links, values)) for key, values in self.written.items()},
            property_names.named(note.note_id, self.written, CAST_KEYS),
            viewpoint[0] if viewpoint else None,
            property_names.named(note.note_id, self.written, PLACE_KEYS),
            property_names.subject_of(note.note_id, self.heading),
            unmet=property_names.unmet(note.note_id, self.written, (*VIEWPOINT_KEYS, *CAST_KEYS)),
        )

    def _tellers(self, property_names: PropertyNames, narrator: str | None) -> tuple[str, ...]:
        """Return who may tell a first-person scene: those its headings name, then the narrator.

        A person named in the narration does not tell it.
        """
        heads = property_names.named(self.note.note_id, {"heading": self.headings}, ("heading",))
        tellers = (*heads, narrator) if narrator is not None and self.headings else heads
        told = {name.entity for one in self.sentences for name in one.names if name.is_plain}
        return tuple(each for each in tellers if each not in told)

    def _is_told_by_one(self) -> bool:
        told = " ".join(one.narration for one in self.sentences if "I" in one.narration)
        return len(_FIRST_PERSON.findall(told)) >= _OFTEN


def _names(
    note: SceneNote, sentence: ToldSentence, annotations: Annotations
) -> Iterator[NamedSpan]:
    """Yield the names in a sentence of a note, by their spans in the sentence."""
    for part in note.parts_between(sentence.start, sentence.end):
        for mark in annotations.names_between(part.id, sentence.start, sentence.end):
            span = sentence.find(mark.start, mark.end)
            if span is None:
                continue
            surface = sentence.text[span[0] : span[1]]
            is_spoken = not sentence.narration[span[0] : span[1]].strip()
            is_link = mark.method == "link"
            rivals = () if is_link else annotations.rivals_of(part.id, mark, surface)
            yield NamedSpan(*span, surface, mark.entity, rivals, is_spoken)


def _links(
    note: SceneNote, sentence: ToldSentence, annotations: Annotations
) -> Iterator[StoryLink]:
    """Yield the links in a sentence of a note; one without visible words has an empty span."""
    for link in annotations.links_between(note.note_id, sentence.start - 2, sentence.end):
        yield StoryLink(sentence.place(link.start), sentence.place(link.end), link.path)


_SCENE_KEYS = frozenset({*CAST_KEYS, *VIEWPOINT_KEYS, *PLACE_KEYS, *TIME_KEYS})

MOST_NOTES = 64
"""How many recently read notes have their scenes kept in memory."""


class _Chunk(NamedTuple):
    """A chunk of a note, or an empty one (id 0) of a note without text."""

    id: int
    note_id: int
    text: str
    start: int
    line: int


def load_scenes(view: View, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    A scene begins at each heading with text below it, and at each scene break.

    All notes are read by default, or only those given: of these, a note without text is a scene
    too.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    annotations = load_annotations(view, chosen)
    drafts: list[SceneDraft] = []
    for note in view.each(_load_notes(view, chosen)):
        marks = annotations.of_note(note.note_id, [part.id for part in note.parts])
        if chosen is None:
            drafts += _drafts(note, _read(note), marks)
        else:
            drafts += _recall(view, note, marks)
    named: dict[int, list[str]] = defaultdict(list)
    for draft in drafts:
        named[draft.note.note_id] += draft.naming()
    property_names = load_property_names(view, named)
    is_told_by_one = any(draft.headings for draft in drafts)
    narrator = load_narrator(view) if is_told_by_one else None
    return [draft.scene(property_names, narrator) for draft in drafts]


def _load_notes(view: View, note_ids: list[int] | None) -> Iterator[SceneNote]:
    of_some = note_ids is not None
    given = {} if note_ids is None else {"note_ids": note_ids}
    rows = {row.id: row for row in view.all(_notes(view, of_some=of_some), **given)}
    chunks = view.fetch(_Chunk, _chunks(view, of_some=of_some), **given)
    notes = groupby(chunks, key=attrgetter("note_id"))
    return (join_chunks(rows[note_id], list(own)) for note_id, own in notes)


@prepared
def _notes(scope: Scope, *, of_some: bool) -> Query:
    note, page = scope.note, scope.page
    noted = select(note.c.id, note.c.path, note.c.title, note.c.position, note.c.frontmatter)
    noted = noted.add_columns(page.c.marks).where(note.c.kind == "note")
    noted = noted.outerjoin(page, page.c.note_id == note.c.id)
    return noted.where(is_one_of(note.c.id, "note_ids")) if of_some else noted


@prepared
def _chunks(scope: Scope, *, of_some: bool) -> Query:
    chunk, note = scope.chunk, scope.note
    in_body = and_(chunk.c.note_id == note.c.id, chunk.c.ordinal >= 0)
    statement = (
        select(func.coalesce(chunk.c.id, 0).label("id"), note.c.id.label("note_id"))
        .add_columns(func.coalesce(chunk.c.text, "").label("text"))
        .add_columns(func.coalesce(chunk.c.start, 0).label("start"))
        .add_columns(func.coalesce(chunk.c.line, 1).label("line"))
        .select_from(note)
        .join(chunk, in_body, isouter=of_some)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    return statement.where(is_one_of(note.c.id, "note_ids")) if of_some else statement


def _drafts(note: SceneNote, read: _Read, annotations: Annotations) -> list[SceneDraft]:
    """Return the scenes of a note; one without text is a scene with its last heading."""
    draft = SceneDraft(note, 0, note.start)
    drafts = [draft]
    fields = deque(read.fields)
    paths = map(HEADING_SEPARATOR.join, heading_paths(read.headings))
    below = deque((one.start, path) for one, path in zip(read.headings, paths, strict=True))
    heading = ""
    for sentence in read.sentences:
        start, is_new = sentence.start, sentence.follows_break
        while below and below[0][0] <= sentence.start:
            is_new = True
            start, heading = below.popleft()
        if is_new and draft.sentences:
            while fields and fields[0].start < start:
                draft.fields.append(fields.popleft())
            draft = SceneDraft(note, draft.ordinal + 1, start)
            drafts.append(draft)
        draft.heading = heading
        draft.add(sentence, annotations)
    if below and not draft.sentences:
        draft.heading = below[-1][1]
    draft.fields += fields
    draft.end = note.end
    return drafts


class _Read(NamedTuple):
    """The sentences of a note, its inline fields and labelled lines, and its headings."""

    sentences: Sequence[ToldSentence]
    fields: Sequence[InlineField]
    headings: Sequence[Heading]


def _read(note: SceneNote) -> _Read:
    marks = unpack_marks(note.stored) if note.stored else Marks()
    fields = sorted(_fields(note, marks), key=attrgetter("start"))
    headings = [one for one in marks.found_headings() if note.written(one.start, one.end)]
    return _Read([*read_told(marks, note.text, note.start)], fields, headings)


def _fields(note: SceneNote, marks: Marks) -> Iterator[InlineField]:
    """Yield a note's inline fields, and what it says of its scenes behind labels in bold."""
    for (start, end), (number,) in zip(marks.fields, marks.field_keys, strict=True):
        if value := note.written(start, end):
            yield InlineField(marks.key(number), value, start, end)
    for (start, end), (number,) in zip(marks.labelled, marks.label_keys, strict=True):
        key = story_key(marks.key(number))
        if key in _SCENE_KEYS and (value := note.written(start, end).strip(" \t\r*_")):
            yield InlineField(key, value, start, end)


class _Known(NamedTuple):
    """A note that was read, what a reader saw of it, and its scenes."""

    note: SceneNote
    marks: Annotations
    read: _Read
    drafts: list[SceneDraft]


def _recall(view: View, note: SceneNote, marks: Annotations) -> list[SceneDraft]:
    """Return the scenes of a note, cached: the same few notes are often read again.

    They are made anew if another reader, or a later index, sees other names in the same text.
    """
    recent = view.cache.get_lasting("scenes", lambda: LRUCache(MOST_NOTES))
    known: _Known | None = recent.get(note.note_id)
    if known is not None and (known.note, known.marks) == (note, marks):
        return known.drafts
    is_same = known is not None and (known.note.text, known.note.stored) == (note.text, note.stored)
    read = known.read if known is not None and is_same else _read(note)
    drafts = _drafts(note, read, marks)
    recent.put(note.note_id, _Known(note, marks, read, drafts))
    return drafts
