"""Stretches of the manuscript in which something holds, such as a relation being over."""

from __future__ import annotations

from typing import TypeAlias

Stretches: TypeAlias = tuple[tuple[int, int | None], ...]
"""Half-open intervals [since, until) of reading positions, in order; None means to the end."""


def is_so(stretches: Stretches, position: int | None = None) -> bool:
    """Say whether a reading position is in one of the stretches; None means the end of the book."""
    if position is None:
        return bool(stretches) and stretches[-1][1] is None
    return any(
        since <= position and (until is None or position < until) for since, until in stretches
    )
