"""Readers of reading order: from a note's properties, an index note, or the names of files.

    frontmatter   chapter: 7            Part Two, chapter 1 is (2, 1)
    storyline     act, chapter and sequence of a StoryLine scene
    longform      the scenes of a Longform index note, in order
    sessions      "Session 7.md", "S04 Fog.md", "Sessions/2024-03-20.md"
    numbered      "Chapter 3.md", "Part 2/01 - Arrival.md", "Kapitel 3.md"

Keys are compared as tuples, so the notes of one manuscript should use one scheme. If the numbers
start again in each book of a series, the numbers of the folders (`Book 2`) distinguish the books.
They say where a note stands if it is part of the manuscript; whether it is, its role says.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import ReadingOrder, hookimpl

__version__ = "9"


@hookimpl
def register_reading_orders() -> Iterable[ReadingOrder]:
    """Return the readers `frontmatter`, `storyline`, `longform`, `sessions` and `numbered`."""
    from .longform import LongformOrder
    from .names import NumberedOrder
    from .properties import FrontmatterOrder, StorylineOrder
    from .sessions import SessionOrder

    return [
        FrontmatterOrder(),
        StorylineOrder(),
        LongformOrder(),
        SessionOrder(),
        NumberedOrder(),
    ]
