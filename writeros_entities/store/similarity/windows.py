"""Vectors of a chunk's windows, quantised to eight bits, in the row of the chunk's vector.

Each window is stored as a scale and one signed byte for each dimension:

    v ≈ scale · bytes,  scale = max |v| / 127

which changes a cosine by about 0.001 and takes a quarter of the space of float32. They are read
only for the few chunks that search already considers likely, and compared by the same code on every
engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.store.similarity.cosines import DIGITS, products

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.arrays import Floats, Vector, Vectors

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
