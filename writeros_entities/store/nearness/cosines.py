"""How near vectors are to a query: the arithmetic that every engine's search ends with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.nearness.products import products

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGITS = 6
"""Decimals that a cosine keeps, so that engines which add in another order say the same."""

SPARE = 20
"""How many more than asked for an engine finds by its own arithmetic, to be scored by ours."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """Chunks and their cosines with a query, nearest first; equal ones in reading order."""

    chunk_ids: NDArray[np.int64]
    cosines: NDArray[np.float64]


def score(stored: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the cosines of some vectors, of shape (n, dimensions), with a query's, rounded."""
    return products(stored.astype(np.float64), query.astype(np.float64)).round(DIGITS)
