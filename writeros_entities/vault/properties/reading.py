"""Properties as a reader sees them: on one line, without the marks of YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities.values import UNSEEN

_KEY = re.compile(r"\A|^(?![ \t\r\n-])", re.MULTILINE)
"""The beginning of a property: its key alone is neither indented nor in a list."""

_ITEM = re.compile(r"(?<=\n)([ \t]*)- ")
_QUOTED = re.compile(
    rf"""(?:(?<=:\ )|(?<=-\ )|(?<=\[)|(?<=["'],\ ))  # a value, an item, one of a list in brackets
    (["'])((?:(?!\1).)*)\1(?=[ \t]*(?:[,\]\r\n{UNSEEN}]|\Z))""",
    re.VERBOSE,
)
_SCALAR_MARK = re.compile(r"(?<=:) [|>][-+\d]*(?=\r?\n)")


def property_starts(text: str) -> Iterator[int]:
    """Yield where the properties in a text of nothing else begin."""
    return (found.start() for found in _KEY.finditer(text))


def read_property(text: str, start: int, end: int) -> tuple[int, str]:
    """Return the property around a span of a chunk of properties, and where it begins.

    It has the length that is written: quotation marks are hidden, other marks replaced.
    """
    first = max(begin for begin in property_starts(text) if begin <= start)
    below = _KEY.search(text, max(first + 1, end))
    told = _QUOTED.sub(rf"{UNSEEN}\2{UNSEEN}", text[first : below.start() if below else None])
    told = _SCALAR_MARK.sub(lambda mark: " " * len(mark[0]), told, count=1)
    return first, _ITEM.sub(r"\1· ", _ITEM.sub(r"\1  ", told, count=1))
