"""Find paths between entities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from writeros_entities.capabilities.answers import Answer, EntityRef
from writeros_entities.capabilities.graph.parts import (
    LEAST_STRENGTH,
    Connection,
    Evidence,
    Hops,
    Kinds,
    MaxPaths,
    MinImportance,
    MinStrength,
    Origins,
    TotalPaths,
    connections,
    kinds_meant,
    listed_connection,
    omitted_paths,
    references,
    relation_text,
    selection_of,
    to_kinds,
)
from writeros_entities.capabilities.parts import Types, to_snake_case, types_meant
from writeros_entities.capability import AsOf, Request, Response, also_called, capability

if TYPE_CHECKING:
    from writeros_entities.graph.paths import Path
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.view import View


class FindPaths(Request["PathList"]):
    """The entities to connect, and which paths count."""

    entities: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=20, description="Names or ids of entities."),
    ]
    to: Annotated[
        tuple[str, ...],
        Field(max_length=20, description="Only paths from those to these; else between any two."),
    ] = ()
    max_hops: Hops = 4
    order: Annotated[
        Literal["strongest", "shortest"], Field(description="Which paths come first.")
    ] = "strongest"
    min_strength: MinStrength = LEAST_STRENGTH
    min_entity_importance: MinImportance = 0
    entity_types: Types = ()
    kinds: Kinds = ()
    origins: Origins = ()
    evidence: Evidence = 1
    as_of: AsOf = None
    max_paths: Annotated[MaxPaths, Field(validation_alias=also_called("max_paths", "limit"))] = 20

    _types = field_validator("entity_types")(to_snake_case)
    _kinds = field_validator("kinds")(to_kinds)

    @model_validator(mode="after")
    def _has_two_ends(self) -> FindPaths:
        if len(self.entities) == 1 and not self.to:
            raise ValueError("a path has two ends: name a second entity, or some in `to`")
        return self


class FoundPath(Answer):
    """A chain of entities, each connected with the next."""

    entities: list[EntityRef]
    strength: float = Field(description="Product of the relations' strengths.")
    length: int
    relations: list[Connection] = Field(description="The strongest of each step.")
    explanation: str = Field(description="A → B → C (strength 0.68).")

    def as_text(self) -> str:
        """Return the path with its relations, as `A — lives in → B ← leads — C (strength 0.68)`."""
        here = self.entities[0]
        chain = here.name
        for step, there in zip(self.relations, self.entities[1:], strict=True):
            words = relation_text(step.relation, step.origin) + ", no longer" * step.has_ended
            if step.origin == "co-occurrence":
                chain += f" — {words} — {there.name}"
            elif step.source == here.id:
                chain += f" — {words} → {there.name}"
            else:
                chain += f" ← {words} — {there.name}"
            here = there
        return f"{chain} (strength {self.strength:.2f})"


class PathList(Response):
    """Paths, the best first."""

    limited: ClassVar[str | None] = "paths"

    paths: list[FoundPath]
    total: TotalPaths

    def as_text(self) -> str:
        """Return each path with its relations and their quotes."""
        if not self.paths:
            return "No path."
        parts = []
        for path in self.paths:
            names = {entity.id: entity.name for entity in path.entities}
            told = (listed_connection(relation, names) for relation in path.relations)
            parts.append("\n".join([f"**{path.explanation}**", "", *told]))
        return "\n\n".join(parts) + omitted_paths(len(self.paths), self.total)


@capability(family="graph", offered=False)
def find_paths(view: View, request: FindPaths) -> PathList:
    """Find how entities are connected: paths of up to four relations, each with its evidence.

    Relations are followed in both directions; no path visits an entity twice.
    """
    from writeros_entities.capabilities.graph.snapshots import load_graph
    from writeros_entities.graph.paths import find_paths as search

    snapshot = load_graph(view, view.plugins.ontology)
    ends = [
        _nodes_named(view, snapshot, names)
        for names in (request.entities, request.to or request.entities)
    ]
    selection = selection_of(
        kinds=kinds_meant(view, snapshot, request.kinds),
        origins=request.origins,
        types=types_meant(view, request.entity_types),
        min_importance=request.min_entity_importance,
    )
    found = search(
        snapshot.network(selection),
        *ends,
        hops=request.max_hops,
        order=request.order,
        min_strength=request.min_strength,
        allowed=snapshot.allowed(selection, [*ends[0], *ends[1]]),
    )
    page = [path.seen_from(ends[0]) for path in found[: request.max_paths]]
    shown = to_found_paths(view, snapshot, page, request.evidence)
    return PathList(paths=shown, total=len(found))


def _nodes_named(view: View, snapshot: Snapshot, names: Sequence[str]) -> list[int]:
    from writeros_entities.capabilities.graph.snapshots import nodes_of
    from writeros_entities.story.finding import find_entity

    found = [find_entity(view, name) for name in names]
    return [node for entity in found for node in nodes_of(snapshot, [entity.id])]


def to_found_paths(
    view: View, snapshot: Snapshot, paths: Sequence[Path], quotes: int
) -> list[FoundPath]:
    """Return paths for an answer, with at most `quotes` quotes for each relation."""
    named = references(view, snapshot, sorted({node for path in paths for node in path.nodes}))
    edges = sorted({edge for path in paths for edge in path.edges})
    known = dict(zip(edges, connections(view, snapshot, edges, named, quotes), strict=True))
    return [
        FoundPath(
            entities=[named[node] for node in path.nodes],
            strength=round(path.strength, 4),
            length=path.hops,
            relations=[known[edge] for edge in path.edges],
            explanation=f"{' → '.join(named[node].name for node in path.nodes)} "
            f"(strength {path.strength:.2f})",
        )
        for path in paths
    ]
