"""Show what a reader learns about an entity, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, get_args

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Alternative,
    Answer,
    EntityRef,
    Proof,
    empty_page,
    omitted,
    or_others,
    part_of,
)
from writeros_entities.capabilities.entities.get_entity import properties_of
from writeros_entities.capabilities.entities.moments import At, find_moment
from writeros_entities.capabilities.parts import (
    entity_refs,
    find_alternatives,
    plain_text,
)
from writeros_entities.capabilities.time.parts import EntityInTime
from writeros_entities.capability import AsOf, Limit, Offset, Response, capability

if TYPE_CHECKING:
    from writeros_entities.ontology import Ontology
    from writeros_entities.story.history import ChangeRow
    from writeros_entities.view import View

ChangeKind = Literal[
    "first_appearance",
    "alias_added",
    "relationship_added",
    "relationship_ended",
    "status_changed",
    "property_added",
    "description_updated",
]


class GetEntityHistory(EntityInTime["EntityHistory"]):
    """Which entity's history to show, and which kinds of change."""

    kinds: Annotated[
        tuple[ChangeKind, ...], Field(description="Only changes of these kinds; all by default.")
    ] = ()
    include_evolution: Annotated[
        bool, Field(description="Not only when it appears, and by which names.")
    ] = True
    max_relationship_degrees: Annotated[
        int,
        Field(ge=0, le=4, description="0: no relations; 2: also those of who is related to it; …"),
    ] = 1
    at: At = None
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0

    def kinds_of(self, degree: int) -> tuple[ChangeKind, ...]:
        """Return the kinds of change to show of entities that many relations away."""
        return tuple(
            kind
            for kind in self.kinds or get_args(ChangeKind)
            if (self.include_evolution or kind in _APPEARANCES)
            and (degree == 0 or kind in _RELATIONS)
            and (self.max_relationship_degrees > 0 or kind not in _RELATIONS)
        )


_APPEARANCES: tuple[ChangeKind, ...] = ("first_appearance", "alias_added")
_RELATIONS: tuple[ChangeKind, ...] = ("relationship_added", "relationship_ended")


class EntityChange(Answer):
    """One change: what is new, what was before, and the words that show it."""

    entity: EntityRef = Field(description="Who or what changes.")
    kind: ChangeKind
    since: int | None = Field(
        description="Reading position from which it is known; null: from the first page."
    )
    text: str = Field(description="The change in a few words.")
    previous: str | None
    new: str | None
    other: EntityRef | None = Field(description="The other entity of a relation.")
    evidence: Proof
    alternatives: list[Alternative] = Field(
        description="Others that it may be said of, nearly as surely."
    )

    def told(self) -> str:
        """Return the change in a few words, and who else it may be said of."""
        return self.text + or_others(self.alternatives, self.entity.name)


class EntityHistory(Response):
    """A page of an entity's changes, in reading order."""

    limited: ClassVar[str | None] = "changes"

    entity: EntityRef
    changes: list[EntityChange]
    total: int
    story_date: str | None = Field(default=None, description="The time asked for with `at`.")
    age: str | None = Field(default=None, description="Its age then, in years.")

    def as_text(self) -> str:
        """Return the changes as a list, with their quotes."""
        if not self.changes:
            nothing = f"No change of {self.entity.name} is told."
            return empty_page(self.total, "change", nothing)
        shown = part_of(len(self.changes), self.total, "change")
        head = f"{self.entity.name} ({self.entity.type}): {shown}"
        if self.story_date is not None:
            head += f", by {self.story_date}" + (f", aged {self.age}" if self.age else "")
        lines = []
        for change in self.changes:
            where = "always" if change.since is None else str(change.since)
            quote = change.evidence.words()
            place = f"{change.evidence.path}:{change.evidence.line}"
            whose = "" if change.entity == self.entity else f"{change.entity.name} "
            lines.append(f"- **{where}**: {whose}{change.told()} — “{quote}” ({place})")
        return "\n".join([head, "", *lines]) + omitted(len(self.changes), self.total, "change")


@capability(family="time", job="learn what a reader is told of somebody, chapter by chapter")
def get_entity_history(view: View, request: GetEntityHistory) -> EntityHistory:
    """Show how an entity changes along the manuscript: names, relations, statuses, with quotes.

    Each change is placed where a reader first learns of it. What is said only in notes without a
    place in reading order is not a change: see `get_entity`. With `at`, what has happened by then.
    """
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.history import load_changes
    from writeros_entities.story.listing import source_of

    entity = find_entity(view, request.entity)
    found = load_changes(view, [entity.id], request.kinds_of(0))
    if request.max_relationship_degrees > 1:
        found = _with_others(view, found, entity.id, request)
    moment = None if request.at is None else find_moment(view, request.at)
    present = [
        row
        for row in found
        if view.has_file(row.path)
        and request.covers(row.since)
        and (moment is None or moment.has_come(row.path, row.start))
    ]
    page = present[request.offset : request.offset + request.limit]
    ref = entity_refs(view, [entity.id])[entity.id]
    changes = to_entity_changes(view, page)
    age = (
        None if moment is None else moment.age(properties_of(view, entity, source_of(view, entity)))
    )
    return EntityHistory(
        entity=ref,
        changes=changes,
        total=len(present),
        story_date=None if moment is None else moment.shown,
        age=age,
    )


def _with_others(
    view: View,
    own: list[ChangeRow],
    entity_id: int,
    request: GetEntityHistory,
) -> list[ChangeRow]:
    """Return an entity's changes with the relations of those near it, in reading order.

    A relation is told once, of the nearer of its two.
    """
    from writeros_entities.capabilities.graph.snapshots import load_graph, nodes_of
    from writeros_entities.graph.neighbourhood import find_neighbourhood
    from writeros_entities.graph.snapshot import Selection
    from writeros_entities.story.history import load_changes

    snapshot = load_graph(view, view.plugins.ontology)
    stated = snapshot.network(Selection(origins=frozenset(["asserted"])))
    start = nodes_of(snapshot, [entity_id])
    near = find_neighbourhood(stated, start, request.max_relationship_degrees - 1)
    order = {int(snapshot.nodes.ids[node]): at for at, node in enumerate(near.nodes)}
    others = [other for other in order if other != entity_id]
    rows = sorted(
        load_changes(view, others, request.kinds_of(1)), key=lambda row: order[row.entity_id]
    )
    told: dict[tuple[object, ...], ChangeRow] = {}
    for row in [*own, *rows]:
        told.setdefault((row.path, row.start, row.end, row.kind), row)
    return sorted(told.values(), key=lambda row: (row.since is not None, row.since or 0))


def to_entity_changes(view: View, rows: Sequence[ChangeRow]) -> list[EntityChange]:
    """Return changes for an answer, in the same order."""
    from writeros_entities.story.mentions import Naming

    ontology = view.plugins.ontology
    others = {row.other_id for row in rows if row.other_id}
    refs = entity_refs(view, {*others, *(row.entity_id for row in rows)})
    named = {
        row: Naming(row.chunk_id, row.start, row.end, row.entity_id)
        for row in rows
        if row.chunk_id is not None
    }
    doubts = find_alternatives(view, named.values())
    changes = []
    for row in rows:
        other = refs.get(row.other_id) if row.other_id is not None else None
        changes.append(
            EntityChange(
                entity=refs[row.entity_id],
                kind=row.kind,
                since=row.since,
                text=describe_change(row, other.name if other else None, ontology),
                previous=row.previous,
                new=row.new,
                other=other,
                evidence=Proof.of(row),
                alternatives=doubts.get(named[row], []) if row in named else [],
            )
        )
    return changes


def describe_change(row: ChangeRow, other: str | None, ontology: Ontology) -> str:
    """Describe a change in a few words: `is the captain of Cormorant`."""
    if row.kind == "first_appearance":
        return f"first appears, as {row.new}"
    if row.kind == "alias_added":
        return f"is called {row.new}"
    if row.kind in ("relationship_added", "relationship_ended"):
        reading = ontology.read_name(row.new or row.previous or "")
        text = ontology.describe(reading.kind, is_inverse=reading.is_inverse)
        begins = f"{text} {other or 'somebody'}"
        return begins if row.kind == "relationship_added" else f"ends: {begins}"
    if row.kind == "status_changed":
        new = plain_text(row.new or "")
        return f"{new} (before: {plain_text(row.previous)})" if row.previous else new
    if row.kind == "property_added":
        return plain_text(row.new or "")
    return f"more is told in the section {row.new}" if row.new else "more is told"
