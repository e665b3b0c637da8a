"""Infer how two entities are related: from assertions, then from the relation model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import Answer, Proof, Quote, part_of
from writeros_entities.capabilities.parts import EntityName, told_quotes
from writeros_entities.capabilities.relations.parts import (
    LinkedEntity,
    TypeHint,
    link,
    proofs_of,
    to_type,
)
from writeros_entities.capability import AsOf, Request, Response, capability
from writeros_entities.ontology import Reading

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from writeros_entities.learning.endpoints import ResolvedEndpoint
    from writeros_entities.learning.judging import Explanation
    from writeros_entities.learning.learned import Learned
    from writeros_entities.view import View

EVIDENCE = 3
"""Most pieces of evidence for one relation, and most passages with both entities."""


class InferRelationship(Request["InferredRelationship"]):
    """Which two entities."""

    head_entity: EntityName
    tail_entity: EntityName
    head_type: TypeHint = None
    tail_type: TypeHint = None
    top_k: Annotated[int, Field(ge=1, le=50, description="Candidates at most.")] = 5
    include_score: Annotated[bool, Field(description="Give scores.")] = True
    include_vector: Annotated[
        bool, Field(description="Add the model's vector from head to tail.")
    ] = False
    as_of: AsOf = None

    _types = field_validator("head_type", "tail_type")(to_type)


class RelationCandidate(Answer):
    """A relation that may hold, read from head to tail, with reasons and evidence."""

    relation: str
    score: float | None = Field(description="0 is best; above -0.5 valid, below -1.5 unlikely.")
    confidence: float
    origin: Literal["asserted", "derived", "known", "inferred", "ontology"] = Field(
        description="derived: kin that follows from what is told of others."
    )
    has_ended: bool = Field(False, description="Over, and not begun again.")
    reasons: list[str]
    evidence: list[Proof]


class InferredRelationship(Response):
    """Candidates: asserted ones first, then derived and known ones, then inferred ones."""

    head: LinkedEntity
    tail: LinkedEntity
    inferred_relations: list[RelationCandidate]
    together: list[Quote] = Field(description="Passages that speak of both.")
    predicted_vector: list[float] | None
    remark: str | None = Field(description="Why the model abstains, wholly or in part.")

    def as_text(self) -> str:
        """Return the candidates as a list, with their evidence."""
        lines = []
        for one in self.inferred_relations:
            score = "" if one.score is None else f", score {one.score:.2f}"
            origin = one.origin + ", no longer" * one.has_ended
            lines.append(
                f"- {self.head.name} — {one.relation} → {self.tail.name}: {one.confidence:.2f} "
                f"({origin}{score})"
            )
            lines += [f"  - {reason}" for reason in one.reasons]
            lines += [f"  - {proof.path}:{proof.line} — {proof.words()}" for proof in one.evidence]
        text = "\n".join(lines) or "No relation suggests itself."
        if self.together:
            text += "\n\nTogether:\n" + "\n".join(quote.as_text() for quote in self.together)
        return text + (f"\n\n{self.remark}" if self.remark else "")


@capability(family="relations", offered=False, reads_unread=True)
def infer_relationship(view: View, request: InferRelationship) -> InferredRelationship:
    """Infer how two entities are related: asserted, derived and known relations, then guesses.

    Kin is derived: who is a cousin follows from who is whose child. Each candidate has its reasons.
    Passages with both entities are quoted. The model is trained on the vault's relations if there
    are enough, and abstains where it knows too little; under `as_of`, only the shipped model is
    used.
    """
    from writeros_entities.learning.endpoints import Claim, resolve_endpoint
    from writeros_entities.learning.judging import load_explainer
    from writeros_entities.learning.learned import find_learned
    from writeros_entities.story.proofs import quotes_of_pairs

    learned = find_learned(view)
    seen = learned.endpoints if learned else ()
    head = resolve_endpoint(view, request.head_entity, request.head_type, seen)
    tail = resolve_endpoint(view, request.tail_entity, request.tail_type, seen)
    asserted = _asserted(view, head, tail)
    asserted += _derived(view, head, tail, {one.relation for one in asserted})
    asserted += _known(view, learned, head, tail, {one.relation for one in asserted})
    inferred, remark = _inferred(view, learned, head, tail)
    stated = {one.relation for one in asserted}
    free = [one for one in inferred if one[0].relation not in stated]
    free = free[: max(0, request.top_k - len(asserted))]
    explainer = load_explainer(view, learned)
    candidates = list(asserted)
    for one, reading in free:
        explanations = explainer.explain(Claim(head, reading, tail))
        candidates.append(_with_rules(view, one, explanations))
    quotes: list[Quote] = []
    if head.row is not None and tail.row is not None and head.row.id != tail.row.id:
        pair = head.row.id, tail.row.id
        found = quotes_of_pairs(view, [pair], EVIDENCE)
        quotes = told_quotes(view, found)[pair]
    vector = None
    if learned and request.include_vector:
        vector = learned.leading(head.endpoint, tail.endpoint)
    if not request.include_score:
        candidates = [one.model_copy(update={"score": None}) for one in candidates]
    return InferredRelationship(
        head=link(head),
        tail=link(tail),
        inferred_relations=candidates[: request.top_k],
        together=quotes,
        predicted_vector=vector,
        remark=remark,
    )


def _with_rules(
    view: View,
    candidate: RelationCandidate,
    explanations: Sequence[Explanation],
) -> RelationCandidate:
    """Return a candidate with the rules that support it, and their evidence."""
    ids = dict.fromkeys(one for rule in explanations for one in rule.relation_ids)
    proofs = proofs_of(view, ids, 1)
    return candidate.model_copy(
        update={
            "reasons": [*candidate.reasons, *(rule.text for rule in explanations)],
            "evidence": [proof for one in ids for proof in proofs.get(one, [])],
        }
    )


def _asserted(
    view: View, head: ResolvedEndpoint, tail: ResolvedEndpoint
) -> list[RelationCandidate]:
    """Return the relations asserted between the two, read from the head."""
    from writeros_entities.learning.judging import ended, score_of
    from writeros_entities.story.asserted import load_relations

    if head.row is None or tail.row is None or head.row.id == tail.row.id:
        return []
    ends = {head.row.id, tail.row.id}
    rows = [
        row for row in load_relations(view, [head.row.id]) if {row.source_id, row.target_id} == ends
    ]
    proofs = proofs_of(view, [row.id for row in rows], EVIDENCE)
    over = ended(view, rows)
    found = []
    for row in sorted(
        rows,
        key=lambda row: (row.id in over, -row.confidence, row.kind, row.source_id != head.row.id),
    ):
        name = view.plugins.ontology.name_from(row.kind, is_inverse=row.source_id != head.row.id)
        shown = proofs.get(row.id, [])
        pieces = part_of(len(shown), row.evidence_count, "piece")
        found.append(
            RelationCandidate(
                relation=name,
                score=score_of(row.confidence),
                confidence=round(row.confidence, 4),
                origin="asserted",
                has_ended=row.id in over,
                reasons=[f"The vault asserts it: {pieces} of evidence."],
                evidence=shown,
            )
        )
    return found


def _derived(
    view: View,
    head: ResolvedEndpoint,
    tail: ResolvedEndpoint,
    asserted: Collection[str],
) -> list[RelationCandidate]:
    """Return what kin the head is to the tail by what is told of others, with the statements."""
    from writeros_entities.capabilities.relations.kin import (
        KIN_KINDS,
        KIN_STEPS,
        KinNames,
        read_family,
    )
    from writeros_entities.learning.judging import score_of

    if head.row is None or tail.row is None or head.row.id == tail.row.id:
        return []
    told = read_family(view, [tail.row.id], KIN_STEPS)
    new = told.derived(head.row.id, tail.row.id, asserted)
    proofs = proofs_of(view, {tie.statement for one in new for tie in one.ties}, 1)
    names = KinNames(view.plugins, "en")
    ends = head.endpoint.name, tail.endpoint.name
    found = []
    for one in new:
        sure = min(told.sureness[tie.statement] for tie in one.ties)
        called = names.word(one, told.genders.get(head.row.id))
        found.append(
            RelationCandidate(
                relation=KIN_KINDS[one.code],
                score=score_of(sure),
                confidence=round(sure, 4),
                origin="derived",
                reasons=[f"{ends[0]} is {ends[1]}'s {called}."],
                evidence=[proof for tie in one.ties for proof in proofs.get(tie.statement, [])],
            )
        )
    return found


def _known(
    view: View,
    learned: Learned | None,
    head: ResolvedEndpoint,
    tail: ResolvedEndpoint,
    asserted: Collection[str],
) -> list[RelationCandidate]:
    """Return the relations that are known of the two and not asserted, read from the head."""
    from writeros_entities.learning.endpoints import CONFIDENCE
    from writeros_entities.learning.judging import score_of

    facts = [] if learned is None else learned.known.of(head, tail)
    names = dict.fromkeys(
        view.plugins.ontology.name_from(fact.kind, is_inverse=fact.source_id != head.endpoint.key)
        for fact in facts
    )
    return [
        RelationCandidate(
            relation=name,
            score=score_of(CONFIDENCE),
            confidence=CONFIDENCE,
            origin="known",
            reasons=["It is known, whatever the vault says."],
            evidence=[],
        )
        for name in names
        if name not in asserted
    ]


def _inferred(
    view: View,
    learned: Learned | None,
    head: ResolvedEndpoint,
    tail: ResolvedEndpoint,
) -> tuple[list[tuple[RelationCandidate, Reading]], str | None]:
    """Return candidates of each kind that the model knows, in both directions, and a remark.

    Candidates are ordered by confidence, each with its reading from the head.
    """
    from writeros_entities.learning.endpoints import Claim
    from writeros_entities.learning.judging import judge
    from writeros_entities.learning.learned import silence_without

    if learned is None:
        return [], silence_without(view)
    if learned.silence:
        return [], learned.silence
    ontology = view.plugins.ontology
    known = [kind for kind in learned.relations if not learned.silence_on(kind)]
    readings = [
        Reading(kind, inverse)
        for kind in known
        for inverse in ((False,) if ontology.kind(kind).symmetric else (False, True))
    ]
    opinions = judge(learned, ontology, [Claim(head, reading, tail) for reading in readings])
    found = [
        (
            RelationCandidate(
                relation=one.relation,
                score=one.score,
                confidence=round(one.probability, 4),
                origin=one.origin,
                reasons=list(one.reasons),
                evidence=[],
            ),
            reading,
        )
        for one, reading in zip(opinions, readings, strict=True)
        if one.probability is not None and one.origin == "inferred"
    ]
    found.sort(key=lambda one: (-one[0].confidence, one[0].relation))
    few = len(learned.relations) - len(known)
    kinds = "kind" if few == 1 else "kinds"
    remark = f"The model abstains on {few} {kinds} that it has seen too little of." if few else None
    return found, remark
