"""Lists of words, written the way one reads them.

words("boat ship", "brig") == ("boat", "ship", "brig")
"""

from __future__ import annotations


def words(*lines: str) -> tuple[str, ...]:
    """Return the words of some lines, in their order."""
    return tuple(word for line in lines for word in line.split())


def word_set(*lines: str) -> frozenset[str]:
    """Return the words of some lines, to look others up in."""
    return frozenset(words(*lines))
