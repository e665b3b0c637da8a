"""The top n of an array without sorting all of it, and the first of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.arrays import Integers


def top_k(values: NDArray[np.floating], number: int) -> Integers:
    """Return the indices of the `number` greatest values, in descending order; stable."""
    if 0 < number < len(values):
        least = np.partition(values, len(values) - number)[len(values) - number]
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.lexsort((places, -values[places]))][:number]


def first_of_each(keys: NDArray[np.int64]) -> Integers:
    """Return the indices at which a key stands for the first time, in order."""
    found: Integers = np.sort(np.unique(keys, return_index=True)[1])
    return found
