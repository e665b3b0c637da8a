"""Number words and Roman numerals."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .languages import LANGUAGES

_ENGLISH = {
    word: int(value)
    for language in LANGUAGES
    if language.code == "en"
    for word, value in language.words.numbers.items()
}
_CARDINALS = {value: word for word, value in reversed(_ENGLISH.items()) if "-" not in word}

UNITS = ("zero", *(_CARDINALS[value] for value in range(1, 20)))
TENS = tuple(_CARDINALS[value] for value in range(20, 100, 10))

NUMERALS: Mapping[str, int] = {
    **{word: value for value, word in enumerate(UNITS)},
    **{word: 10 * value for value, word in enumerate(TENS, start=2)},
}
"""The numbers that are a single word."""

_VALUES = {"zero": 0, "zeroth": 0, **{word: at for word, at in _ENGLISH.items() if at < 100}}
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", re.I)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def read_numeral(text: str) -> int | None:
    """Read a Roman numeral or an English number word up to ninety-nine; None for anything else."""
    if text and _ROMAN.fullmatch(text):
        values = [_ROMAN_VALUES[letter] for letter in text.lower()]
        following = [*values[1:], 0]
        return sum(
            -value if value < after else value
            for value, after in zip(values, following, strict=True)
        )
    first, _, second = text.lower().replace(" ", "-").partition("-")
    if not second:
        return _VALUES.get(first)
    tens, ones = _VALUES.get(first, 0), _VALUES.get(second, 0)
    return tens + ones if tens >= 20 and 0 < ones < 10 else None
