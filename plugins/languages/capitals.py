"""Tell what a capital means in the language of a text, recognised by its frequent words."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from writeros_entities import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

_ENGLISH: Final = (" the ", " and ", " of ", " to ", " with ", " was ", " is ")
_GERMAN: Final = (" und ", " der ", " die ", " das ", " ist ", " nicht ", " ein ", " eine ")
_SHORTEST: Final = 160
"""The fewest characters in which a language can be recognised by its frequent words."""

_PER_WORD: Final = 250
"""A text in a language has at least one of its frequent words per this many characters."""

_GERMAN_NOUN: Final = re.compile(
    r"\b(?i:d(?:er|ie|as|es|em|en)|(?:[mds]?ein|kein|ihr|unser)(?:e[mnrs]?)?|(?:jed|dies)e[mnrs]?"
    r"|am|ans|beim|im|ins|vom|zu[mr]) +([^\W\d_]+)"
)
"""Matches a German noun after an article, a possessive or a contraction such as *im*."""

_INSIDE: Final = re.compile(r"[^\W\d_](?:[,;]? |['’])\Z")


def stands_inside(text: str, start: int) -> bool:
    """Say whether a word follows another word of the same sentence."""
    return _INSIDE.search(text[max(0, start - 3) : start]) is not None


def goes_on(text: str, end: int) -> bool:
    """Say whether a lower-case word follows, unlike in a heading or a list item."""
    return text.startswith(" ", end) and text[end + 1 : end + 2].islower()


class TextLanguage:
    """The language of a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def may_be_english(self) -> bool:
        """Whether the text is English, or too short to tell."""
        return self._length < _SHORTEST or self._has(_ENGLISH)

    @cached_property
    def is_english(self) -> bool:
        """Whether the text is English, also if it is short, and has next to no German."""
        if self._length >= _SHORTEST:
            return self._has(_ENGLISH) and not self._has(_GERMAN)
        return any(map(self._text.__contains__, _ENGLISH)) and not any(
            map(self._text.__contains__, _GERMAN)
        )

    @cached_property
    def is_german(self) -> bool:
        """Whether the text is German, where every noun has a capital."""
        return not self.may_be_english and self._has(_GERMAN)

    @cached_property
    def may_be_german(self) -> bool:
        """Whether the text is German, or too short to tell and has a German word but no English."""
        if self._length >= _SHORTEST:
            return self.is_german
        has_english, has_german = (
            any(map(self._text.__contains__, words)) for words in (_ENGLISH, _GERMAN)
        )
        return has_german and not has_english

    @cached_property
    def nouns(self) -> Set[str]:
        """The German nouns that follow a determiner; empty in other languages."""
        return set(_GERMAN_NOUN.findall(self._text)) if self.is_german else frozenset()

    @cached_property
    def _length(self) -> int:
        return len(self._text) - self._text.count(HIDDEN)

    def _has(self, words: Sequence[str]) -> bool:
        count = 0
        for word in words:
            count += self._text.count(word)
            if count > self._length // _PER_WORD:
                return True
        return False
