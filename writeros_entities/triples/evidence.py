"""Learn how much the evidence of rules counts, and add it to a model's scores.

    e(h, r, t)  = Σ_k w_rk · log(1 + c_k / EPSILON)          c: the KINDS confidences of `rules`
    score       = s(h, r, t) + SHARE · σ · e(h, r, t)        σ: the spread of the model's scores

The weights w are learned on triples that are held out while rules are mined from the rest, by
multinomial logistic regression: they maximise the likelihood of the true answers to a question
among all entities. Each relation has weights of its own, drawn to the mean weights by a ridge
penalty. The model takes no part, so it takes only seconds. The weight of evidence against the
model's score is not learned, but fixed by SHARE.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from writeros_entities.triples.calibration import triple_features
from writeros_entities.triples.evaluation import Known
from writeros_entities.triples.rules import KINDS, Rules

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores
    from writeros_entities.protocols import TripleScorer
    from writeros_entities.values import Facts

EPSILON = 0.01
SHARE = 0.15
"""The weight of a unit of evidence, in standard deviations of the model's scores for a question.

Chosen on triples held out from the training parts of two public graphs, CoDEx-S and UMLS: both gain
for all shares between 0.1 and 0.3.
"""

FEWEST = 40
"""The least number of triples for learning weights; with fewer, evidence counts nothing."""

MOST_HELD = 500
"""The most triples on which weights are learned: these or a tenth of all."""

SAMPLE = 100
"""The number of questions on which the spread of a model's scores is estimated."""

_RIDGE = 0.01
_RELATION_RIDGE = 2.0

Weights: TypeAlias = Mapping[str, Sequence[float]]
"""The weights of each relation, by name."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Rules, and the weight of each kind of evidence for each relation, (relations, KINDS)."""

    rules: Rules
    weights: Scores

    @classmethod
    def of(cls, facts: Facts, weights: Weights) -> Evidence:
        """Return the rules mined from facts, with weights learned before."""
        known = [weights.get(name, (0.0,) * KINDS) for name in facts.relations]
        return cls(rules_of(facts), np.array(known, np.float64).reshape(-1, KINDS))

    @classmethod
    def none(cls) -> Evidence:
        """Return evidence without any rules."""
        return cls(Rules(np.empty((0, 3), np.int64), 0, 0), np.zeros((0, KINDS)))

    def as_json(self, relations: Sequence[str]) -> dict[str, list[float]]:
        """Return the weights by relation name, as a report stores them."""
        rows = zip(relations, self.weights.tolist(), strict=True)
        return {name: [round(value, 6) for value in row] for name, row in rows}

    def strengths(self, triples: Integers) -> Scores:
        """Return log(1 + c / EPSILON) for triples, (n, 3): (n, KINDS)."""
        return _strengths(self.rules.strengths(triples))

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return e for triples, given by number; the three arrays broadcast against each other.

        Entities that the rules do not know have no evidence.
        """
        heads, relations, tails = (np.asarray(part) for part in (heads, relations, tails))
        if heads.ndim == relations.ndim == tails.ndim == 2 and relations.shape[1] == 1:
            if heads.shape[1] == 1 and tails.shape[0] == 1 < tails.shape[1]:
                asked = zip(heads[:, 0].tolist(), relations[:, 0].tolist(), strict=True)
                return self._rows((self.tails(*one) for one in asked), tails[0])
            if tails.shape[1] == 1 and heads.shape[0] == 1 < heads.shape[1]:
                asked = zip(relations[:, 0].tolist(), tails[:, 0].tolist(), strict=True)
                return self._rows((self.heads(*one) for one in asked), heads[0])
        shape = np.broadcast_shapes(heads.shape, relations.shape, tails.shape)
        triples = np.stack([np.broadcast_to(one, shape) for one in (heads, relations, tails)], -1)
        flat = triples.reshape(-1, 3)
        found: Scores = (self.strengths(flat) * self._weights(flat[:, 1])).sum(1).reshape(shape)
        return found

    def tails(self, head: int, relation: int) -> Scores:
        """Return e for (head, relation, x) with every entity x that the rules know."""
        strengths = _strengths(self.rules.strengths_of_tails(head, relation))
        found: Scores = self._weights(np.array([relation]))[0] @ strengths
        return found

    def heads(self, relation: int, tail: int) -> Scores:
        """Return e for (x, relation, tail) with every entity x that the rules know."""
        strengths = _strengths(self.rules.strengths_of_heads(relation, tail))
        found: Scores = self._weights(np.array([relation]))[0] @ strengths
        return found

    def _weights(self, relations: Integers) -> Scores:
        padded: Scores = np.concatenate([self.weights, np.zeros((1, KINDS))])
        return padded[np.minimum(relations, len(self.weights))]

    def _rows(self, rows: Iterator[Scores], entities: Integers) -> Scores:
        place = np.minimum(entities, self.rules.entities)
        found: Scores = np.stack([np.append(row, 0.0)[place] for row in rows])
        return found


@dataclass(frozen=True, eq=False)
class Informed:
    """A model's scores plus the evidence of rules; `scale` is SHARE · σ."""

    scorer: TripleScorer
    evidence: Evidence
    scale: float

    @classmethod
    def of(cls, scorer: TripleScorer, evidence: Evidence) -> Informed:
        """Combine a scorer with evidence on the same entities."""
        return cls(scorer, evidence, SHARE * _spread(scorer, evidence.rules))

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        own = np.asarray(self.scorer.score(heads, relations, tails), np.float64)
        found: Scores = own + self.scale * self.evidence.score(heads, relations, tails)
        return found

    def features(self, triples: Integers, entities: int) -> Scores:
        """Return the features of triples, (n, 3), for a calibrator.

        These are those of `calibration.triple_features`, which compares with the first `entities`
        entities, then the strengths of evidence, and the logarithms of how often the ends fill
        their slots.
        """
        slots = np.log1p(self.evidence.rules.slots(triples))
        told = self.evidence.strengths(triples)
        return np.concatenate([triple_features(self, triples, entities), told, slots], 1)


def _spread(scorer: TripleScorer, rules: Rules) -> float:
    """Return the mean standard deviation of a scorer's scores over some questions."""
    triples = rules.triples[:: max(1, len(rules.triples) // SAMPLE)][:SAMPLE]
    if not len(triples):
        return 0.0
    every = np.arange(rules.entities)[None, :]
    scores = np.asarray(scorer.score(triples[:, 0, None], triples[:, 1, None], every), np.float64)
    return float(scores.std(1).mean())


def rules_of(facts: Facts) -> Rules:
    """Return the rules mined from facts."""
    symmetric = [at for at, name in enumerate(facts.relations) if name in facts.symmetric]
    return Rules(facts.triples, len(facts.endpoints), len(facts.relations), symmetric)


def learn_evidence(facts: Facts) -> Evidence:
    """Return the rules mined from facts, with weights learned on a held-out tenth."""
    whole = rules_of(facts)
    triples = np.unique(facts.triples, axis=0)
    shape = len(facts.relations), KINDS
    if len(triples) < FEWEST:
        return Evidence(whole, np.zeros(shape))
    order = np.random.default_rng(0).permutation(len(triples))
    held = min(MOST_HELD, len(triples) // 10)
    rest = rules_of(replace(facts, triples=triples[order[held:]]))
    questions = _Questions.of(rest, triples[order[:held]], Known.of(whole.triples))
    return Evidence(whole, questions.fit(len(facts.relations)))


@dataclass(frozen=True, eq=False)
class _Questions:
    """Questions, concatenated: the candidates with evidence, the true answer first.

    `others` is the logarithm of the number of a question's candidates without evidence.
    """

    strengths: Scores
    starts: Integers
    relation: Integers
    others: Scores

    @classmethod
    def of(cls, rules: Rules, triples: Integers, known: Known) -> _Questions:
        parts: list[Scores] = []
        others: list[float] = []
        for head, relation, tail in triples.tolist():
            for strengths, answer, true in (
                (rules.strengths_of_tails(head, relation), tail, known.tails[head, relation]),
                (rules.strengths_of_heads(relation, tail), head, known.heads[relation, tail]),
            ):
                spoken_for: Flags = strengths.max(0) > 0.0
                spoken_for[true] = False
                others.append(max(1, rules.entities - len(true) - int(spoken_for.sum())))
                parts.append(strengths[:, [answer, *np.nonzero(spoken_for)[0].tolist()]])
        sizes = [part.shape[1] for part in parts]
        return cls(
            _strengths(np.concatenate(parts, 1)).astype(np.float64),
            np.cumsum([0, *sizes[:-1]]),
            np.repeat(triples[:, 1], 2),
            np.log(others),
        )

    def fit(self, relations: int) -> Scores:
        """Return weights, (relations, KINDS), that make the answers likely; the loss is convex."""
        from scipy.optimize import minimize

        sizes = np.diff(np.append(self.starts, self.strengths.shape[1]))
        owner = np.repeat(np.arange(len(sizes)), sizes)
        true = self.strengths[:, self.starts]

        def loss(values: Scores) -> tuple[float, Scores]:
            mean, own = values[:KINDS], values[KINDS:].reshape(relations, KINDS)
            weights = (mean + own)[self.relation].T
            logits = (weights[:, owner] * self.strengths).sum(0)
            top = np.maximum(np.maximum.reduceat(logits, self.starts), self.others)
            shares = np.exp(logits - top[owner])
            total = np.add.reduceat(shares, self.starts) + np.exp(self.others - top)
            cost = float((np.log(total) + top - logits[self.starts]).sum())
            expected = np.add.reduceat(self.strengths * shares, self.starts, axis=1) / total
            error = np.zeros((relations, KINDS))
            np.add.at(error, self.relation, (expected - true).T)
            cost += float(_RIDGE * mean @ mean + _RELATION_RIDGE * (own * own).sum())
            by_relation = (error + 2.0 * _RELATION_RIDGE * own).reshape(-1)
            return cost, np.concatenate([error.sum(0) + 2.0 * _RIDGE * mean, by_relation])

        start = np.zeros(KINDS * (1 + relations))
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
        weights: Scores = found[:KINDS] + found[KINDS:].reshape(relations, KINDS)
        return weights


def _strengths(confidences: Scores) -> Scores:
    found: Scores = np.log1p(confidences / EPSILON)
    return found
