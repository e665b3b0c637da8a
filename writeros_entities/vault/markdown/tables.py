"""Tables as in GitHub and Obsidian: a head, a delimiter row of dashes, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities.vault.markdown.patterns import run_of

_DASHES = r"[ \t]*+:?+-++:?+[ \t]*+"
_FURTHER = run_of(rf"\|{_DASHES}")
_DELIMITER_ROW = re.compile(rf"\|?+{_DASHES}{_FURTHER}\|?+[ \t]*+\Z")
_PIPE = re.compile(r"(?:[^|\\]|\\.?)*+\|", re.DOTALL)


def cells(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the cells of the row `[start, stop)`; an escaped pipe is text."""
    while start < stop and text[start] in " \t":
        start += 1
    if start < stop and text[start] == "|":
        start += 1
    while True:
        pipe = _PIPE.match(text, start, stop)
        if pipe is None:
            break
        yield start, pipe.end() - 1
        start = pipe.end()
    if text[start:stop].strip():
        yield start, stop


def is_delimiter_row(text: str, head: tuple[int, int], row: tuple[int, int]) -> bool:
    """Return whether `row` is the delimiter row for the table head `head`, with as many cells."""
    if text.find("|", *row) == -1 or text.find("|", *head) == -1:
        return False
    if _DELIMITER_ROW.match(text, *row) is None:
        return False
    return sum(1 for _ in cells(text, *head)) == sum(1 for _ in cells(text, *row))
