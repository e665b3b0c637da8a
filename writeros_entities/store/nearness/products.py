"""Inner products of many vectors with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", np.float32, np.float64)


def products(vectors: NDArray[Number], query: NDArray[Number]) -> NDArray[Number]:
    """Return the inner product of each vector, in an array of shape (n, dimensions), with a query.

    One thread reads memory about as fast as it comes. The threads that `@` takes wait for each
    other, and where another program has one of the cores, longer than they reckon.
    """
    found: NDArray[Number] = np.einsum("ij,j->i", vectors, query)
    return found
