"""Word lists, written the way one reads them.

words("boat ship", "brig")  ->  ("boat", "ship", "brig")
"""

from __future__ import annotations


def words(*lines: str) -> tuple[str, ...]:
    """Return the words of some lines."""
    return tuple(word for line in lines for word in line.split())
