"""Decide whether capitals mark names in the language of a text, as they do in English.

The name finder was trained on English prose. In a text without frequent English words, a capital at
the start of a sentence is no evidence; and in a language such as German, where all nouns are
capitalised, no capital is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from writeros_entities import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .names import FoundName

_ENGLISH: Final = (" the ", " and ", " of ", " to ", " with ", " was ", " is ")
_GERMAN: Final = (" und ", " der ", " die ", " das ", " ist ", " nicht ", " ein ", " eine ")
_SHORTEST: Final = 160
"""The fewest characters in which a language can be recognised by its frequent words."""

_PER_WORD: Final = 250
"""A text in a language has at least one of its frequent words per this many characters."""

_INSIDE: Final = re.compile(r"[^\W\d_][,;]? $")


def keep_capitals(page: str, found: Sequence[FoundName]) -> Sequence[FoundName]:
    """Return the names whose capitals are evidence, in the language of the page."""
    length = len(page) - page.count(HIDDEN)
    if not found or length < _SHORTEST or _has(page, _ENGLISH, length // _PER_WORD):
        return found
    if _has(page, _GERMAN, length // _PER_WORD):
        return []
    inside = {
        name.text for name in found if _INSIDE.search(page[max(0, name.start - 3) : name.start])
    }
    return [name for name in found if name.text in inside or " " in name.text]


def _has(page: str, words: Sequence[str], number: int) -> bool:
    """Say whether a text contains these words more than `number` times in all."""
    count = 0
    for word in words:
        count += page.count(word)
        if count > number:
            return True
    return False
