"""What plugins read in a note's prose, combined with the readings of its mentions.

Which entity a span names can depend on the reading position. A statement therefore becomes a row
for each interval of positions in which both of its spans name the entities that it is about, from
where the chunk that tells it may be read. While a span names two entities equally, nothing is
stated. Of an event, each that takes part is a row in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.answers import check_span
from writeros_entities.folding import fold_form
from writeros_entities.names import storable
from writeros_entities.sync.drafting.drafts import NEVER
from writeros_entities.values import DecidedMention

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.protocols import Language
    from writeros_entities.store.compiled import VaultLexicon
    from writeros_entities.sync.drafting.drafts import ChunkPlace, MentionRow
    from writeros_entities.sync.drafting.pages import Pages, StoredClauses
    from writeros_entities.values import InferredRelation, Note, Page, ToldEvent

MANY_MENTIONS = 5_000
"""Mentions passed to plugins at once; the last chunk is always passed whole."""

_END = NEVER + 1
"""End of an interval that does not end."""


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


class EventRow(NamedTuple):
    """Somebody's part in an event in an interval of positions; the event is its verb's place."""

    chunk_id: int
    start: int
    end: int
    entity_id: int
    role: str
    since: int
    verb: str
    kind: str
    is_earlier: bool
    confidence: float
    visible_from: int | None
    visible_until: int | None


class Inferred(NamedTuple):
    """What a note's prose states, and what happens by it."""

    statements: Sequence[InferredRow] = ()
    events: Sequence[EventRow] = ()


class _Holding(NamedTuple):
    """An interval [since, until) of reading positions in which a span names exactly one entity."""

    since: int
    until: int


_ANYWHERE = _Holding(-_END, _END)


class _Reading(NamedTuple):
    """An entity that a span names in an interval [since, until), perhaps among others."""

    since: int
    until: int
    entity_id: int
    chunk_id: int


class _Named(NamedTuple):
    """An entity that a span names unambiguously, at some reading positions.

    `chunk_id` is None for the subject of the note, which is in no chunk.
    """

    chunk_id: int | None
    entity_id: int
    holding: Sequence[_Holding]


class Inference:
    """Asks plugins what notes state."""

    def __init__(self, plugins: Plugins, pages: Pages) -> None:
        self._plugins = plugins
        self._pages = pages

    def infer(
        self,
        note: Note,
        names: VaultLexicon,
        rows: Sequence[MentionRow],
        chunks: Sequence[ChunkPlace],
        *,
        closely: bool,
        stored: StoredClauses | None = None,
    ) -> tuple[Inferred, list[PluginFailure], StoredClauses | None]:
        """Return what plugins read, failures, and the note's clauses if they are new.

        `rows` are the note's mentions, by chunk, and `chunks` all of its chunks; `stored` are its
        clauses as they were read before.

        A note with very many mentions is passed to plugins in parts of whole chunks.
        """
        statements: list[InferredRow] = []
        events: list[EventRow] = []
        failures: list[PluginFailure] = []
        if not rows and _subject(note, names) is None:
            return Inferred(), failures, None
        page, language, clauses = self._pages.read(note, closely=closely, stored=stored)
        for part in _parts(rows):
            found, failed = self._infer(note, page, language, names, part, chunks)
            statements += found.statements
            events += found.events
            failures += failed
        return Inferred(statements, events), failures, clauses

    def _infer(
        self,
        note: Note,
        page: Page,
        language: Language | None,
        names: VaultLexicon,
        rows: Sequence[MentionRow],
        chunks: Sequence[ChunkPlace],
    ) -> tuple[Inferred, list[PluginFailure]]:
        named = _by_span(rows)
        text = note.text
        mentions = []
        for start, end, entity_id in sorted(named):
            entity = names.by_row(entity_id)
            assert entity is not None, "rows have entities of these names"
            mentions.append(DecidedMention(start, end, text[start:end], entity.id, entity.type))
        subject = _subject(note, names)
        if subject is not None:
            entity_id = names.ids[subject.entity]
            named[subject.start, subject.end, entity_id] = _Named(None, entity_id, (_ANYWHERE,))

        def place(end: DecidedMention) -> _Named:
            try:
                return named[end.start, end.end, names.ids[end.entity]]
            except KeyError:
                raise ValueError(f"{end} is none of the mentions") from None

        def check(found: list[InferredRelation]) -> None:
            for relation in found:
                check_span(relation.start, relation.end, note)
                for end in filter(None, (relation.source, relation.target)):
                    place(end)
                if not relation.kind.strip():
                    raise ValueError(f"{relation} has no kind")

        def check_events(found: list[ToldEvent]) -> None:
            for event in found:
                check_span(event.start, event.end, note)
                for party in event.parties:
                    place(party.mention)

        given = {
            "note": note,
            "page": page,
            "language": language,
            "mentions": mentions,
            "ontology": self._plugins.ontology,
            "lexicon": names,
            "subject": subject,
        }
        found, failures = self._plugins.gather("infer_relations", check, **given)
        events, failed = self._plugins.gather("tell_events", check_events, **given)
        surest = _surest(found, self._plugins.ontology)
        statements = list(_rows(note, surest, place, chunks))
        parts = list(_event_rows(events, place, chunks))
        return Inferred(statements, parts), [*failures, *failed]


def _subject(note: Note, names: VaultLexicon) -> DecidedMention | None:
    """Return the entity whose note this is, as an empty mention at the start of the body."""
    file = fold_form(note.path.removesuffix(".md")).rpartition("/")[2]
    entity = next((one for one in names.called(file) if one.note_path == note.path), None)
    if entity is None:
        return None
    return DecidedMention(note.body_start, note.body_start, "", entity.id, entity.type)


def _parts(rows: Sequence[MentionRow]) -> Iterator[Sequence[MentionRow]]:
    """Split mentions, at chunk boundaries, into parts of about `MANY_MENTIONS`; none is a part."""
    begin = 0
    if not rows:
        yield rows
    while begin < len(rows):
        end = min(begin + MANY_MENTIONS, len(rows))
        while end < len(rows) and rows[end].chunk_id == rows[end - 1].chunk_id:
            end += 1
        yield rows[begin:end]
        begin = end


def _by_span(rows: Sequence[MentionRow]) -> dict[tuple[int, int, int], _Named]:
    """Return the entities that spans name unambiguously, by (start, end, entity id)."""
    found: dict[tuple[int, int], list[_Reading]] = {}
    for row in rows:
        until = _END if row.visible_until is None else row.visible_until
        if until > row.since:
            reading = _Reading(row.since, until, row.entity_id, row.chunk_id)
            found.setdefault((row.start, row.end), []).append(reading)
    named: dict[tuple[int, int, int], _Named] = {}
    for (start, end), readings in found.items():
        if len(readings) == 1:
            since, until, entity_id, chunk_id = readings[0]
            named[start, end, entity_id] = _Named(chunk_id, entity_id, (_Holding(since, until),))
            continue
        for entity_id in {reading.entity_id for reading in readings}:
            alone = _alone(entity_id, readings)
            if alone:
                named[start, end, entity_id] = _Named(readings[0].chunk_id, entity_id, alone)
    return named


def _alone(entity_id: int, readings: Sequence[_Reading]) -> list[_Holding]:
    """Return the intervals in which all readings agree on this entity; adjacent ones are merged."""
    steps = sorted({step for one in readings for step in (one.since, one.until)})
    alone: list[_Holding] = []
    for since, until in pairwise(steps):
        here = {one.entity_id for one in readings if one.since <= since < one.until}
        if here != {entity_id}:
            continue
        if alone and alone[-1].until == since:
            alone[-1] = _Holding(alone[-1].since, until)
        else:
            alone.append(_Holding(since, until))
    return alone


def _surest(found: Iterable[InferredRelation], ontology: Ontology) -> list[InferredRelation]:
    """Remove duplicate statements, keeping the one with the highest confidence."""
    kept: dict[tuple[object, ...], InferredRelation] = {}
    for relation in found:
        ends = [
            (one.start, one.end, one.entity)
            for one in (relation.source, relation.target)
            if one is not None
        ]
        if ontology.kind(relation.kind).symmetric:
            ends.sort()
        key = (relation.kind, *ends)
        if key not in kept or relation.confidence > kept[key].confidence:
            kept[key] = relation
    return list(kept.values())


def _rows(
    note: Note,
    found: Iterable[InferredRelation],
    place: Callable[[DecidedMention], _Named],
    chunks: Sequence[ChunkPlace],
) -> Iterator[InferredRow]:
    """Yield the rows of statements: each in the chunk that tells it, from where that may be read.

    The names of those that it is about may stand further up, as in a heading. One that no chunk
    tells whole is in the chunk that has all the names.
    """
    for relation in found:
        source = place(relation.source)
        target = source if relation.target is None else place(relation.target)
        told = _chunk_of(relation, chunks)
        named = {one.chunk_id for one in (source, target) if one.chunk_id is not None}
        chunk_ids = named if told is None else {told.id}
        is_of_one = relation.target is not None and source.entity_id == target.entity_id
        if is_of_one or len(chunk_ids) != 1:
            continue
        (chunk_id,) = chunk_ids
        first = -_END if told is None else _first(told)
        line, _ = note.locate(relation.start)
        for one in source.holding:
            for other in target.holding:
                since, until = max(one.since, other.since, first), min(one.until, other.until)
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


def _event_rows(
    found: Iterable[ToldEvent],
    place: Callable[[DecidedMention], _Named],
    chunks: Sequence[ChunkPlace],
) -> Iterator[EventRow]:
    told: set[tuple[int, int, str, int]] = set()
    for event in found:
        chunk = _chunk_of(event, chunks)
        if chunk is None:
            continue
        first = _first(chunk)
        for mention, role, confidence in event.parties:
            named = place(mention)
            for one in named.holding:
                since, until = max(one.since, first), one.until
                key = event.start, named.entity_id, role, since
                if since < until and key not in told:
                    told.add(key)
                    yield EventRow(
                        chunk_id=chunk.id,
                        start=event.start,
                        end=event.end,
                        entity_id=named.entity_id,
                        role=role,
                        since=since,
                        verb=storable(event.verb),
                        kind=storable(event.kind),
                        is_earlier=event.is_earlier,
                        confidence=confidence,
                        visible_from=None if since == NEVER else since,
                        visible_until=None if until == _END else until,
                    )


def _chunk_of(
    told: InferredRelation | ToldEvent, chunks: Sequence[ChunkPlace]
) -> ChunkPlace | None:
    return next((one for one in chunks if one.start <= told.start and told.end <= one.end), None)


def _first(chunk: ChunkPlace) -> int:
    """Return the position from which a chunk may be read."""
    return NEVER if chunk.visible_from is None else chunk.visible_from
