"""What the capabilities about the graph share: parameters and connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, Quote, omitted
from writeros_entities.capabilities.parts import entity_refs, told_quotes
from writeros_entities.capabilities.relations.parts import to_kind
from writeros_entities.capability import also_called
from writeros_entities.errors import NotFoundError
from writeros_entities.graph import MOST_PATHS
from writeros_entities.names import nearest_or_all

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Selection, Snapshot
    from writeros_entities.view import View

LEAST_STRENGTH = 0.1
"""The default of least strengths: people who share three scenes have a path of two relations.

In the development vaults with chapters these are 466 pairs. Of them, 99 in 100 have a path of
relations of 0.15 and more, 96 of 0.2, 69 of 0.3, and 20 of 0.5: co-occurrence, normalised by how
often each is mentioned, seldom reaches what a statement has. As the strongest come first, a lower
least strength only adds paths at the end: of the first paths, all but one lead through statements
and three shared scenes alone, of the fifth 74 in 100, of the twentieth 45.
"""

Origin = Literal["asserted", "co-occurrence"]
Kinds = Annotated[
    tuple[str, ...],
    Field(
        description="Only relations of these kinds.",
        validation_alias=also_called("kinds", "relationship_types"),
    ),
]
MinStrength = Annotated[
    float,
    Field(
        ge=0,
        le=1,
        description="Only relations this strong.",
        validation_alias=also_called(
            "min_strength", "min_relation_score", "min_relationship_strength"
        ),
    ),
]
MinImportance = Annotated[
    float, Field(ge=0, le=1, description="Only by way of entities this important.")
]
Hops = Annotated[
    int,
    Field(
        ge=1,
        le=4,
        description="Relations followed, at most.",
        validation_alias=also_called(
            "max_hops", "max_depth", "max_degrees", "max_relationship_degrees", "max_entity_hops"
        ),
    ),
]
MaxPaths = Annotated[int, Field(ge=1, le=MOST_PATHS, description="Paths at most.")]
TotalPaths = Annotated[
    int,
    Field(description=f"How many were found; the search ends at {MOST_PATHS}."),
]
Origins = Annotated[tuple[Origin, ...], Field(description="Only of these origins.")]
Evidence = Annotated[int, Field(ge=0, le=10, description="Quotes for each relation.")]


class Connection(Answer):
    """A relation between two entities, or their co-occurrence."""

    source: str = Field(description="Id of an entity.")
    target: str
    relation: str
    origin: Origin
    weight: float = Field(description="Strength in 0-1.")
    confidence: float
    evidence_count: int = Field(description="Pieces of evidence, or scenes that both share.")
    first_position: int | None
    last_position: int | None
    has_ended: bool = Field(description="Over, and not begun again.")
    evidence: list[Quote]


def to_kinds(values: tuple[str, ...]) -> tuple[str, ...]:
    """Convert kinds to the index's spelling: `parent_of` for `parentOf` and `parent of`."""
    return tuple(map(to_kind, values))


def selection_of(
    *,
    kinds: Sequence[str] = (),
    origins: Sequence[str] = (),
    types: Sequence[str] = (),
    min_strength: float = 0.0,
    min_importance: float = 0.0,
) -> Selection:
    """Return the selection for a request's filters."""
    from writeros_entities.graph.snapshot import Selection

    return Selection(
        frozenset(kinds), frozenset(origins), frozenset(types), min_strength, min_importance
    )


def kinds_meant(view: View, snapshot: Snapshot, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that names mean: `parent_of` for `child_of`, which is its inverse.

    Raises NotFoundError, with the nearest known kinds, for a kind that no relation has.
    """
    known = snapshot.edges.kinds
    ontology = view.plugins.ontology
    found = []
    for name in asked:
        kind = name if name in known else ontology.read_name(name).kind
        if kind not in known:
            meant = [
                one for one in ontology.names_of(name) if ontology.read_name(one).kind in known
            ]
            raise NotFoundError("kind of relation", name, meant or nearest_or_all(name, known))
        found.append(kind)
    return tuple(found)


def references(view: View, snapshot: Snapshot, nodes: Sequence[int]) -> dict[int, EntityRef]:
    """Return the reference to the entity of each node."""
    ids = {int(node): int(snapshot.nodes.ids[node]) for node in nodes}
    refs = entity_refs(view, ids.values())
    return {node: refs[entity_id] for node, entity_id in ids.items()}


def connections(
    view: View,
    snapshot: Snapshot,
    edges: Sequence[int],
    named: dict[int, EntityRef],
    quotes: int,
) -> list[Connection]:
    """Return edges for an answer, each with at most `quotes` quotes."""
    from writeros_entities.capabilities.graph.snapshots import shown
    from writeros_entities.graph.snapshot import ORIGINS
    from writeros_entities.story.proofs import quotes_of_edges

    known = snapshot.edges
    proofs = told_quotes(view, quotes_of_edges(view, snapshot, edges, quotes))
    return [
        Connection(
            source=named[int(known.source[edge])].id,
            target=named[int(known.target[edge])].id,
            relation=known.kinds[known.kind[edge]],
            origin=ORIGINS[known.origin[edge]],
            weight=round(float(known.strength[edge]), 4),
            confidence=round(float(known.confidence[edge]), 4),
            evidence_count=int(known.count[edge]),
            first_position=shown(int(known.first[edge])),
            last_position=shown(int(known.last[edge])),
            has_ended=known.has_ended(edge),
            evidence=proofs[edge],
        )
        for edge in edges
    ]


def relation_text(kind: str, origin: str) -> str:
    """Return a kind of relation in words: `spouse of`, or `together` for co-occurrence."""
    return "together" if origin == "co-occurrence" else kind.replace("_", " ")


def connection_text(connection: Connection, names: dict[str, str]) -> str:
    """Return a connection in words, with its weight: `Hope — spouse of → Toby (0.90)`."""
    source, target = names[connection.source], names[connection.target]
    words = relation_text(connection.relation, connection.origin)
    over = ", no longer" if connection.has_ended else ""
    told = f"{source} — {words} → {target}{over}"
    if connection.origin == "co-occurrence":
        told = f"{source} — {target}, {words}"
    return f"{told} ({connection.weight:.2f})"


def listed_connection(connection: Connection, names: dict[str, str]) -> str:
    """Return a connection as an item of a list, with its quotes below."""
    quotes = (f"  {quote.as_text()}" for quote in connection.evidence)
    return "\n".join([f"- {connection_text(connection, names)}", *quotes])


def omitted_paths(shown: int, total: int) -> str:
    """Return a paragraph that says of how many paths these are, and that there may be others."""
    if total < MOST_PATHS:
        return omitted(shown, total, "path", "max_paths")
    how = " (max_paths)" if shown < total else ""
    return f"\n\n{shown} of the {total} best paths shown{how}; no others are looked for."
