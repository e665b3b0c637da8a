"""Recognise the names of animals, which do much that people do, by how they are introduced.

    our dog Waffles         his old mare, Juno, stood still
    a cat called Miso       Waffles, our dog, barked

In speech, whoever is named after a comma may be addressed: "I have seen her dog, Ann."
"""

from __future__ import annotations

import re
from typing import Final

from .words import ANIMAL_NOUNS

_NAMED: Final = frozenset({"called", "named"})
_ANNOUNCING: Final = ANIMAL_NOUNS | _NAMED | {f"{noun}," for noun in ANIMAL_NOUNS}
_OWNERS: Final = ("my", "our", "his", "her", "their")
_BEHIND: Final = tuple(f", {owner} " for owner in (*_OWNERS, "a", "an"))
_NOUN: Final = rf"(?:[a-z-]+\s)?(?:{'|'.join(sorted(ANIMAL_NOUNS))})"
_BEFORE: Final = re.compile(
    rf"(?:\b(?:{'|'.join(_OWNERS)}|your)|['’]s)\s{_NOUN}(?P<comma>,)?\s\Z"
    rf"|\ban?\s{_NOUN},?\s(?:{'|'.join(_NAMED)})\s\Z",
    re.IGNORECASE,
)
_APPOSITION: Final = re.compile(rf",\s[a-z]+\s{_NOUN}(?:[.;:!?)]|,(?! and | or ))")
_ENDING: Final = (",", ".", ";", ":", ")")
_QUOTE: Final = re.compile(r"[\"“”«»„‘]|(?<!\w)'")
_REACH: Final = 40


def is_animal(page: str, start: int, end: int, before: str) -> bool:
    """Say whether the words around a name introduce it as an animal's; `before` is the last one."""
    if before in _ANNOUNCING:
        found = _BEFORE.search(page, max(0, start - _REACH), start)
        if found is not None:
            return found["comma"] is None or (
                page.startswith(_ENDING, end) and not _is_spoken(page, start)
            )
    if not page.startswith(_BEHIND, end):
        return False
    return _APPOSITION.match(page, end) is not None and not _is_spoken(page, start)


def _is_spoken(page: str, start: int) -> bool:
    """Say whether the line up to here has any quotation mark."""
    return _QUOTE.search(page, page.rfind("\n", 0, start) + 1, start) is not None
