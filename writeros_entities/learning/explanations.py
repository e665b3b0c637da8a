"""Explain inferred relations in words: the rules that support them, and the statements they use.

    explainer = load_explainer(view, learned)
    explainer.explain(Claim(ann, Reading("lives_in"), vantry))[0].text
    # "Ann serves Bob, and Bob rules Vantry; of 12 other pairs joined so, it holds for 9."

Rules are mined from what the view sees, so nothing of a later chapter is used or shown. With the
shipped model, its own facts are used too, for the entities in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.learning.learned import Statements, vault_statements
from writeros_entities.triples.codes import FEWEST
from writeros_entities.triples.evidence import rules_of

if TYPE_CHECKING:
    from writeros_entities.learning.endpoints import Claim
    from writeros_entities.learning.learned import Learned
    from writeros_entities.ontology import Ontology
    from writeros_entities.triples.rules import Ground, Rules
    from writeros_entities.view import View

LEAST = 0.25
"""The least confidence of a rule that is reported: 3 of 7 pairs, given the Laplace term."""

MOST = 2
"""The most rules reported for a relation."""


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
        return [one for one in found if one.holding >= FEWEST and one.confidence >= LEAST]


@dataclass(frozen=True, eq=False)
class Explainer:
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
        return sorted(found, key=lambda one: -one.confidence)[:MOST]

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


def load_explainer(view: View, learned: Learned | None) -> Explainer:
    """Return the rules of a view, and those of a shipped model's facts."""
    own = view.kept("grounds", lambda: _read(view))
    known = [own]
    if learned is not None and learned.source == "shipped" and learned.trained.facts is not None:
        shipped = Statements(learned.trained.facts, {})
        known.append(_Known.of(shipped, learned.evidence.rules))
    return Explainer(view.plugins.ontology, known)


def _read(view: View) -> _Known:
    statements = vault_statements(view)
    return _Known.of(statements, rules_of(statements.facts))
