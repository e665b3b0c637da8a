"""Vectors of a chunk's words, quantised to one bit per dimension, in the row of the chunk's vector.

    bits = (v · R > 0),    nearness(q, v) = (q · R) · (2 · bits - 1) / √dimensions

R is a fixed rotation that spreads the information evenly over all components; without it some
signs would carry much more than others. The nearness estimates the cosine, times √(2/π) ≈ 0.8 on
average: 0.8 for a vector with itself (after J. Gao, C. Long, "RaBitQ: Quantizing High-Dimensional
Vectors with a Theoretical Error Bound", 2024). Its error is about 1/√dimensions, which is small
compared with the differences between words, and it takes a thirty-second of the space of float32.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.similarity.cosines import DIGITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.arrays import Floats, Vector, Vectors

SIGNS = b"writeros-entities"
"""Seed of the rotation's random signs."""


def pack_words(words: Vectors) -> bytes | None:
    """Pack vectors of shape (words, dimensions) into bytes; return None if there are none."""
    if not len(words):
        return None
    return np.packbits(words @ _rotation(words.shape[1]) > 0, axis=1).tobytes()


def nearest_words(packed: Mapping[int, bytes], query: Vector) -> Floats:
    """Return, for each chunk and each query word, the nearness of the chunk's nearest word to it.

    `query` has shape (query words, dimensions), the result (chunks, query words).
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
    rounded: Floats = best.round(DIGITS)
    return rounded


@cache
def _rotation(dimensions: int) -> Vectors:
    """Return an orthogonal matrix: fixed random signs times the discrete cosine transform."""
    drawn = hashlib.shake_128(SIGNS).digest(-(-dimensions // 8))
    signs = np.unpackbits(np.frombuffer(drawn, np.uint8), count=dimensions) * 2.0 - 1.0
    at = np.arange(dimensions)
    waves = np.cos(np.pi * np.outer(2 * at + 1, at) / (2 * dimensions))
    waves *= np.sqrt(np.where(at == 0, 1, 2) / dimensions)
    return (signs[:, None] * waves).astype(np.float32)
