"""Regular expressions that work the same on all supported Python versions."""

from __future__ import annotations

import re

from writeros_entities.values import UNSEEN


def run_of(item: str, *, least: int = 0) -> str:
    r"""Return a possessive pattern for a run of items, each matched as often as possible.

    It is equivalent to `(?:item)*+`, or with `least=1` to `(?:item)++`. Before Python 3.11.5, those
    did not restore the position after the last, failed attempt (CPython issue 106052). Here the
    last alternative, which never matches, resets the engine to the start of the item. An atomic
    group would do the same, but stores every item.
    """
    return f"(?:{item}|(?!)){'+' if least else '*'}+"


COMMENTED = run_of(r"[^%]++|%(?!%)")
"""The text between the `%%` of a comment."""

COMMENT = re.compile(rf"%%{COMMENTED}%%|<!--{run_of(r'[^<-]++|-(?!->)|<(?!!)')}-->|{UNSEEN}++")
"""A comment in a value or a name, or what covers one."""

SHORTEST_ENCODED = 120
"""From how many characters on a run of letters and digits may be Base64: longer than a word."""

SHORTEST_ENCODED_LINE = 60
"""The same for each line of Base64 that is wrapped, as in mails (76) and keys (64)."""

_DATA = r"data:(?=[A-Za-z]{1,20}/|;)[\w/.+-]{0,80}(?:;[\w.+=-]{1,80}){0,4},"
_ENCODED = r"[A-Za-z0-9+/]"
_LINE = rf"{_ENCODED}{{{SHORTEST_ENCODED_LINE},}}+"
_NEXT = r"\r?\n[ \t]{0,20}+"
_LAST = rf"{_ENCODED}++={{1,2}}|(?=[A-Za-z+/]{{0,{SHORTEST_ENCODED_LINE}}}\d){_ENCODED}++"
ENCODED = re.compile(
    rf"(?<=\"){_DATA}[^\"\n]*+|(?<='){_DATA}[^'\n]*+|\b{_DATA}[^\s\"'<>()\[\]|]*+"
    rf"|(?<!{_ENCODED})(?=[A-Za-z+/]{{0,{SHORTEST_ENCODED}}}\d)(?=[a-z\d+/]{{0,{SHORTEST_ENCODED}}}[A-Z])"
    rf"(?=[A-Z\d+/]{{0,{SHORTEST_ENCODED}}}[a-z])(?:{_ENCODED}{{{SHORTEST_ENCODED},}}+={{0,2}}"
    rf"|{_LINE}{run_of(_NEXT + _LINE, least=1)}(?:={{1,2}}|{_NEXT}(?:{_LAST})(?=\s|\Z))?)"
)
"""Encoded data in a text: a `data:` URI, such as a picture, or much Base64, in lines or one run."""
