"""How strongly two entities are connected, chapter by chapter.

The strength at a reading position is the one in the graph as of this position: it follows from the
mentions that hold there and the evidence visible there. A relation that is over has none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select, tuple_

from writeros_entities.capabilities.graph.windows import Scenes, load_scenes, scene_of
from writeros_entities.graph.cooccurrence import MOST_TOGETHER, NOWHERE, pair_strength
from writeros_entities.graph.network import holds_at
from writeros_entities.graph.snapshot import TOGETHER
from writeros_entities.store import rows
from writeros_entities.story.asserted import ASSERTED, Edge, load_intervals
from writeros_entities.story.mentions import find_rivals

if TYPE_CHECKING:
    from writeros_entities.graph.network import Intervals
    from writeros_entities.graph.snapshot import Selection
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

DECAY = 0.8
DECAY_DAYS = 30
DECAY_CHAPTERS = 5
_Window = tuple[str, int, int]
_SCENE, _NOTE = 1, 2

_NANOSECONDS_PER_DAY = 86_400 * 10**9


@dataclass(frozen=True, slots=True)
class Point:
    """The connection of two entities as of one reading position.

    `together` is the strength of their co-occurrence, `asserted` that of the strongest relation
    between them that is not over; `scenes` counts the scenes they share at this very position.
    `last` is the position of the last scene that they share so far, or else of the last note, or of
    the last statement.
    """

    position: int
    together: float
    asserted: float
    scenes: int
    last: int | None

    @property
    def strength(self) -> float:
        """The greater of the two strengths."""
        return max(self.together, self.asserted)


def decay_by_chapters(strength: float, chapters: int) -> float:
    """Return a strength decayed by 0.8 for every five chapters without the two entities."""
    return float(strength * DECAY ** (max(chapters, 0) / DECAY_CHAPTERS))


def decay_by_days(strength: float, days: int) -> float:
    """Return a strength, multiplied by 0.8 after more than thirty days without an edit."""
    return strength * DECAY if days > DECAY_DAYS else strength


def follow_pair(
    view: View, one: int, other: int, positions: Sequence[int], selection: Selection
) -> list[Point]:
    """Return the connection of two entities as of each of these reading positions, ascending.

    Only the selected kinds and origins count for its strength, and only what is strong enough.
    """
    mentions = _read_mentions(view, one, other)
    evidence = [
        stated
        for kind, stated in _read_evidence(view, one, other)
        if selection.has(kind, "asserted")
    ]
    counts_together = selection.has(TOGETHER, "co-occurrence")
    points = []
    each = (mentions.windows_at(entity, positions) for entity in (one, other))
    for position, *windows in zip(positions, *each, strict=True):
        scenes, notes = (
            [mentions.places[one] for one in windows[0][kind] & windows[1][kind]]
            for kind in (_SCENE, _NOTE)
        )
        told = [place for stated in evidence for place in stated.places_at(position)]
        together = (
            [place for place in places if place < NOWHERE] for places in (scenes, notes, told)
        )
        points.append(
            Point(
                position,
                selection.enough(pair_strength(*windows)) if counts_together else 0.0,
                selection.enough(_asserted(evidence, position)),
                scenes.count(position),
                next((max(places) for places in together if places), None),
            )
        )
    return points


def last_edits(view: View, entity_id: int) -> dict[int, int]:
    """Return, by entity, when a note that mentions it and this entity was last edited (ns)."""
    chunk, note = view.chunk, view.note
    mine, theirs = view.mention.alias("mine"), view.mention.alias("theirs")
    notes = (
        select(chunk.c.note_id)
        .join(mine, mine.c.chunk_id == chunk.c.id)
        .where(mine.c.entity_id == entity_id)
    )
    statement = (
        select(theirs.c.entity_id, func.max(func.abs(note.c.mtime_ns)).label("edited"))
        .join(chunk, chunk.c.id == theirs.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(note.c.id.in_(notes), theirs.c.entity_id != entity_id)
        .group_by(theirs.c.entity_id)
    )
    return view.lookup(statement)


def last_evidence(view: View, entity_id: int) -> dict[int, int]:
    """Return, by entity, when a note with evidence of a relation to it was last edited (ns)."""
    evidence, note, relation = view.evidence, view.note, rows.relation.c
    touching = or_(relation.source_id == entity_id, relation.target_id == entity_id)
    related = view.relations(relation.origin == ASSERTED, touching).subquery("related")
    statement = (
        select(related.c.source_id, related.c.target_id)
        .add_columns(func.max(func.abs(note.c.mtime_ns)).label("edited"))
        .join(evidence, evidence.c.relation_id == related.c.id)
        .join(note, note.c.id == evidence.c.note_id)
        .group_by(related.c.source_id, related.c.target_id)
    )
    edited: dict[int, int] = {}
    for row in view.all(statement):
        other = row.target_id if row.source_id == entity_id else row.source_id
        edited[other] = max(row.edited, edited.get(other, 0))
    return edited


def days_between(edited: int, now: float) -> int:
    """Return the whole days from an edit (ns since 1970) to `now` (s since 1970), at least 0."""
    return max(0, int((now * 10**9 - edited) // _NANOSECONDS_PER_DAY))


# -- Mentions as of any position -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mention:
    """A mention of one of the two: its windows, and the interval of positions in which it holds.

    `rivals` are the intervals in which the span may name another entity.
    """

    windows: tuple[_Window, _Window, _Window]
    since: int
    until: int
    rivals: tuple[tuple[int, int], ...]

    @property
    def is_lasting(self) -> bool:
        """Whether it holds at all positions from its first on."""
        return self.until == NOWHERE and not self.rivals

    def holds(self, position: int) -> bool:
        return self.since <= position < self.until and not any(
            since <= position < until for since, until in self.rivals
        )


@dataclass(frozen=True, slots=True)
class _Mentions:
    """The mentions of two entities, the positions of their windows, and those that are lists.

    A list mentions too many entities to say anything about two of them.
    """

    of: dict[int, list[_Mention]]
    places: dict[_Window, int]
    lists: set[_Window]

    def windows_at(self, entity_id: int, positions: Sequence[int]) -> Iterator[list[set[_Window]]]:
        """Yield the chunks, scenes and notes that mention an entity as of each of these positions,
        without lists.
        """
        mentions = sorted(self.of[entity_id], key=attrgetter("since"), reverse=True)
        lasting = [mention for mention in mentions if mention.is_lasting]
        passing = [mention for mention in mentions if not mention.is_lasting]
        lasted: list[set[_Window]] = [set(), set(), set()]
        for position in positions:
            while lasting and lasting[-1].since <= position:
                for found, window in zip(lasted, lasting.pop().windows, strict=True):
                    found.add(window)
            held = [mention for mention in passing if mention.holds(position)]
            yield [
                (found | {mention.windows[kind] for mention in held}) - self.lists
                for kind, found in enumerate(lasted)
            ]


def _read_mentions(view: View, one: int, other: int) -> _Mentions:
    candidate, chunk, note = view.candidate, view.chunk, view.note
    statement = (
        select(candidate, chunk.c.note_id, note.c.position)
        .join(chunk, chunk.c.id == candidate.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(candidate.c.entity_id.in_([one, other]))
    )
    found = view.all(statement)
    notes = sorted({row.note_id for row in found})
    scenes = load_scenes(view, notes)
    rivals = find_rivals(view, found)
    mentions = _Mentions({one: [], other: []}, {}, _lists(view, notes, scenes))
    for row in found:
        windows = _windows(row, scenes)
        place = NOWHERE if row.position is None else row.position
        mentions.places.update(dict.fromkeys(windows, place))
        others = tuple(
            _interval(other)
            for other in rivals[row.chunk_id, row.start, row.end]
            if other.entity_id != row.entity_id
        )
        mentions.of[row.entity_id].append(_Mention(windows, *_interval(row), others))
    return mentions


def _windows(row: Row, scenes: Scenes) -> tuple[_Window, _Window, _Window]:
    """Return the chunk, the scene and the note of a mention, as windows."""
    scene = scene_of(scenes, row.note_id, row.start)
    return ("chunk", row.chunk_id, 0), ("scene", *scene), ("note", row.note_id, 0)


def _lists(view: View, notes: Sequence[int], scenes: Scenes) -> set[_Window]:
    """Return the windows that mention more than `MOST_TOGETHER` entities."""
    mention, chunk = view.mention, view.chunk
    joined = select(chunk.c.note_id).join(mention, mention.c.chunk_id == chunk.c.id)
    entities: dict[_Window, set[int]] = defaultdict(set)
    for batch in rows.batches(notes):
        long = (
            joined.where(chunk.c.note_id.in_(batch))
            .group_by(chunk.c.note_id)
            .having(func.count(mention.c.entity_id.distinct()) > MOST_TOGETHER)
        )
        columns = (mention.c.chunk_id, mention.c.start, mention.c.entity_id)
        for row in view.all(joined.add_columns(*columns).where(chunk.c.note_id.in_(long))):
            for window in _windows(row, scenes):
                entities[window].add(row.entity_id)
    return {window for window, found in entities.items() if len(found) > MOST_TOGETHER}


def _interval(row: Row) -> tuple[int, int]:
    since = NOWHERE if row.visible_from is None else row.visible_from
    return since, NOWHERE if row.visible_until is None else row.visible_until


# -- Evidence as of any position -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Stated:
    """The (since, until, position, confidence) of each piece of evidence of a relation, and its
    intervals over.
    """

    pieces: list[tuple[int, int, int, float]]
    over: Intervals

    def places_at(self, position: int) -> list[int]:
        """Return where the evidence stands that is seen as of a position."""
        return [place for since, until, place, _ in self.pieces if since <= position < until]


def _read_evidence(view: View, one: int, other: int) -> list[tuple[str, _Stated]]:
    """Return the relations between two entities, by kind, with evidence as of any position."""
    relation, evidence = rows.relation, rows.evidence
    between = or_(
        tuple_(relation.c.source_id, relation.c.target_id) == (one, other),
        tuple_(relation.c.source_id, relation.c.target_id) == (other, one),
    )
    related = view.relations(relation.c.origin == ASSERTED, between).subquery("related")
    statement = (
        select(related.c.id, related.c.source_id, related.c.target_id, related.c.kind)
        .add_columns(evidence.c.visible_from, evidence.c.visible_until, evidence.c.confidence)
        .add_columns(evidence.c.position)
        .join(evidence, evidence.c.relation_id == related.c.id)
        .where(evidence.c.vault_id == view.vault_id)
    )
    pieces: dict[Edge, list[tuple[int, int, int, float]]] = defaultdict(list)
    sources: dict[int, int] = {}
    for row in view.all(statement):
        sources[row.id] = row.source_id
        edge = Edge(row.source_id, row.target_id, row.kind)
        place = NOWHERE if row.position is None else row.position
        pieces[edge].append((*_interval(row), place, row.confidence))
    over = load_intervals(view, sources)
    return [(edge.kind, _Stated(found, over.get(edge, ()))) for edge, found in pieces.items()]


def _asserted(relations: Iterable[_Stated], position: int) -> float:
    """Return the strength of the strongest relation as of a position (see `relations.asserted`)."""
    strongest = 0.0
    for stated in relations:
        seen = [sure for since, until, _, sure in stated.pieces if since <= position < until]
        if seen and not holds_at(stated.over, position):
            strongest = max(strongest, 1 - (1 - max(seen)) / len(seen))
    return strongest


def chapters_between(positions: Sequence[int], last: int, here: int) -> int:
    """Return the number of chapters after the one at `last`, up to the one at `here`."""
    return bisect_right(positions, here) - bisect_right(positions, last)
