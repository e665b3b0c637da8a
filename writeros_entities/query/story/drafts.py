"""Scenes under construction, while their chunks are read one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, story_key
from writeros_entities.query.story.property_names import texts_of
from writeros_entities.story import NamedSpan, Scene, Sentence, StoryLink
from writeros_entities.values import HEADING_SEPARATOR, Evidence
from writeros_entities.vault.sentences.passages import with_plain_links

if TYPE_CHECKING:
    from writeros_entities.query.story.annotations import Annotations
    from writeros_entities.query.story.property_names import PropertyNames
    from writeros_entities.values import InlineField
    from writeros_entities.vault.sentences.reading import ReaderSentence

_NAMING = (*CAST_KEYS, *VIEWPOINT_KEYS, *PLACE_KEYS)
_FIRST_PERSON = re.compile(r"\bI\b(?!\.)")
_OFTEN = 3
"""The fewest uses of "I" that make a narration first-person."""

_NUMBERED = re.compile(
    r"^(?:(?:chapter|part|scene)\s+(?:\d+|[ivxlc]+)\b|\d+\b)[\s\-–—_.:)]*", re.IGNORECASE
)
"""Matches the number before a chapter's name: "3. Ann", "Chapter IV: Ann"."""


@dataclass(frozen=True, slots=True)
class SceneChunk:
    """A chunk, with the metadata of its note."""

    id: int
    note_id: int
    text: str
    start: int
    line: int
    heading: str | None
    path: str
    title: str
    position: int | None
    frontmatter: Mapping[str, Any] | None

    @property
    def end(self) -> int:
        """The offset of its end in the file."""
        return self.start + len(self.text)

    def continues(self, other: SceneChunk) -> bool:
        """Say whether it is in the same section of the same note as the chunk before."""
        return self.note_id == other.note_id and self.heading == other.heading


@dataclass
class SceneDraft:
    """What has been read of a scene; `first` is the chunk in which it begins.

    `paragraph` is the number of the last paragraph, counted from the beginning of the note.
    """

    first: SceneChunk
    ordinal: int
    start: int
    paragraph: int
    end: int = 0
    sentences: list[Sentence] = field(default_factory=list)
    fields: list[InlineField] = field(default_factory=list)

    _paragraphs_before: int = 0
    _chunk: int | None = None

    def followed_by(self, chunk: SceneChunk, start: int) -> SceneDraft:
        """Return an empty draft of the next scene, which begins at an offset of a chunk's file."""
        if chunk.note_id != self.first.note_id:
            return SceneDraft(chunk, 0, start, 0)
        return SceneDraft(chunk, self.ordinal + 1, start, self.paragraph + 1)

    def add(self, chunk: SceneChunk, sentence: ReaderSentence, annotations: Annotations) -> None:
        """Append a sentence of a chunk, with the names and links in it."""
        if self._chunk != chunk.id:
            self._chunk = chunk.id
            self._paragraphs_before = self.paragraph + bool(self.sentences)
        self.paragraph = self._paragraphs_before + sentence.paragraph
        begin, finish = chunk.start + sentence.start, chunk.start + sentence.end
        quote = chunk.text[sentence.start : sentence.end]
        line = chunk.line + chunk.text.count("\n", 0, sentence.start)
        heading = chunk.heading or ""
        self.sentences.append(
            Sentence(
                sentence.text,
                sentence.narration,
                Evidence(chunk.path, begin, finish, quote, line, heading, chunk.position),
                chunk.position,
                self.paragraph,
                sentence.is_row,
                tuple(_names(chunk, sentence, annotations)),
                tuple(_links(chunk, sentence, annotations)),
            )
        )

    def close(self, chunk: SceneChunk) -> None:
        """Set the end of the scene to that of a chunk."""
        self.end = chunk.end

    @cached_property
    def written(self) -> Mapping[str, list[str]]:
        """The values of properties and inline fields, by key."""
        found: dict[str, list[str]] = {}
        fields = [(one.key, one.value) for one in self.fields]
        for key, value in [*(self.first.frontmatter or {}).items(), *fields]:
            found.setdefault(story_key(key), []).extend(texts_of(value))
        return found

    @cached_property
    def headings(self) -> list[str]:
        """Texts that may name a first-person narrator: the scene's headings and the note's title.

        They are without their numbers. There are none outside the manuscript, or if the scene is
        not told in the first person.
        """
        if self.first.position is None or not self._is_told_by_one():
            return []
        parts = [*(self.first.heading or "").split(HEADING_SEPARATOR)[::-1], self.first.title]
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
        chunk = self.first
        given = property_names.named(chunk.note_id, self.written, VIEWPOINT_KEYS)
        viewpoint = given or self._tellers(property_names, narrator)
        end = self.end or (self.sentences[-1].evidence.end if self.sentences else self.start)
        return Scene(
            chunk.path,
            chunk.title,
            chunk.heading or "",
            self.ordinal,
            chunk.position,
            self.start,
            end,
            tuple(self.sentences),
            {key: tuple(map(with_plain_links, values)) for key, values in self.written.items()},
            property_names.named(chunk.note_id, self.written, CAST_KEYS),
            viewpoint[0] if viewpoint else None,
            property_names.named(chunk.note_id, self.written, PLACE_KEYS),
            property_names.subjects.get(chunk.note_id),
            unmet=property_names.unmet(chunk.note_id, self.written, (*VIEWPOINT_KEYS, *CAST_KEYS)),
        )

    def _tellers(self, property_names: PropertyNames, narrator: str | None) -> tuple[str, ...]:
        """Return who may tell a first-person scene: those its headings name, then the narrator.

        A person named in the narration does not tell it.
        """
        heads = property_names.named(self.first.note_id, {"heading": self.headings}, ("heading",))
        tellers = (*heads, narrator) if narrator is not None and self.headings else heads
        told = {name.entity for one in self.sentences for name in one.names if name.is_plain}
        return tuple(each for each in tellers if each not in told)

    def _is_told_by_one(self) -> bool:
        told = " ".join(one.narration for one in self.sentences if "I" in one.narration)
        return len(_FIRST_PERSON.findall(told)) >= _OFTEN


def _names(
    chunk: SceneChunk, sentence: ReaderSentence, annotations: Annotations
) -> Iterator[NamedSpan]:
    """Yield the names in a sentence of a chunk, by their spans in the sentence."""
    begin, finish = chunk.start + sentence.start, chunk.start + sentence.end
    for mark in annotations.names_between(chunk.id, begin, finish):
        span = sentence.find(mark.start - chunk.start, mark.end - chunk.start)
        if span is None:
            continue
        surface = sentence.text[span[0] : span[1]]
        is_spoken = not sentence.narration[span[0] : span[1]].strip()
        rivals = () if mark.method == "link" else annotations.rivals_of(chunk.id, mark, surface)
        yield NamedSpan(*span, surface, mark.entity, rivals, is_spoken)


def _links(
    chunk: SceneChunk, sentence: ReaderSentence, annotations: Annotations
) -> Iterator[StoryLink]:
    """Yield the links in a sentence of a chunk; a link without visible words has an empty span."""
    begin, finish = chunk.start + sentence.start, chunk.start + sentence.end
    for link in annotations.links_between(chunk.note_id, begin - 2, finish):
        start, end = link.start - chunk.start, link.end - chunk.start
        yield StoryLink(sentence.place(start), sentence.place(end), link.path)
