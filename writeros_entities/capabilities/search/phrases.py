"""Find the terms that texts share without links: names, and phrases of plain words.

    words = read_words(["Lin Yue lit the storm lamp.", "The storm lamp of Vantry"])
    find_names(words)     # Lin Yue, Vantry
    find_pairs(words)     # storm lamp, twice

A name is a run of capitalised words, a phrase two adjacent lower-case words. Stop words, numbers
and punctuation end both, as in RAKE (S. Rose, D. Engel, N. Cramer, W. Cowley, "Automatic Keyword
Extraction from Individual Documents", 2010). All texts are processed together, as arrays with one
element for each token: that takes a tenth of the time of one text after the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.language.inflections import STOP_WORDS
from writeros_entities.names import fold_name

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Keys

LONGEST = 8
"""The most tokens in a name."""

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]|\n\s*\n")
BREAK = "\n\n"
"""Follows every text: no name or phrase reaches across an empty line."""

_ENDING = re.compile(r"['’]s\Z")
_BASE = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ over the golden ratio, rounded to an odd number: the base of the hash of several words."""


@dataclass(frozen=True, eq=False)
class Words:
    """Texts as tokens (words and punctuation marks): for each, its text and its spelling.

    `text` has the index of the token's text, `spelling` an index into `spellings`.
    """

    text: Integers
    spelling: Integers
    spellings: Sequence[str]

    def shown(self, place: int, length: int) -> str:
        """Return the words at a place, without a possessive ending on the last."""
        found = self.spelling[place : place + length].tolist()
        return _ENDING.sub("", " ".join(self.spellings[at] for at in found))

    @cached_property
    def ids(self) -> Keys:
        """The number of each token's word, the same for all its spellings."""
        return self._folded[0][self.spelling]

    @cached_property
    def is_capital(self) -> Flags:
        """Where a word is capitalised and can be part of a name."""
        return self._where(lambda word: word[0].isupper() and _is_content_word(word))

    @cached_property
    def is_plain(self) -> Flags:
        """Where a word begins with a lower-case letter and is not a stop word."""
        return self._where(
            lambda word: word[0].isalpha() and not word[0].isupper() and _is_content_word(word)
        )

    @cached_property
    def is_possessive(self) -> Flags:
        """Where a word ends in 's: the next one is not part of the same name."""
        return self._where(lambda word: _ENDING.search(word) is not None)

    def ids_of(self, name: str) -> tuple[int, ...]:
        """Return the numbers of a name's words; () if any of them occurs in no text."""
        known = self._folded[1]
        found = [known.get(_fold(word)) for word in _TOKEN.findall(name)]
        return tuple(at for at in found if at is not None) if None not in found else ()

    @cached_property
    def _folded(self) -> tuple[Keys, dict[str, int]]:
        numbers: dict[str, int] = {}
        column = [numbers.setdefault(_fold(word), len(numbers)) for word in self.spellings]
        return np.array(column, np.uint64), numbers

    def _where(self, is_so: Callable[[str], bool]) -> Flags:
        return np.array([is_so(word) for word in self.spellings], np.bool_)[self.spelling]


@dataclass(frozen=True, eq=False)
class Phrases:
    """Occurrences of phrases: the place of the first token, the number of tokens, and a key.

    Two occurrences are of the same phrase if their keys are equal.
    """

    place: Integers
    length: Integers
    key: Keys

    def covers(self, places: int) -> Flags:
        """Return, for each of `places` places, whether an occurrence covers it."""
        edges = np.bincount(self.place, minlength=places + 1)
        edges -= np.bincount(self.place + self.length, minlength=places + 1)
        return np.cumsum(edges)[:places] > 0

    def without(self, keys: Iterable[int]) -> Phrases:
        """Return the occurrences whose key is none of these."""
        kept = ~np.isin(self.key, np.fromiter(keys, np.uint64))
        return Phrases(self.place[kept], self.length[kept], self.key[kept])


def read_words(texts: Iterable[str]) -> Words:
    """Split texts into words and punctuation marks."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    spelled = []
    for text in texts:
        found = [*_TOKEN.findall(text), BREAK]
        spelled.append(np.fromiter(map(numbers.__getitem__, found), np.int32, len(found)))
    lengths = np.array([len(one) for one in spelled], np.int64)
    return Words(
        np.repeat(np.arange(len(spelled)), lengths),
        np.concatenate([*spelled, np.empty(0, np.int32)]).astype(np.int64),
        tuple(numbers),
    )


def find_names(words: Words, taken: Flags) -> Phrases:
    """Return the longest runs of capitalised words that are not taken."""
    return _runs(words, words.is_capital & ~taken)


def find_pairs(words: Words) -> Phrases:
    """Return every pair of adjacent plain words."""
    plain = words.is_plain
    places = np.flatnonzero(plain[:-1] & plain[1:] & ~words.is_possessive[:-1])
    return _phrases(words, places, np.full(len(places), 2))


def find_known(words: Words, names: Iterable[tuple[int, ...]]) -> Phrases:
    """Return the occurrences of names that are given by the numbers of their words.

    Of two that overlap the longer one is found. A single word must be capitalised.
    """
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for name in names:
        if 0 < len(name) <= LONGEST:
            by_length.setdefault(len(name), []).append(name)
    found = [np.empty(0, np.int64)]
    lengths = [np.empty(0, np.int64)]
    taken = np.zeros(len(words.ids), np.bool_)
    for length in sorted(by_length, reverse=True):
        asked = np.array(by_length[length], np.uint64)
        places = np.flatnonzero(
            np.isin(words.ids[: max(0, len(words.ids) - length + 1)], asked[:, 0])
        )
        keys = _keys(asked, np.arange(len(asked)) * length, length)
        places = places[np.isin(_keys(words.ids, places, length), keys)]
        if length == 1:
            places = places[words.is_capital[places]]
        span = places[:, None] + np.arange(length)
        places = places[~taken[span].any(axis=1)]
        taken[places[:, None] + np.arange(length)] = True
        found.append(places)
        lengths.append(np.full(len(places), length))
    joined, sizes = np.concatenate(found), np.concatenate(lengths)
    order = np.argsort(joined, kind="stable")
    return _phrases(words, joined[order], sizes[order])


def key_of(name: tuple[int, ...]) -> int:
    """Return the key of a name, given the numbers of its words."""
    return int(_keys(np.array(name, np.uint64), np.zeros(1, np.int64), len(name))[0])


def _runs(words: Words, inside: Flags) -> Phrases:
    """Return the longest runs of places inside, split after possessives."""
    before = np.zeros_like(inside)
    before[1:] = inside[:-1] & ~words.is_possessive[:-1]
    starts = np.flatnonzero(inside & ~before)
    goes_on = np.zeros_like(inside)
    goes_on[:-1] = inside[1:] & ~words.is_possessive[:-1]
    ends = np.flatnonzero(inside & ~goes_on)
    return _phrases(words, starts, np.minimum(ends - starts + 1, LONGEST))


def _phrases(words: Words, places: Integers, lengths: Integers) -> Phrases:
    keys = np.zeros(len(places), np.uint64)
    for length in np.unique(lengths).tolist():
        some = lengths == length
        keys[some] = _keys(words.ids, places[some], length)
    return Phrases(places, lengths, keys)


def _keys(ids: Keys, places: Integers, length: int) -> Keys:
    """Return Σ (id + 1) · B^k over the tokens at each place, modulo 2⁶⁴."""
    ids = ids.ravel()
    keys = np.zeros(len(places), np.uint64)
    for at in range(length):
        keys = keys * _BASE + ids[places + at] + np.uint64(1)
    return keys


def _fold(word: str) -> str:
    return _ENDING.sub("", fold_name(word)) or word


def _is_content_word(word: str) -> bool:
    return len(word) > 1 and _fold(word) not in STOP_WORDS
