"""A reader of reading order for campaigns, in which the notes of sessions are the manuscript.

    Session 7 - Fog.md                           7
    Notes/Addermarch - Session 02.md             2
    S04 Fog.md, with the tag `session`           4
    Sessions/2024-03-20 Fog.md                   20 March 2024
    Fog.md, with `sessionNumber: 7`              7

A number takes precedence over a date. A game master's preparation (`Session 8 Prep`) is not a
session: it contains what the players do not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from writeros_entities import JSON, OrderClaim, ReadingOrder, hookimpl

from .reading_orders.names import book_of
from .reading_orders.numbers import only

__version__ = "1"

_SESSION = r"(?:session|sitzung|séance|sesión|sessione|sessão|sessie)"
_KINDS = frozenset(
    {"session", "sessions", "sessionnote", "sessionnotes", "sessionlog", "sessionrecap"}
)
"""Types and tags of session notes, without separators between words."""

_NUMBER_KEYS = ("session", "sessionnumber", "sessionnum", "sessionno")
_DAY_KEYS = ("sessiondate", "dateplayed", "playedon", "played", "realworlddate", "date")

_WORD = re.compile(rf"{_SESSION}|sesiones|sessões", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"(?:^|[-–—:,]\s*){_SESSION}[\s_#-]*(\d{{1,4}})(?:\.(\d{{1,2}}))?(?![\d.])", re.IGNORECASE
)
_LETTERED = re.compile(r"s[\s_-]?(\d{1,3})(?![\w.])", re.IGNORECASE)
_BARE = re.compile(r"(\d{1,3})(?!\d|[-.]\d)")
_DAY = re.compile(r"(?<!\d)(\d{4})([-._])(\d{1,2})\2(\d{1,2})(?!\d)")
_FOLDER = re.compile(
    rf"(?:[\W\d_]|z_)*(?:{_SESSION}|sitzungen|séances|sesiones|sessioni|sessões|sessies)s?"
    r"(?:[\s_-]+(?:notes|journals?|logs?|recaps?|reports?|summar(?:y|ies)))?[\W_]*",
    re.IGNORECASE,
)
_BEFOREHAND = re.compile(
    r"[\W_]*(?:(?:dm|gm|sl|keeper)(?:['’]?s)?[\s_-]*(?:notes?)?"
    r"|(?:(?:dm|gm|sl|keeper)(?:['’]?s)?[\s_-]*)?"
    r"(?:prep\w*|plan(?:s|ning|ung)?|outlines?|ideas?|hooks?|checklist|to-?do|templates?"
    r"|handouts?|vorbereitung|préparation|preparación|preparazione))[\W_]*",
    re.IGNORECASE,
)
"""Matches the part beside the number in the name of a note of preparation."""

_BREAKS = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """Reads the number of a session, or the date on which it was played."""

    name: str = "sessions"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the place of a session's note; None for any other note."""
        if _WORD.search(path) is None and not _speaks_of_sessions(frontmatter):
            return None
        *folders, file = path.removesuffix(".md").split("/")
        is_folder = bool(folders) and file.lower() in ("index", "_index", folders[-1].lower())
        name = folders.pop() if is_folder else file
        if any(_is_beforehand(part) for part in (name, *folders)):
            return None
        values = {_fold(key): only(value) for key, value in frontmatter.items()}
        key = _stated_number(values) or _numbers(_NUMBERED.search(name))
        lies_so = _lies_among_sessions(folders)
        if not key and (lies_so or not _KINDS.isdisjoint(_said(frontmatter))):
            key = _day(name) or _played(values) or _numbers(_LETTERED.match(name))
            key = key or (_numbers(_BARE.match(name)) if lies_so else ())
        return OrderClaim(self.name, key, book=book_of(path)) if key else None


def _speaks_of_sessions(frontmatter: Mapping[str, JSON]) -> bool:
    """Say whether a property's key, type or tag contains "session"."""
    return any("session" in key.lower() for key in frontmatter) or any(
        "session" in word for word in _said(frontmatter)
    )


def _is_beforehand(name: str) -> bool:
    """Say whether a name is that of a note of preparation."""
    found = _NUMBERED.search(name) or _DAY.search(name) or _WORD.search(name)
    beside = (name,) if found is None else (name[: found.start()], name[found.end() :])
    return any(_BEFOREHAND.fullmatch(part) is not None for part in beside)


def _lies_among_sessions(folders: Iterable[str]) -> bool:
    """Say whether the innermost folder that is not just a number or a date is one of sessions."""
    worded = (folder for folder in reversed(list(folders)) if any(map(str.isalpha, folder)))
    return _FOLDER.fullmatch(next(worded, "")) is not None


def _stated_number(values: Mapping[str, JSON]) -> tuple[int, ...]:
    for key in _NUMBER_KEYS:
        value = values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return (value,)
        if isinstance(value, str) and value.strip().isdecimal():
            return (int(value),)
    return ()


def _numbers(found: re.Match[str] | None) -> tuple[int, ...]:
    return () if found is None else tuple(int(part) for part in found.groups() if part)


def _day(written: JSON) -> tuple[int, ...]:
    found = _DAY.search(written) if isinstance(written, str) else None
    return () if found is None else (int(found[1]), int(found[3]), int(found[4]))


def _played(values: Mapping[str, JSON]) -> tuple[int, ...]:
    return next((day for key in _DAY_KEYS if (day := _day(values.get(key)))), ())


def _said(frontmatter: Mapping[str, JSON]) -> Iterator[str]:
    """Yield the types and tags of a note."""
    for key, value in frontmatter.items():
        if key.lower() in ("type", "category", "tags", "tag"):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, str):
                    yield from (_fold(part.strip("# ")) for part in re.split("[,/]", item))


def _fold(word: str) -> str:
    return _BREAKS.sub("", word.casefold())


@hookimpl
def register_reading_orders() -> Iterable[ReadingOrder]:
    """Return the reader `sessions`."""
    return [SessionOrder()]
