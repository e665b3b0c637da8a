"""Read places in the reading order from the names of files and folders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from writeros_entities import JSON, OrderClaim

from ..numerals import read_numeral
from .labels import CHAPTERS, LABELS, PARTS

LAST = 1_000_000
"""The number of an epilogue: after everything that is numbered."""

_MANUSCRIPT = re.compile(
    r"""(?:the\s+)?(?:
    manuscripts?|chapters?|scenes?|drafts?|books?|novels?|story|stories|text|prose
    |manuskript|manuscrit|manuscrito|manoscritto
    |kapitel|chapitres|cap[ií]tulos|capitoli|hoofdstukken|szenen|scènes|escenas|cenas)
    (?:\s+(?:\d+|[ivx]+))?""",
    re.IGNORECASE | re.VERBOSE,
)
_ELSEWHERE = re.compile(
    r"""(?:\d+\s*+[-._)]*+\s*+)?(?:
    characters?|people|persons|cast|npcs|places?|locations?|geography|settings?|world
    |world[ -]?building|lore|factions|organi[sz]ations|items|objects|events|history|timelines?
    |concepts|creatures|bestiary|notes?|ideas?|research|references?|resources?|sources|inbox
    |journals?|dail(?:y|ies)|diary|weekly|calendar|archives?|areas|projects|templates?
    |attachments?|assets|media|images|meta|admin|planning
    |plans?|outlines?|synops[ie]s|codex|wiki|glossary|snapshots?|trash|exports?)""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMERAL = r"(\d{1,3}(?!\d)|[ivxlc]+\b|[a-z]+(?:[ -][a-z]+)?\b)"
_LABELLED = re.compile(
    rf"({LABELS})(?![a-z])\.?[\s_-]*(?:the\s+)?" + _NUMERAL,
    re.IGNORECASE,
)
_LABELLED_BEHIND = re.compile(
    rf"(?P<title>.*\S)\s*(?:[-–—,:]\s*|[(\[])(?P<label>(?:{'|'.join(PARTS)})\b.*?)[)\]]?",
    re.IGNORECASE,
)
"""Matches a folder name with the book's number after the title: "The Fog (Book 2)"."""
_NUMBERED = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?(?!\d)(?=(\s*[-–—_.):]|\s|$))(?!\s*[-–—._]\s*\d)")
_PAGE_ID = re.compile(r" [0-9a-f]{32}(?=/|\Z)")
"""Matches the id that Notion adds to the names of what it exports."""
_FRACTION = re.compile(r"\.(\d{1,3})(?!\d)")
_SEPARATOR = re.compile(r"\s*[-–—_.,:(\[]\s*|\s+")
_EDGE = re.compile(
    r"(?:\d+\s*[-–—_.):]\s*)?(?:(pr[oó]log(?:ue|o)?)|[eé]p[ií]log(?:ue|o)?)\b", re.IGNORECASE
)
"""Matches the name of a prologue (with a group) or of an epilogue."""


@dataclass(frozen=True, slots=True)
class NumberedOrder:
    """Reads numbers in the names of files and folders."""

    name: str = "numbered"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the numbers of parts, chapters and scenes, from the outermost folder inwards.

        A bare number ("7 Kingdoms") counts only inside a manuscript folder; one with a separator
        ("01 - Arrival") everywhere except in folders that hold other things, and for notes that do
        ("02 - Characters").
        """
        folder, _, file = path.removesuffix(".md").rpartition("/")
        around = _read_folders(folder)
        if around.is_manuscript is False:
            return None
        inside = around.is_manuscript is True
        edge = _EDGE.match(file)
        own = ((0,) if edge[1] else (LAST, 0)) if edge and inside else read_labelled(file)[0]
        if not own and (inside or not _is_elsewhere(file)):
            own = read_bare(file, is_inside=inside)
        if own or not around.labels.isdisjoint(CHAPTERS):
            is_scene = own and not around.labels.isdisjoint(CHAPTERS)
            return OrderClaim(self.name, around.key + own, chapter=around.key if is_scene else ())
        return None


@dataclass(frozen=True, slots=True)
class _Folders:
    """What the folders of a note say: whether they hold the manuscript (None: unknown), their
    numbers, and the words for what is numbered.
    """

    is_manuscript: bool | None
    key: tuple[int, ...]
    labels: frozenset[str]


def book_of(path: str) -> tuple[int, ...]:
    """Return the numbers of a manuscript note's folders, from the outermost inwards."""
    around = _read_folders(path.rpartition("/")[0])
    return () if around.is_manuscript is False else around.key


@lru_cache(maxsize=1_024)
def _read_folders(path: str) -> _Folders:
    folders = _PAGE_ID.sub("", path).split("/")
    inside = _is_manuscript(folders)
    key: tuple[int, ...] = ()
    labels: frozenset[str] = frozenset()
    for folder in folders:
        numbers, names = _labelled_folder(folder)
        key += numbers or (read_bare(folder, is_inside=True) if inside and key == () else ())
        labels |= names
    return _Folders(inside, key, labels)


def _is_manuscript(folders: Sequence[str]) -> bool | None:
    """Say whether the innermost folder with a known name holds the manuscript; None if there is
    none.
    """
    for folder in reversed(folders):
        if _MANUSCRIPT.fullmatch(folder.strip()) or _labelled_folder(folder)[0]:
            return True
        if _is_elsewhere(folder):
            return False
    return None


def _is_elsewhere(folder: str) -> bool:
    behind = _LABELLED_BEHIND.fullmatch(folder.strip())
    return _ELSEWHERE.fullmatch((behind["title"] if behind else folder).strip()) is not None


def _labelled_folder(name: str) -> tuple[tuple[int, ...], set[str]]:
    """Return numbers and words at the start of a folder's name, or after the title of a story."""
    found = read_labelled(name)
    behind = None if found[0] or _is_elsewhere(name) else _LABELLED_BEHIND.fullmatch(name.strip())
    return read_labelled(behind["label"]) if behind else found


def read_labelled(name: str) -> tuple[tuple[int, ...], set[str]]:
    """Parse "Part 1, Chapter 3", "Chapter 3 (Part 2)" or "Ch. 10.5 - Arrival" at the start."""
    key: tuple[int, ...] = ()
    labels: set[str] = set()
    position = 0
    while True:
        found = _LABELLED.match(name, position)
        if found is None:
            return key, labels
        number, end = _numeral(found[2])
        if number is None:
            return key, labels
        key += (number,)
        labels.add(found[1].lower())
        position = found.start(2) + end
        if written := _FRACTION.match(name, position):
            key += (int(written[1]),)
            position = written.end()
        separator = _SEPARATOR.match(name, position)
        position = separator.end() if separator else position


def _numeral(written: str) -> tuple[int | None, int]:
    """Parse a numeral, and return its length too: in "Three Arrivals" only "Three" is one."""
    if written.isdigit():
        return int(written), len(written)
    number = read_numeral(written)
    if number is not None:
        return number, len(written)
    first = re.split(r"[ -]", written, maxsplit=1)[0]
    return read_numeral(first), len(first)


def read_bare(name: str, *, is_inside: bool) -> tuple[int, ...]:
    """Parse "01 - Arrival", and inside the manuscript also "1 Arrival", "1" and "1.2 Arrival"."""
    found = _NUMBERED.match(name)
    if found is None:
        return ()
    first, second, separator = found.groups()
    if not is_inside and (not separator.strip() or second):
        return ()
    return (int(first), int(second)) if second else (int(first),)
