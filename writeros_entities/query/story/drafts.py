"""Scenes under construction, while the sections of notes are read one after the other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, story_key
from writeros_entities.query.story.property_names import texts_of
from writeros_entities.story import NamedSpan, Scene, Sentence, StoryLink
from writeros_entities.values import HEADING_SEPARATOR, Evidence
from writeros_entities.vault.sentences.passages import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.query.story.property_names import PropertyNames
    from writeros_entities.vault.sentences.reading import ReaderSentence

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
    """A chunk of a section: its offset in the file, its id, and its line."""

    start: int
    id: int
    line: int


@dataclass(frozen=True, slots=True)
class SceneSection:
    """The text of a section, joined from its chunks, with the metadata of its note.

    It is read as a whole, so that it does not matter where its chunks end.
    """

    parts: tuple[Part, ...]
    note_id: int
    text: str
    heading: str | None
    path: str
    title: str
    position: int | None
    frontmatter: Mapping[str, Any] | None

    @property
    def start(self) -> int:
        """The offset of its start in the file."""
        return self.parts[0].start

    @property
    def end(self) -> int:
        """The offset of its end in the file."""
        return self.start + len(self.text)

    def parts_between(self, start: int, end: int) -> Sequence[Part]:
        """Return the chunks that contain a part of a span of the file."""
        first = bisect_right(self.parts, start, key=_START) - 1
        return self.parts[max(0, first) : bisect_left(self.parts, end, key=_START)]

    def line_at(self, offset: int) -> int:
        """Return the line of an offset of the file."""
        part = self.parts_between(offset, offset + 1)[0]
        return part.line + self.text.count("\n", part.start - self.start, offset - self.start)


def read_section(rows: Iterable[Any]) -> SceneSection:
    """Return a section, given the rows of its chunks: id, text, start, line, and the metadata."""
    chunks = list(rows)
    first = chunks[0]
    line, end = first.line, first.start
    pieces: list[str] = []
    for chunk in chunks:
        lines = chunk.line - line
        pieces += " " * (chunk.start - end - lines), "\n" * lines, chunk.text
        line, end = chunk.line + chunk.text.count("\n"), chunk.start + len(chunk.text)
    return SceneSection(
        tuple(Part(chunk.start, chunk.id, chunk.line) for chunk in chunks),
        *(first.note_id, "".join(pieces), first.heading),
        *(first.path, first.title, first.position, first.frontmatter),
    )


@dataclass
class SceneDraft:
    """What has been read of a scene; `section` is the one that it is a part of.

    `paragraph` is the number of its first paragraph, counted from the beginning of the note.
    """

    section: SceneSection
    ordinal: int
    start: int
    paragraph: int
    end: int = 0
    sentences: list[Sentence] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)

    def followed_by(self, section: SceneSection, start: int) -> SceneDraft:
        """Return an empty draft of the next scene, which begins at an offset of the file."""
        if section.note_id != self.section.note_id:
            return SceneDraft(section, 0, start, 0)
        last = self.sentences[-1].paragraph if self.sentences else self.paragraph
        return SceneDraft(section, self.ordinal + 1, start, last + 1)

    def add(self, sentence: ReaderSentence, annotations: Annotations) -> None:
        """Append a sentence of the section, with the names and links in it."""
        section = self.section
        begin, finish = section.start + sentence.start, section.start + sentence.end
        quote = section.text[sentence.start : sentence.end]
        line = section.line_at(begin)
        heading = section.heading or ""
        self.sentences.append(
            Sentence(
                sentence.text,
                sentence.narration,
                Evidence(section.path, begin, finish, quote, line, heading, section.position),
                section.position,
                self.paragraph + sentence.paragraph,
                sentence.is_row,
                tuple(_names(section, sentence, annotations)),
                tuple(_links(section, sentence, annotations)),
            )
        )

    def close(self) -> None:
        """Set the end of the scene to that of its section."""
        self.end = self.section.end

    @cached_property
    def written(self) -> Mapping[str, list[str]]:
        """The values of properties and inline fields, by key."""
        found: dict[str, list[str]] = {}
        for key, value in [*(self.section.frontmatter or {}).items(), *self.fields]:
            found.setdefault(story_key(key), []).extend(texts_of(value))
        return found

    @cached_property
    def headings(self) -> list[str]:
        """Texts that may name a first-person narrator: the scene's headings and the note's title.

        They are without their numbers. There are none outside the manuscript, or if the scene is
        not told in the first person.
        """
        if self.section.position is None or not self._is_told_by_one():
            return []
        parts = [*(self.section.heading or "").split(HEADING_SEPARATOR)[::-1], self.section.title]
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
        section = self.section
        given = property_names.named(section.note_id, self.written, VIEWPOINT_KEYS)
        viewpoint = given or self._tellers(property_names, narrator)
        end = self.end or (self.sentences[-1].evidence.end if self.sentences else self.start)
        return Scene(
            section.path,
            section.title,
            section.heading or "",
            self.ordinal,
            section.position,
            self.start,
            end,
            tuple(self.sentences),
            {key: tuple(map(with_plain_links, values)) for key, values in self.written.items()},
            property_names.named(section.note_id, self.written, CAST_KEYS),
            viewpoint[0] if viewpoint else None,
            property_names.named(section.note_id, self.written, PLACE_KEYS),
            property_names.subjects.get(section.note_id),
            unmet=property_names.unmet(
                section.note_id, self.written, (*VIEWPOINT_KEYS, *CAST_KEYS)
            ),
        )

    def _tellers(self, property_names: PropertyNames, narrator: str | None) -> tuple[str, ...]:
        """Return who may tell a first-person scene: those its headings name, then the narrator.

        A person named in the narration does not tell it.
        """
        heads = property_names.named(self.section.note_id, {"heading": self.headings}, ("heading",))
        tellers = (*heads, narrator) if narrator is not None and self.headings else heads
        told = {name.entity for one in self.sentences for name in one.names if name.is_plain}
        return tuple(each for each in tellers if each not in told)

    def _is_told_by_one(self) -> bool:
        told = " ".join(one.narration for one in self.sentences if "I" in one.narration)
        return len(_FIRST_PERSON.findall(told)) >= _OFTEN


def _names(
    section: SceneSection, sentence: ReaderSentence, annotations: Annotations
) -> Iterator[NamedSpan]:
    """Yield the names in a sentence of a section, by their spans in the sentence."""
    begin, finish = section.start + sentence.start, section.start + sentence.end
    for part in section.parts_between(begin, finish):
        for mark in annotations.names_between(part.id, begin, finish):
            span = sentence.find(mark.start - section.start, mark.end - section.start)
            if span is None:
                continue
            surface = sentence.text[span[0] : span[1]]
            is_spoken = not sentence.narration[span[0] : span[1]].strip()
            is_link = mark.method == "link"
            rivals = () if is_link else annotations.rivals_of(part.id, mark, surface)
            yield NamedSpan(*span, surface, mark.entity, rivals, is_spoken)


def _links(
    section: SceneSection, sentence: ReaderSentence, annotations: Annotations
) -> Iterator[StoryLink]:
    """Yield the links in a sentence of a section; one without visible words has an empty span."""
    begin, finish = section.start + sentence.start, section.start + sentence.end
    for link in annotations.links_between(section.note_id, begin - 2, finish):
        start, end = link.start - section.start, link.end - section.start
        yield StoryLink(sentence.place(start), sentence.place(end), link.path)
