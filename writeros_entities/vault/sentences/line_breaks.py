"""Decide whether single line breaks end paragraphs, as in texts without blank lines.

    break_paragraphs(['"Sit," said Ann.', '"Why?"'])                    ->  True
    break_paragraphs(["She sat down by the", "window and waited."])     ->  False

A single break is a space in Markdown, but Obsidian shows it. Lines wrapped at a fixed width break
anywhere within sentences, lines that a writer ends with Enter hardly ever do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from writeros_entities.vault.sentences.ends import CLOSING_MARKS

_WIDEST = 120
"""Lines longer than this are not wrapped at a fixed width."""

_MOST = 2 / 3
"""Least share of breaks at the end of a sentence, if they are the writer's own."""

_CLOSED = re.compile(rf"[.!?…:—–-][{CLOSING_MARKS})\]*_~=\\]*\s*\Z")


def break_paragraphs(lines: Iterable[str]) -> bool:
    """Return whether the breaks after these lines, all of one text, end paragraphs."""
    broken = list(lines)
    closed = sum(map(ends_sentence, broken))
    return closed > 0 and (
        closed > _MOST * len(broken) or any(len(line) > _WIDEST for line in broken)
    )


def ends_sentence(line: str) -> bool:
    """Return whether a line ends like a sentence or a speech."""
    return _CLOSED.search(line) is not None
