"""Chunks of what a note's properties say.

    occupation: falconer
    spouse: "[[Bob]]"

A sheet made from a template often says everything in its properties, and a scene has its synopsis
there. They are cut by the chunker of the note's body, as a list is, and a text among them is read
for names like the body.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from writeros_entities.values import HIDDEN, Block, Span

if TYPE_CHECKING:
    from writeros_entities.values import JSON, Note, PropertyText


LEAST_WORDS = 5
"""Words from which on a value is a text, not a name, a date or a status."""


def properties_as_note(note: Note, *, is_sheet: bool) -> Note | None:
    """Return a note whose only text is that of the properties that say something, at its offsets.

    These are all from the first to the last that readers see in a sheet, or whose value is a text.
    Returns None if there is none.
    """
    unseen = set(note.comments)
    told = [
        one
        for one in note.properties
        if (is_sheet or _is_text(note.frontmatter[one.key]))
        and Span(one.start, one.end) not in unseen
    ]
    if not told:
        return None
    start, end = told[0].start, told[-1].end
    return replace(
        note,
        text=note.text[:end],
        prose=HIDDEN * start + note.text[start:end],
        body_start=start,
        headings=(),
        blocks=(Block("list", start, end),),
    )


def with_told_properties(note: Note) -> Note:
    """Return a note whose prose also shows the properties whose values are texts."""
    told = [one for one in note.property_texts if _is_text(one.value) and _is_seen(note, one)]
    if not told:
        return note
    parts: list[str] = []
    cursor = 0
    for one in told:
        parts += note.prose[cursor : one.start], note.text[one.start : one.end]
        cursor = one.end
    return replace(note, prose="".join((*parts, note.prose[cursor:])))


def _is_seen(note: Note, one: PropertyText) -> bool:
    return not any(span.start <= one.start < span.end for span in note.comments)


def _is_text(value: JSON) -> bool:
    return isinstance(value, str) and len(value.split(maxsplit=LEAST_WORDS)) >= LEAST_WORDS
