"""Vectors of the words of a text, as the row of its own vector holds them: a bit a dimension.

    bits = (v · R > 0),    nearness(q, v) = (q · R) · (2 · bits - 1) / √dimensions

R is a rotation that is the same everywhere: without it some components would tell much more than
others, and a sign would say the same of all. The nearness estimates the cosine, √(2/π) ≈ 0.8 times
as great in the mean: 0.8 for a vector with itself (after J. Gao, C. Long, "RaBitQ: Quantizing
High-Dimensional Vectors with a Theoretical Error Bound", 2024). It is off by about 1/√dimensions,
which is little beside what tells two words apart, and takes a thirty-second of the room.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.nearness.cosines import DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SIGNS = b"writeros-entities"
"""What the signs of the rotation are drawn from."""


def pack_words(words: Floats) -> bytes | None:
    """Return vectors of shape (words, dimensions) as one value to keep; None for none."""
    if not len(words):
        return None
    return np.packbits(words @ _rotation(words.shape[1]) > 0, axis=1).tobytes()


def nearest_words(packed: Mapping[int, bytes], query: Floats) -> NDArray[np.float64]:
    """Return how near the nearest word of each chunk comes to each word of a query.

    From what is kept of each chunk, and the query's vectors, of shape (words, dimensions): an array
    of shape (chunks, words).
    """
    count, dimensions = query.shape
    if not packed:
        return np.empty((0, count))
    width = -(-dimensions // 8)
    kept = np.frombuffer(b"".join(packed.values()), np.uint8).reshape(-1, width)
    bits = np.unpackbits(kept, axis=1, count=dimensions).astype(np.float32)
    turned = query @ _rotation(dimensions)
    near = 2 * np.einsum("ij,kj->ik", bits, turned) - turned.sum(axis=1)
    firsts = np.cumsum([0, *(len(found) // width for found in packed.values())])[:-1]
    best = np.maximum.reduceat(near, firsts, axis=0).astype(np.float64) / dimensions**0.5
    rounded: NDArray[np.float64] = best.round(DIGITS)
    return rounded


@cache
def _rotation(dimensions: int) -> Floats:
    """Return signs that were drawn once, times the cosine transform of this size: orthogonal."""
    drawn = hashlib.shake_128(SIGNS).digest(-(-dimensions // 8))
    signs = np.unpackbits(np.frombuffer(drawn, np.uint8), count=dimensions) * 2.0 - 1.0
    at = np.arange(dimensions)
    waves = np.cos(np.pi * np.outer(2 * at + 1, at) / (2 * dimensions))
    waves *= np.sqrt(np.where(at == 0, 1, 2) / dimensions)
    return (signs[:, None] * waves).astype(np.float32)
