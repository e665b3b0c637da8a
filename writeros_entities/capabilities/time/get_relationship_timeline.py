"""How relationships grow and fade along the manuscript."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import Answer, EntityRef, empty_page, omitted, table
from writeros_entities.capabilities.graph.parts import (
    Kinds,
    MinStrength,
    Origin,
    Origins,
    kinds_meant,
    references,
    relation_text,
    selection_of,
    to_kinds,
)
from writeros_entities.capabilities.parts import (
    EntityName,
    entity_refs,
    position_range,
)
from writeros_entities.capabilities.time.parts import EntityInTime
from writeros_entities.capability import BY_PLACE, AsOf, Limit, Offset, Response, capability
from writeros_entities.errors import RequestError

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.view import View


class GetRelationshipTimeline(EntityInTime["RelationshipTimeline"]):
    """Which relationships, and how they fade."""

    other: Annotated[
        EntityName | None,
        Field(description="With whom; by reading, also chapter by chapter."),
        BY_PLACE,
    ] = None
    clock: Annotated[
        Literal["reading", "days"],
        Field(description="Fade by chapters read, or by days since the notes were edited."),
    ] = "reading"
    kinds: Kinds = ()
    origins: Origins = ()
    min_strength: MinStrength = 0
    as_of: AsOf = None
    limit: Limit = 100
    offset: Offset = 0

    _kinds = field_validator("kinds")(to_kinds)


class Relationship(Answer):
    """One relation of an entity, and its strength after fading."""

    source: EntityRef
    target: EntityRef
    relation: str
    origin: Origin
    original_strength: float
    adjusted_strength: float = Field(description="After fading.")
    mention_count: int = Field(description="Pieces of evidence, or scenes that both share.")
    first_position: int | None
    last_position: int | None
    since_last: int | None = Field(
        description="Chapters since the last scene together, or days since the last edit."
    )
    has_ended: bool = Field(description="Over, and not begun again.")


class TimelinePoint(Answer):
    """Two entities as of one chapter."""

    position: int
    title: str
    strength: float = Field(description="The greater of the two below.")
    adjusted_strength: float
    together: float = Field(description="Of their co-occurrence, as of this chapter.")
    asserted: float = Field(description="Of the strongest relation that is not over by then.")
    shared_scenes: int = Field(description="In this chapter alone.")


class RelationshipTimeline(Response):
    """Relationships, the strongest first; with two entities, also chapter by chapter."""

    entity: EntityRef
    other: EntityRef | None
    relationships: list[Relationship]
    points: list[TimelinePoint]
    total: int = Field(description="Of points, if there are any, else of relationships.")

    def shortened(self, most: int) -> Self:
        """Return the timeline with fewer points or, if there are none, fewer relationships."""
        paged = "points" if self.points else "relationships"
        return self.model_copy(update={paged: getattr(self, paged)[:most]})

    def as_text(self) -> str:
        """Return the relationships as a table, and the chapters as another."""
        nothing = f"No relationship of {self.entity.name}"
        if self.other is None:
            if not self.relationships:
                return empty_page(self.total, "relationship", f"{nothing}.")
            listed = omitted(len(self.relationships), self.total, "relationship")
            return self._relationships() + listed
        if self.relationships:
            return "\n\n".join([self._relationships(), *([self._chapters()] * bool(self.points))])
        if any(point.strength for point in self.points):
            return f"{nothing} with {self.other.name} any more.\n\n{self._chapters()}"
        return f"{nothing} with {self.other.name}."

    def _relationships(self) -> str:
        rows = [
            (
                one.source.name,
                relation_text(one.relation, one.origin) + (", no longer" * one.has_ended),
                one.target.name,
                f"{one.original_strength:.2f}",
                f"{one.adjusted_strength:.2f}",
                one.mention_count,
                position_range(one.first_position, one.last_position),
            )
            for one in self.relationships
        ]
        headers = ["from", "relation", "to", "strength", "left", "times", "reading order"]
        return table(headers, rows)

    def _chapters(self) -> str:
        steps = [
            (
                point.position,
                point.title,
                f"{point.strength:.2f}",
                f"{point.adjusted_strength:.2f}",
                point.shared_scenes,
            )
            for point in self.points
        ]
        text = table(["reading order", "chapter", "strength", "left", "scenes"], steps)
        return text + omitted(len(self.points), self.total, "chapter")


@capability(family="time", offered=False)
def get_relationship_timeline(view: View, request: GetRelationshipTimeline) -> RelationshipTimeline:
    """Show how strong an entity's relationships are, since when, and how they fade.

    With `other`, also the strength as of every chapter.

    By reading, 0.8 of the strength is left after every five chapters since the last scene that both
    are in, or if there is none, since the last chapter of both, or the last statement; by days,
    after thirty days without an edit.
    """
    from writeros_entities.capabilities.graph.drawings import read_chapters
    from writeros_entities.capabilities.graph.snapshots import load_graph
    from writeros_entities.story.finding import find_entity

    entity = find_entity(view, request.entity)
    other = None if request.other is None else find_entity(view, request.other)
    if other is not None and other.id == entity.id:
        raise RequestError(f"{request.entity!r} and {request.other!r} are the same entity.")
    snapshot = load_graph(view, view.plugins.ontology)
    meant = kinds_meant(view, snapshot, request.kinds)
    request = request.model_copy(update={"kinds": meant})
    chapters = read_chapters(view)
    relationships = _Relationships(view, snapshot, chapters, request).of(
        entity.id, None if other is None else other.id
    )
    points: list[TimelinePoint] = []
    if other is not None and request.clock == "reading":
        points = _points(view, chapters, (entity.id, other.id), request)
    refs = entity_refs(view, [row.id for row in (entity, other) if row is not None])
    page = slice(request.offset, request.offset + request.limit)
    return RelationshipTimeline(
        entity=refs[entity.id],
        other=None if other is None else refs[other.id],
        relationships=relationships if points else relationships[page],
        points=points[page],
        total=len(points or relationships),
    )


def _points(
    view: View,
    chapters: list[tuple[int, str]],
    pair: tuple[int, int],
    request: GetRelationshipTimeline,
) -> list[TimelinePoint]:
    from writeros_entities.capabilities.time.strengths import (
        chapters_between,
        decay_by_chapters,
        follow_pair,
    )

    positions = [position for position, _ in chapters]
    selection = selection_of(
        kinds=request.kinds, origins=request.origins, min_strength=request.min_strength
    )
    followed = follow_pair(view, *pair, positions, selection)
    told = []
    for point, (_, title) in zip(followed, chapters, strict=True):
        if not request.covers(point.position):
            continue
        away = 0
        if point.last is not None:
            away = chapters_between(positions, point.last, point.position)
        told.append(
            TimelinePoint(
                position=point.position,
                title=title,
                strength=round(point.strength, 4),
                adjusted_strength=round(decay_by_chapters(point.strength, away), 4),
                together=round(point.together, 4),
                asserted=round(point.asserted, 4),
                shared_scenes=point.scenes,
            )
        )
    return told


class _Relationships:
    """The relations of an entity in a snapshot, and when each was last mentioned."""

    def __init__(
        self,
        view: View,
        snapshot: Snapshot,
        chapters: list[tuple[int, str]],
        request: GetRelationshipTimeline,
    ) -> None:
        self._view = view
        self._snapshot = snapshot
        self._positions = [position for position, _ in chapters]
        self._request = request

    def of(self, entity: int, other: int | None) -> list[Relationship]:
        """Return an entity's relations, to all or one other, the strongest after fading first."""
        edges = self._edges(entity, other)
        known = self._snapshot.edges
        ends = {int(end) for edge in edges for end in (known.source[edge], known.target[edge])}
        named = references(self._view, self._snapshot, sorted(ends))
        ago = self._ago(entity, edges)
        relationships = [
            one
            for one in (self._relationship(edge, ago.get(edge), named) for edge in edges)
            if self._request.is_begun(one.first_position)
        ]
        relationships.sort(key=lambda one: (-one.adjusted_strength, -one.mention_count))
        return relationships

    def _edges(self, entity: int, other: int | None) -> list[int]:
        import numpy as np

        from writeros_entities.capabilities.graph.snapshots import nodes_of

        selection = selection_of(
            kinds=self._request.kinds,
            origins=self._request.origins,
            min_strength=self._request.min_strength,
        )
        wanted = nodes_of(self._snapshot, [entity] if other is None else [entity, other])
        nodes = np.array(wanted, np.int64)
        if other is not None:
            found = self._snapshot.edges_between(nodes, selection)
        else:
            found = self._snapshot.edges_of(nodes, selection)
        return [int(edge) for edge in found]

    def _ago(self, entity: int, edges: list[int]) -> dict[int, int]:
        """Return how many chapters ago the two of each relation were last together, or how many
        days ago their notes were edited.
        """
        from writeros_entities.capabilities.time.strengths import (
            chapters_between,
            days_between,
            last_edits,
            last_evidence,
        )
        from writeros_entities.graph.cooccurrence import NOWHERE

        known = self._snapshot.edges
        if self._request.clock == "reading":
            here = self._positions[-1] if self._positions else 0
            together = self._together(edges)
            places = (
                together.get(frozenset(self._ends(edge)), int(known.last[edge])) for edge in edges
            )
            return {
                edge: chapters_between(self._positions, place, here)
                for edge, place in zip(edges, places, strict=True)
                if place != NOWHERE
            }
        now = time.time()
        edited = {True: last_evidence(self._view, entity), False: last_edits(self._view, entity)}
        ago = {}
        for edge in edges:
            rows = [int(self._snapshot.nodes.ids[end]) for end in self._ends(edge)]
            other = rows[1] if rows[0] == entity else rows[0]
            last = edited[bool(known.relation[edge])].get(other)
            if last is not None:
                ago[edge] = days_between(last, now)
        return ago

    def _together(self, edges: list[int]) -> dict[frozenset[int], int]:
        """Return where the two of each co-occurrence at the ends of these edges last met."""
        import numpy as np

        from writeros_entities.graph.cooccurrence import NOWHERE

        nodes = np.array(sorted({end for edge in edges for end in self._ends(edge)}), np.int64)
        met = self._snapshot.edges_between(nodes, selection_of(origins=["co-occurrence"]))
        last = self._snapshot.edges.last
        return {
            frozenset(self._ends(int(edge))): int(last[edge])
            for edge in met
            if last[edge] != NOWHERE
        }

    def _ends(self, edge: int) -> tuple[int, int]:
        known = self._snapshot.edges
        return int(known.source[edge]), int(known.target[edge])

    def _relationship(
        self, edge: int, ago: int | None, named: dict[int, EntityRef]
    ) -> Relationship:
        from writeros_entities.capabilities.graph.snapshots import shown
        from writeros_entities.capabilities.time.strengths import decay_by_chapters, decay_by_days
        from writeros_entities.graph.snapshot import ORIGINS

        known = self._snapshot.edges
        strength = float(known.strength[edge])
        fade = decay_by_chapters if self._request.clock == "reading" else decay_by_days
        return Relationship(
            source=named[int(known.source[edge])],
            target=named[int(known.target[edge])],
            relation=known.kinds[known.kind[edge]],
            origin=ORIGINS[known.origin[edge]],
            original_strength=round(strength, 4),
            adjusted_strength=round(fade(strength, ago or 0), 4),
            mention_count=int(known.count[edge]),
            first_position=shown(int(known.first[edge])),
            last_position=shown(int(known.last[edge])),
            since_last=ago,
            has_ended=known.has_ended(edge),
        )
