"""Find communities: groups of closely connected entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import Answer, EntityRef, empty_page, omitted, part_of
from writeros_entities.capabilities.graph.parts import (
    LEAST_STRENGTH,
    Connection,
    Kinds,
    MinStrength,
    Origins,
    connection_text,
    connections,
    kinds_meant,
    references,
    selection_of,
    to_kinds,
)
from writeros_entities.capabilities.parts import Types, to_snake_case, types_meant
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers
    from writeros_entities.graph.snapshot import Selection, Snapshot
    from writeros_entities.view import View

BONDS = 3
"""Number of strongest relations to show for a community."""


class FindCommunities(Request["CommunityList"]):
    """Which relations count, and how fine the division is."""

    min_strength: MinStrength = LEAST_STRENGTH
    min_size: Annotated[int, Field(ge=1, le=1000, description="Entities in each, at least.")] = 3
    resolution: Annotated[
        float, Field(gt=0, le=10, description="More than 1: more, smaller communities.")
    ] = 1.0
    max_members: Annotated[int, Field(ge=1, le=500, description="Members listed of each.")] = 12
    entity_types: Types = ()
    kinds: Kinds = ()
    origins: Origins = ()
    as_of: AsOf = None
    limit: Limit = 20
    offset: Offset = 0

    _types = field_validator("entity_types")(to_snake_case)
    _kinds = field_validator("kinds")(to_kinds)


class Member(EntityRef):
    """An entity of a community."""

    importance: float


class Community(Answer):
    """Entities more strongly connected with each other than with the rest."""

    members: list[Member] = Field(description="The most important first.")
    size: int
    relation_count: int
    average_strength: float
    kinds: dict[str, int] = Field(description="Number of relations by kind.")
    bonds: list[Connection] = Field(
        description="The strongest relations between the members listed."
    )


class CommunityList(Response):
    """Communities, the largest first."""

    limited: ClassVar[str | None] = "communities"

    communities: list[Community]
    total: int
    modularity: float = Field(description="How well the division fits, at most 1.")

    def as_text(self) -> str:
        """Return each community with its members and what connects them."""
        if not self.communities:
            return empty_page(self.total, "community", "No communities.")
        parts = []
        for community in self.communities:
            names = {member.id: member.name for member in community.members}
            listed = ", ".join(member.name for member in community.members)
            bonds = [f"- {connection_text(bond, names)}" for bond in community.bonds]
            size = part_of(len(names), community.size, "entity")
            told = len(bonds) or community.relation_count
            held = part_of(told, community.relation_count, "relation")
            parts.append(
                "\n".join([f"**{listed}** ({size}, {held})", *([""] if bonds else []), *bonds])
            )
        text = "\n\n".join(parts) + f"\n\nHow well this division fits: {self.modularity:z.2f} of 1."
        return text + omitted(len(self.communities), self.total, "community")


@capability(family="graph", offered=False)
def find_communities(view: View, request: FindCommunities) -> CommunityList:
    """Find who and what belongs together: groups of closely connected entities.

    Each has its members by importance, its kinds of relations, and the strongest of these.
    """
    from writeros_entities.capabilities.graph.snapshots import load_graph
    from writeros_entities.graph.communities import find_communities as divide
    from writeros_entities.graph.communities import modularity

    snapshot = load_graph(view, view.plugins.ontology)
    selection = selection_of(
        kinds=kinds_meant(view, snapshot, request.kinds),
        origins=request.origins,
        types=types_meant(view, request.entity_types),
        min_strength=request.min_strength,
    )
    network = snapshot.filtered(selection)
    labels = divide(network, request.resolution)
    groups = [group for group in _groups(snapshot, labels) if len(group) >= request.min_size]
    if request.entity_types:
        allowed = snapshot.allowed(selection)
        groups = [group for group in groups if allowed is None or allowed[group[0]]]
    page = groups[request.offset : request.offset + request.limit]
    told_of = [_community(view, snapshot, selection, group, request.max_members) for group in page]
    return CommunityList(
        communities=told_of,
        total=len(groups),
        modularity=round(modularity(network, labels, request.resolution), 4),
    )


def _groups(snapshot: Snapshot, labels: Integers) -> list[list[int]]:
    """Return the communities, the largest first, each ordered by importance."""
    import numpy as np

    order = np.lexsort((np.arange(len(labels)), -snapshot.importance, labels))
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    groups = [[int(node) for node in part] for part in np.split(order, ends) if len(part)]
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def _community(
    view: View,
    snapshot: Snapshot,
    selection: Selection,
    group: Sequence[int],
    most: int,
) -> Community:
    import numpy as np

    edges = snapshot.edges_between(np.array(group, np.int64), selection)
    named = references(view, snapshot, sorted(group[:most]))
    strongest = list(
        islice((int(edge) for edge in edges if named.keys() >= {*snapshot.edges.ends(edge)}), BONDS)
    )
    kinds = Counter(snapshot.edges.kinds[kind] for kind in snapshot.edges.kind[edges])
    strengths = snapshot.edges.strength[edges]
    return Community(
        members=[
            Member(
                **named[node].model_dump(),
                importance=round(float(snapshot.importance[node]), 4),
            )
            for node in group[:most]
        ],
        size=len(group),
        relation_count=len(edges),
        average_strength=round(float(strengths.mean()), 4) if len(edges) else 0.0,
        kinds=dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        bonds=connections(view, snapshot, strongest, named, 0),
    )
