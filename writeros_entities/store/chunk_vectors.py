"""Vectors of a chunk's windows and words, quantised, read for few candidates.

Vectors of a chunk's windows, quantised to eight bits, in the row of the chunk's vector.

Each window is stored as a scale and one signed byte for each dimension:

    v ≈ scale · bytes,  scale = max |v| / 127

which changes a cosine by about 0.001 and takes a quarter of the space of float32. They are read
only for the few chunks that search already considers likely, and compared by the same code on every
engine.

Vectors of a chunk's words, quantised to one bit per dimension, in the row of the chunk's vector.

    bits = (v · R > 0),    nearness(q, v) = (q · R) · (2 · bits - 1) / √dimensions

R is a fixed rotation that spreads the information evenly over all components; without it some
signs would carry much more than others. The nearness estimates the cosine, times √(2/π) ≈ 0.8 on
average: 0.8 for a vector with itself (after J. Gao, C. Long, "RaBitQ: Quantizing High-Dimensional
Vectors with a Theoretical Error Bound", 2024). Its error is about 1/√dimensions, which is small
compared with the differences between words, and it takes a thirty-second of the space of float32.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sqlalchemy import bindparam, select

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.similarity import DIGITS, products

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.arrays import Floats, Integers, Vector, Vectors
    from writeros_entities.store.view import StoredView


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


GREATEST = 127


def pack_windows(windows: Vectors) -> bytes | None:
    """Pack vectors of shape (windows, dimensions) into bytes; return None if there are none."""
    if not len(windows):
        return None
    packed = np.zeros(len(windows), _layout(windows.shape[1]))
    packed["scale"] = np.abs(windows).max(axis=1) / GREATEST
    scales = np.where(packed["scale"] > 0, packed["scale"], 1)[:, None]
    packed["values"] = np.rint(windows / scales)
    return packed.tobytes()


def best_windows(packed: Mapping[int, bytes], query: Vector) -> dict[int, float]:
    """Return the greatest cosine of each chunk's windows with a query, (dimensions,)."""
    if not packed:
        return {}
    size = _layout(len(query)).itemsize
    firsts = np.cumsum([0, *(len(found) // size for found in packed.values())])[:-1]
    cosines = np.maximum.reduceat(_cosines(b"".join(packed.values()), query), firsts)
    return dict(zip(packed, cosines.tolist(), strict=True))


def nearest_window(packed: bytes, query: Vector) -> int:
    """Return the place of the first of a chunk's windows with the greatest cosine with a query."""
    return int(_cosines(packed, query).argmax())


def _cosines(packed: bytes, query: Vector) -> Floats:
    cut = np.frombuffer(packed, _layout(len(query)))
    near = cut["scale"] * products(cut["values"].astype(np.float64), query.astype(np.float64))
    return near.round(DIGITS)


def _layout(dimensions: int) -> np.dtype[Any]:
    return np.dtype([("scale", "<f4"), ("values", "i1", (dimensions,))])


@dataclass(frozen=True, slots=True)
class CandidateVectors:
    """Packed vectors of windows and of words, by chunk id; chunks without any are left out."""

    windows: Mapping[int, bytes]
    words: Mapping[int, bytes]


def read_candidate_vectors(view: StoredView, model: str, chunk_ids: Integers) -> CandidateVectors:
    """Return the packed window and word vectors of chunks under a model's identity.

    Chunks that the view cannot see are left out.
    """
    chunks = visible_chunks(view)
    asked = chunks.rows_of(chunk_ids)
    hashes = [name.decode() for name in chunks.hashes[asked].tolist()]
    packed = view.fetch(_Packed, _packed(view), model=model, hashes=sorted(set(hashes)))
    found = {one.content_hash: one for one in packed}
    kept = [
        (chunk, found[name])
        for chunk, name in zip(chunks.ids[asked].tolist(), hashes, strict=True)
        if name in found
    ]
    return CandidateVectors(
        {chunk: one.windows for chunk, one in kept if one.windows},
        {chunk: one.words for chunk, one in kept if one.words},
    )


class _Packed(NamedTuple):
    """The vectors of a text."""

    content_hash: str
    windows: bytes | None
    words: bytes | None


@prepared
def _packed(scope: Scope) -> Query:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.windows, embedding.c.words).where(
        embedding.c.model == bindparam("model"), is_one_of(embedding.c.content_hash, "hashes")
    )
