"""Numbers in words and digits, and years.

read_number("two-and-twenty")  ->  22
"""

from __future__ import annotations

import re

from ..numerals import NUMERALS, TENS, UNITS

_UNIT = "|".join(sorted(UNITS[1:], key=len, reverse=True))
_TEN = "|".join(TENS)

NUMBER = (
    rf"(?:\d{{1,3}}|(?:a|one)\ hundred(?:\ and\ (?:{_UNIT}|(?:{_TEN})(?:-(?:{_UNIT}))?))?"
    rf"|(?:{_UNIT})-and-(?:{_TEN})|(?:{_TEN})(?:[- ](?:{_UNIT}))?|(?:{_UNIT}))"
).replace(r"\ ", " ")
"""A pattern for a number below two hundred, without groups."""

YEAR = (
    r"(?<!\d)(?<!\d{3}[-–—])(?<!\d{3} [-–—] )(?:1\d{3}|2[01]\d{2}|[3-9]\d{2})(?!\d)"
    r"(?! ?[-–—] ?\d{3,4}\b|[–—]\d\d\b)"
)
"""A pattern for a year in digits that is neither end of a span: not in "1012-1015"."""

_WORD = re.compile(r"[a-z]+|\d+")
_FIGURE = re.compile(r"\d")
_NUMERALS = frozenset({*NUMERALS, "hundred"})


def has_number(text: str) -> bool:
    """Say whether a text has a number in words or digits; much faster than `NUMBER`."""
    return (
        not _NUMERALS.isdisjoint(_WORD.findall(text.casefold())) or _FIGURE.search(text) is not None
    )


def read_number(text: str) -> int:
    """Return the value of what `NUMBER` matches."""
    total = 0
    for word in _WORD.findall(text.casefold()):
        if word.isdigit():
            total += int(word)
        elif word == "hundred":
            total = 100
        else:
            total += NUMERALS.get(word, 0)
    return total
