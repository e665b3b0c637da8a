"""What the passages beside a passage say, which counts for it too, to some extent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Floats, Integers


def greatest_nearby(shares: Floats, note_ids: Integers, rows: Integers, reach: int) -> Floats:
    """Return the greatest share among the `reach` chunks before and after each row, in its note.

    `shares` has shape (terms, chunks), with chunks in reading order, whose notes are `note_ids`;
    the result has shape (terms, rows).
    """
    greatest = np.zeros((len(shares), len(rows)))
    for step in (*range(-reach, 0), *range(1, reach + 1)):
        beside = np.clip(rows + step, 0, len(note_ids) - 1)
        in_one_note = (note_ids[beside] == note_ids[rows]) & (beside == rows + step)
        np.maximum(greatest, shares[:, beside] * in_one_note, out=greatest)
    return greatest
