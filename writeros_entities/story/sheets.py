"""The properties, inline fields and labelled lines that the writer gave an entity, with proofs.

Only what a view may see: the properties of visible notes, and the fields in visible sections. Where
they stand is read from the notes' pages. An entity that is a heading of a note has what stands
below it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from writeros_entities.language.marks import Marks, WrittenProperty, unpack_marks
from writeros_entities.properties import dashed, says_how_to_read
from writeros_entities.story.property_names import LINK, innermost
from writeros_entities.values import Evidence
from writeros_entities.values.story import StoryProperty
from writeros_entities.vault.comments import without_comments

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


class Sheets:
    """The entities of a view by id, their notes, and the properties and fields of these."""

    def __init__(self, view: View) -> None:
        self._view = view
        entity, note = view.entity, view.note
        self.entities = {row.id: row for row in view.all(select(entity).order_by(entity.c.id))}
        noted = select(note.c.id, note.c.path).where(note.c.kind == "note")
        self.paths: dict[int, str] = {row.id: row.path for row in view.all(noted)}

    @cached_property
    def subjects(self) -> dict[int, str]:
        """The key of a note's entity, by note id."""
        return {row.note_id: row.key for row in self.entities.values() if row.note_id is not None}

    def properties(self, entity: Row) -> tuple[StoryProperty, ...]:
        """Return what an entity's note says of it: properties, then fields, in file order."""
        if entity.note_id not in self.paths:
            return ()
        of_note = () if entity.heading else self._frontmatter(entity.note_id)
        fields = self._fields.get(entity.note_id, ())
        headings = self._headings[entity.note_id]
        mine = entity.heading or ""
        own = (one for one in fields if innermost(headings, one.evidence.heading) == mine)
        return (*of_note, *own)

    @cached_property
    def _headings(self) -> dict[int, list[str]]:
        """The headings of each note that are entities."""
        found: dict[int, list[str]] = defaultdict(list)
        for row in self.entities.values():
            if row.note_id is not None and row.heading:
                found[row.note_id].append(row.heading)
        return found

    def _marks(self, note_id: int) -> Marks:
        stored = self._pages.get(note_id)
        return unpack_marks(stored) if stored else Marks()

    @cached_property
    def _pages(self) -> dict[int, bytes]:
        page = self._view.page
        return self._view.lookup(select(page.c.note_id, page.c.marks))

    def _said(self, note_id: int, start: int, end: int) -> str:
        """Return a property as it is written, or "" if no chunk has it."""
        for row in self._told.get(note_id, ()):
            if row.start <= start < end <= row.start + len(row.text):
                return without_comments(row.text[start - row.start : end - row.start])
        return ""

    @cached_property
    def _told(self) -> dict[int, list[Row]]:
        """The chunks of properties, by note."""
        chunk = self._view.chunk
        statement = select(chunk.c.note_id, chunk.c.start, chunk.c.text).where(chunk.c.ordinal < 0)
        found: dict[int, list[Row]] = defaultdict(list)
        for row in self._view.all(statement):
            found[row.note_id].append(row)
        return found

    @cached_property
    def _fields(self) -> dict[int, list[StoryProperty]]:
        chunk, note = self._view.chunk, self._view.note
        statement = (
            select(chunk.c.note_id, chunk.c.text, chunk.c.start, chunk.c.line, chunk.c.heading)
            .add_columns(note.c.path, note.c.position)
            .join(note, note.c.id == chunk.c.note_id)
            .where(or_(*map(chunk.c.text.contains, _MAY_STATE)), chunk.c.ordinal >= 0)
            .order_by(chunk.c.note_id, chunk.c.start)
        )
        found: dict[int, list[StoryProperty]] = defaultdict(list)
        for row in self._view.all(statement):
            if row.note_id in self.subjects:
                found[row.note_id] += _fields_of(row, self._marks(row.note_id))
        return found

    @cached_property
    def _frontmatters(self) -> dict[int, Row]:
        note = self._view.note
        statement = select(note.c.id, note.c.path, note.c.position, note.c.frontmatter)
        return {row.id: row for row in self._view.all(statement.where(note.c.kind == "note"))}

    def _frontmatter(self, note_id: int) -> Iterator[StoryProperty]:
        row = self._frontmatters[note_id]
        if not row.frontmatter:
            return
        written = self._marks(note_id).found_properties()
        for name, value in row.frontmatter.items():
            if says_how_to_read(name):
                continue
            start, end, line = written.get(name, _NOWHERE)
            text = self._said(note_id, start, end)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict | list) or item is None:
                    continue
                quote = text or f"{name}: {item}"
                evidence = Evidence(row.path, start, end, quote, line, "", row.position)
                yield StoryProperty(dashed(name), plain(str(item)), evidence)


_NOWHERE = WrittenProperty(0, 0, 1)
_MAY_STATE = ("::", ":**", "**:", ":__", "__:")
"""What a text with a field or a labelled line has."""


def _fields_of(chunk: Row, marks: Marks) -> Iterator[StoryProperty]:
    """Yield the inline fields and labelled lines in a chunk of a sheet."""
    text = chunk.text
    fields = zip(marks.fields, marks.field_keys, strict=True)
    labels = zip(marks.labelled, marks.label_keys, strict=True)
    for (first, last), (number,) in sorted((*fields, *labels)):
        first, last = first - chunk.start, last - chunk.start
        key = marks.key(number)
        if not 0 <= first <= last <= len(text) or says_how_to_read(key):
            continue
        value = plain(without_comments(text[first:last])).strip(" \t\r*_")
        line = text.rfind("\n", 0, first) + 1
        opened = max(text.rfind(mark, line, first) for mark in "[(")
        is_bracketed = opened != -1 and "::" in text[opened:first]
        start, end = (max(line, opened), last + 1) if is_bracketed else (line, last)
        evidence = Evidence(
            *(chunk.path, chunk.start + start, chunk.start + end),
            without_comments(text[start:end]),
            chunk.line + text.count("\n", 0, start),
            *(chunk.heading or "", chunk.position),
        )
        if value:
            yield StoryProperty(dashed(key), value, evidence)


def plain(value: str) -> str:
    """Return a value with each link replaced by the name of the note to which it leads."""
    return LINK.sub(lambda link: link["target"].rpartition("/")[2], value).strip()
