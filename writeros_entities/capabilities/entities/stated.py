"""Relations stated in the vault, as answers show them from one entity's side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, Proof
from writeros_entities.capabilities.parts import entity_refs

if TYPE_CHECKING:
    from writeros_entities.story.asserted import RelationRow
    from writeros_entities.view import View


class StatedRelation(Answer):
    """A relation that the vault's own words state, read from the entity's side."""

    kind: str
    text: str = Field(description='How a sentence says it: "is the captain of".')
    other: EntityRef
    confidence: float
    first_position: int | None
    evidence_count: int
    has_ended: bool = Field(description="Over, and not begun again.")
    evidence: list[Proof] = Field(description="The first of its evidence.")

    def as_line(self) -> str:
        """Return the relation as part of a line: `is the captain of Cormorant (Ilse.md:7)`."""
        proof = self.evidence[0] if self.evidence else None
        place = f" ({proof.path}:{proof.line})" if proof else ""
        over = ", no longer" if self.has_ended else ""
        return f"{self.text} {self.other.name}{over}{place}"


def to_stated_relations(
    view: View, sides: Sequence[tuple[int, RelationRow]]
) -> list[StatedRelation]:
    """Return relations for an answer, in the same order, each with at most one piece of evidence.

    `sides` pairs each relation with the id of the entity from which it is read: source or target.
    """
    from writeros_entities.graph.network import holds_at
    from writeros_entities.story.asserted import evidence_of, load_intervals

    proofs = evidence_of(view, [relation.id for _, relation in sides], limit=1)
    over = load_intervals(view, {relation.id: relation.source_id for _, relation in sides})
    others = {relation.source_id + relation.target_id - own for own, relation in sides}
    refs = entity_refs(view, others)
    ontology = view.plugins.ontology
    stated = []
    for own, relation in sides:
        is_inverse = relation.target_id == own
        other = relation.source_id + relation.target_id - own
        stated.append(
            StatedRelation(
                kind=ontology.name_from(relation.kind, is_inverse=is_inverse),
                text=ontology.describe(relation.kind, is_inverse=is_inverse),
                other=refs[other],
                confidence=relation.confidence,
                first_position=relation.first_position,
                evidence_count=relation.evidence_count,
                has_ended=holds_at(over.get(relation.edge, ())),
                evidence=[
                    Proof.of(proof)
                    for proof in proofs.get(relation.id, ())
                    if view.has_file(proof.path)
                ],
            )
        )
    return stated


def surest_first(relation: StatedRelation) -> tuple[object, ...]:
    """Return the sort key of relations: most evidence, highest confidence, then kind and name."""
    return -relation.evidence_count, -relation.confidence, relation.kind, relation.other.name


def surest_of(
    view: View, own: int, relations: Sequence[RelationRow], most: int
) -> list[RelationRow]:
    """Return the first relations of an entity in the order of `surest_first`.

    An entity may have thousands: they are grouped by what comes before the name, and only names
    that decide who is among the first are read.
    """
    from writeros_entities.store.lexicon import display_names

    groups: dict[tuple[int, float, str, bool], list[RelationRow]] = defaultdict(list)
    for one in relations:
        groups[-one.evidence_count, -one.confidence, one.kind, one.target_id == own].append(one)
    name_from = view.plugins.ontology.name_from
    alike: dict[tuple[int, float, str], list[RelationRow]] = defaultdict(list)
    for (evidence, confidence, kind, is_inverse), group in groups.items():
        alike[evidence, confidence, name_from(kind, is_inverse=is_inverse)] += group
    ranked: list[tuple[tuple[int, float, str], RelationRow]] = []
    for sureness in sorted(alike):
        if len(ranked) >= most:
            break
        ranked += ((sureness, one) for one in alike[sureness])
    others = {one.id: one.source_id + one.target_id - own for _, one in ranked}
    names = display_names(view, others.values())
    ranked.sort(key=lambda one: (one[0], names.get(others[one[1].id], ""), one[1].id))
    return [one for _, one in ranked[:most]]
