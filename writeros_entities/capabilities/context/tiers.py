"""Sort sources into tiers: chunks that describe an entity, relate it to others, or mention it.

- `primary_source` is the first visible chunk of the entity's own note and those of its properties;
  or, without a note, the chunk in which a reader first meets it.
- `relationships` is the evidence of at most ten relations, strongest first.
- `mentions` is every chunk that mentions the entity and the rest of its note, ordered by a
  strategy, followed by the chunks beside a mention in the manuscript. With a query these are ranked
  among the others: the answer often calls the entity just "he".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.capabilities.context.sources import BESIDE, EVIDENCE, MENTIONS, OWN_NOTE
from writeros_entities.errors import FAULTS, PluginError
from writeros_entities.store.importance import importance
from writeros_entities.values import RankedChunk, Span

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.sources import Source
    from writeros_entities.protocols import PriorityStrategy
    from writeros_entities.values import ContextTier

MOST_RELATIONS = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk in a tier of an entity.

    `entity` is the index among the requested entities. `evidence` has the sources that state
    a relation; `is_own` marks a chunk of the entity's own note, `is_properties` one of properties.
    """

    chunk: RankedChunk
    tier: ContextTier
    entity: int
    content_hash: str
    path: str
    evidence: tuple[Source, ...] = ()
    is_own: bool = False
    is_properties: bool = False

    def spans(self, entity_id: int, mentions: Sequence[tuple[int, Span]], start: int) -> list[Span]:
        """Return the spans for which the entry was chosen, as offsets into its chunk.

        These are its evidence, strongest first, or else the mentions of the entity. `start` is the
        offset of the chunk in the file.
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
    """Return the entries of the wanted tiers: by entity, then by tier, best first."""
    by_entity: dict[int, list[Source]] = defaultdict(list)
    for source in sources:
        by_entity[source.entity_id].append(source)
    entries: list[Entry] = []
    for place, entity_id in enumerate(entity_ids):
        entries += _Tiers(place, by_entity[entity_id], scores).entries(strategy, tiers)
    return entries


def importance_shares(sources: Sequence[Source], entity_ids: Sequence[int]) -> tuple[float, ...]:
    """Return each entity's share of the budget: its importance as a fraction of their sum.

    Importance follows from all visible mentions. Shares are equal where no entity is mentioned.
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
        """Yield the entries of the requested tiers."""
        own = [one for one in self._sources if one.reason == OWN_NOTE]
        met = [one for one in self._sources if one.reason == MENTIONS]
        if "primary_source" in tiers:
            for source in _describing(own) or met[:1]:
                yield self._entry(source, "primary_source")
        if "relationships" in tiers:
            for evidence in self._strongest():
                yield self._entry(evidence[0], "relationships", tuple(evidence))
        if "mentions" in tiers:
            for group in self._ranked_groups():
                for chunk in _ask(strategy, [self._ranked[chunk_id] for chunk_id in group]):
                    yield self._entry(self._by_chunk[chunk.id][0], "mentions")

    def _ranked_groups(self) -> list[list[int]]:
        """Return the chunks of the third tier, in groups that are ranked one after the other."""
        reasons = (MENTIONS, OWN_NOTE)
        surely = dict.fromkeys(one.chunk_id for one in self._sources if one.reason in reasons)
        beside = dict.fromkeys(one.chunk_id for one in self._sources if one.reason == BESIDE)
        if self._has_scores:
            return [[chunk_id for chunk_id in self._by_chunk if chunk_id in surely | beside]]
        return [list(surely), [chunk_id for chunk_id in beside if chunk_id not in surely]]

    def _strongest(self) -> list[list[Source]]:
        """Return the first evidence of the strongest relations, by chunk, strongest first."""
        first: dict[int, Source] = {}
        for source in self._sources:
            if source.reason == EVIDENCE:
                first.setdefault(source.relation_id, source)
        strongest = sorted(first.values(), key=lambda one: -round(one.strength, 4))
        by_chunk: dict[int, list[Source]] = defaultdict(list)
        for source in strongest[:MOST_RELATIONS]:
            by_chunk[source.chunk_id].append(source)
        return list(by_chunk.values())

    def _entry(self, source: Source, tier: ContextTier, evidence: tuple[Source, ...] = ()) -> Entry:
        chunk = self._ranked[source.chunk_id]
        is_own = any(one.reason == OWN_NOTE for one in self._by_chunk[source.chunk_id])
        return Entry(
            *(chunk, tier, self._place, source.content_hash, source.path, evidence, is_own),
            is_properties=source.ordinal < 0,
        )


def _describing(own: Sequence[Source]) -> list[Source]:
    """Return the first chunk of a note's body, then those of its properties."""
    body = [one for one in own if one.ordinal >= 0]
    return [*body[:1], *(one for one in own if one.ordinal < 0)]


def _ranked(sources: Sequence[Source], score: float) -> RankedChunk:
    one = sources[0]
    mentions = sum(source.number for source in sources if source.reason == MENTIONS)
    return RankedChunk(
        id=one.chunk_id,
        tokens=one.tokens,
        usage_count=mentions + sum(source.reason == EVIDENCE for source in sources),
        changed_at=one.changed_at,
        position=one.position,
        score=score,
        mentions=mentions,
        is_list=one.is_list and all(source.reason != OWN_NOTE for source in sources),
    )


def _ask(strategy: PriorityStrategy, chunks: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
    try:
        ranked = list(strategy.rank(chunks))
        ids = sorted(one.id for one in ranked)
    except FAULTS as error:
        raise PluginError(f"The priority strategy {strategy.name!r} failed: {error!r}.") from error
    if ids != sorted(one.id for one in chunks):
        raise PluginError(
            f"The priority strategy {strategy.name!r} returned other chunks than it was given."
        )
    return ranked
