"""Tables as in GitHub and Obsidian: a head, a delimiter row of dashes, rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from writeros_entities.vault.markdown.fields import canonical_key
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.markdown.plain_text import seen_value

_DASHES = r"[ \t]*+:?+-++:?+[ \t]*+"
_FURTHER = run_of(rf"\|{_DASHES}")
_DELIMITER_ROW = re.compile(rf"\|?+{_DASHES}{_FURTHER}\|?+[ \t]*+\Z")
_PIPE = re.compile(r"(?:[^|\\]|\\.?)*+\|", re.DOTALL)

_LABEL = re.compile(r"[\s*_]*+([^\W\d_][\w '’/&-]{0,40}?)(?:\(e?s\))?[\s*_:]*+")
_NO_VALUE = re.compile(r"\s*+(?:`|!\[|[-–—?]*\s*\Z)")
"""Matches the start of a value that is a command or an image, and an empty value."""


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
    """Return whether `row` is the delimiter row for the table head `head`, with as many cells.

    As in Obsidian, an empty head may have fewer: a single pipe is enough.
    """
    if text.find("|", *row) == -1 or text.find("|", *head) == -1:
        return False
    if _DELIMITER_ROW.match(text, *row) is None:
        return False
    if not text[slice(*head)].strip("| \t"):
        return True
    return sum(1 for _ in cells(text, *head)) == sum(1 for _ in cells(text, *row))


def field_of_row(text: str, row: Sequence[tuple[int, int]], is_head: bool) -> str | None:
    """Return the key of a row of an infobox: `spouse` for `| **Spouse** | [[Ann]] |`, else None.

    A head usually has titles (`| Type | Stat |`), but is a row like the others if it has a label
    with emphasis, or a link.
    """
    if len(row) != 2:
        return None
    name, value = (seen_value(text[start:end]) for start, end in row)
    label = _LABEL.fullmatch(name)
    if label is None or _NO_VALUE.match(value):
        return None
    if is_head and name[: label.start(1)][-1:] not in ("*", "_") and "[[" not in value:
        return None
    return canonical_key(label[1])
