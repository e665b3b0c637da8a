"""Whose turn it is: speakers of the turns without a tag between those of two who alternate."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_GAP = 6
"""Turns without a tag, at most, that the tagged ones around them decide."""


def alternate(speakers: Sequence[str | None], start: int, end: int) -> list[str]:
    """Return who speaks in the turns from `start` to before `end`; nobody where it is not certain.

    The turns before and behind are known. Of two who differ, an even number lies between; of one
    and the same, an odd number, and the other one speaks right before or right after. A third who
    does leaves it open.
    """
    count = end - start
    if not 0 < count <= LONGEST_GAP or start == 0 or end == len(speakers):
        return []
    before, behind = speakers[start - 1], speakers[end]
    if before is None or behind is None or count % 2 == (before != behind):
        return []
    around = {speakers[at] for at in (start - 2, end + 1) if 0 <= at < len(speakers)}
    others = around - {before, None}
    other = behind if before != behind else next(iter(others), None)
    if other is None or others - {other}:
        return []
    return [other if at % 2 == 0 else before for at in range(count)]
