"""Intervals of the manuscript in which something holds, such as a relation being over."""

from __future__ import annotations

from typing import TypeAlias

Intervals: TypeAlias = tuple[tuple[int, int | None], ...]
"""Half-open intervals [since, until) of reading positions, in order; None means to the end."""


def holds_at(intervals: Intervals, position: int | None = None) -> bool:
    """Say whether a reading position is in one of the intervals; None means the end of the book."""
    if position is None:
        return bool(intervals) and intervals[-1][1] is None
    return any(
        since <= position and (until is None or position < until) for since, until in intervals
    )
