"""Statements that plugins infer from a note's prose, combined with the readings of its mentions.

Which entity a span names can depend on the reading position. A statement therefore becomes a row
for each interval of positions in which both of its spans, which must be in one chunk, name the
entities that it is about. While a span names two entities equally, nothing is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.answers import check_span
from writeros_entities.names import storable
from writeros_entities.sync.drafting.drafts import MENTION, NEVER
from writeros_entities.values import DecidedMention

if TYPE_CHECKING:
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.sync.drafting.drafts import Row
    from writeros_entities.values import InferredRelation, Lexicon, LexiconEntity, Note

MANY_MENTIONS = 5_000
"""Mentions passed to plugins at once; the last chunk is always passed whole."""

_END = NEVER + 1
"""End of an interval that does not end."""

_READ = MENTION.index("visible_until") + 1
"""Number of leading columns of a mention that are read here: `chunk_id` to `visible_until`."""


class InferredRow(NamedTuple):
    """A statement in an interval of positions; `target_id` is None if it is about one entity."""

    source_id: int
    kind: str
    target_id: int | None
    chunk_id: int
    start: int
    end: int
    line: int
    since: int
    shown_from: int | None
    visible_until: int | None
    confidence: float
    key: str
    has_ended: bool


class _Holding(NamedTuple):
    """An interval [since, until) of reading positions in which a span names exactly one entity."""

    since: int
    until: int


_ANYWHERE = _Holding(-_END, _END)


class _Named(NamedTuple):
    """An entity that a span names unambiguously, at some reading positions.

    `chunk_id` is None for the subject of the note, which is in no chunk.
    """

    chunk_id: int | None
    entity_id: int
    holding: Sequence[_Holding]


class Inference:
    """Asks plugins what notes state; caches look-ups that depend only on the lexicon."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._known: tuple[Mapping[str, int], dict[int, str]] = {}, {}
        self._subjects: tuple[Lexicon | None, dict[str, LexiconEntity]] = None, {}

    def infer(
        self, note: Note, lexicon: Lexicon, entity_ids: Mapping[str, int], rows: Sequence[Row]
    ) -> tuple[list[InferredRow], list[PluginFailure]]:
        """Return what plugins infer, and failures; `rows` are the note's mentions by chunk.

        A note with very many mentions is passed to plugins in parts of whole chunks.
        """
        if self._known[0] is not entity_ids:
            self._known = entity_ids, {number: key for key, number in entity_ids.items()}
        inferred: list[InferredRow] = []
        failures: list[PluginFailure] = []
        for part in _parts(rows):
            found, failed = self._infer(note, lexicon, entity_ids, part)
            inferred += found
            failures += failed
        return inferred, failures

    def _infer(
        self, note: Note, lexicon: Lexicon, entity_ids: Mapping[str, int], rows: Sequence[Row]
    ) -> tuple[list[InferredRow], list[PluginFailure]]:
        named = _by_span(rows)
        keys, entities, text = self._known[1], lexicon.entities, note.text
        mentions = []
        for start, end, entity_id in sorted(named):
            key = keys[entity_id]
            mentions.append(DecidedMention(start, end, text[start:end], key, entities[key].type))
        subject = self._subject(note, lexicon)
        if subject is not None:
            entity_id = entity_ids[subject.entity]
            named[subject.start, subject.end, entity_id] = _Named(None, entity_id, (_ANYWHERE,))

        def place(end: DecidedMention) -> _Named:
            try:
                return named[end.start, end.end, entity_ids[end.entity]]
            except KeyError:
                raise ValueError(f"{end} is none of the mentions") from None

        def check(found: list[InferredRelation]) -> None:
            for relation in found:
                check_span(relation.start, relation.end, note)
                for end in filter(None, (relation.source, relation.target)):
                    place(end)
                if not relation.kind.strip():
                    raise ValueError(f"{relation} has no kind")

        found, failures = self._plugins.gather(
            "infer_relations",
            check,
            note=note,
            mentions=mentions,
            ontology=self._plugins.ontology,
            lexicon=lexicon,
            subject=subject,
        )
        return list(_rows(note, _surest(found), place)), failures

    def _subject(self, note: Note, lexicon: Lexicon) -> DecidedMention | None:
        """Return the entity whose note this is, as an empty mention at the start of the body."""
        if self._subjects[0] is not lexicon:
            entities = lexicon.entities.values()
            self._subjects = lexicon, {one.note_path: one for one in entities if one.note_path}
        entity = self._subjects[1].get(note.path)
        if entity is None:
            return None
        return DecidedMention(note.body_start, note.body_start, "", entity.id, entity.type)


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Split mentions, at chunk boundaries, into parts of about `MANY_MENTIONS`."""
    begin = 0
    while begin < len(rows):
        end = min(begin + MANY_MENTIONS, len(rows))
        while end < len(rows) and rows[end][0] == rows[end - 1][0]:
            end += 1
        yield rows[begin:end]
        begin = end


def _by_span(rows: Sequence[Row]) -> dict[tuple[int, int, int], _Named]:
    """Return the entities that spans name unambiguously, by (start, end, entity id)."""
    found: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    for row in rows:
        chunk_id, start, end, entity_id, since, _, until = row[:_READ]
        last = _END if until is None else until
        if last > since:
            found.setdefault((start, end), []).append((since, last, entity_id, chunk_id))
    named: dict[tuple[int, int, int], _Named] = {}
    for (start, end), readings in found.items():
        if len(readings) == 1:
            since, last, entity_id, chunk_id = readings[0]
            named[start, end, entity_id] = _Named(chunk_id, entity_id, (_Holding(since, last),))
            continue
        for entity_id in {reading[2] for reading in readings}:
            alone = _alone(entity_id, readings)
            if alone:
                named[start, end, entity_id] = _Named(readings[0][3], entity_id, alone)
    return named


def _alone(entity_id: int, readings: Sequence[tuple[int, int, int, int]]) -> list[_Holding]:
    """Return the intervals in which all readings agree on this entity; adjacent ones are merged."""
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
    """Remove duplicate statements, keeping the one with the highest confidence."""
    kept: dict[tuple[DecidedMention, str, DecidedMention | None], InferredRelation] = {}
    for relation in found:
        key = relation.source, relation.kind, relation.target
        if key not in kept or relation.confidence > kept[key].confidence:
            kept[key] = relation
    return list(kept.values())


def _rows(
    note: Note,
    found: Iterable[InferredRelation],
    place: Callable[[DecidedMention], _Named],
) -> Iterator[InferredRow]:
    for relation in found:
        source = place(relation.source)
        target = source if relation.target is None else place(relation.target)
        is_of_one = relation.target is not None and source.entity_id == target.entity_id
        chunks = {one.chunk_id for one in (source, target) if one.chunk_id is not None}
        if is_of_one or len(chunks) != 1:
            continue
        (chunk_id,) = chunks
        line, _ = note.locate(relation.start)
        for one in source.holding:
            for other in target.holding:
                since, until = max(one.since, other.since), min(one.until, other.until)
                if since < until:
                    yield InferredRow(
                        source_id=source.entity_id,
                        kind=storable(relation.kind),
                        target_id=None if relation.target is None else target.entity_id,
                        chunk_id=chunk_id,
                        start=relation.start,
                        end=relation.end,
                        line=line,
                        since=since,
                        shown_from=None if since == NEVER else since,
                        visible_until=None if until == _END else until,
                        confidence=relation.confidence,
                        key=storable(relation.key),
                        has_ended=relation.has_ended,
                    )
