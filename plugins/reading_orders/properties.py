"""Read places in the reading order from properties of notes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from writeros_entities import JSON, OrderClaim

from .names import book_of, labels, read_bare, read_labelled, read_number

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


_LINK = re.compile(r"\[\[(?:[^\[\]|#]*/)?(?P<name>[^\[\]|#/]+?)(?:[#|][^\[\]]*)?\]\]")


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
    return read_labelled(name)[0] or read_bare(name, is_inside=True)


def _join(numbers: Mapping[str, tuple[int, ...]], *keys: str) -> tuple[int, ...]:
    return tuple(number for key in keys for number in numbers.get(key, ()))
