"""Parse numbers as writers write them in properties."""

from __future__ import annotations

import re
from functools import cache

from writeros_entities import JSON

from .words import labels, read_number

GREATEST = 999_999_999
"""The greatest number of a chapter: more digits are a time stamp or an id."""

_DECIMAL = re.compile(r"(\d{1,9})(?:\.(\d{1,4}))?")


def parse_number(value: JSON) -> tuple[int, ...] | None:
    """Parse a number as writers write it: 7, "7", "VII", "seven", "Chapter 7"; 7.5 as (7, 5).

    Returns None for anything else; 0 is a number, a boolean and a time stamp are not.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return (value,) if abs(value) <= GREATEST else None
    if not isinstance(value, float | str):
        return None
    text = _label().sub("", str(value).strip(), count=1).strip()
    if decimal := _DECIMAL.fullmatch(text):
        whole, fraction = decimal.groups()
        return (int(whole),) if not fraction or not int(fraction) else (int(whole), int(fraction))
    number = None if text.isdecimal() else read_number(text)
    return None if number is None else (number,)


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"(?:{labels('part', 'chapter')}|sequence)\b\.?\s*", re.IGNORECASE)


def only(value: JSON) -> JSON:
    """Return the only item of a list of one, and any other value as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
