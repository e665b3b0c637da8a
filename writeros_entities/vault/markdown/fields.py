"""Dataview's inline fields: `Key:: value` on a line of its own, `[key:: v]` and `(key:: v)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.markdown.plain_text import seen_value

_LOOK_BACK = 200
_LINE_KEY = re.compile(r"[ \t>]*+[*_~]*+([^\W_](?:[\w /-]*[^\W_])?)[*_~]*+[ \t]*+")
_KEY = run_of(r"[^\[\]()\n:*_~]|(?<=\w)_(?=\w)", least=1)
_BRACKET_KEY = re.compile(rf"([\[(])[ \t*_~]*+({_KEY})[*_~ \t]*+\Z")
_IN_PARENTHESES = r"\([^()\n]*+\)"
_IN_BRACKETS = rf"\[\[[^\[\]\n]*+\]\](?!\()|\[[^\[\]\n]*+\](?:{_IN_PARENTHESES})?"
_VALUES = {
    "[": re.compile(run_of(rf"[^\[\]\n]|{_IN_BRACKETS}") + r"(?=\])"),
    "(": re.compile(run_of(rf"[^()\n]|{_IN_PARENTHESES}") + r"(?=\))"),
}


@dataclass(frozen=True, slots=True)
class FieldSpan:
    """A field: its canonical key, its start, and the span of its value.

    A bracketed field has one more character, the closing bracket, after its value.
    """

    key: str
    start: int
    value: int
    end: int
    bracketed: bool


def find_field(
    text: str, colons: int, start: int, end: int, *, whole_lines: bool
) -> FieldSpan | None:
    """Return the field whose `::` is at `colons` in the paragraph [start, end), or None.

    `whole_lines` says whether a field without brackets is allowed here.
    """
    look_back = max(start, colons - _LOOK_BACK)
    bracket = _BRACKET_KEY.search(text[look_back:colons])
    if bracket is not None:
        key = canonical_key(bracket[2])
        value = _VALUES[bracket[1]].match(text, colons + 2, end)
        if value is not None and key:
            return FieldSpan(key, look_back + bracket.start(), colons + 2, value.end(), True)
    if not whole_lines or text.startswith(":", colons + 2):
        return None
    line = text.rfind("\n", look_back, colons) + 1
    if line == 0:
        if look_back > start:
            return None
        line = start
    written = _LINE_KEY.fullmatch(seen_value(text[line:colons]))
    if written is None:
        return None
    line_end = text.find("\n", colons, end)
    return FieldSpan(
        canonical_key(written[1]), line, colons + 2, end if line_end == -1 else line_end, False
    )


def canonical_key(written: str) -> str:
    """Return a key as Dataview's queries write it: lower case, dashes for spaces, no formatting."""
    return "-".join(written.strip(" \t*_~").lower().split())
