"""Whether line breaks end paragraphs: they do for a writer who leaves no line empty.

    break_paragraphs(['"Sit," said Ann.', '"Why?"'])                    ->  True
    break_paragraphs(["She sat down by the", "window and waited."])     ->  False

Markdown reads a single break as a space, Obsidian shows it. Lines that are wrapped to a width break
off anywhere in a sentence, and those that a writer ends with Enter hardly ever do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_WIDEST = 120
"""Characters of a line to which nobody wraps lines."""

_MOST = 2 / 3
"""Of the breaks, how many stand where a sentence ends, where they are the writer's own."""

_CLOSED = re.compile(r"[.!?…:—–-][\"'”’»›」』)\]*_~=\\]*\s*\Z")


def break_paragraphs(lines: Iterable[str]) -> bool:
    """Say whether the breaks behind lines, as these stand in one text, end paragraphs."""
    broken = list(lines)
    closed = sum(map(ends_sentence, broken))
    return closed > 0 and (
        closed > _MOST * len(broken) or any(len(line) > _WIDEST for line in broken)
    )


def ends_sentence(line: str) -> bool:
    """Say whether a line ends as a sentence or a speech does."""
    return _CLOSED.search(line) is not None
