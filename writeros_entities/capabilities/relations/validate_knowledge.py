"""Judge a statement about two entities by evidence for and against it, and by the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import Answer, Proof
from writeros_entities.capabilities.parts import EntityName
from writeros_entities.capabilities.relations.parts import (
    LinkedEntity,
    Relation,
    TypeHint,
    link,
    proofs_of,
    read_relation,
    to_kind,
    to_type,
)
from writeros_entities.capability import AsOf, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.learning.judging import Asserted, Opinion
    from writeros_entities.view import View

EVIDENCE = 5
"""Most pieces of evidence per relation, for and against a statement."""


class ValidateKnowledge(Request["Validation"]):
    """A statement: subject, predicate, object."""

    subject: EntityName
    predicate: Relation
    object: EntityName
    subject_type: TypeHint = None
    object_type: TypeHint = None
    as_of: AsOf = None

    _types = field_validator("subject_type", "object_type")(to_type)
    _kind = field_validator("predicate")(to_kind)


class Triple(Answer):
    """The statement, with the entities that it is about."""

    subject: LinkedEntity
    predicate: str
    object: LinkedEntity


class Validation(Response):
    """The verdict on the statement, and why."""

    triple: Triple
    transe_score: float | None = Field(
        description="0 is best; above -0.5 valid, below -1.5 unlikely."
    )
    confidence: float | None = Field(description="Probability that it holds.")
    validation: Literal["valid", "uncertain", "unlikely"]
    decided_by: Literal["asserted", "contradicted", "known", "inferred", "ontology", "nothing"]
    reasons: list[str]
    supporting: list[Proof]
    contradicting: list[Proof]

    def as_text(self) -> str:
        """Return the verdict in a few lines."""
        one = self.triple
        sure = "" if self.confidence is None else f" ({self.confidence:.2f})"
        lines = [
            f"{one.subject.name} — {one.predicate} → {one.object.name}: "
            f"**{self.validation}**{sure}",
            *(f"- {reason}" for reason in self.reasons),
        ]
        for word, proofs in (("For", self.supporting), ("Against", self.contradicting)):
            lines += [f"- {word}: {proof.path}:{proof.line} — {proof.words()}" for proof in proofs]
        return "\n".join(lines)


@capability(family="relations", offered=False, reads_unread=True)
def validate_knowledge(view: View, request: ValidateKnowledge) -> Validation:
    """Say whether a statement about two entities is valid, uncertain or unlikely, and why.

    What the vault asserts decides, then known facts, then the types and the model's calibrated
    probability, with rules that the vault supports. What a known fact contradicts is at most
    uncertain; a low score contradicts nothing.
    """
    from writeros_entities.learning.endpoints import Claim, resolve_endpoint
    from writeros_entities.learning.judging import (
        find_asserted,
        find_known_clashes,
        judge,
        load_explainer,
    )
    from writeros_entities.learning.learned import find_learned, silence_without

    ontology = view.plugins.ontology
    learned = find_learned(view)
    seen = learned.endpoints if learned else ()
    reading = read_relation(ontology, request.predicate, learned.relations if learned else ())
    head = resolve_endpoint(view, request.subject, request.subject_type, seen)
    tail = resolve_endpoint(view, request.object, request.object_type, seen)
    claim = Claim(head, reading, tail)
    asserted = find_asserted(view, ontology, claim)
    model = learned or silence_without(view)
    opinion = judge(model, ontology, [claim])[0]
    is_known = learned is not None and learned.known.states(claim)
    denied = find_known_clashes(learned, ontology, claim)
    against = [row.id for row, _ in asserted.contradicting]
    supporting = [row.id for row in asserted.supporting]
    explanations = []
    if not supporting and not against:
        explanations = load_explainer(view, learned).explain(claim)
        supporting = list(dict.fromkeys(one for rule in explanations for one in rule.relation_ids))
    proofs = proofs_of(view, [*supporting, *against], EVIDENCE)
    return Validation(
        triple=Triple(subject=link(head), predicate=opinion.relation, object=link(tail)),
        supporting=[proof for row in supporting for proof in proofs.get(row, [])],
        contradicting=sorted(
            (proof for row in against for proof in proofs.get(row, [])), key=_place
        ),
        **_decide(asserted, opinion, [rule.text for rule in explanations], is_known, denied),
    )


def _place(proof: Proof) -> tuple[object, ...]:
    return proof.position is None, proof.position or 0, proof.path, proof.start


def _decide(
    asserted: Asserted, opinion: Opinion, rules: list[str], is_known: bool, denied: list[str]
) -> dict[str, object]:
    """Return verdict, confidence and reasons: assertions first, then known facts, then inferences.

    `denied` says why known facts contradict the statement.
    """
    from writeros_entities.learning.endpoints import CONFIDENCE
    from writeros_entities.learning.judging import score_of
    from writeros_entities.triples.calibration import verdict as verdict_on

    clashes = [reason for _, reason in asserted.contradicting]
    sure = max((row.confidence for row in asserted.supporting), default=None)
    if sure is not None:
        reasons = ["The vault asserts it."]
        if clashes:
            reasons = ["The vault asserts it, and the contrary.", *_sentences(clashes)]
        reasons += _against_known(denied)
        is_doubtful = bool(clashes or denied)
        confidence = 0.5 if is_doubtful else sure
        verdict, decided = ("uncertain" if is_doubtful else "valid"), "asserted"
    elif clashes:
        confidence = 1.0 - max(row.confidence for row, _ in asserted.contradicting)
        reasons = ["The vault asserts what contradicts it.", *_sentences(clashes)]
        verdict, decided = "unlikely", "contradicted"
    elif is_known:
        reasons = ["It is known, whatever the vault says."]
        confidence, verdict, decided = CONFIDENCE, "valid", "known"
    elif denied:
        confidence = min(opinion.probability or 1.0 - CONFIDENCE, 0.5)
        reasons = [*_against_known(denied), *opinion.reasons]
        verdict, decided = verdict_on(confidence), "known"
    else:
        return {
            "transe_score": opinion.score,
            "confidence": None if opinion.probability is None else round(opinion.probability, 4),
            "validation": opinion.validation,
            "decided_by": "nothing" if opinion.probability is None else opinion.origin,
            "reasons": [*opinion.reasons, *rules],
        }
    is_guessed = opinion.score is not None and decided in ("asserted", "contradicted")
    return {
        "transe_score": opinion.score if is_guessed else score_of(confidence),
        "confidence": round(confidence, 4),
        "validation": verdict,
        "decided_by": decided,
        "reasons": reasons,
    }


def _against_known(denied: list[str]) -> list[str]:
    return ["A known fact contradicts it.", *_sentences(denied)] if denied else []


def _sentences(clashes: list[str]) -> list[str]:
    return [f"{clash[0].upper()}{clash[1:]}." for clash in dict.fromkeys(clashes)]
