"""What plugins infer from a note's prose, set against the readings of its mentions.

Whom a span names can depend on the reading position; so a statement becomes a row for each interval
in which its two spans name what they are taken for. Where a span names two entities alike, nothing
is stated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from writeros_entities.sync.drafts import MENTION, NEVER
from writeros_entities.values import DecidedMention, Span

if TYPE_CHECKING:
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.sync.drafts import Row
    from writeros_entities.values import InferredRelation, Lexicon, Note

INFERRED = (
    *("source_id", "kind", "target_id", "chunk_id", "start", "end", "line", "since"),
    *("shown_from", "visible_until", "confidence", "key", "has_ended"),
)
"""The columns of what is inferred; `target_id` is null for what is said of one entity alone."""

_END = NEVER + 1
"""Stands for an interval that does not end."""

_AT = {name: place for place, name in enumerate(MENTION)}


@dataclass(frozen=True, slots=True)
class _Holding:
    """An interval of reading positions in which a span names one entity and no other."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class _Named:
    """An entity that a span names alone, at some reading positions."""

    chunk_id: int
    entity_id: int
    holding: Sequence[_Holding]


class Inference:
    """Asks the plugins what notes state; remembers the entities of the lexicon by their ids."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._known: tuple[Mapping[str, int], dict[int, str]] = {}, {}

    def infer(
        self, note: Note, lexicon: Lexicon, entity_ids: Mapping[str, int], rows: Sequence[Row]
    ) -> tuple[list[Row], list[PluginFailure]]:
        """Return rows of the columns `INFERRED`; `rows` are the note's mentions."""
        named = _by_span(rows)
        if not named:
            return [], []
        if self._known[0] is not entity_ids:
            self._known = entity_ids, {number: key for key, number in entity_ids.items()}
        keys = self._known[1]
        places: dict[DecidedMention, _Named] = {}
        for span, entity_id in sorted(named):
            key = keys[entity_id]
            surface = note.text[span.start : span.end]
            mention = DecidedMention(span.start, span.end, surface, key, lexicon.entities[key].type)
            places[mention] = named[span, entity_id]
        found, failures = self._plugins.gather(
            "infer_relations",
            note=note,
            mentions=tuple(places),
            ontology=self._plugins.ontology,
            lexicon=lexicon,
        )
        return list(_rows(note, _surest(found), places)), failures


def _by_span(rows: Sequence[Row]) -> dict[tuple[Span, int], _Named]:
    """Return what each span names, by entity, where it names that one alone."""
    chunk, start, end = _AT["chunk_id"], _AT["start"], _AT["end"]
    entity, since, until = _AT["entity_id"], _AT["since"], _AT["visible_until"]
    found: dict[Span, list[tuple[int, int, int, int]]] = defaultdict(list)
    for row in rows:
        last = _END if row[until] is None else row[until]
        if last > row[since]:
            span = Span(row[start], row[end])
            found[span].append((row[since], last, row[entity], row[chunk]))
    named: dict[tuple[Span, int], _Named] = {}
    for span, readings in found.items():
        if len(readings) == 1:
            first, last, entity_id, chunk_id = readings[0]
            named[span, entity_id] = _Named(chunk_id, entity_id, (_Holding(first, last),))
            continue
        for entity_id in {reading[2] for reading in readings}:
            alone = _alone(entity_id, readings)
            if alone:
                named[span, entity_id] = _Named(readings[0][3], entity_id, alone)
    return named


def _alone(entity_id: int, readings: Sequence[tuple[int, int, int, int]]) -> list[_Holding]:
    """Return the intervals in which readings are of this entity alone, joined where they touch."""
    steps = sorted({step for first, last, *_ in readings for step in (first, last)})
    alone: list[_Holding] = []
    for since, until in pairwise(steps):
        here = {entity for first, last, entity, _ in readings if first <= since < last}
        if here != {entity_id}:
            continue
        if alone and alone[-1].until == since:
            alone[-1] = _Holding(alone[-1].since, until)
        else:
            alone.append(_Holding(since, until))
    return alone


def _surest(found: Iterable[InferredRelation]) -> list[InferredRelation]:
    """Return each statement once: of two that say the same, the surer."""
    kept: dict[tuple[DecidedMention, str, DecidedMention | None], InferredRelation] = {}
    for relation in found:
        key = relation.source, relation.kind, relation.target
        if key not in kept or relation.confidence > kept[key].confidence:
            kept[key] = relation
    return list(kept.values())


def _rows(
    note: Note,
    found: Iterable[InferredRelation],
    places: Mapping[DecidedMention, _Named],
) -> Iterator[Row]:
    for relation in found:
        source = places[relation.source]
        target = source if relation.target is None else places[relation.target]
        if relation.target is not None and source.entity_id == target.entity_id:
            continue
        line, _ = note.locate(relation.start)
        for one in source.holding:
            for other in target.holding:
                since, until = max(one.since, other.since), min(one.until, other.until)
                if since < until:
                    yield (
                        *(source.entity_id, relation.kind),
                        None if relation.target is None else target.entity_id,
                        *(source.chunk_id, relation.start, relation.end, line, since),
                        *(None if since == NEVER else since, None if until == _END else until),
                        *(relation.confidence, relation.key, relation.has_ended),
                    )
