"""Hide the author's comments, and commands to plugins, from readers.

The parser finds the comments and commands of a note; both are called comments here. In the shown
text of a chunk, each character of a comment is replaced by `UNSEEN`, so that all other characters
keep their offsets; the replaced characters are removed before text is shown, counted or embedded.

Encoded data, such as pictures in the text, are for nobody to read, and covered in the note itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from writeros_entities.values import UNSEEN
from writeros_entities.vault.markdown.patterns import ENCODED
from writeros_entities.vault.markdown.plain_text import may_be_encoded

if TYPE_CHECKING:
    from writeros_entities.values import Note

_LETTER = re.compile(r"[^\r\n]")
_UNSEEN_LINE = re.compile(rf"^{UNSEEN}+\r?\n", re.MULTILINE)


def cover_encoded(text: str) -> str:
    """Return a text with encoded data, except its line ends, replaced by `UNSEEN`."""
    if not may_be_encoded(text):
        return text
    return ENCODED.sub(lambda data: _LETTER.sub(UNSEEN, data[0]), text)


def cover_comments(note: Note) -> str:
    """Return a note's text with comments, except their line ends, replaced by `UNSEEN`."""
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
    """Remove covered comments from a text, with the lines that hold nothing else."""
    if UNSEEN not in covered:
        return covered
    return _UNSEEN_LINE.sub("", covered).replace(UNSEEN, "")


def blank_comments(covered: str, blank: str = " ") -> str:
    """Replace each character of covered comments by a blank, which preserves offsets."""
    return covered.replace(UNSEEN, blank)
