"""Read the order of a campaign's sessions, whose notes are its manuscript.

Session 7 - Fog.md                           7
Notes/Addermarch - Session 02.md             2
S04 Fog.md, with the tag `session`           4
Sessions/2024-03-20 Fog.md                   20 March 2024
Fog.md, with `sessionNumber: 7`              7
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from writeros_entities import JSON, OrderClaim

from .names import book_of, labels, read_bare, read_behind, read_month, role_words
from .properties import only

_NUMBER_KEYS = ("session", "sessionnumber", "sessionnum", "sessionno")
_DAY_KEYS = ("sessiondate", "dateplayed", "playedon", "played", "realworlddate", "date")

_LETTERED = re.compile(r"([^\W\d_]{1,2})[\s_-]?(\d{1,3})(?![\w.])")
_BREAKS = re.compile(r"[\s_-]+")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-._]?)(\d{2}|(?<=[-._])\d)\2(\d{1,2})(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(\d{1,2})([-._])(\d{1,2})\2(\d{4})(?!\d)")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|º|er)?\s+(?:de\s+)?([^\W\d_]+)\.?\s+(?:de\s+)?(\d{4})"
)
_MONTH_DAY = re.compile(
    r"(?<![^\W\d_])([^\W\d_]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)"
)


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """Reads the number of a session, and the date on which it was played."""

    name: str = "sessions"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the place of a session's note; None for any other note."""
        *folders, file = path.removesuffix(".md").split("/")
        is_folder = bool(folders) and file.lower() in ("index", "_index", folders[-1].lower())
        name = folders.pop() if is_folder else file
        values = {_fold(key): only(value) for key, value in frontmatter.items()}
        key = _stated_number(values) or _session(name)
        thread = ""
        lies_so = _lies_among_sessions(folders)
        if not key and not lies_so and not any(map(_is_log, _said(frontmatter))):
            return None
        day, name = read_day(name)
        day = day or next(filter(None, (read_day(values.get(key))[0] for key in _DAY_KEYS)), ())
        if not key:
            if lettered := _LETTERED.match(name):
                thread, key = lettered[1].casefold(), (int(lettered[2]),)
            elif lies_so:
                key = read_bare(name, is_inside=True) or read_behind(name)
        if not key and not day:
            return None
        return OrderClaim(self.name, key, book=book_of(path), day=day, thread=thread)


def read_day(written: JSON) -> tuple[tuple[int, ...], str]:
    """Read a date: 2024-03-20, 20240320, 20.03.2024, 20 March 2024; () if there is none.

    Returns it with the text around it.
    """
    if not isinstance(written, str):
        return (), ""
    for day, found in _days(written):
        _, month, of_month = day
        if 1 <= month <= 12 and 1 <= of_month <= 31:
            return day, f"{written[: found.start()]} {written[found.end() :]}".strip()
    return (), written


def _days(written: str) -> Iterator[tuple[tuple[int, int, int], re.Match[str]]]:
    for found in _YEAR_FIRST.finditer(written):
        yield (int(found[1]), int(found[3]), int(found[4])), found
    for found in _YEAR_LAST.finditer(written):
        first, second = int(found[1]), int(found[3])
        day, month = (second, first) if second > 12 else (first, second)
        yield (int(found[4]), month, day), found
    for pattern, day_at, month_at in ((_DAY_MONTH, 1, 2), (_MONTH_DAY, 2, 1)):
        for found in pattern.finditer(written):
            yield (int(found[3]), read_month(found[month_at]) or 0, int(found[day_at])), found


def _session(name: str) -> tuple[int, ...]:
    """Return the number behind the word for a session, at the start or behind a title."""
    found = _numbered().search(name)
    return () if found is None else tuple(int(part) for part in found.groups() if part)


@cache
def _numbered() -> re.Pattern[str]:
    word = rf"(?:^|[-–—:,]\s*)(?:{labels('session')})"
    return re.compile(rf"{word}[\s_#-]*(\d{{1,4}})(?:\.(\d{{1,2}}))?(?![\d.])", re.IGNORECASE)


def _lies_among_sessions(folders: list[str]) -> bool:
    """Say whether the innermost folder that is not just a number or a date is one of sessions."""
    worded = (folder for folder in reversed(folders) if any(map(str.isalpha, folder)))
    return role_words().of_folder(next(worded, "")) == "log"


def _stated_number(values: Mapping[str, JSON]) -> tuple[int, ...]:
    for key in _NUMBER_KEYS:
        value = values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return (value,)
        if isinstance(value, str) and value.strip().isdecimal():
            return (int(value),)
    return ()


def _is_log(said: str) -> bool:
    return role_words().of_word(said) == "log"


def _said(frontmatter: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the types and tags of a note."""
    for key, value in frontmatter.items():
        if key.lower() in ("type", "category", "tags", "tag"):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str):
                    yield from (part.strip("# ") for part in re.split("[,/ ]", item))


def _fold(word: str) -> str:
    return _BREAKS.sub("", word.casefold())
