"""In which order the passages about somebody enter a prompt.

    usage:      what the vault rests on most: mentions of anybody, and evidence of relations
    recency:    the latest in reading order first; then other notes, the last saved first
    narrative:  in reading order, other notes last
    relevance:  what answers the query best; without one, what mentions the entity most

Whatever a strategy finds equal stays in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from writeros_entities import PriorityStrategy, RankedChunk, hookimpl

__version__ = "1"

Order = Callable[[RankedChunk], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Sorting:
    """A strategy that sorts by a key, the least first."""

    name: str
    order: Order

    def rank(self, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return the chunks, best first."""
        return sorted(chunks, key=self.order)


def by_usage(chunk: RankedChunk) -> tuple[float, ...]:
    """Put first what most of the index rests on."""
    return (-chunk.usage_count,)


def by_recency(chunk: RankedChunk) -> tuple[float, ...]:
    """Put first what stands last in reading order, then what was saved last."""
    if chunk.position is None:
        return 1, -(chunk.changed_at or 0)
    return 0, -chunk.position


def by_narrative(chunk: RankedChunk) -> tuple[float, ...]:
    """Put first what is read first."""
    return (1, 0) if chunk.position is None else (0, chunk.position)


def by_relevance(chunk: RankedChunk) -> tuple[float, ...]:
    """Put first what answers the query; of equals, what mentions the entity most."""
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
