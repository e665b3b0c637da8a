"""Read the reading order from the index note of a Longform project."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from writeros_entities import JSON, OrderClaim

from .names import book_of, read_number
from .properties import parse_number

DRAFTS = "Drafts"
"""The folder of the drafts of a project of Longform's first version, unless its settings say else.
"""

_WORD = re.compile(r"\d{1,9}|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class LongformOrder:
    """Reads the index note of a Longform project: its scenes, nested or not, in order."""

    name: str = "longform"

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> OrderClaim | None:
        """Return the names of the scenes and their folder.

        Each draft has an index note of its own, with the title of the work, and `source` says which
        draft it is. If one note lists several drafts, as in old versions of Longform, the last one
        counts; in the first version their folders were in one for drafts.
        """
        index = frontmatter.get("longform")
        is_first_format = index is None and "version" in frontmatter
        if not isinstance(index, dict) and not is_first_format:
            return None
        index = index if isinstance(index, dict) else {}
        drafts = frontmatter.get("drafts", index.get("drafts"))
        if "scenes" not in index and isinstance(drafts, list) and drafts:
            last = drafts[-1]
            index = last if isinstance(last, dict) else index
        scenes = tuple(_flatten(index.get("scenes")))
        if not scenes:
            return None
        folder = index.get("sceneFolder", index.get("folder", "/"))
        if is_first_format:
            folder = posixpath.join(DRAFTS, str(folder))
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
    numbers = map(read_number, words)
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
