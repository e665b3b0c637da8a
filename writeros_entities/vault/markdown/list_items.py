"""The start of a list item: its marker, the indentation of its content, and its task mark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from writeros_entities.vault.markdown.patterns import run_of

_TASK_MARK = r"\[[^\[\]\n]\](?:[ \t]++|\Z)"
_ITEM = rf"(?:[-+*]|\d{{1,9}}[.)])(?:[ \t]++(?:{_TASK_MARK})?|\Z)"
_MARKERS = re.compile(run_of(_ITEM, least=1))
_MARKER = re.compile(r"([-+*]|\d{1,9}[.)])([ \t]*+)")


@dataclass(frozen=True, slots=True)
class ItemStart:
    """The marker of an item, including further items that begin inside it on the same line.

    `kind` distinguishes adjacent lists; `content` is where the innermost item's text begins;
    `indent` is the column of the outermost item's content.
    """

    kind: str
    content: int
    indent: int
    interrupts: bool


def item_start(text: str, start: int, stop: int, width: int) -> ItemStart | None:
    """Return the item that begins at `start`, `width` columns into its line, or None.

    An empty item, or a number other than 1, cannot interrupt a paragraph.
    """
    markers = _MARKERS.match(text, start, stop)
    marker = _MARKER.match(text, start, stop)
    if markers is None or marker is None:
        return None
    before = width + len(marker[1])
    spaces = columns(" " * before + marker[2]) - before
    padding = spaces if spaces <= 4 and marker.end() < stop else 1
    return ItemStart(
        kind=marker[1][-1],
        content=markers.end(),
        indent=before + padding,
        interrupts=markers.end() < stop and (marker[1] in "-+*" or marker[1][:-1] == "1"),
    )


def columns(indent: str) -> int:
    """Return the width of indentation in columns; a tab advances to the next multiple of 4."""
    return len(indent.expandtabs(4)) if "\t" in indent else len(indent)
