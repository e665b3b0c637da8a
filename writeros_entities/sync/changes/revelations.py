"""Changes from parts of an entity's note that become visible later: sections and properties."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from writeros_entities.properties import says_how_to_read
from writeros_entities.sync.changes.turns import Change
from writeros_entities.sync.drafting.statements import read_statements
from writeros_entities.values import ALWAYS

STATUS_KEYS = frozenset({"status", "state", "condition", "fate"})
"""Inline fields whose value is a status."""


def section_changes(note: Any, chunks: Sequence[Any]) -> Iterator[Change]:
    """Yield a change for each later position at which sections of a note become visible."""
    told = {note.visible_from}
    for chunk in sorted(
        (chunk for chunk in chunks if chunk.visible_from is not None),
        key=lambda chunk: (chunk.visible_from, chunk.ordinal),
    ):
        if chunk.visible_from in told:
            continue
        told.add(chunk.visible_from)
        line, _, _ = chunk.text.partition("\n")
        heading = line.lstrip("#").strip() if line.startswith("#") else chunk.heading or None
        end = chunk.start + len(line.rstrip())
        yield _in_note(note, chunk, "description_updated", heading, chunk.start, end)


def property_changes(note: Any, chunks: Sequence[Any]) -> Iterator[Change]:
    """Yield the properties in the parts of a note that become visible at a position."""
    starts = [chunk.start for chunk in chunks]
    for statement in read_statements(note.statements):
        if statement.form != "property" or says_how_to_read(statement.key):
            continue
        place = bisect_right(starts, statement.start) - 1
        if place < 0 or statement.end > chunks[place].end or chunks[place].visible_from is None:
            continue
        value = statement.value or ""
        is_status = statement.key in STATUS_KEYS
        yield _in_note(
            note,
            chunks[place],
            "status_changed" if is_status else "property_added",
            value if is_status else f"{statement.key}: {value}",
            statement.start,
            statement.end,
        )


def _in_note(note: Any, chunk: Any, kind: str, new: str | None, start: int, end: int) -> Change:
    return Change(
        entity_id=note.id,
        visible_from=chunk.visible_from,
        visible_until=None,
        position=None if chunk.visible_from == ALWAYS else chunk.visible_from,
        kind=kind,
        new=new,
        path=note.path,
        note_id=note.note_id,
        chunk_id=chunk.id,
        start=start,
        end=end,
        line=chunk.line + chunk.text.count("\n", 0, start - chunk.start),
    )
