"""Scenes under construction, while notes are read one after the other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, story_key
from writeros_entities.query.story.property_names import texts_of
from writeros_entities.story import NamedSpan, Scene, Sentence, StoryLink
from writeros_entities.values import HEADING_SEPARATOR, Evidence
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.plain_links import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.language.told import ToldSentence
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.query.story.property_names import PropertyNames
    from writeros_entities.values import InlineField

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
    frontmatter: Mapping[str, Any] | None
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


def join_chunks(note: Any, chunks: Sequence[Any]) -> SceneNote:
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
