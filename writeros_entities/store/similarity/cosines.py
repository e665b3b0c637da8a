"""Inner products and exact cosines with a query: the last step of search on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.arrays import Floats, Integers, Vector, Vectors

Number = TypeVar("Number", np.float32, np.float64)

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


def products(vectors: NDArray[Number], query: NDArray[Number]) -> NDArray[Number]:
    """Return the inner product of each row of `vectors`, of shape (n, dimensions), with a query.

    `einsum` runs in one thread, which is already limited by memory bandwidth. The threads that `@`
    uses wait for each other, and are slower if another program occupies a core.
    """
    found: NDArray[Number] = np.einsum("ij,j->i", vectors, query)
    return found
