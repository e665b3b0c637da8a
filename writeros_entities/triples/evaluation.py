"""Measures of ranking and classifying triples: ranks, MRR, Hits@k, AUC, accuracy, calibration.

Ranks are filtered (Bordes et al. 2013): other known answers to the same question are ignored. An
entity with the same score as the answer counts half, so that a model that scores everything alike
gets the middle rank, not the first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores
    from writeros_entities.protocols import TripleScorer

BATCH = 256
"""Questions ranked at once."""

BINS = 10
"""Bins of equal width over 0-1 for the calibration error."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The mean reciprocal rank of true answers, and the share among the first 1, 3 and 10."""

    mrr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float


@dataclass(frozen=True, eq=False)
class Known:
    """The known answers to every question, which ranks ignore.

    `tails` has the answers to (head, relation), `heads` those to (relation, tail).
    """

    tails: Mapping[tuple[int, int], Integers]
    heads: Mapping[tuple[int, int], Integers]

    @classmethod
    def of(cls, *parts: Integers) -> Known:
        """Collect the answers in some arrays of triples, each (n, 3)."""
        tails: dict[tuple[int, int], set[int]] = defaultdict(set)
        heads: dict[tuple[int, int], set[int]] = defaultdict(set)
        for triples in parts:
            for head, relation, tail in triples.tolist():
                tails[head, relation].add(tail)
                heads[relation, tail].add(head)
        return cls(_sorted(tails), _sorted(heads))


def _sorted(
    answers: Mapping[tuple[int, int], Iterable[int]],
) -> dict[tuple[int, int], Integers]:
    return {key: np.array(sorted(some), np.int64) for key, some in answers.items()}


def filtered_ranks(
    scorer: TripleScorer, triples: Integers, known: Known, entities: int
) -> tuple[Scores, Scores]:
    """Return the ranks of each triple's tail and of its head among all entities."""
    every = np.arange(entities)[None, :]
    tails: list[Scores] = []
    heads: list[Scores] = []
    for begin in range(0, len(triples), BATCH):
        part = triples[begin : begin + BATCH]
        head, relation, tail = (part[:, at, None] for at in range(3))
        scores = scorer.score(head, relation, every)
        others = [known.tails.get((h, r), ()) for h, r, _ in part.tolist()]
        tails.append(_ranks(scores, part[:, 2], others))
        scores = scorer.score(every, relation, tail)
        others = [known.heads.get((r, t), ()) for _, r, t in part.tolist()]
        heads.append(_ranks(scores, part[:, 0], others))
    empty: Scores = np.empty(0)
    return np.concatenate([empty, *tails]), np.concatenate([empty, *heads])


def _ranks(scores: Scores, answers: Integers, others: Sequence[Iterable[int]]) -> Scores:
    scores = np.array(scores, np.float64)
    rows = np.arange(len(answers))
    own = scores[rows, answers]
    for row, some in enumerate(others):
        scores[row, np.asarray(some, np.int64)] = -np.inf
    scores[rows, answers] = -np.inf
    better = (scores > own[:, None]).sum(1)
    equal = (scores == own[:, None]).sum(1)
    ranks: Scores = 1.0 + better + equal / 2.0
    return ranks


def summarise_ranks(*ranks: Scores) -> Ranking:
    """Return the mean reciprocal rank and Hits@k of all ranks together."""
    every = np.concatenate(ranks)
    hits = (float((every <= k).mean()) for k in (1, 3, 10))
    return Ranking(float((1.0 / every).mean()), *hits)


def attainable_mrr(triples: Integers, known: Known, hidden: int) -> float:
    """Estimate the greatest possible MRR of triples from a random split with hidden true triples.

    `triples` are among the known ones, of which `hidden` were withheld from the scorer. Even a
    scorer that knew all true triples could not tell an answer from the k hidden answers to the same
    question. All orders of these are equally likely, so that, with H_n = 1 + 1/2 + … + 1/n,

        most        = mean over questions of E[H_(k+1) / (k + 1)] = Ein(λ) / λ
        k           ~ Poisson(λ),   λ = (known answers − 1) · hidden / known triples
        Ein(λ)      = ∫ (1 − e^(−x)) / x dx from 0 to λ = γ + ln λ + E₁(λ)

    as Σ H_n λ^n / n! = e^λ · Ein(λ). This is an estimate of the mean over all random splits; single
    splits differ by about 0.005.
    """
    from scipy.special import exp1

    answers = [
        count
        for head, relation, tail in triples.tolist()
        for count in (len(known.tails[head, relation]), len(known.heads[relation, tail]))
    ]
    share = hidden / sum(map(len, known.tails.values()))
    rates: Scores = (np.array(answers) - 1.0) * share
    some = rates[rates > 0.0]
    total = len(rates) - len(some) + ((np.euler_gamma + np.log(some) + exp1(some)) / some).sum()
    return float(total / len(rates))


def area_under_curve(scores: Scores, labels: Flags) -> float:
    """Return the AUC: how often a true triple scores above a false one, ties counting half."""
    from scipy.stats import rankdata

    true = int(labels.sum())
    false = len(labels) - true
    if not true or not false:
        return 0.5
    ranks = rankdata(scores)
    return float((ranks[labels].sum() - true * (true + 1) / 2) / (true * false))


def accuracy(probabilities: Scores, labels: Flags) -> float:
    """Return the share of triples on the right side of 0.5; 0 for none."""
    return float(((probabilities > 0.5) == labels).mean()) if len(labels) else 0.0


def calibration_error(probabilities: Scores, labels: Flags) -> float:
    """Return the expected calibration error: the mean |share of true − mean probability| of bins.

    Bins have equal width, and are weighted by their number of triples (Guo et al. 2017,
    https://arxiv.org/abs/1706.04599).
    """
    place = np.minimum((probabilities * BINS).astype(np.int64), BINS - 1)
    error = 0.0
    for number in range(BINS):
        inside = place == number
        if inside.any():
            gap = labels[inside].mean() - probabilities[inside].mean()
            error += float(inside.mean() * abs(gap))
    return error
