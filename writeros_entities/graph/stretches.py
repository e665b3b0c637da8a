"""Stretches of the manuscript over which something is so: that a relation is over."""

from __future__ import annotations

from typing import TypeAlias

Stretches: TypeAlias = tuple[tuple[int, int | None], ...]
"""Reading positions from which on, and before which, it is so (None: to the end), in order."""


def is_so(stretches: Stretches, position: int | None = None) -> bool:
    """Say whether it is so at a reading position, or (None) in the end."""
    if position is None:
        return bool(stretches) and stretches[-1][1] is None
    return any(
        since <= position and (until is None or position < until) for since, until in stretches
    )
