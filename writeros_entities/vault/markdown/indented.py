"""Prose that is indented as in a book: in Markdown, it is code."""

from __future__ import annotations

import re
from collections.abc import Iterable

from writeros_entities.values import Block, Diagnostic

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
