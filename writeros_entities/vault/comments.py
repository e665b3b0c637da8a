"""How the author's comments are kept from everybody else.

The parser says where comments stand in a note. What others see of a chunk has `UNSEEN` in the place
of each of their characters, so that every other one keeps its offset; what is shown, counted or
embedded goes without.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from writeros_entities.values import UNSEEN

if TYPE_CHECKING:
    from writeros_entities.values import Note

_LETTER = re.compile(r"[^\r\n]")


def cover_comments(note: Note) -> str:
    """Return a note's text with `UNSEEN` for its comments, but for their ends of lines."""
    if not note.comments:
        return note.text
    pieces = []
    cursor = 0
    for comment in sorted(note.comments):
        pieces.append(note.text[cursor : comment.start])
        pieces.append(_LETTER.sub(UNSEEN, note.text[max(cursor, comment.start) : comment.end]))
        cursor = max(cursor, comment.end)
    return "".join([*pieces, note.text[cursor:]])


def without_comments(covered: str) -> str:
    """Return a covered text as a reader sees it."""
    return covered.replace(UNSEEN, "")


def blank_comments(covered: str, blank: str = " ") -> str:
    """Return a covered text with blanks for its comments: offsets stay what they are."""
    return covered.replace(UNSEEN, blank)
