"""Find the names of species and peoples, which stand in the sheets of those who belong to them.

    species: Halfling        **Race:** Half-Elf / Sylvar        Raça:: Meio-orc

A word that the language has for any being, "human" or "dog", is no name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..languages import LANGUAGES
from .telling import sorts
from .uses import is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from writeros_entities import Note

_LONGEST: Final = 60
_LINE: Final = re.compile(
    rf"^[^\w\n]*+([^\W\d_][^\W\d_ ]{{1,{_LONGEST}}}+)[*_]*+:{{1,2}}[*_]*+[ \t]++([^\n]++)$",
    re.MULTILINE,
)
"""Matches a label and its value, in a property, a field or a line."""

_SEVERAL: Final = re.compile(r"[,/;&]")
_REMARK: Final = re.compile(r"[(\[<|].*", re.DOTALL)
_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]++(?:[ '’-][^\W\d_]++){0,2}")
_MARKS: Final = " \t*_\"'“”."


def find_species(note: Note) -> Iterator[str]:
    """Yield the names of the species and peoples that a sheet states."""
    for line in _LINE.finditer(note.text):
        if line[1].casefold() not in _labels():
            continue
        for value in _SEVERAL.split(_REMARK.sub("", line[2])):
            name = value.strip(_MARKS)
            low = name.casefold()
            if _NAME.fullmatch(name) and low not in sorts() and not is_word(low):
                yield name


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    tables = (language.words.labels for language in LANGUAGES)
    return frozenset(label for one in tables for label, means in one.items() if means == "species")
