"""Exact cosines with a query: the last step of vector search on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.similarity.inner_products import products

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers, Vector, Vectors

DIGITS = 6
"""Decimals to which a cosine is rounded, so that summation order makes no difference."""

SPARE = 20
"""Extra candidates fetched by an engine's own arithmetic before they are scored by ours."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """Chunks and their cosines with a query, in descending order; ties are in reading order."""

    chunk_ids: Integers
    cosines: Floats


def score(stored: Vectors, query: Vector) -> Floats:
    """Return the cosines of stored vectors, shape (n, dimensions), with a query vector, rounded.

    All vectors must have unit length.
    """
    return products(stored.astype(np.float64), query.astype(np.float64)).round(DIGITS)
