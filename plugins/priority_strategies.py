"""Strategies that rank the passages about an entity for a prompt.

    usage:      prose first, then lists: what says most about the entity, by its mentions and the
                evidence of its relations, then by length
    recency:    last in reading order first; then other notes, the last saved first
    narrative:  in reading order, other notes last
    relevance:  best match for the query; without one, most mentions of the entity

Ties stay in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from writeros_entities import PriorityStrategy, RankedChunk, hookimpl

__version__ = "1"

Order = Callable[[RankedChunk], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Sorting:
    """A strategy that sorts by a key, ascending."""

    name: str
    order: Order

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return the chunks, best first."""
        return sorted(chunks, key=self.order)


def by_usage(chunk: RankedChunk) -> tuple[float, ...]:
    """Sort prose before lists, each by how much it says about the entity, then by length."""
    return chunk.is_list, -chunk.usage_count, -chunk.tokens


def by_recency(chunk: RankedChunk) -> tuple[float, ...]:
    """Sort by descending reading position, then by descending time of saving."""
    if chunk.position is None:
        return 1, -(chunk.changed_at or 0)
    return 0, -chunk.position


def by_narrative(chunk: RankedChunk) -> tuple[float, ...]:
    """Sort by reading position."""
    return (1, 0) if chunk.position is None else (0, chunk.position)


def by_relevance(chunk: RankedChunk) -> tuple[float, ...]:
    """Sort by descending relevance to the query, then by descending mentions of the entity."""
    return -chunk.score, -chunk.mentions


@hookimpl
def register_priority_strategies() -> Iterable[PriorityStrategy]:
    """Return the strategies `usage`, `recency`, `narrative` and `relevance`."""
    return [
        Sorting("usage", by_usage),
        Sorting("recency", by_recency),
        Sorting("narrative", by_narrative),
        Sorting("relevance", by_relevance),
    ]
