"""The properties and inline fields that the writer gave an entity, each with its proof.

Only what a view may see: the properties of visible notes, and the fields in visible sections. The
index does not store the offsets of properties, so they are read from the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.properties import dashed, says_how_to_read
from writeros_entities.query.story.property_names import LINK
from writeros_entities.story import StoryProperty
from writeros_entities.values import Evidence
from writeros_entities.vault.comments import without_comments
from writeros_entities.vault.markdown.plain_text import seen_value
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.properties.frontmatter import read_frontmatter

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace

MOST_BYTES = 65_536
"""How many bytes at the start of a file are read for properties."""


class Sheets:
    """The entities of a view by id, their notes, and the properties and fields of these."""

    def __init__(self, workspace: Workspace, view: View) -> None:
        self._workspace = workspace
        self._view = view
        entity, note = view.entity, view.note
        self.entities = {row.id: row for row in view.all(select(entity).order_by(entity.c.id))}
        noted = select(note.c.id, note.c.path).where(note.c.kind == "note")
        self.paths: dict[int, str] = {row.id: row.path for row in view.all(noted)}

    @cached_property
    def subjects(self) -> dict[int, str]:
        """The key of a note's entity, by note id."""
        return {row.note_id: row.key for row in self.entities.values() if row.note_id is not None}

    def properties(self, note_id: int | None) -> tuple[StoryProperty, ...]:
        """Return the properties of an entity's note, then its inline fields, in file order."""
        if note_id not in self.paths:
            return ()
        return (*self._frontmatter(note_id), *self._fields.get(note_id, ()))

    @cached_property
    def _fields(self) -> dict[int, list[StoryProperty]]:
        chunk, note = self._view.chunk, self._view.note
        statement = (
            select(chunk.c.note_id, chunk.c.text, chunk.c.start, chunk.c.line, chunk.c.heading)
            .add_columns(note.c.path, note.c.position)
            .join(note, note.c.id == chunk.c.note_id)
            .where(chunk.c.text.contains("::"), chunk.c.ordinal >= 0)
            .order_by(chunk.c.note_id, chunk.c.start)
        )
        found: dict[int, list[StoryProperty]] = {}
        for row in self._view.all(statement):
            if row.note_id not in self.subjects:
                continue
            parsed = plain_note("\n" + row.text)
            for one in parsed.fields:
                if says_how_to_read(one.key):
                    continue
                begin = parsed.text.rfind("\n", 0, one.start) + 1
                opened = max(parsed.text.rfind(mark, begin, one.start) for mark in "[(")
                start = max(begin, opened) - 1
                end = one.end - 1 if opened == -1 else one.end
                evidence = Evidence(
                    *(row.path, row.start + start, row.start + end),
                    without_comments(row.text[start:end]),
                    row.line + row.text.count("\n", 0, start),
                    *(row.heading or "", row.position),
                )
                text = plain(without_comments(one.value))
                said = StoryProperty(dashed(one.key), text, evidence)
                found.setdefault(row.note_id, []).append(said)
        return found

    @cached_property
    def _frontmatters(self) -> dict[int, Any]:
        note = self._view.note
        statement = select(note.c.id, note.c.path, note.c.position, note.c.frontmatter)
        return {row.id: row for row in self._view.all(statement.where(note.c.kind == "note"))}

    def _frontmatter(self, note_id: int) -> Iterator[StoryProperty]:
        row = self._frontmatters[note_id]
        if not row.frontmatter:
            return
        text, spans = self._written(row.path)
        for name, value in row.frontmatter.items():
            if says_how_to_read(name):
                continue
            start, end = spans.get(name, (0, 0))
            line = text.count("\n", 0, start) + 1
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict | list) or item is None:
                    continue
                quote = seen_value(text[start:end]) or f"{name}: {item}"
                evidence = Evidence(row.path, start, end, quote, line, "", row.position)
                yield StoryProperty(dashed(name), plain(str(item)), evidence)

    def _written(self, path: str) -> tuple[str, dict[str, tuple[int, int]]]:
        """Return the head of a file, and the span of each property; nothing if it is unreadable."""
        try:
            with (self._workspace.root / path).open("rb") as file:
                text = file.read(MOST_BYTES).decode("utf-8", "replace")
        except OSError:
            return "", {}
        found = read_frontmatter(text)
        return text[: found.end], {one.key: (one.start, one.end) for one in found.properties}


def plain(value: str) -> str:
    """Return a value with each link replaced by the name of the note to which it leads."""
    return LINK.sub(lambda link: link["target"].rpartition("/")[2], value).strip()
