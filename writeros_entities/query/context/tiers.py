"""From sources to tiers: which chunks stand for an entity, bind it to others, or mention it.

The primary source is the first chunk of the entity's note that may be seen; where there is none,
the chunk in which a reader first meets it. The second tier has the evidence of at most ten
relations, the strongest first. The third has every chunk that mentions the entity and the rest of
its note, in the order of a strategy; then the chunks beside a mention in the manuscript, which with
a query are ranked among the others: the answer is often told of "him".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.errors import PluginError
from writeros_entities.query.context.sources import BESIDE, EVIDENCE, MENTIONS, OWN_NOTE
from writeros_entities.store.importance import importance
from writeros_entities.values import RankedChunk, Span

if TYPE_CHECKING:
    from writeros_entities.protocols import PriorityStrategy
    from writeros_entities.query.context.sources import Source
    from writeros_entities.values import ContextTier

MOST_RELATIONS = 10

TIERS: tuple[ContextTier, ...] = ("primary_source", "relationships", "mentions")


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk in a tier of an entity (by its place among those asked for).

    `evidence` are the sources that name a relation; `is_own` marks a chunk of the entity's note.
    """

    chunk: RankedChunk
    tier: ContextTier
    entity: int
    content_hash: str
    path: str
    evidence: tuple[Source, ...] = ()
    is_own: bool = False

    def spans(self, entity_id: int, mentions: Sequence[tuple[int, Span]], start: int) -> list[Span]:
        """Return what the entry is there for, by offsets into its chunk, which begins at `start`:
        evidence, the strongest first, or mentions of the entity.
        """
        if self.evidence:
            return [Span(one.start - start, one.end - start) for one in self.evidence]
        return [
            Span(span.start - start, span.end - start)
            for mentioned, span in mentions
            if mentioned == entity_id
        ]


def rank_entries(
    sources: Sequence[Source],
    entity_ids: Sequence[int],
    strategy: PriorityStrategy,
    scores: Mapping[int, float],
    tiers: Collection[ContextTier],
) -> list[Entry]:
    """Return the entries of all tiers asked for: entity by entity, tier by tier, best first."""
    by_entity: dict[int, list[Source]] = defaultdict(list)
    for source in sources:
        by_entity[source.entity_id].append(source)
    entries: list[Entry] = []
    for place, entity_id in enumerate(entity_ids):
        entries += _Tiers(place, by_entity[entity_id], scores).entries(strategy, tiers)
    return entries


def importance_shares(sources: Sequence[Source], entity_ids: Sequence[int]) -> tuple[float, ...]:
    """Return which part of a budget each entity deserves: its importance, by all mentions that may
    be seen, in proportion to the others'; equal parts where nobody is mentioned.
    """
    mentions = dict.fromkeys(entity_ids, 0)
    for source in sources:
        mentions[source.entity_id] += source.number if source.reason == MENTIONS else 0
    weights = [importance(mentions[entity_id]) for entity_id in entity_ids]
    total = sum(weights)
    return tuple(weight / total if total else 1 / len(weights) for weight in weights)


class _Tiers:
    """The sources of one entity, by chunk in reading order."""

    def __init__(self, place: int, sources: Sequence[Source], scores: Mapping[int, float]) -> None:
        self._place = place
        self._sources = sources
        self._has_scores = bool(scores)
        self._by_chunk: dict[int, list[Source]] = defaultdict(list)
        for source in sources:
            self._by_chunk[source.chunk_id].append(source)
        self._ranked = {
            chunk_id: _ranked(found, scores.get(chunk_id, 0.0))
            for chunk_id, found in self._by_chunk.items()
        }

    def entries(
        self, strategy: PriorityStrategy, tiers: Collection[ContextTier]
    ) -> Iterator[Entry]:
        """Yield the entries of the tiers asked for."""
        own = [one for one in self._sources if one.reason == OWN_NOTE]
        met = [one for one in self._sources if one.reason == MENTIONS]
        primary = next(iter([*own, *met]), None)
        if "primary_source" in tiers and primary is not None:
            yield self._entry(primary, "primary_source")
        if "relationships" in tiers:
            for evidence in self._strongest():
                yield self._entry(evidence[0], "relationships", tuple(evidence))
        if "mentions" in tiers:
            for group in self._told_of():
                for chunk in _ask(strategy, [self._ranked[chunk_id] for chunk_id in group]):
                    yield self._entry(self._by_chunk[chunk.id][0], "mentions")

    def _told_of(self) -> list[list[int]]:
        """Return the chunks that tell of the entity, in the groups that are ranked together."""
        reasons = (MENTIONS, OWN_NOTE)
        surely = dict.fromkeys(one.chunk_id for one in self._sources if one.reason in reasons)
        beside = dict.fromkeys(one.chunk_id for one in self._sources if one.reason == BESIDE)
        if self._has_scores:
            return [[chunk_id for chunk_id in self._by_chunk if chunk_id in surely | beside]]
        return [list(surely), [chunk_id for chunk_id in beside if chunk_id not in surely]]

    def _strongest(self) -> list[list[Source]]:
        """Return the first evidence of the strongest relations, what one chunk bears out together,
        the strongest first.
        """
        first: dict[tuple[str, bool, str], Source] = {}
        for source in self._sources:
            if source.reason == EVIDENCE:
                first.setdefault((source.kind, source.is_inverse, source.other), source)
        strongest = sorted(first.values(), key=lambda one: -round(one.strength, 4))
        by_chunk: dict[int, list[Source]] = defaultdict(list)
        for source in strongest[:MOST_RELATIONS]:
            by_chunk[source.chunk_id].append(source)
        return list(by_chunk.values())

    def _entry(self, source: Source, tier: ContextTier, evidence: tuple[Source, ...] = ()) -> Entry:
        chunk = self._ranked[source.chunk_id]
        is_own = any(one.reason == OWN_NOTE for one in self._by_chunk[source.chunk_id])
        return Entry(chunk, tier, self._place, source.content_hash, source.path, evidence, is_own)


def _ranked(sources: Sequence[Source], score: float) -> RankedChunk:
    one = sources[0]
    return RankedChunk(
        id=one.chunk_id,
        tokens=one.tokens,
        usage_count=one.usage_count,
        changed_at=one.changed_at,
        position=one.position,
        score=score,
        mentions=sum(source.number for source in sources if source.reason == MENTIONS),
    )


def _ask(strategy: PriorityStrategy, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
    try:
        ranked = list(strategy.rank(chunks))
        ids = sorted(one.id for one in ranked)
    except Exception as error:
        raise PluginError(f"The priority strategy {strategy.name!r} failed: {error!r}.") from error
    if ids != sorted(one.id for one in chunks):
        raise PluginError(
            f"The priority strategy {strategy.name!r} gave back other chunks than it was given."
        )
    return ranked
