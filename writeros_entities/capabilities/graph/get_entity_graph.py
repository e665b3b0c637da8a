"""The graph around an entity or of the whole vault: what a request chooses of it, and an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    omitted,
    part_of,
    table,
)
from writeros_entities.capabilities.graph.parts import (
    LEAST_STRENGTH,
    Connection,
    Evidence,
    Hops,
    Kinds,
    MinImportance,
    MinStrength,
    Origins,
    connections,
    kinds_meant,
    listed_connection,
    references,
    selection_of,
    to_kinds,
)
from writeros_entities.capabilities.parts import (
    EntityName,
    Types,
    entity_refs,
    to_snake_case,
    types_meant,
)
from writeros_entities.capability import (
    BY_PLACE,
    AnswerT,
    AsOf,
    Limit,
    Request,
    Response,
    also_called,
    capability,
)

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Selection, Snapshot
    from writeros_entities.view import View

Form = Literal["mermaid", "canvas", "graphml", "html"]

TOPICS = 5
"""Most topics to list for one entity."""


class ChosenGraph(Request[AnswerT]):
    """Which part of the graph to choose."""

    center_entity: Annotated[EntityName | None, BY_PLACE] = None
    max_depth: Hops = 2
    max_nodes: Annotated[int, Field(ge=1, le=2000, description="Entities at most.")] = 50
    entity_types: Types = ()
    kinds: Kinds = ()
    origins: Origins = ()
    min_relation_score: MinStrength = LEAST_STRENGTH
    min_entity_importance: MinImportance = 0
    include_counts: Annotated[
        bool,
        Field(
            description="Count the passages that mention each.",
            validation_alias=also_called("include_counts", "include_memory_counts"),
        ),
    ] = False
    include_topics: Annotated[bool, Field(description="Add topics.")] = False
    evidence: Evidence = 0
    as_of: AsOf = None

    _types = field_validator("entity_types")(to_snake_case)
    _kinds = field_validator("kinds")(to_kinds)


class GetEntityGraph(ChosenGraph["EntityGraph"]):
    """Which part of the graph, and in which format."""

    format: Annotated[
        Literal["json", "mermaid", "canvas", "graphml", "html"],
        Field(description="Data, or a drawing."),
    ] = "json"
    limit: Limit = 60


class GraphNode(Answer):
    """An entity in the graph."""

    id: str
    label: str
    entity_type: str
    status: str
    mention_count: int
    passage_count: int | None
    importance: float = Field(description="From frequency and centrality, in 0-1.")
    hops: int | None = Field(description="Distance from the centre.")
    relatedness: float | None = Field(description="To the centre, in 0-1; null without vectors.")
    topics: list[str]


class EntityGraph(Response):
    """Entities and their connections, or a drawing of them."""

    center_entity: EntityRef | None
    nodes: list[GraphNode] = Field(description="The nearest or most important first.")
    edges: list[Connection] = Field(description="The strongest first; empty with a drawing.")
    total_nodes: int
    total_edges: int
    total_passages_scanned: int
    content: str | None = Field(description="The drawing, in the format asked for.")

    def as_text(self) -> str:
        """Return the entities as a table and the relations as a list, or the drawing."""
        if self.content is not None:
            return self.content
        if not self.nodes:
            center = self.center_entity
            return f"Nothing is connected with {center.name}." if center else "No entities."
        names = {node.id: node.label for node in self.nodes}
        rows = [
            (node.label, node.entity_type, node.mention_count, node.hops, f"{node.importance:.2f}")
            for node in self.nodes
        ]
        entities = part_of(len(self.nodes), self.total_nodes, "entity")
        relations = part_of(len(self.edges), self.total_edges, "relation")
        headers = ["entity", "type", "mentions", "hops", "importance"]
        text = f"{entities}, {relations}\n\n" + table(headers, rows)
        text += omitted(len(self.nodes), self.total_nodes, "entity", "max_nodes")
        if self.center_entity is not None and self.nodes[0].relatedness is None:
            text += "\nThere are no vectors: entities at the same distance are ordered by strength."
        if self.edges:
            text += "\n\n" + "\n".join(listed_connection(edge, names) for edge in self.edges)
        return text + omitted(len(self.edges), self.total_edges, "relation", "limit")

    def shortened(self, most: int) -> Self:
        """Return the graph with `most` entities, and at most as many of their relations."""
        nodes = self.nodes[:most]
        kept = {node.id for node in nodes}
        edges = [edge for edge in self.edges if {edge.source, edge.target} <= kept]
        return self.model_copy(update={"nodes": nodes, "edges": edges[:most]})


@dataclass(frozen=True, eq=False)
class ChosenPart:
    """What a request chooses of the graph: nodes, the nearest or most important first, and edges.

    `total` counts the nodes that could be chosen; of these, `nodes` has no more than were asked
    for, and `edges` all between them, the strongest first.
    """

    snapshot: Snapshot
    center: EntityRef | None
    nodes: Sequence[Reached]
    total: int
    edges: Sequence[int]
    related: Mapping[int, float]

    @property
    def title(self) -> str:
        """What a drawing is called."""
        return f"Around {self.center.name}" if self.center else "Entities"

    def answer(
        self,
        view: View,
        request: ChosenGraph,
        *,
        limit: int | None = None,
        content: str | None = None,
    ) -> EntityGraph:
        """Return the part as data, with at most `limit` of its edges, or as a drawing instead."""
        from writeros_entities.capabilities.graph.windows import count_chunks

        nodes = self.nodes if content is None else ()
        edges = self.edges[:limit] if content is None else ()
        named = references(view, self.snapshot, [one.node for one in nodes])
        return EntityGraph(
            center_entity=self.center,
            nodes=_nodes(view, self.snapshot, nodes, named, self.related, request),
            edges=connections(view, self.snapshot, edges, named, request.evidence),
            total_nodes=self.total,
            total_edges=len(self.edges),
            total_passages_scanned=count_chunks(view),
            content=content,
        )

    def drawn(self, view: View, form: Form) -> str:
        """Return a drawing of the part, with all of its edges."""
        from writeros_entities.capabilities.graph.drawings import draw
        from writeros_entities.graph.drawing import as_canvas, as_graphml, as_mermaid
        from writeros_entities.graph.page import as_page

        forms = {
            "mermaid": as_mermaid,
            "canvas": as_canvas,
            "graphml": as_graphml,
            "html": as_page,
        }
        nodes = [one.node for one in self.nodes]
        return forms[form](draw(view, self.snapshot, nodes, self.edges, self.title))


class Reached(NamedTuple):
    """A node, and its distance in hops from the centre, if there is one."""

    node: int
    hops: int | None


@capability(family="graph", offered=False)
def get_entity_graph(view: View, request: GetEntityGraph) -> EntityGraph:
    """Show what is connected with an entity, or the most important entities and their relations.

    Edges are relations that the vault asserts, and co-occurrence in scenes. As data or as a
    drawing; `draw_entity_graph` writes one.

    Entities at the same distance are ordered by relatedness to the centre: 0.7 × similarity of
    vectors + 0.3 × overlap of neighbours, times 1.3 for an asserted relation; without vectors, by
    strength.
    """
    part = choose_part(view, request)
    drawn = None if request.format == "json" else part.drawn(view, request.format)
    return part.answer(view, request, limit=request.limit, content=drawn)


def choose_part(view: View, request: ChosenGraph) -> ChosenPart:
    """Return the part of the graph that a request chooses."""
    from writeros_entities.capabilities.graph.snapshots import load_graph, nodes_of
    from writeros_entities.story.finding import find_entity

    snapshot = load_graph(view, view.plugins.ontology)
    selection = selection_of(
        kinds=kinds_meant(view, snapshot, request.kinds),
        origins=request.origins,
        types=types_meant(view, request.entity_types),
        min_strength=request.min_relation_score,
        min_importance=request.min_entity_importance,
    )
    center, center_ref = None, None
    if request.center_entity is not None:
        entity = find_entity(view, request.center_entity)
        center = nodes_of(snapshot, [entity.id])
        center_ref = entity_refs(view, [entity.id])[entity.id]
    found = _choose(snapshot, selection, center, request.max_depth)
    related = _relatedness(view, snapshot, selection, found) if center else {}
    if related:
        found.sort(key=lambda one: (one.hops, -related[one.node]))
    nodes = found[: request.max_nodes]
    edges = _edges(snapshot, [one.node for one in nodes], selection)
    return ChosenPart(snapshot, center_ref, nodes, len(found), edges, related)


def _choose(
    snapshot: Snapshot, selection: Selection, center: Sequence[int] | None, depth: int
) -> list[Reached]:
    """Return the selected nodes, the most important first; with a centre, the nearest with hops.

    A centre without any mention or relation is no node of the graph: `center` is empty then.
    """
    import numpy as np

    from writeros_entities.graph.neighbourhood import find_neighbourhood

    allowed = snapshot.allowed(selection, center or ())
    if center is not None:
        near = find_neighbourhood(
            snapshot.network(selection),
            center,
            depth,
            min_strength=selection.min_strength,
            allowed=allowed,
        )
        return [Reached(*map(int, one)) for one in zip(near.nodes, near.hops, strict=True)]
    every = np.arange(len(snapshot.nodes.ids))
    if allowed is not None:
        every = every[allowed]
    order = np.lexsort((every, -snapshot.importance[every]))
    return [Reached(int(node), None) for node in every[order]]


def _relatedness(
    view: View,
    snapshot: Snapshot,
    selection: Selection,
    found: Sequence[Reached],
) -> dict[int, float]:
    """Return each node's relatedness to the first one; empty if that has no vector."""
    import numpy as np

    from writeros_entities.graph.relatedness import bound_by_relation, relatedness
    from writeros_entities.story.entity_vectors import entity_cosines, entity_vectors

    embedder = view.embedder()
    vectors = entity_vectors(view, embedder.identity if embedder else None)
    nodes = np.array([one.node for one in found], np.int64)
    ids = snapshot.nodes.ids[nodes].tolist()
    if ids[0] not in vectors.rows:
        return {}
    center = int(nodes[0])
    scores = relatedness(
        snapshot.network(selection),
        center,
        nodes,
        entity_cosines(vectors, ids[0], ids),
        bound_by_relation(snapshot, center)[nodes],
    )
    scores[0] = 1.0
    return dict(zip(nodes.tolist(), scores.round(4).tolist(), strict=True))


def _edges(snapshot: Snapshot, nodes: Sequence[int], selection: Selection) -> list[int]:
    import numpy as np

    found = snapshot.edges_between(np.array(nodes, np.int64), selection)
    return [int(edge) for edge in found]


def _nodes(
    view: View,
    snapshot: Snapshot,
    found: Sequence[Reached],
    named: dict[int, EntityRef],
    related: Mapping[int, float],
    request: ChosenGraph,
) -> list[GraphNode]:
    from writeros_entities.capabilities.graph.drawings import read_topics
    from writeros_entities.capabilities.graph.snapshots import count_passages

    ids = [int(snapshot.nodes.ids[one.node]) for one in found]
    passages = count_passages(view, ids) if request.include_counts else {}
    topics = read_topics(view, ids, TOPICS) if request.include_topics else {}
    return [
        GraphNode(
            id=named[node].id,
            label=named[node].name,
            entity_type=named[node].type,
            status=named[node].status,
            mention_count=int(snapshot.nodes.mentions[node]),
            passage_count=passages.get(row, 0) if request.include_counts else None,
            importance=round(float(snapshot.importance[node]), 4),
            hops=hops,
            relatedness=related.get(node),
            topics=topics.get(row, []),
        )
        for (node, hops), row in zip(found, ids, strict=True)
    ]
