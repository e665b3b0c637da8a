"""Whether a capital says in a text what it says in English.

The finder of names has learned from English prose. Where none of the small words of English is to
be seen, a capital at the beginning of a sentence tells it nothing; and where all nouns have one, as
in German, no capital does.
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
"""Characters of the shortest text that is long enough to tell a language by its small words."""

_PER_WORD: Final = 250
"""In so many characters of a language stands one of its small words, and rather several."""

_INSIDE: Final = re.compile(r"[^\W\d_][,;]? $")


def keep_capitals(page: str, found: Sequence[FoundName]) -> Sequence[FoundName]:
    """Return the names whose capitals say that they are names, in the language of the page."""
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
    """Say whether some of these words stand in a text, and so many times."""
    count = 0
    for word in words:
        count += page.count(word)
        if count > number:
            return True
    return False
