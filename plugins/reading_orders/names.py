"""Read places in the reading order from the names of files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from writeros_entities import JSON, OrderClaim, RoleWords

from ..languages import LANGUAGES
from ..numerals import read_numeral


@cache
def role_words() -> RoleWords:
    """Return the words by which names tell the roles of notes."""
    words = [language.words for language in LANGUAGES]
    return RoleWords(
        [one.note_roles for one in words],
        [one.numbered for one in words],
        [one.numbers for one in words],
    )


@cache
def labels(*counted: str) -> str:
    """Return a pattern for the words that count these things: `chapter`, `part`, `session`."""
    found = {
        re.escape(word)
        for language in LANGUAGES
        for word, what in language.words.numbered.items()
        if what in counted
    }
    return "|".join(sorted(found, key=lambda word: (-len(word), word)))


def read_number(text: str) -> int | None:
    """Read a number in digits, Roman numerals or words; None for anything else."""
    if text.isdecimal():
        return int(text)
    number = read_numeral(text)
    return number if number is not None else _numbers().get(text.casefold())


def read_month(text: str) -> int | None:
    """Read the name of a month; None for anything else."""
    return _months().get(text.casefold())


@cache
def _numbers() -> dict[str, int]:
    return _joined(language.words.numbers.items() for language in LANGUAGES)


@cache
def _months() -> dict[str, int]:
    return _joined(language.words.months.items() for language in LANGUAGES)


def _joined(tables: Iterable[Iterable[tuple[str, str]]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for table in tables:
        for word, number in table:
            found.setdefault(word, int(number))
    return found


LAST = 1_000_000
"""The number of an epilogue: after everything that is numbered."""

_NUMBERED = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?(?!\d)(?=(\s*[-–—_.):]|\s|$))(?!\s*[-–—._]\s*\d)")
_BEHIND = re.compile(r"\D*[^\W\d_][\s_#-]+(\d{1,3})(?!\S*\d)(?=\s*[-–—_:,(]|\s*$)")
"""Matches a number behind a title: "Notes 01 - Fog", "Day 3"."""
_PAGE_ID = re.compile(r" [0-9a-f]{32}(?=/|\Z)")
"""Matches the id that Notion adds to the names of what it exports."""
_FRACTION = re.compile(r"\.(\d{1,3})(?!\d)")
_SEPARATOR = re.compile(r"\s*[-–—_.,:(\[]\s*|\s+")


@dataclass(frozen=True, slots=True)
class NumberedOrder:
    """Reads numbers in the names of files and folders."""

    name: str = "numbered"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the numbers of parts, chapters and scenes, from the outermost folder inwards.

        A bare number ("7 Kingdoms") is one of a chapter inside a manuscript folder, and elsewhere
        may be; so is one with a separator ("01 - Arrival").
        """
        folder, _, file = path.removesuffix(".md").rpartition("/")
        around = _read_folders(folder)
        edge = _edges().match(file)
        own = ((0,) if edge["first"] else (LAST, 0)) if edge else read_labelled(file)[0]
        is_bare = not own and not around.is_manuscript and not read_bare(file, is_inside=False)
        own = own or read_bare(file, is_inside=True)
        if not own and around.is_manuscript:
            own = read_behind(file)
        if own or around.has_chapters:
            is_scene = own and around.has_chapters
            chapter = around.key if is_scene else ()
            return OrderClaim(self.name, around.key + own, chapter=chapter, is_bare=is_bare)
        return None


@dataclass(frozen=True, slots=True)
class _Folders:
    """What the folders of a note say: whether they hold the manuscript, their numbers, and whether
    one is a chapter's.
    """

    is_manuscript: bool
    key: tuple[int, ...]
    has_chapters: bool


def book_of(path: str) -> tuple[int, ...]:
    """Return the numbers of a note's folders, from the outermost inwards."""
    return _read_folders(path.rpartition("/")[0]).key


@lru_cache(maxsize=1_024)
def _read_folders(path: str) -> _Folders:
    folders = _PAGE_ID.sub("", path).split("/")
    inside = holds_manuscript(folders)
    key: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()
    for folder in folders:
        numbers, counted = _labelled_folder(folder)
        key += numbers or (read_bare(folder, is_inside=True) if inside and key == () else ())
        names |= counted
    return _Folders(inside, key, "chapter" in names)


def holds_manuscript(folders: list[str]) -> bool:
    """Say whether the innermost folder with a known name holds the manuscript."""
    for folder in reversed(folders):
        if _labelled_folder(folder)[0]:
            return True
        if role := role_words().of_folder(folder):
            return role in ("manuscript", "log")
    return False


def _labelled_folder(name: str) -> tuple[tuple[int, ...], set[str]]:
    """Return numbers and what they count at the start of a folder's name, or after the title of a
    story: "The Fog (Book 2)".
    """
    found = read_labelled(name)
    if found[0] or role_words().of_folder(name) not in (None, "manuscript"):
        return found
    behind = _patterns()[1].fullmatch(name.strip())
    return read_labelled(behind["label"]) if behind else found


def read_labelled(name: str) -> tuple[tuple[int, ...], set[str]]:
    """Parse "Part 1, Chapter 3", "Chapter 3 (Part 2)" or "Ch. 10.5 - Arrival" at the start.

    Returns the numbers, and what they count.
    """
    key: tuple[int, ...] = ()
    counted: set[str] = set()
    position = 0
    while True:
        found = _patterns()[0].match(name, position)
        if found is None:
            return key, counted
        number, end = _numeral(found["number"])
        if number is None:
            return key, counted
        key += (number,)
        counted.add("part" if found["part"] else "chapter")
        position = found.start("number") + end
        if written := _FRACTION.match(name, position):
            key += (int(written[1]),)
            position = written.end()
        separator = _SEPARATOR.match(name, position)
        position = separator.end() if separator else position


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns for a number behind its label, and for such a label behind a title."""
    part, chapter = labels("part"), labels("chapter")
    numeral = r"(?P<number>\d{1,3}(?!\d)|[^\W\d_]+(?:[ -][^\W\d_]+)?\b)"
    ahead = rf"(?:(?P<part>{part})|{chapter})(?![^\W\d_])\.?[\s_-]*(?:the\s+)?{numeral}"
    behind = rf"(?P<title>.*\S)\s*(?:[-–—,:]\s*|[(\[])(?P<label>(?:{part})\b.*?)[)\]]?"
    return re.compile(ahead, re.IGNORECASE), re.compile(behind, re.IGNORECASE)


@cache
def _edges() -> re.Pattern[str]:
    """Return a pattern for the names of prologues and epilogues."""
    edges = rf"(?:(?P<first>{labels('first')})|{labels('last')})\b"
    return re.compile(edges, re.IGNORECASE)


def _numeral(written: str) -> tuple[int | None, int]:
    """Parse a numeral, and return its length too: in "Three Arrivals" only "Three" is one."""
    number = read_number(written)
    if number is not None:
        return number, len(written)
    first = re.split(r"[ -]", written, maxsplit=1)[0]
    return read_number(first), len(first)


def read_bare(name: str, *, is_inside: bool) -> tuple[int, ...]:
    """Parse "01 - Arrival", and inside the manuscript also "1 Arrival", "1" and "1.2 Arrival"."""
    found = _NUMBERED.match(name)
    if found is None:
        return ()
    first, second, separator = found.groups()
    if not is_inside and (not separator.strip() or second):
        return ()
    return (int(first), int(second)) if second else (int(first),)


def read_behind(name: str) -> tuple[int, ...]:
    """Parse "Notes 01 - Fog" or "Day 3": a number behind a title."""
    found = _BEHIND.match(name)
    return (int(found[1]),) if found else ()
