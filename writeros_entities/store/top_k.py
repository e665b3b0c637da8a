"""The top n of an array without sorting all of it."""

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
