"""Tells languages apart by their small words, as far as a capital means something else in each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from writeros_entities import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENGLISH: Final = (" the ", " and ", " of ", " to ", " with ", " was ", " is ")
_GERMAN: Final = (" und ", " der ", " die ", " das ", " ist ", " nicht ", " ein ", " eine ")
_SHORTEST: Final = 160
"""Characters of the shortest text that is long enough to tell a language by its small words."""

_PER_WORD: Final = 250
"""In so many characters of a language stands one of its small words, and rather several."""


def may_be_english(text: str) -> bool:
    """Say whether a text is English, or too short to tell."""
    length = _length(text)
    return length < _SHORTEST or _has(text, _ENGLISH, length // _PER_WORD)


def is_german(text: str) -> bool:
    """Say whether a text is German, where every noun has a capital."""
    return _has(text, _GERMAN, _length(text) // _PER_WORD)


def _length(text: str) -> int:
    return len(text) - text.count(HIDDEN)


def _has(page: str, words: Sequence[str], number: int) -> bool:
    """Say whether some of these words stand in a text, and so many times."""
    count = 0
    for word in words:
        count += page.count(word)
        if count > number:
            return True
    return False
