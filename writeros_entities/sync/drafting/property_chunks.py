"""A chunk of what the properties of an entity's note say of it.

    occupation: falconer
    spouse: "[[Bob]]"

A sheet made from a template often says everything in its properties. They are cut by the chunker of
the note's body, as a list is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from writeros_entities.values import HIDDEN, Block, Span

if TYPE_CHECKING:
    from writeros_entities.values import Note


def properties_as_note(note: Note) -> Note | None:
    """Return a note whose only text is that of the properties that say something, at its offsets.

    These are all from the first to the last that readers see. Returns None if they see none.
    """
    unseen = set(note.comments)
    told = [one for one in note.properties if Span(one.start, one.end) not in unseen]
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
