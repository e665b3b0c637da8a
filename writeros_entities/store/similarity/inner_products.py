"""Inner products of many vectors with one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Number = TypeVar("Number", np.float32, np.float64)


def products(vectors: NDArray[Number], query: NDArray[Number]) -> NDArray[Number]:
    """Return the inner product of each row of `vectors`, of shape (n, dimensions), with a query.

    `einsum` runs in one thread, which is already limited by memory bandwidth. The threads that `@`
    uses wait for each other, and are slower if another program occupies a core.
    """
    found: NDArray[Number] = np.einsum("ij,j->i", vectors, query)
    return found
