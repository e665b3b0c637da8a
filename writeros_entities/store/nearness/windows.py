"""Vectors of the windows of a text, as the row of its own vector holds them: eight bits a number.

A window's vector is kept as a scale and one signed byte for each of its dimensions:

    v ≈ scale · bytes,  scale = max |v| / 127

which moves a cosine by about 0.001 and takes a quarter of the room. They are read for the few
chunks that search has already found likely, and on every engine compared by the same arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.store.nearness.cosines import DIGITS
from writeros_entities.store.nearness.products import products

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

GREATEST = 127


def pack_windows(windows: Floats) -> bytes | None:
    """Return vectors of shape (windows, dimensions) as one value to keep; None for none."""
    if not len(windows):
        return None
    packed = np.zeros(len(windows), _layout(windows.shape[1]))
    packed["scale"] = np.abs(windows).max(axis=1) / GREATEST
    scales = np.where(packed["scale"] > 0, packed["scale"], 1)[:, None]
    packed["values"] = np.rint(windows / scales)
    return packed.tobytes()


def best_windows(packed: Mapping[int, bytes], query: Floats) -> dict[int, float]:
    """Return the greatest cosine of the windows of each chunk with a query: (dimensions,)."""
    if not packed:
        return {}
    layout = _layout(len(query))
    cut = np.frombuffer(b"".join(packed.values()), layout)
    near = cut["scale"] * products(cut["values"].astype(np.float64), query.astype(np.float64))
    firsts = np.cumsum([0, *(len(found) // layout.itemsize for found in packed.values())])[:-1]
    cosines = np.maximum.reduceat(near, firsts).round(DIGITS)
    return dict(zip(packed, cosines.tolist(), strict=True))


def _layout(dimensions: int) -> np.dtype[Any]:
    return np.dtype([("scale", "<f4"), ("values", "i1", (dimensions,))])
