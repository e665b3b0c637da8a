"""What stands between two names, in a language whose sentences no parser reads.

Wim, den Bruder von Ann      an aside: he is her brother
Anns Bruder Wim              whose he is, by the ending of a name
In Vantry liegt der Schwan   where something is, with the place first
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from writeros_entities import DecidedMention, Words

from .keys import Key, Keys

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_ASIDE = (",", "(")
_PAUSE = re.compile(r"[,;:.!?()–—|]")


class Pair(NamedTuple):
    """What is said of `about` in relation to `other`."""

    key: Key
    about: DecidedMention
    other: DecidedMention


class PairReader:
    """Reads what names that follow each other in a sentence are to each other.

    `visible` returns the text between two offsets, `name_of` the name of an entity.
    """

    def __init__(
        self,
        keys: Keys,
        words: Words,
        visible: Callable[[int, int], str],
        name_of: Callable[[str], str],
    ) -> None:
        self._keys, self._words, self._visible, self._name_of = keys, words, visible, name_of

    def read(self, begin: int, names: Sequence[DecidedMention]) -> Iterator[Pair]:
        """Yield what names say of each other in a sentence that begins at `begin`."""
        is_fragment = bool(names) and self._leads(begin, names[0])
        for one, other in pairwise(names):
            between = self._visible(one.end, other.start)
            said = [word.lower() for word in _WORD.findall(between)]
            if not said or not self._words.doubt.isdisjoint(said):
                continue
            if between.lstrip().startswith(_ASIDE):
                key = self._keys.before_name(between.lstrip(" ,("))
                is_next = is_fragment and said[0] not in self._words.leading
                if key is not None and key.is_nominal and not is_next:
                    yield Pair(key, one, other)
            elif not _PAUSE.search(between):
                yield from self._owned(one, other, said)
                yield from self._within(_WORD.findall(self._visible(begin, one.start)), one, other)

    def _leads(self, begin: int, first: DecidedMention) -> bool:
        """Say whether words lead to the first name: "Tochter von Ann, Schülerin von Wim"."""
        return self._keys.before_name(self._visible(begin, first.start)) is not None

    def _owned(
        self, one: DecidedMention, other: DecidedMention, said: Sequence[str]
    ) -> Iterator[Pair]:
        """Yield what a name is to the one before it, whose ending says "'s": "Anns Bruder Wim"."""
        name = self._name_of(one.entity)
        is_owner = any(one.surface == f"{name}{ending}" for ending in self._words.possessive)
        for key in self._keys.of_role(said) if is_owner else ():
            yield Pair(key, other, one)

    def _within(
        self, lead: Sequence[str], one: DecidedMention, other: DecidedMention
    ) -> Iterator[Pair]:
        """Yield that something is in the place before it: "In Vantry liegt der Gasthof Schwan"."""
        verb, *rest = [word.lower() for word in _WORD.findall(self._visible(one.end, other.start))]
        case = lead[0].lower() if lead else ""
        is_opening = case in self._keys.cases and self._words.leading.issuperset(
            word.lower() for word in lead[1:]
        )
        is_plain = all(word in self._words.leading or word in self._words.nouns for word in rest)
        key = self._keys.of_verb(f"{verb} {case}") if is_opening and is_plain else None
        if key is not None:
            yield Pair(key, other, one)
