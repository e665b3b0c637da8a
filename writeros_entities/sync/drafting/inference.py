"""What plugins infer from a note's prose, set against the readings of its mentions.

Whom a span names can depend on the reading position; so a statement becomes a row for each interval
in which its two spans, both in one chunk, name what they are taken for. Where a span names two
entities alike, nothing is stated.
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

INFERRED = (
    *("source_id", "kind", "target_id", "chunk_id", "start", "end", "line", "since"),
    *("shown_from", "visible_until", "confidence", "key", "has_ended"),
)
"""The columns of what is inferred; `target_id` is null for what is said of one entity alone."""

MANY_MENTIONS = 5_000
"""Mentions that are set against each other at once, if they are of more than one chunk."""

_END = NEVER + 1
"""Stands for an interval that does not end."""

_READ = MENTION.index("visible_until") + 1
"""How many columns of a mention are read here: from its chunk to where it ends to hold."""


class _Holding(NamedTuple):
    """An interval of reading positions in which a span names one entity and no other."""

    since: int
    until: int


_ANYWHERE = _Holding(-_END, _END)


class _Named(NamedTuple):
    """An entity that a span names alone, at some reading positions.

    The subject of a note is in no chunk of its own (None).
    """

    chunk_id: int | None
    entity_id: int
    holding: Sequence[_Holding]


class Inference:
    """Asks the plugins what notes state; remembers the entities of the lexicon by their ids."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins
        self._known: tuple[Mapping[str, int], dict[int, str]] = {}, {}
        self._subjects: tuple[Lexicon | None, dict[str, LexiconEntity]] = None, {}

    def infer(
        self, note: Note, lexicon: Lexicon, entity_ids: Mapping[str, int], rows: Sequence[Row]
    ) -> tuple[list[Row], list[PluginFailure]]:
        """Return rows of the columns `INFERRED`; `rows` are the note's mentions, by chunk.

        A note with very many of them is asked about in parts, whole chunks each.
        """
        if self._known[0] is not entity_ids:
            self._known = entity_ids, {number: key for key, number in entity_ids.items()}
        inferred: list[Row] = []
        failures: list[PluginFailure] = []
        for part in _parts(rows):
            found, failed = self._infer(note, lexicon, entity_ids, part)
            inferred += found
            failures += failed
        return inferred, failures

    def _infer(
        self, note: Note, lexicon: Lexicon, entity_ids: Mapping[str, int], rows: Sequence[Row]
    ) -> tuple[list[Row], list[PluginFailure]]:
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
        """Return the entity whose note this is, as a mention without letters."""
        if self._subjects[0] is not lexicon:
            entities = lexicon.entities.values()
            self._subjects = lexicon, {one.note_path: one for one in entities if one.note_path}
        entity = self._subjects[1].get(note.path)
        if entity is None:
            return None
        return DecidedMention(note.body_start, note.body_start, "", entity.id, entity.type)


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Cut mentions between chunks into parts that are held at once."""
    begin = 0
    while begin < len(rows):
        end = min(begin + MANY_MENTIONS, len(rows))
        while end < len(rows) and rows[end][0] == rows[end - 1][0]:
            end += 1
        yield rows[begin:end]
        begin = end


def _by_span(rows: Sequence[Row]) -> dict[tuple[int, int, int], _Named]:
    """Return what each span names, by start, end and entity, where it names that one alone."""
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
    place: Callable[[DecidedMention], _Named],
) -> Iterator[Row]:
    for relation in found:
        source = place(relation.source)
        target = source if relation.target is None else place(relation.target)
        is_of_one = relation.target is not None and source.entity_id == target.entity_id
        chunks = {source.chunk_id, target.chunk_id} - {None}
        if is_of_one or len(chunks) != 1:
            continue
        (chunk_id,) = chunks
        line, _ = note.locate(relation.start)
        for one in source.holding:
            for other in target.holding:
                since, until = max(one.since, other.since), min(one.until, other.until)
                if since < until:
                    yield (
                        *(source.entity_id, storable(relation.kind)),
                        None if relation.target is None else target.entity_id,
                        *(chunk_id, relation.start, relation.end, line, since),
                        *(None if since == NEVER else since, None if until == _END else until),
                        *(relation.confidence, storable(relation.key), relation.has_ended),
                    )
