"""Find passages that say nearly the same: recaps, copies, a scene and its earlier draft.

Two passages that both have vectors are near duplicates if their cosine is at least 0.95. Other
pairs are compared by their shingles, all runs of three words (A. Broder, "On the resemblance and
containment of documents", 1997). With S the set of a passage's shingles:

    resemblance(a, b) = |S(a) ∩ S(b)| / |S(a) ∪ S(b)|        near duplicates from 0.5 on
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers, Vector

NEAR_COSINE = 0.95
NEAR_RESEMBLANCE = 0.5
SHINGLE = 3

_DIGITS = 6
"""Decimals of a cosine that are kept: engines and machines sum in different orders."""

_WORD = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\\w+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def group_near_duplicates(
    texts: Sequence[str], vectors: Sequence[Vector | None], about: Sequence[Set[int]]
) -> list[int]:
    """Return, for each passage, the index of the first passage that says nearly the same.

    A passage without an earlier near duplicate has its own index, as has one that is `about`
    somebody the earlier one is not about: what is said of one guard is not said of the other.
    """
    groups = list(range(len(texts)))
    for one, other in sorted(_near(texts, vectors)):
        # Sorted: the group of `one` is settled before anything is compared with it.
        if groups[one] == one and groups[other] == other and about[other] <= about[one]:
            groups[other] = one
    return groups


def _near(texts: Sequence[str], vectors: Sequence[Vector | None]) -> set[tuple[int, int]]:
    with_vector = [place for place, vector in enumerate(vectors) if vector is not None]
    pairs = _by_cosine(with_vector, [one for one in vectors if one is not None])
    if len(with_vector) < len(texts):
        known = set(with_vector)
        pairs |= {pair for pair in _by_shingles(texts) if not known.issuperset(pair)}
    return pairs


def _by_cosine(places: Sequence[int], vectors: Sequence[Vector]) -> set[tuple[int, int]]:
    if len(vectors) < 2:
        return set()
    matrix = np.array(vectors, np.float64)
    near = np.triu((matrix @ matrix.T).round(_DIGITS) >= NEAR_COSINE, 1)
    return {(places[one], places[other]) for one, other in np.argwhere(near).tolist()}


def _by_shingles(texts: Sequence[str]) -> set[tuple[int, int]]:
    shingles = _shingles(texts)
    owners = np.repeat(np.arange(len(texts)), [len(one) for one in shingles])
    every = np.concatenate([*shingles, np.empty(0, np.int64)])
    order = np.argsort(every, kind="stable")
    starts = np.unique(every[order], return_index=True)[1]
    ends = np.append(starts[1:], len(every))
    shared: Counter[tuple[int, int]] = Counter()
    for at in np.flatnonzero(ends - starts > 1):
        shared.update(combinations(owners[order[starts[at] : ends[at]]].tolist(), 2))
    return {
        (one, other)
        for (one, other), number in shared.items()
        if number / (len(shingles[one]) + len(shingles[other]) - number) >= NEAR_RESEMBLANCE
    }


def _shingles(texts: Sequence[str]) -> list[Integers]:
    """Return the set of shingles of each text, as integers.

    Words are numbered in order of appearance; the numbers of a shingle's three words are the digits
    of its code.
    """
    written = [_words(text) for text in texts]
    number = {word: at for at, word in enumerate(dict.fromkeys(chain.from_iterable(written)))}
    numbered = [
        np.fromiter(map(number.__getitem__, words), np.int64, len(words)) for words in written
    ]
    found = []
    for words in numbered:
        code = np.zeros(max(len(words) - SHINGLE + 1, 0), np.int64)
        for at in range(SHINGLE):
            code = code * len(number) + words[at : len(code) + at]
        found.append(np.unique(code))
    return found


def _words(text: str) -> list[str]:
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return pattern.findall(text.casefold())
