"""What the passages beside a passage say, which counts for it too, to some extent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers


def greatest_nearby(shares: Floats, rows: Integers, note_ids: Integers, reach: int) -> Floats:
    """Return the greatest share among other chunks at most `reach` rows away, in the same note.

    `shares` has shape (terms, chunks), as has the result. The chunks are in reading order: `rows`
    are their places in it, `note_ids` their notes. Chunks that are not given have no share.
    """
    greatest = np.zeros_like(shares)
    for step in range(1, min(reach, len(rows) - 1) + 1):
        earlier, later = slice(None, -step), slice(step, None)
        is_near = rows[later] - rows[earlier] <= reach
        is_near &= note_ids[later] == note_ids[earlier]
        for here, beside in ((later, earlier), (earlier, later)):
            found = greatest[:, here]
            np.maximum(found, shares[:, beside] * is_near, out=found)
    return greatest
