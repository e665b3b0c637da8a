"""Vectors of the windows of a text, as the row of its own vector holds them: eight bits a number.

A window's vector is kept as a scale and one signed byte for each of its dimensions:

    v ≈ scale · bytes,  scale = max |v| / 127

which moves a cosine by about 0.001 and takes a quarter of the room. They are read for the few
chunks that search has already found likely, and on every engine compared by the same arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, select

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.cosines import DIGITS
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.products import products
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.store.view import View

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


def best_windows(
    view: View, model: str, query: Floats, chunk_ids: NDArray[np.int64]
) -> dict[int, float]:
    """Return, for those of these chunks that have windows, the greatest cosine with a query.

    `model` is the identity of the model that made the query, of shape (dimensions,). Chunks that
    the view does not see are left out.
    """
    chunks = visible_chunks(view)
    asked = chunks.rows_of(chunk_ids)
    hashes = [name.decode() for name in chunks.hashes[asked].tolist()]
    packed = dict(view.tuples(_windows(view), model=model, hashes=sorted(set(hashes))))
    layout = _layout(len(query))
    known = [(at, found) for at, name in enumerate(hashes) if (found := packed.get(name))]
    if not known:
        return {}
    cut = np.frombuffer(b"".join(found for _, found in known), layout)
    near = cut["scale"] * products(cut["values"].astype(np.float64), query.astype(np.float64))
    firsts = np.cumsum([0, *(len(found) // layout.itemsize for _, found in known[:-1])])
    cosines = np.maximum.reduceat(near, firsts).round(DIGITS)
    ids = chunks.ids[asked[[at for at, _ in known]]]
    return dict(zip(ids.tolist(), cosines.tolist(), strict=True))


def _layout(dimensions: int) -> np.dtype[Any]:
    return np.dtype([("scale", "<f4"), ("values", "i1", (dimensions,))])


@prepared
def _windows(scope: Scope) -> Select[Any]:
    embedding = scope.embedding
    return select(embedding.c.content_hash, embedding.c.windows).where(
        embedding.c.model == bindparam("model"),
        is_one_of(embedding.c.content_hash, "hashes"),
        embedding.c.windows.is_not(None),
    )
