"""Whose turn it is: speakers of the turns without a tag between those of two who alternate."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_GAP = 6
"""Turns without a tag, at most, that the tagged ones around them decide."""

REACH = 3
"""Paragraphs away from them, at most, in which a third may speak who leaves it open."""


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
    near = {_nearest(speakers[: start - 1][::-1]), _nearest(speakers[end + 1 :])}
    if other is None or (others | near) - {before, other, None}:
        return []
    return [other if at % 2 == 0 else before for at in range(count)]


def _nearest(speakers: Sequence[str | None]) -> str | None:
    """Return the first who is known of those who may speak, with a little told in between."""
    return next((one for one in speakers[:REACH] if one is not None), None)
