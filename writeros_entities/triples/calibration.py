"""Convert a model's scores to probabilities, and these to the scale of answers.

    features   x = (s, log p(t | h, r), log p(h | r, t), s − best tail's, s − best head's, …)
    p          = σ(w·y + u_k + v_r + d_r·x)

Raw scores are not comparable between relations or entities, so a triple is compared with all others
that answer the same two questions: log p(t | h, r) is its log-softmax over all tails, plus the
logarithm of their number, so that it does not depend on how many there are. `evidence` appends the
evidence of rules. y are the standardised x, clipped to ±FURTHEST, and all products of two of them,
as a feature may matter only together with another.

u_k is an offset for triples with k ends that were not trained on. v_r and d_r belong to the
relation: its base rate, and corrections to the feature weights. All are fitted together by logistic
regression (Platt 1999) on triples that the model has not seen, true ones and hard negatives. Ridge
penalties on v, d and the weights of products are the stronger the fewer examples there are.

    score      = −log(1 + exp(b − a · logit p)),   a, b such that p = 0.85 is −0.5, 0.15 is −1.5

so that 0 is certain, above −0.5 is valid, and below −1.5 is unlikely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores
    from writeros_entities.protocols import TripleScorer

Verdict = Literal["valid", "uncertain", "unlikely"]

LIKELY = 0.85
"""From this probability a triple is valid; up to 1 − this, it is unlikely."""

VALID = -0.5
UNLIKELY = -1.5

FEATURES = 5
FURTHEST = 4.0
ENOUGH = 1_000
"""With fewer examples, products and the relations' feature weights are penalised more."""

_RIDGE = 1e-3
_PRODUCT_RIDGE = 5.0
_RELATION_RIDGE = 1.0
_WORTH_RIDGE = 5.0
_UNSEEN = 3

LEAST = 1e-4
"""Probabilities are clipped to [LEAST, 1 − LEAST]."""


def _scale() -> tuple[float, float]:
    """Return a and b, from the linear equations that the two bounds of the scale give."""
    bound = np.log(LIKELY / (1.0 - LIKELY))
    low, high = (np.log(np.expm1(-end)) for end in (VALID, UNLIKELY))
    return float((high - low) / (2.0 * bound)), float((high + low) / 2.0)


_SLOPE, _SHIFT = _scale()


def scaled(logits: Scores) -> Scores:
    """Return scores from logits: 0 is certain, −0.5 and −1.5 are the bounds of verdicts."""
    score: Scores = -np.logaddexp(0.0, _SHIFT - _SLOPE * np.asarray(logits))
    return score


def logit(probability: float) -> float:
    """Return log p / (1 − p), with p clipped to [0.0001, 0.9999]."""
    p = min(max(probability, LEAST), 1.0 - LEAST)
    return float(np.log(p / (1.0 - p)))


@dataclass(frozen=True, eq=False)
class Calibrator:
    """A fitted calibrator: weights of features and products, offsets by novelty and relation.

    `mean` and `spread` standardise each feature; `unseen` has the offsets for zero, one and two
    ends that the model was not trained on; `relations` has, for each relation, an offset followed
    by corrections to the feature weights.
    """

    mean: Scores
    spread: Scores
    weights: Scores
    unseen: Scores
    relations: Mapping[str, Sequence[float]]

    def logits(self, features: Scores, unseen: Integers, relations: list[str]) -> Scores:
        """Return the logit of each triple's probability: (n,)."""
        columns = _with_products(features, self.mean, self.spread)
        found: Scores = columns @ self.weights + self.unseen[unseen]
        nothing = (0.0,) * (1 + len(self.mean))
        own = np.array([self.relations.get(name, nothing) for name in relations])
        own = own.reshape(-1, len(nothing))
        found += own[:, 0] + (own[:, 1:] * columns[:, : len(self.mean)]).sum(1)
        return found

    def probabilities(self, features: Scores, unseen: Integers, relations: list[str]) -> Scores:
        """Return the probability of each triple: (n,)."""
        found: Scores = 1.0 / (1.0 + np.exp(-self.logits(features, unseen, relations)))
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the calibrator as JSON, for the index and the shipped model."""
        return {
            "mean": _rounded(self.mean),
            "spread": _rounded(self.spread),
            "weights": _rounded(self.weights),
            "unseen": _rounded(self.unseen),
            "relations": {name: _rounded(own) for name, own in self.relations.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Calibrator:
        """Read what `as_json` wrote."""
        mean, spread, weights, unseen = (
            np.array(data[name]) for name in ("mean", "spread", "weights", "unseen")
        )
        return cls(mean, spread, weights, unseen, dict(data["relations"]))


def _rounded(values: Scores | Sequence[float]) -> list[float]:
    return [round(float(value), 6) for value in values]


def triple_features(
    scorer: TripleScorer, triples: Integers, entities: int, batch: int = 256
) -> Scores:
    """Return the features of triples, (n, 3), for a calibrator: (n, FEATURES).

    Each triple is compared with the first `entities` entities of the scorer; its own ends may be
    others. Triples that answer the same question share the work.
    """
    found = np.zeros((len(triples), FEATURES))
    if not len(triples):
        return found
    found[:, 0] = scorer.score(triples[:, 0], triples[:, 1], triples[:, 2])
    every = np.arange(entities)[None, :]
    for column, known in enumerate((0, 2), 1):
        asked, place = np.unique(triples[:, [1, known]], axis=0, return_inverse=True)
        place = place.reshape(-1)
        order = np.argsort(place, kind="stable")
        begins = np.searchsorted(place[order], np.arange(0, len(asked) + batch, batch))
        for number, begin in enumerate(range(0, len(asked), batch)):
            relation, end = (asked[begin : begin + batch, at, None] for at in range(2))
            ends = (end, every) if known == 0 else (every, end)
            scores = np.asarray(scorer.score(ends[0], relation, ends[1]), np.float64)
            here = order[begins[number] : begins[number + 1]]
            row = place[here] - begin
            own = found[here, 0]
            best = scores.max(1)
            total = best + np.log(np.exp(scores - best[:, None]).mean(1))
            found[here, column] = own - total[row]
            found[here, column + 2] = own - best[row]
    return found


def fit_calibrator(
    features: Scores, unseen: Integers, relations: list[str], labels: Flags
) -> Calibrator:
    """Fit a calibrator to labelled triples; both labels must occur.

    The loss is convex, so the result depends on the examples alone.
    """
    from scipy import sparse
    from scipy.optimize import minimize

    mean = features.mean(0)
    spread = np.maximum(features.std(0), 1e-6)
    names = sorted(set(relations))
    number = {name: at for at, name in enumerate(names)}
    at = np.array([number[name] for name in relations])
    seen = _with_products(features, mean, spread)
    columns = np.concatenate([seen, np.eye(_UNSEEN)[unseen]], 1)
    count, split = features.shape[1], columns.shape[1]
    plain = np.concatenate([np.ones((len(seen), 1)), seen[:, :count]], 1)
    belongs = sparse.csr_matrix((np.ones(len(at)), (at, np.arange(len(at)))))
    truth = labels.astype(np.float64)
    ridge = np.full(split, _RIDGE)
    few = max(1.0, ENOUGH / len(labels))
    ridge[count : seen.shape[1]] = few * _PRODUCT_RIDGE
    own_ridge = np.array([_RELATION_RIDGE, *[few * _WORTH_RIDGE] * count])

    def loss(values: Scores) -> tuple[float, Scores]:
        shared, own = values[:split], values[split:].reshape(len(names), -1)
        logits = columns @ shared + (plain * own[at]).sum(1)
        error = 1.0 / (1.0 + np.exp(-logits)) - truth
        total = float((np.logaddexp(0.0, logits) - truth * logits).sum())
        total += float(ridge @ shared**2 + (own**2 @ own_ridge).sum())
        by_relation = belongs @ (error[:, None] * plain) + 2.0 * own_ridge * own
        return total, np.append(columns.T @ error + 2.0 * ridge * shared, by_relation)

    start = np.zeros(split + len(names) * plain.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    own = found[split:].reshape(len(names), -1)
    return Calibrator(
        mean,
        spread,
        found[: seen.shape[1]],
        found[seen.shape[1] : split],
        dict(zip(names, own.tolist(), strict=True)),
    )


def _with_products(features: Scores, mean: Scores, spread: Scores) -> Scores:
    """Return standardised features and their products, (n, F): (n, F + F · (F + 1) / 2)."""
    plain = np.clip((features - mean) / spread, -FURTHEST, FURTHEST)
    first, second = np.triu_indices(plain.shape[1])
    found: Scores = np.concatenate([plain, plain[:, first] * plain[:, second]], 1)
    return found


def verdict(probability: float) -> Verdict:
    """Return the verdict on a probability: valid, uncertain or unlikely."""
    if probability >= LIKELY:
        return "valid"
    return "unlikely" if probability <= 1.0 - LIKELY else "uncertain"
