"""Judge whether a relation holds between two entities, by assertions, ontology and model.

Asserted evidence comes first. Without any, the model's calibrated probability counts. Entity types
that do not fit a kind's domain and range divide it by ten, and decide alone if the model abstains.
A symmetric kind gets the mean of both directions; an inverse is its kind with the ends swapped.
What the known facts do not leave open is at most uncertain (see `known_facts`).

Only assertions contradict a triple: a one-way kind in the other direction, another target of a
functional kind, a kind that ends this one, or that this one is over. A relation that is over
contradicts nothing itself, and neither does a low score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

import numpy as np

from writeros_entities.graph.network import holds_at
from writeros_entities.learning.endpoints import MOST_UNSTATED
from writeros_entities.learning.learned import Statements, vault_statements
from writeros_entities.ontology import UNTYPED
from writeros_entities.story.asserted import load_intervals, load_relations
from writeros_entities.triples.calibration import logit, scaled, verdict
from writeros_entities.triples.codes import FEWEST
from writeros_entities.triples.evidence import rules_of

if TYPE_CHECKING:
    from writeros_entities.learning.endpoints import Claim, Fact
    from writeros_entities.learning.learned import Judged, Learned
    from writeros_entities.ontology import Ontology
    from writeros_entities.story.asserted import RelationRow
    from writeros_entities.triples.calibration import Verdict
    from writeros_entities.triples.rules import Ground, Rules
    from writeros_entities.values import RelationKind
    from writeros_entities.view import View

MISFIT = 0.1
"""The factor on a probability if the types do not fit; the probability itself without a model."""


_LEAST = 0.25
"""The least confidence of a rule that is reported: 3 of 7 pairs, given the Laplace term."""

_MOST = 2
"""The most rules reported for a relation."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """A judgement of one triple, as requested: a probability or None, and the reasons."""

    relation: str
    probability: float | None
    origin: Literal["inferred", "ontology"]
    reasons: tuple[str, ...]

    @property
    def score(self) -> float | None:
        """The probability on the scale of answers: 0 is best, -0.5 and -1.5 are the bounds of
        verdicts.
        """
        return None if self.probability is None else score_of(self.probability)

    @property
    def validation(self) -> Verdict:
        """The verdict: valid, uncertain or unlikely."""
        return "uncertain" if self.probability is None else verdict(self.probability)


def score_of(probability: float) -> float:
    """Return a probability on the scale of answers."""
    return round(float(scaled(np.array(logit(probability)))), 4)


@dataclass(frozen=True, slots=True)
class Asserted:
    """The vault's relations that support a triple, and those that contradict it, with reasons."""

    supporting: tuple[RelationRow, ...]
    contradicting: tuple[tuple[RelationRow, str], ...]


def find_asserted(view: View, ontology: Ontology, claim: Claim) -> Asserted:
    """Return what the vault asserts for and against a claim; nothing if an end is not in it."""
    if claim.head.row is None or claim.tail.row is None:
        return Asserted((), ())
    source, target = claim.source.row.id, claim.target.row.id
    kind = ontology.kind(claim.reading.kind)
    supporting: list[RelationRow] = []
    contradicting: list[tuple[RelationRow, str]] = []
    relations = sorted(load_relations(view, [source]), key=attrgetter("kind"))
    over = ended(view, relations)
    for row in relations:
        same_way = (row.source_id, row.target_id) == (source, target)
        turned = (row.source_id, row.target_id) == (target, source)
        if row.kind == kind.name and (same_way or (turned and kind.symmetric)):
            if row.id in over:
                contradicting.append((row, f"{kind.name} is over"))
            else:
                supporting.append(row)
        elif row.id in over:
            continue
        elif reason := _clash(ontology, kind, row, (source, target)):
            contradicting.append((row, reason))
    return Asserted(tuple(supporting), tuple(contradicting))


def ended(view: View, relations: Sequence[RelationRow]) -> set[int]:
    """Return the ids of the relations that are over as of a view and have not begun again."""
    over = load_intervals(view, {row.id: row.source_id for row in relations})
    return {row.id for row in relations if holds_at(over.get(row.edge, ()))}


def _clash(
    ontology: Ontology,
    kind: RelationKind,
    row: RelationRow | Fact,
    ends: tuple[int, int] | tuple[str, str],
) -> str:
    """Return why an asserted relation contradicts a kind from one end to the other, or ""."""
    turned = (row.target_id, row.source_id) == ends
    is_pair = turned or (row.source_id, row.target_id) == ends
    if row.kind == kind.name:
        if turned and kind.one_way:
            return f"{kind.name} holds the other way round, and not both ways"
        if kind.functional and row.source_id == ends[0] and not is_pair:
            return f"{kind.name} has one target, and it is another"
        return ""
    if is_pair and (row.kind in kind.ends or kind.name in ontology.kind(row.kind).ends):
        return f"{row.kind} and {kind.name} put an end to each other"
    return ""


def judge(learned: Learned | str, ontology: Ontology, claims: Sequence[Claim]) -> list[Opinion]:
    """Return an opinion on every claim, with its relation read from head to tail.

    `learned` is the model, or says why there is none.
    """
    triples = [(one.source.endpoint, one.reading.kind, one.target.endpoint) for one in claims]
    turned = [(tail, kind, head) for head, kind, tail in triples if ontology.kind(kind).symmetric]
    found = [] if isinstance(learned, str) else learned.judge([*triples, *turned])
    others = iter(found[len(triples) :])
    opinions = []
    for at, claim in enumerate(claims):
        own = found[at] if found else None
        if own is not None and ontology.kind(claim.reading.kind).symmetric:
            own = _mean(own, next(others))
        opinion = _opinion(ontology, claim, own, learned)
        opinions.append(_limited(opinion, claim, learned))
    return opinions


def _limited(opinion: Opinion, claim: Claim, learned: Learned | str) -> Opinion:
    """Return an opinion that says no more than the known facts leave open."""
    given = opinion.probability
    if isinstance(learned, str) or given is None or given <= MOST_UNSTATED:
        return opinion
    if learned.known.leaves_open(claim):
        return opinion
    reason = "The known facts about them do not state it, so that it is at most uncertain."
    return replace(opinion, probability=MOST_UNSTATED, reasons=(*opinion.reasons, reason))


def find_known_clashes(learned: Learned | None, ontology: Ontology, claim: Claim) -> list[str]:
    """Return why known facts contradict a claim."""
    if learned is None:
        return []
    kind = ontology.kind(claim.reading.kind)
    ends = claim.source.endpoint.key, claim.target.endpoint.key
    clashes = (
        _clash(ontology, kind, fact, ends) for fact in learned.known.of(claim.head, claim.tail)
    )
    return [reason for reason in clashes if reason]


def _mean(one: Judged, other: Judged) -> Judged:
    from writeros_entities.learning.learned import Judged

    if one.probability is None or other.probability is None:
        return one
    return Judged((one.probability + other.probability) / 2.0, one.raw)


def _opinion(
    ontology: Ontology, claim: Claim, judged: Judged | None, learned: Learned | str
) -> Opinion:
    reading = claim.reading
    kind = ontology.kind(reading.kind)
    name = ontology.name_from(kind.name, is_inverse=reading.is_inverse)
    reasons = []
    probability = None if judged is None else judged.probability
    origin: Literal["inferred", "ontology"] = "inferred"
    if isinstance(learned, str):
        reasons.append(learned)
    elif judged is not None and judged.probability is None:
        reasons.append(judged.why)
    else:
        known = "the vault's relations" if learned.source == "vault" else "the facts it ships with"
        reasons.append(f"The model, trained on {known}, gives {probability:.2f}.")
    if kind.symmetric and probability is not None:
        reasons.append(f"{kind.name} is symmetric: the mean of both directions.")
    if reading.is_inverse:
        reasons.append(f"{name} is the inverse of {kind.name}.")
    if not ontology.fits(reading, claim.head.endpoint.type, claim.tail.endpoint.type):
        probability = MISFIT * (1.0 if probability is None else probability)
        origin = "ontology"
        reasons.append(_misfit(kind, claim))
    return Opinion(name, probability, origin, tuple(reasons))


def _misfit(kind: RelationKind, claim: Claim) -> str:
    found = [
        f"{end.endpoint.name} is a {end.endpoint.type}"
        for end, types in ((claim.source, kind.domain), (claim.target, kind.range))
        if types and end.endpoint.type not in types and end.endpoint.type not in UNTYPED
    ]
    ends = " → ".join(", ".join(types) or "anything" for types in (kind.domain, kind.range))
    return f"{kind.name} goes {ends}; {' and '.join(found)}."


@dataclass(frozen=True, slots=True)
class Explanation:
    """A rule and the statements it uses, in words, with the ids of the relations behind these."""

    text: str
    confidence: float
    relation_ids: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Known:
    """Statements, the rules mined from them, and the numbers of their entities by key."""

    statements: Statements
    rules: Rules
    numbers: Mapping[str, int]

    @classmethod
    def of(cls, statements: Statements, rules: Rules) -> _Known:
        endpoints = statements.facts.endpoints
        return cls(statements, rules, {one.key: at for at, one in enumerate(endpoints)})

    def find(self, head: str, kind: str, tail: str) -> list[Ground]:
        """Return the rules that support a triple, whose entities are given by key."""
        facts = self.statements.facts
        own, other = self.numbers.get(head), self.numbers.get(tail)
        if own is None or other is None or kind not in facts.relations:
            return []
        found = self.rules.grounds(own, facts.relations.index(kind), other)
        return [one for one in found if one.holding >= FEWEST and one.confidence >= _LEAST]


@dataclass(frozen=True, eq=False)
class _Explainer:
    """The known statements and rules: those of the view, and those of a shipped model."""

    ontology: Ontology
    known: Sequence[_Known]

    def explain(self, claim: Claim) -> list[Explanation]:
        """Return the rules that support a relation, surest first."""
        found = [
            self._describe(known.statements, ground)
            for known in self.known
            for ground in known.find(*claim.keys)
        ]
        return sorted(found, key=lambda one: -one.confidence)[:_MOST]

    def _describe(self, statements: Statements, ground: Ground) -> Explanation:
        facts, ontology = statements.facts, self.ontology
        steps = [
            f"{facts.endpoints[head].name} {ontology.describe(facts.relations[kind])} "
            f"{facts.endpoints[tail].name}"
            for head, kind, tail in ground.carried_by
        ]
        premises = ", and ".join(steps)
        others = "others of whom that is known" if ground.is_trait else "other pairs joined so"
        text = f"{premises}; of {ground.pairs} {others}, it holds for {ground.holding}."
        ids = [one for step in ground.carried_by for one in statements.ids_of(*step)]
        return Explanation(text, ground.confidence, tuple(ids))


def load_explainer(view: View, learned: Learned | None) -> _Explainer:
    """Return the rules of a view, and those of a shipped model's facts."""
    own = view.kept("grounds", lambda: _read(view))
    known = [own]
    if learned is not None and learned.source == "shipped" and learned.trained.facts is not None:
        shipped = Statements(learned.trained.facts, {})
        known.append(_Known.of(shipped, learned.evidence.rules))
    return _Explainer(view.plugins.ontology, known)


def _read(view: View) -> _Known:
    statements = vault_statements(view)
    return _Known.of(statements, rules_of(statements.facts))
