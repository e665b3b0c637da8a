"""Readers of reading order: from a note's properties, an index note, or the names of files.

    frontmatter   chapter: 7            Part Two, chapter 1 is (2, 1)
    storyline     act, chapter and sequence of a StoryLine scene
    longform      the scenes of a Longform index note, in order
    numbered      "Chapter 3.md", "Part 2/01 - Arrival.md", "Kapitel 3.md"

Keys are compared as tuples, so the notes of one manuscript should use one scheme. If the numbers
start again in each book of a series, the numbers of the folders (`Book 2`) distinguish the books.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from writeros_entities import JSON, OrderClaim, ReadingOrder, hookimpl

from .numerals import read_numeral
from .word_lists import words

__version__ = "8"

LAST = 1_000_000
"""The number of an epilogue: after everything that is numbered."""

GREATEST = 999_999_999
"""The greatest number of a chapter: more digits are a time stamp or an id."""

_LINK = re.compile(r"\[\[(?:[^\[\]|#]*/)?(?P<name>[^\[\]|#/]+?)(?:[#|][^\[\]]*)?\]\]")
_WORD = re.compile(r"\d{1,9}|[^\W\d_]+")
_DECIMAL = re.compile(r"(\d{1,9})(?:\.(\d{1,4}))?")
_PARTS = words(
    "part book act volume vol teil buch band akt partie livre tome acte parte libro livro tomo",
    "acto ato atto deel boek season",
)
_CHAPTERS = words(
    "chapter chap ch episode scene sc kapitel kap szene chapitre scène capítulo capitulo capitolo",
    "cap escena cena scena hoofdstuk",
)
"""Words for chapters and scenes, and (before them) for larger parts, in English, German, French,
Spanish, Portuguese, Italian and Dutch.
"""

_LABELS = "|".join((*_PARTS, *_CHAPTERS))
_LABEL = re.compile(rf"(?:{_LABELS}|sequence)\b\.?\s*", re.I)


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
    text = _LABEL.sub("", str(value).strip(), count=1).strip()
    if decimal := _DECIMAL.fullmatch(text):
        whole, fraction = decimal.groups()
        return (int(whole),) if not fraction or not int(fraction) else (int(whole), int(fraction))
    number = read_numeral(text)
    return None if number is None else (number,)


# -- Properties ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FrontmatterOrder:
    """Reads `sequence`, or `chapter` with the parts around and in it, or `order`.

    A scene's chapter may be a name or a link, with a number (`chapter: "[[07 - The Ford]]"`) or
    without: the scene then stands within the chapter of that name.
    """

    name: str = "frontmatter"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the note's place; `book`, `part`, `act` and `scene` refine a chapter."""
        numbers = _numbers(frontmatter)
        chapter = _named_chapter(frontmatter) if "scene" in numbers else ""
        if chapter and (number := _number_in(chapter)):
            numbers.setdefault("chapter", number)
        outer: tuple[str, ...] = ("book", "part", "act")
        if "sequence" in numbers:
            outer = ("act", "chapter") if "act" in numbers else ()
            return _claim(self.name, path, numbers, outer, "sequence")
        if "chapter" in numbers:
            return _claim(self.name, path, numbers, (*outer, "chapter"), "scene")
        if "order" in numbers:
            return _claim(self.name, path, numbers, outer, "order")
        if "scene" in numbers:
            return _claim(self.name, path, numbers, outer, "scene", within=chapter)
        return None


@dataclass(frozen=True, slots=True)
class StorylineOrder:
    """Reads the keys of StoryLine scenes: `act`, `chapter`, `sequence`."""

    name: str = "storyline"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return act, chapter and sequence, if they suffice to place a scene."""
        numbers = _numbers(frontmatter)
        if "sequence" in numbers or {"act", "chapter"} <= numbers.keys():
            return _claim(self.name, path, numbers, ("act", "chapter"), "sequence")
        return None


def _claim(
    source: str,
    path: str,
    numbers: Mapping[str, tuple[int, ...]],
    outer: Sequence[str],
    own: str,
    *,
    within: str = "",
) -> OrderClaim:
    """Return the claim of a note by its own number after those around it, down to its chapter's."""
    around = _join(numbers, *outer)
    is_scene = own in numbers and "chapter" in outer and "chapter" in numbers
    return OrderClaim(
        source,
        around + numbers.get(own, ()),
        book=book_of(path),
        within=within,
        chapter=around if is_scene else (),
    )


def _numbers(frontmatter: Mapping[str, JSON]) -> dict[str, tuple[int, ...]]:
    found = {}
    for key, value in frontmatter.items():
        number = parse_number(only(value))
        if number is not None:
            found[key.strip().lower()] = number
    return found


def _named_chapter(frontmatter: Mapping[str, JSON]) -> str:
    """Return the property `chapter` if it is text, or an empty string."""
    values = (value for key, value in frontmatter.items() if key.strip().lower() == "chapter")
    texts = (text.strip() for text in map(only, values) if isinstance(text, str))
    return next(texts, "")


def _number_in(chapter: str) -> tuple[int, ...]:
    """Return the number in the name of a chapter, or of the note to which a link leads, or ()."""
    link = _LINK.fullmatch(chapter)
    name = link["name"] if link else chapter
    return _labelled(name)[0] or _bare(name, is_inside=True)


def only(value: JSON) -> JSON:
    """Return the only item of a list of one, and any other value as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _join(numbers: Mapping[str, tuple[int, ...]], *keys: str) -> tuple[int, ...]:
    return tuple(number for key in keys for number in numbers.get(key, ()))


# -- Longform ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LongformOrder:
    """Reads the index note of a Longform project: its scenes, nested or not, in order."""

    name: str = "longform"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the names of the scenes and their folder.

        Each draft has an index note of its own, with the title of the work, and `source` says which
        draft it is. If one note lists several drafts, as in old versions of Longform, the last one
        counts.
        """
        index = frontmatter.get("longform")
        if not isinstance(index, dict):
            return None
        drafts = frontmatter.get("drafts", index.get("drafts"))
        if "scenes" not in index and isinstance(drafts, list) and drafts:
            last = drafts[-1]
            index = last if isinstance(last, dict) else index
        scenes = tuple(_flatten(index.get("scenes")))
        if not scenes:
            return None
        folder = index.get("sceneFolder", index.get("folder", "/"))
        number = parse_number(index.get("draftNumber"))
        source = f"{self.name}, draft {number[0]}" if number else self.name
        title = index.get("title")
        work = title.strip() if isinstance(title, str) else ""
        return OrderClaim(
            source,
            sequence=scenes,
            folder=_below(path, folder),
            book=book_of(path),
            work=work,
            draft=(number or _number_of_draft(index.get("draftTitle"))) if work else (),
        )


def _number_of_draft(title: JSON) -> tuple[int, ...]:
    """Return the number in a draft's title: "Draft 2", "Second draft", "draft two (cuts)"."""
    words = _WORD.findall(str(title))
    numbers = (int(word) if word.isdecimal() else read_numeral(word) for word in words)
    return next(((number,) for number in numbers if number is not None), ())


def _flatten(scenes: JSON) -> Iterator[str]:
    if isinstance(scenes, str) and scenes.strip():
        yield scenes.strip()
    elif isinstance(scenes, int | float) and not isinstance(scenes, bool):
        yield str(scenes)
    elif isinstance(scenes, list):
        for scene in scenes:
            yield from _flatten(scene)


def _below(path: str, folder: JSON) -> str:
    relative = folder.strip("/ ") if isinstance(folder, str) else ""
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
    return "" if joined == "." or joined.startswith("..") else joined


# -- Names of files and folders ------------------------------------------------------------------

_MANUSCRIPT = re.compile(
    r"""(?:the\s+)?(?:
    manuscripts?|chapters?|scenes?|drafts?|books?|novels?|story|stories|text|prose
    |manuskript|manuscrit|manuscrito|manoscritto
    |kapitel|chapitres|cap[ií]tulos|capitoli|hoofdstukken|szenen|scènes|escenas|cenas)
    (?:\s+(?:\d+|[ivx]+))?""",
    re.IGNORECASE | re.VERBOSE,
)
_ELSEWHERE = re.compile(
    r"""(?:\d+\s*[-._)]*\s*)?(?:
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
    rf"({_LABELS})(?![a-z])\.?[\s_-]*(?:the\s+)?" + _NUMERAL,
    re.IGNORECASE,
)
_LABELLED_BEHIND = re.compile(
    rf"(?P<title>.*\S)\s*(?:[-–—,:]\s*|[(\[])(?P<label>(?:{'|'.join(_PARTS)})\b.*?)[)\]]?",
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
        own = ((0,) if edge[1] else (LAST, 0)) if edge and inside else _labelled(file)[0]
        if not own and (inside or not _is_elsewhere(file)):
            own = _bare(file, is_inside=inside)
        if own or not around.labels.isdisjoint(_CHAPTERS):
            is_scene = own and not around.labels.isdisjoint(_CHAPTERS)
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
        key += numbers or (_bare(folder, is_inside=True) if inside and key == () else ())
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
    found = _labelled(name)
    behind = None if found[0] or _is_elsewhere(name) else _LABELLED_BEHIND.fullmatch(name.strip())
    return _labelled(behind["label"]) if behind else found


def _labelled(name: str) -> tuple[tuple[int, ...], set[str]]:
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


def _bare(name: str, *, is_inside: bool) -> tuple[int, ...]:
    """Parse "01 - Arrival", and inside the manuscript also "1 Arrival", "1" and "1.2 Arrival"."""
    found = _NUMBERED.match(name)
    if found is None:
        return ()
    first, second, separator = found.groups()
    if not is_inside and (not separator.strip() or second):
        return ()
    return (int(first), int(second)) if second else (int(first),)


@hookimpl
def register_reading_orders() -> Iterable[ReadingOrder]:
    """Return the readers `frontmatter`, `storyline`, `longform` and `numbered`."""
    return [FrontmatterOrder(), StorylineOrder(), LongformOrder(), NumberedOrder()]
