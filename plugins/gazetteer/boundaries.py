"""Where a word may begin or end, in scripts with spaces and without."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3040-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\uff66-\uff9d\U00020000-\U0003ffff]"
)
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d]")


def is_boundary(text: str, index: int) -> bool:
    """Tell whether a word can begin or end between `text[index - 1]` and `text[index]`."""
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


def is_unspaced(character: str) -> bool:
    """Tell whether a character's script writes words without spaces, or joins endings to names."""
    return _UNSPACED.match(character) is not None


def _is_word(character: str) -> bool:
    return character.isalnum() or (
        character > "\u02ff" and unicodedata.category(character)[0] == "M"
    )
