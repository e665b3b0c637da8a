"""A mask that says, for each character of a text, whether it is prose."""

from __future__ import annotations

import re
from collections.abc import Iterable

from writeros_entities.values import HIDDEN, MARK, Block, Diagnostic

_HIDE, _MARK = 1, 2
_HIDDEN_RUN = re.compile(rb"\x01\x01*+")
_MARKED_RUN = re.compile(rb"\x02\x02*+")


class ProseMask:
    """Marks characters of a text as hidden or as formatting; all others are prose.

    Later calls override earlier ones, so a block can hide what a scanner has marked inside it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._mask = bytearray(len(text))

    def hide(self, start: int, end: int) -> None:
        """Hide `[start, end)`: it is not prose, and no name can span it."""
        self._mask[start:end] = b"\x01" * (end - start)

    def mark(self, start: int, end: int) -> None:
        """Mark `[start, end)` as formatting: it is not prose, but a name can span it."""
        self._mask[start:end] = b"\x02" * (end - start)

    def render(self) -> str:
        """Return the prose, of the same length as the text; line feeds are always kept."""
        text, mask = self._text, self._mask
        pieces: list[str] = []
        cursor = 0
        hidden = [run.span() for run in _HIDDEN_RUN.finditer(mask)]
        marked = [run.span() for run in _MARKED_RUN.finditer(mask)]
        for start, end in sorted(hidden + marked):
            pieces.append(text[cursor:start])
            blank = HIDDEN if mask[start] == _HIDE else MARK
            if text.find("\n", start, end) == -1:
                pieces.append(blank * (end - start))
            else:
                lines = text[start:end].split("\n")
                pieces.append("\n".join([blank * len(line) for line in lines]))
            cursor = end
        if not pieces:
            return text
        pieces.append(text[cursor:])
        return "".join(pieces)


_INDENT = r"(?:[ ]{0,3}\t|[ ]{4})[ \t]*"
_INDENTED = re.compile(_INDENT)
_WORDS = re.compile(
    rf"^{_INDENT}(?=[^\W\d_a-z]|[\"'“‘«„—–])(?:[^\s={{}}\\|<>]++[ ]){{6}}[^\n={{}}\\|<>]*+$",
    re.MULTILINE,
)
"""Matches an indented line of seven words at least that begins as a sentence does."""
_END = re.compile(r"[.!?…:—–][\"'”’»*_]*\Z")

_FEWEST = 2


def indented_prose(text: str, blocks: Iterable[Block]) -> Diagnostic | None:
    """Return what to say of a note whose paragraphs are indented, and so are code; or None."""
    starts = [
        found.start()
        for block in blocks
        if block.kind == "code" and _INDENTED.match(text, block.start)
        for found in _WORDS.finditer(text, block.start, block.end)
        if _END.search(found[0].rstrip())
    ]
    if len(starts) < _FEWEST:
        return None
    line = text.count("\n", 0, starts[0]) + 1
    return Diagnostic(
        "indented-prose",
        f"{len(starts):,} lines, from line {line} on, are indented by a tab or four spaces: in "
        "Markdown that is code, in which no names are found. Remove the indentation.",
        line,
    )
