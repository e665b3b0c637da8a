"""Word boundaries, in scripts with and without spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_UNSPACED_RANGES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff"
)
_UNSPACED = re.compile(f"[{_UNSPACED_RANGES}]")
_SPACED_WORD = re.compile(f"[^\\W_{_UNSPACED_RANGES}]+")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d]")
_PIECE = re.compile(f"{_SPACED_WORD.pattern}|{_KATAKANA.pattern}+|{_UNSPACED.pattern}|.", re.DOTALL)


def is_boundary(text: str, index: int) -> bool:
    """Say whether a word can begin or end between `text[index - 1]` and `text[index]`."""
    return not 0 < index < len(text) or _are_apart(text[index - 1], text[index])


@lru_cache(maxsize=1 << 14)
def _are_apart(before: str, after: str) -> bool:
    if not (_is_word(before) and _is_word(after)):
        return True
    if before.isascii() and after.isascii():
        return False
    if _KATAKANA.match(before) and _KATAKANA.match(after):
        return False
    return is_unspaced(before) or is_unspaced(after)


def spaced_words(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words of scripts that use spaces, each with its offset.

    Combining marks that do not compose with a letter count as part of a word, as for boundaries.
    """
    return ((found.start(), found[0]) for found in _SPACED_WORD.finditer(_without_marks(text)))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of everything between two boundaries, blanks and marks included."""
    return map(re.Match.span, _PIECE.finditer(_without_marks(text)))


def first_piece(text: str) -> str:
    """Return the part of a text before its first boundary."""
    found = _PIECE.match(_without_marks(text))
    return "" if found is None else text[: found.end()]


def _without_marks(text: str) -> str:
    """Return a text of the same length in which combining marks of spaced scripts are digits."""
    if text.isascii():
        return text
    loose = [each for each in set(text) if _is_word(each) and not each.isalnum()]
    marks = [ord(each) for each in loose if not is_unspaced(each)]
    return text.translate(dict.fromkeys(marks, "0"))


def is_unspaced(character: str) -> bool:
    """Say whether a character's script writes words without spaces, or joins endings to names."""
    return _UNSPACED.match(character) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or (
        character > "\u02ff" and unicodedata.category(character)[0] == "M"
    )
