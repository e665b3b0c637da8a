"""Find the entities in a given relation to one: asserted ones, and inferred ones."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AliasChoices, Field, field_validator

from writeros_entities.capabilities.answers import Answer, omitted
from writeros_entities.capabilities.parts import (
    EntityName,
    Types,
    to_snake_case,
    types_meant,
)
from writeros_entities.capabilities.relations.parts import (
    LinkedEntity,
    Relation,
    link,
    read_relation,
    to_kind,
)
from writeros_entities.capability import AsOf, Request, Response, capability
from writeros_entities.ontology import Reading

if TYPE_CHECKING:
    from writeros_entities.learning.endpoints import ResolvedEndpoint
    from writeros_entities.learning.learned import Learned
    from writeros_entities.view import View

NOTES = 3
"""Most notes to list that mention an entity."""

CONSIDERED = 50
"""Least number of entities, nearest in the model's space, whose probability is calibrated."""

LEAST = -1.5
"""Below this score an inferred relation is unlikely."""


class FindRelatedEntities(Request["RelatedEntities"]):
    """Which relation, and from which of its ends."""

    entity: EntityName
    relation: Relation
    direction: Annotated[
        Literal["outgoing", "incoming"],
        Field(description="From the entity to others, or from others to it."),
    ] = "outgoing"
    entity_type: Annotated[
        Types, Field(validation_alias=AliasChoices("entityType", "entityTypes"))
    ] = ()
    top_k: Annotated[int, Field(ge=1, le=100, description="Entities at most.")] = 10
    min_score: Annotated[
        float, Field(le=0, description="Least score of inferred ones; -0.5 and up is valid.")
    ] = LEAST
    search_notes: Annotated[
        bool,
        Field(
            description="List notes that mention each.",
            validation_alias=AliasChoices("searchNotes", "searchMemories"),
        ),
    ] = True
    as_of: AsOf = None

    _types = field_validator("entity_type")(to_snake_case)
    _kind = field_validator("relation")(to_kind)


class RelatedEntity(Answer):
    """An entity at the other end of the relation."""

    entity: LinkedEntity
    origin: Literal["asserted", "inferred", "ontology"]
    transe_score: float
    confidence: float
    has_ended: bool = Field(False, description="Over, and not begun again.")
    found_in: list[str] = Field(description="Notes that mention it.")
    reasons: list[str] = Field([], description="Rules that support it, if inferred.")


class RelatedEntities(Response):
    """Related entities: asserted ones first, then inferred ones by confidence."""

    source_entity: LinkedEntity
    relation: str
    direction: Literal["outgoing", "incoming"]
    related_entities: list[RelatedEntity]
    total: int
    remark: str | None

    def as_text(self) -> str:
        """Return the entities as a list."""
        lines = []
        for one in self.related_entities:
            notes = f" — {', '.join(one.found_in)}" if one.found_in else ""
            lines.append(
                f"- {one.entity.name} ({one.entity.entity_type}), {one.origin}, "
                f"{'no longer, ' * one.has_ended}{one.confidence:.2f}{notes}"
            )
            lines += [f"  - {reason}" for reason in one.reasons]
        text = "\n".join(lines) or "None."
        text += omitted(len(self.related_entities), self.total, "entity", "top_k")
        return text + (f"\n\n{self.remark}" if self.remark else "")


@capability(family="relations", offered=False, reads_unread=True)
def find_related_entities(view: View, request: FindRelatedEntities) -> RelatedEntities:
    """Find the entities in a given relation to one, asserted before inferred.

    Inferred ones are those that the relation model finds likely, with a calibrated score: entities
    of the vault and, for an entity of the model's shipped facts, of these.
    """
    from writeros_entities.learning.endpoints import resolve_endpoint
    from writeros_entities.learning.learned import find_learned, silence_without

    ontology = view.plugins.ontology
    learned = find_learned(view)
    seen = learned.endpoints if learned else ()
    further = [one.type for one in seen]
    types = types_meant(view, request.entity_type, further)
    request = request.model_copy(update={"entity_type": types})
    source = resolve_endpoint(view, request.entity, None, seen)
    named = read_relation(ontology, request.relation, learned.relations if learned else ())
    turned = request.direction == "incoming"
    reading = Reading(named.kind, named.is_inverse != turned)
    found = _asserted(view, source, reading)
    told = {one.entity.canonical_id for one in found}
    if learned is None:
        remark = silence_without(view)
    else:
        remark = learned.silence_on(named.kind)
        inferred = [] if remark else _inferred(view, learned, source, reading, request)
        found += [one for one in inferred if one.entity.canonical_id not in told]
        if not (remark or inferred):
            remark = learned.silence_about(source.endpoint)
    if request.entity_type:
        found = [one for one in found if one.entity.entity_type in request.entity_type]
    shown = found[: request.top_k]
    if request.search_notes:
        shown = _with_notes(view, shown)
    return RelatedEntities(
        source_entity=link(source),
        relation=ontology.name_from(named.kind, is_inverse=named.is_inverse),
        direction=request.direction,
        related_entities=shown,
        total=len(found),
        remark=remark or None,
    )


def _asserted(view: View, source: ResolvedEndpoint, reading: Reading) -> list[RelatedEntity]:
    from writeros_entities.learning.endpoints import (
        ResolvedEndpoint,
        read_endpoints,
        vault_endpoints,
    )
    from writeros_entities.learning.judging import ended, score_of
    from writeros_entities.story.asserted import load_relations

    if source.row is None:
        return []
    own = source.row.id
    symmetric = view.plugins.ontology.kind(reading.kind).symmetric
    sure: dict[int, float] = {}
    standing: set[int] = set()
    relations = [row for row in load_relations(view, [own]) if row.kind == reading.kind]
    over = ended(view, relations)
    for row in relations:
        is_source = row.source_id == own
        if symmetric or is_source != reading.is_inverse:
            other = row.target_id if is_source else row.source_id
            sure[other] = max(row.confidence, sure.get(other, 0.0))
            if row.id not in over:
                standing.add(other)
    rows = read_endpoints(view, sure)
    endpoints = vault_endpoints(view, rows)
    found = [
        RelatedEntity(
            entity=link(ResolvedEndpoint(one.name, one, row.status, row)),
            origin="asserted",
            transe_score=score_of(sure[row.id]),
            confidence=round(sure[row.id], 4),
            has_ended=row.id not in standing,
            found_in=[],
        )
        for one, row in zip(endpoints, rows, strict=True)
    ]
    return sorted(found, key=lambda one: (one.has_ended, -one.confidence, one.entity.name))


def _inferred(
    view: View,
    learned: Learned,
    source: ResolvedEndpoint,
    reading: Reading,
    request: FindRelatedEntities,
) -> list[RelatedEntity]:
    from writeros_entities.learning.endpoints import Claim
    from writeros_entities.learning.judging import judge, load_explainer

    others = _candidates(view, learned, source, request.entity_type)
    if not others:
        return []
    by_key = {one.endpoint.key: one for one in others}
    limit = max(CONSIDERED, 2 * request.top_k)
    nearest = learned.nearest(
        source.endpoint,
        reading.kind,
        [one.endpoint for one in others],
        is_tail=reading.is_inverse,
        limit=limit,
    )
    tails = [by_key[one.key] for one in nearest]
    ontology = view.plugins.ontology
    opinions = judge(learned, ontology, [Claim(source, reading, tail) for tail in tails])
    found = [
        RelatedEntity(
            entity=link(tail),
            origin=opinion.origin,
            transe_score=opinion.score,
            confidence=round(opinion.probability, 4),
            found_in=[],
        )
        for tail, opinion in zip(tails, opinions, strict=True)
        if opinion.probability is not None
        and opinion.score is not None
        and opinion.score >= request.min_score
    ]
    found.sort(key=lambda one: (-one.confidence, one.entity.name))
    explainer = load_explainer(view, learned)
    by_id = {tail.id: tail for tail in tails}
    explained = []
    for one in found[: request.top_k]:
        rules = explainer.explain(Claim(source, reading, by_id[one.entity.canonical_id]))
        explained.append(one.model_copy(update={"reasons": [rule.text for rule in rules]}))
    return explained + found[request.top_k :]


def _candidates(
    view: View,
    learned: Learned,
    source: ResolvedEndpoint,
    types: tuple[str, ...],
) -> list[ResolvedEndpoint]:
    """Return the possible other ends: the vault's entities, and those of the shipped facts.

    The latter only for an entity that these facts know: nobody in a novel is married to Napoleon.
    """
    from writeros_entities.learning.endpoints import ResolvedEndpoint, vault_endpoints
    from writeros_entities.story.listing import list_entities

    listed, _ = list_entities(view, types=types, order="name")
    rows = [one.row for one in listed]
    own = vault_endpoints(view, rows)
    found = {
        one.key: ResolvedEndpoint(one.name, one, row.status, row)
        for one, row in zip(own, rows, strict=True)
    }
    known = {one.key for one in learned.endpoints}
    if source.row is None or (learned.source == "shipped" and source.endpoint.key in known):
        for one in learned.endpoints:
            if one.key not in found and (not types or one.type in types):
                found[one.key] = ResolvedEndpoint(one.name, one, "known")
    found.pop(source.endpoint.key, None)
    return list(found.values())


def _with_notes(view: View, found: list[RelatedEntity]) -> list[RelatedEntity]:
    """Return entities with the first notes that mention them; one of no note of the vault has none.

    Notes of deleted files are left out.
    """
    from writeros_entities.store.lexicon import find_entity_ids
    from writeros_entities.story.listing import notes_that_mention

    keys = [one.entity.canonical_id for one in found]
    ids = find_entity_ids(view, keys)
    told = notes_that_mention(view, ids.values())
    shown = []
    for one, key in zip(found, keys, strict=True):
        notes = filter(view.has_file, told[ids[key]] if key in ids else ())
        shown.append(one.model_copy(update={"found_in": list(islice(notes, NOTES))}))
    return shown
