"""Scenes: stretches of notes as a reader sees them, with the names and the links in them.

scenes = load_scenes(view, note_ids=[note.id])
[sentence.text for sentence in scenes[0].sentences]
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.names import fold_name
from writeros_entities.properties import CAST_KEYS, PLACE_KEYS, VIEWPOINT_KEYS, dashed
from writeros_entities.query.story.bearers import Bearers, load_bearers
from writeros_entities.store.kept import Recent
from writeros_entities.story import NamedSpan, Scene, Sentence, StoryLink
from writeros_entities.values import HEADING_SEPARATOR, Evidence
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.sentences.passages import with_plain_links
from writeros_entities.vault.sentences.reading import ReaderSentence, read_sentences

if TYPE_CHECKING:
    from writeros_entities.store.view import View

MOST_CHUNKS = 512
"""Chunks whose sentences are kept in memory: those read last."""

_FIRST_PERSON = re.compile(r"\bI\b(?!\.)")
_OFTEN = 3
"""How often a narrator has to say "I"."""

_NUMBERED = re.compile(
    r"^(?:(?:chapter|part|scene)\s+(?:\d+|[ivxlc]+)\b|\d+\b)[\s\-–—_.:)]*", re.IGNORECASE
)
"""The number before a chapter's name: "3. Ann", "Chapter IV: Ann"."""

_NAMING = (*CAST_KEYS, *VIEWPOINT_KEYS, *PLACE_KEYS)


def load_scenes(view: View, note_ids: Iterable[int] | None = None) -> list[Scene]:
    """Return the scenes of the manuscript in reading order, then the sections of other notes.

    All notes by default, or only those given.
    """
    chosen = None if note_ids is None else sorted(set(note_ids))
    chunk, note = view.chunk, view.note
    statement = (
        select(chunk.c.id, chunk.c.note_id, chunk.c.text, chunk.c.start, chunk.c.line)
        .add_columns(chunk.c.heading, note.c.path, note.c.title, note.c.position)
        .add_columns(note.c.frontmatter)
        .join(note, note.c.id == chunk.c.note_id)
        .where(note.c.kind == "note")
        .order_by(note.c.position.is_(None), note.c.position, note.c.path, chunk.c.start)
    )
    if chosen is not None:
        statement = statement.where(note.c.id.in_(chosen))
    marks = _Marks.load(view, chosen)
    found: list[_Draft] = []
    for row in view.all(statement):
        last = found[-1] if found else None
        sentences, fields = _read(row.text) if chosen is None else _recall(view, row)
        starts_note = last is None or last.row.note_id != row.note_id
        if last is None or starts_note or last.row.heading != row.heading:
            ordinal = 0 if last is None or starts_note else last.ordinal + 1
            found.append(_Draft(row, ordinal, row.start, 0 if starts_note else _next(last)))
        for sentence in sentences:
            draft = found[-1]
            if sentence.follows_rule and draft.sentences:
                begin = row.start + sentence.start
                draft = _Draft(row, draft.ordinal + 1, begin, _next(draft))
                found.append(draft)
            draft.add(row, sentence, marks)
        found[-1].fields += fields
        found[-1].close(row)
    named: dict[int, list[str]] = defaultdict(list)
    for draft in found:
        named[draft.row.note_id] += [one for key in _NAMING for one in draft.written.get(key, ())]
        named[draft.row.note_id] += draft.headings
    bearers = load_bearers(view, named)
    return [draft.scene(bearers) for draft in found]


Read = tuple[list[ReaderSentence], list[tuple[str, str]]]
"""The sentences of a chunk, and its inline fields by key and value."""


def _read(text: str) -> Read:
    parsed = plain_note("\n" + text)
    return read_sentences(text, parsed), [(one.key, one.value) for one in parsed.fields]


def _recall(view: View, row: Any) -> Read:
    """Read a chunk, or remember it: a few notes are asked for again and again."""
    recent = view.kept.get_lasting("sentences", lambda: Recent(MOST_CHUNKS))
    known: Read | None = recent.get(row.text)
    if known is None:
        known = _read(row.text)
        recent.put(row.text, known)
    return known


def _next(draft: _Draft | None) -> int:
    return 0 if draft is None else draft.paragraph + 1


@dataclass
class _Marks:
    """Mentions, by chunk, and links, by note: what of them a reader may see.

    `written` are the forms that the writer gave, each with whose it is.
    """

    names: Mapping[int, list[Any]]
    rivals: Mapping[tuple[int, int, int], list[str]]
    links: Mapping[int, list[Any]]
    written: Collection[tuple[str, str]]

    @classmethod
    def load(cls, view: View, note_ids: list[int] | None) -> _Marks:
        """Read the marks of all notes, or of those given."""
        names: dict[int, list[Any]] = defaultdict(list)
        rivals: dict[tuple[int, int, int], list[str]] = defaultdict(list)
        links: dict[int, list[Any]] = defaultdict(list)
        entity, chunk, link, note = view.entity, view.chunk, view.link, view.note
        for table, is_holding in ((view.mention, True), (view.candidate, False)):
            statement = (
                select(table.c.chunk_id, table.c.start, table.c.end, table.c.method, entity.c.key)
                .join(entity, entity.c.id == table.c.entity_id)
                .order_by(table.c.chunk_id, table.c.start, table.c.end, entity.c.id)
            )
            if note_ids is not None:
                statement = statement.join(chunk, chunk.c.id == table.c.chunk_id).where(
                    chunk.c.note_id.in_(note_ids)
                )
            for row in view.all(statement):
                if is_holding:
                    names[row.chunk_id].append(row)
                else:
                    rivals[row.chunk_id, row.start, row.end].append(row.key)
        followed = select(link.c.note_id, link.c.start, link.c.end, note.c.path).join(
            note, note.c.id == link.c.target_note_id
        )
        if note_ids is not None:
            followed = followed.where(link.c.note_id.in_(note_ids))
        for row in view.all(followed.order_by(link.c.start, link.c.ordinal)):
            links[row.note_id].append(row)
        alias = view.alias
        given = (
            select(alias.c.form_key, entity.c.key)
            .join(entity, entity.c.id == alias.c.entity_id)
            .where(alias.c.kind.in_(("name", "alias")))
        )
        if note_ids is not None:
            named = {mark.key for marks in names.values() for mark in marks}
            named |= {key for keys in rivals.values() for key in keys}
            given = given.where(entity.c.key.in_(sorted(named)))
        return cls(names, rivals, links, {(row.form_key, row.key) for row in view.all(given)})

    def rivals_of(self, chunk_id: int, mark: Any, surface: str) -> tuple[str, ...]:
        """Return the entities, other than the mark's, that its span may name."""
        same = self.rivals.get((chunk_id, mark.start, mark.end), ())
        form = fold_name(surface)
        is_written = (form, mark.key) in self.written
        return tuple(
            key
            for key in dict.fromkeys(same)
            if key != mark.key and not (is_written and (form, key) not in self.written)
        )


@dataclass
class _Draft:
    """A scene while its chunks are read."""

    row: Any
    ordinal: int
    start: int
    paragraph: int
    end: int = 0
    sentences: list[Sentence] = field(default_factory=list)
    fields: list[tuple[str, str]] = field(default_factory=list)

    _base: int = 0
    _chunk: int | None = None

    def add(self, row: Any, sentence: ReaderSentence, marks: _Marks) -> None:
        """Add a sentence of a chunk, with the names and the links in it."""
        if self._chunk != row.id:
            self._chunk, self._base = row.id, _next(self) if self.sentences else self.paragraph
        self.paragraph = self._base + sentence.paragraph
        begin, finish = row.start + sentence.start, row.start + sentence.end
        names = []
        for mark in _between(marks.names.get(row.id, ()), begin, finish):
            span = sentence.find(mark.start - row.start, mark.end - row.start)
            if span is None:
                continue
            surface = sentence.text[span[0] : span[1]]
            is_spoken = not sentence.narration[span[0] : span[1]].strip()
            is_told = mark.method == "link"
            rivals = () if is_told else marks.rivals_of(row.id, mark, surface)
            names.append(NamedSpan(*span, surface, mark.key, rivals, is_spoken))
        quote = row.text[sentence.start : sentence.end]
        line = row.line + row.text.count("\n", 0, sentence.start)
        self.sentences.append(
            Sentence(
                sentence.text,
                sentence.narration,
                Evidence(row.path, begin, finish, quote, line, row.heading or "", row.position),
                row.position,
                self.paragraph,
                sentence.is_row,
                tuple(names),
                tuple(_links(row, sentence, marks)),
            )
        )

    def close(self, row: Any) -> None:
        """Note where the chunk ends."""
        self.end = row.start + len(row.text)

    @cached_property
    def written(self) -> Mapping[str, list[str]]:
        """What properties and fields say, by key."""
        found: dict[str, list[str]] = {}
        for key, value in [*(self.row.frontmatter or {}).items(), *self.fields]:
            found.setdefault(dashed(key), []).extend(texts(value))
        return found

    @cached_property
    def headings(self) -> list[str]:
        """What may say who tells it, if somebody does: its headings and the note's title, without
        their numbers.
        """
        if self.row.position is None or not self._is_told_by_one():
            return []
        parts = [*(self.row.heading or "").split(HEADING_SEPARATOR)[::-1], self.row.title]
        return [_NUMBERED.sub("", part) for part in parts]

    def _teller(self, bearers: Bearers) -> tuple[str, ...]:
        """Return who tells a scene in the first person that is headed with a name.

        Whom the narrator names does not tell it.
        """
        heads = bearers.named(self.row.note_id, {"heading": self.headings}, ("heading",))
        told = {name.entity for one in self.sentences for name in one.names if name.is_plain}
        return tuple(head for head in heads if head not in told)

    def _is_told_by_one(self) -> bool:
        told = " ".join(one.narration for one in self.sentences if "I" in one.narration)
        return len(_FIRST_PERSON.findall(told)) >= _OFTEN

    def scene(self, bearers: Bearers) -> Scene:
        """Return the scene, with whom and what its properties name."""
        row = self.row
        given = bearers.named(row.note_id, self.written, VIEWPOINT_KEYS)
        viewpoint = given or self._teller(bearers)
        end = self.end or (self.sentences[-1].evidence.end if self.sentences else self.start)
        return Scene(
            row.path,
            row.title,
            row.heading or "",
            self.ordinal,
            row.position,
            self.start,
            end,
            tuple(self.sentences),
            {key: tuple(map(with_plain_links, values)) for key, values in self.written.items()},
            bearers.named(row.note_id, self.written, CAST_KEYS),
            viewpoint[0] if viewpoint else None,
            bearers.named(row.note_id, self.written, PLACE_KEYS),
            bearers.subjects.get(row.note_id),
        )


def _between(marks: Sequence[Any], start: int, end: int) -> Iterator[Any]:
    """Yield those of marks, in order, that begin between two offsets."""
    for mark in marks[bisect_left(marks, start, key=_START) :]:
        if mark.start >= end:
            return
        yield mark


_START = attrgetter("start")


def _links(row: Any, sentence: ReaderSentence, marks: _Marks) -> Iterator[StoryLink]:
    """Yield the links of a sentence of a chunk; one without words stands where it begins."""
    begin, finish = row.start + sentence.start, row.start + sentence.end
    for link in _between(marks.links.get(row.note_id, ()), begin - 2, finish):
        start, end = link.start - row.start, link.end - row.start
        yield StoryLink(*(sentence.place(start), sentence.place(end)), link.path)


def texts(value: Any) -> list[str]:
    """Return a property's values as text."""
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    if isinstance(value, dict) or value is None:
        return []
    return [value if isinstance(value, str) else str(value)]
