"""Word lists in readable source form.

words("boat ship", "brig") == ("boat", "ship", "brig")
"""

from __future__ import annotations


def words(*lines: str) -> tuple[str, ...]:
    """Return the words of some lines, in order."""
    return tuple(word for line in lines for word in line.split())


def word_set(*lines: str) -> frozenset[str]:
    """Return the words of some lines as a set."""
    return frozenset(words(*lines))
