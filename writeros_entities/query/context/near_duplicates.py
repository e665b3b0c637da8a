"""Which of some passages say nearly the same: recaps, copies, a scene and its earlier draft.

Two passages that have vectors are compared by these: they are near duplicates from a cosine of 0.95
on. Others are compared by their shingles, every three words in a row, as A. Broder has it ("On the
resemblance and containment of documents", 1997): with S the set of a passage's shingles,

    resemblance(a, b) = |S(a) ∩ S(b)| / |S(a) ∪ S(b)|        near duplicates from 0.5 on
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Vector = NDArray[float32]

NEAR_COSINE = 0.95
NEAR_RESEMBLANCE = 0.5
SHINGLE = 3

_DIGITS = 6
"""Decimals of a cosine that count: engines and machines add in another order."""

_WORD = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]|\\w+")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def group_near_duplicates(texts: Sequence[str], vectors: Sequence[Vector | None]) -> list[int]:
    """Return, for each passage, the place of the first one that says nearly the same: its own as a
    rule.
    """
    groups = list(range(len(texts)))
    for one, other in sorted(_near(texts, vectors)):
        # In order: what `one` stands for is settled before anything is compared with it.
        if groups[one] == one and groups[other] == other:
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
    """Return the shingles of each text, as numbers: words are numbered as they come, and three
    numbers are digits of one.
    """
    number: dict[str, int] = {}
    numbered = [
        np.array([number.setdefault(word, len(number)) for word in _words(text)], np.int64)
        for text in texts
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
