"""Evaluate a relation model on held-out facts, and fit its calibrator.

    report = assess(model, facts)
    report["gain"]                      # False: no better than counting; the model must abstain

A fifth of the facts is held out, chosen by a hash of each triple; the model is trained on the rest,
and scores the held-out triples and hard negatives made from them. Further trials hold out further
fifths. All figures about probabilities are cross-fitted: no triple is judged by a calibrator that
has seen it. Each triple is scored three times, unchanged and with one or both ends replaced by
strangers, so that unseen entities get an offset of their own.

The evidence of rules (see `evidence`) is added to the model's scores if that ranks the held-out
triples better than the model alone; otherwise the report's `evidence` is empty, and rules do not
count.

Baselines that a relation model has to beat: rules that learn next to nothing.

degree     the number of known triples of which an entity is part
cosine     the similarity of two entities' vectors, whatever the relation
frequency  how often an entity, or else its type, fills that end of that relation
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.triples.calibration import LIKELY, Calibrator, fit_calibrator
from writeros_entities.triples.evaluation import (
    Known,
    accuracy,
    area_under_curve,
    calibration_error,
    filtered_ranks,
    summarise_ranks,
)
from writeros_entities.triples.evidence import Evidence, Informed, learn_evidence
from writeros_entities.triples.splitting import hard_negatives, hold_out

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers, Scores
    from writeros_entities.protocols import RelationModel, TripleScorer
    from writeros_entities.values import JSON, Endpoint, Facts


class Degree:
    """Scores a triple by the number of known triples of its ends."""

    def __init__(self, triples: Integers, entities: int) -> None:
        ends = np.bincount(triples[:, [0, 2]].ravel(), minlength=entities)
        self._share = np.log1p(ends)

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._share[heads] + self._share[tails] + 0.0 * relations
        return total


class Cosine:
    """Scores a triple by the cosine of its ends' vectors, (entities, dimensions)."""

    def __init__(self, vectors: Scores) -> None:
        length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        self._cosines = (vectors / length) @ (vectors / length).T

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._cosines[heads, tails] + 0.0 * relations
        return total


class Frequency:
    """Scores a triple by how often its ends, or entities of their types, fill these ends."""

    def __init__(
        self, triples: Integers, entities: int, relations: int, types: Sequence[str]
    ) -> None:
        names = {name: at for at, name in enumerate(sorted(set(types)))}
        kind = np.array([names[name] for name in types], np.int64)
        members = np.maximum(np.bincount(kind, minlength=len(names)), 1)

        def shares(end: int) -> Scores:
            """Return log(1 + count of each entity there + mean count of those of its type)."""
            relation, entity = triples[:, 1], triples[:, end]
            counts = np.zeros((relations, entities))
            np.add.at(counts, (relation, entity), 1.0)
            by_type = np.zeros((relations, len(members)))
            np.add.at(by_type, (relation, kind[entity]), 1.0)
            found: Scores = np.log1p(counts + (by_type / members)[:, kind])
            return found

        self._heads, self._tails = shares(0), shares(2)

    def score(self, heads: Integers, relations: Integers, tails: Integers) -> Scores:
        """Return the scores of triples that broadcast against each other."""
        total: Scores = self._heads[relations, heads] + self._tails[relations, tails]
        return total


def baselines(
    triples: Integers, vectors: Scores, types: Sequence[str], relations: int
) -> Mapping[str, TripleScorer]:
    """Return the baselines, by name, learned from triples of shape (n, 3)."""
    entities = len(types)
    return {
        "degree": Degree(triples, entities),
        "cosine": Cosine(vectors),
        "frequency": Frequency(triples, entities, relations, types),
    }


HELD_SHARE = 0.2
FEWEST = 40
"""The least number of triples; with fewer, a held-out part would prove nothing."""

FEWEST_HELD = 8
MOST_HELD = 2_000
"""The most triples held out, approximately: more would only make the figures more precise."""

FEWEST_OF_A_KIND = 5
"""The least number of triples of a kind for which a model may answer."""

FOLDS = 5


@dataclass(frozen=True, eq=False)
class Examples:
    """Triples whose truth is known, with their features for a calibrator."""

    triples: Integers
    features: Scores
    unseen: Integers
    relations: list[str]
    labels: Flags


@dataclass(frozen=True, eq=False)
class Trial:
    """Held-out triples, negatives made from them, and what was learned from the rest.

    `scorers` has the model's scorer, under its name, and those of the baselines; `origin` has, for
    each negative, the row of the true triple from which it was made.
    """

    true: Integers
    false: Integers
    origin: Integers
    weights: bytes
    evidence: Evidence
    scorers: Mapping[str, TripleScorer]


def assess(model: RelationModel, facts: Facts, trials: int = 1) -> dict[str, JSON]:
    """Return the report on a model for these facts; without a calibrator if they are too few.

    A trial holds out a fifth of the facts; five trials hold out each fact once. They take five
    times as long, but with few facts so many are needed to evaluate the probabilities.
    """
    report: dict[str, JSON] = {
        "triples": len(facts.triples),
        "entities": len(facts.endpoints),
        "kinds": dict(sorted(Counter(_names(facts, facts.triples)).items())),
        "types": _types_of_ends(facts),
        "gain": False,
    }
    splits = [_hold_out(facts, number) for number in range(trials)]
    held_out = sum(len(true) for true, _ in splits)
    if len(facts.triples) < FEWEST:
        why = f"{len(facts.triples)} triples are too few to learn from: {FEWEST} are needed"
        return report | {"why": why}
    if held_out < FEWEST_HELD:
        why = f"{held_out} held-out triples are too few to evaluate: {FEWEST_HELD} are needed"
        return report | {"why": why}
    held = [_try(model, facts, true, rest) for true, rest in splits]
    measured = {name: _measure(name, held, facts) for name in held[0].scorers}
    alone = measured.pop(model.name)
    held = [_informed(model, one) for one in held]
    own = _measure(model.name, held, facts)
    counts = own["mrr"] > alone["mrr"]
    if not counts:
        own, held = alone, [replace(one, evidence=Evidence.none()) for one in held]
    examples = _joined([gather_examples(model, facts, one) for one in held])
    seen = np.concatenate([np.arange(3 * _size(one)) < _size(one) for one in held])
    probabilities = cross_fitted(examples, _groups(held))
    own |= describe_probabilities(probabilities[seen], examples.labels[seen])
    best_rank = max(one["mrr"] for one in measured.values())
    best_area = max(one["auc"] for one in measured.values())
    calibrator = fit_calibrator(
        examples.features, examples.unseen, examples.relations, examples.labels
    )
    gain = own["mrr"] > best_rank or own["auc"] > best_area
    negatives = sum(len(one.false) for one in held)
    report |= {"held_out": held_out, "negatives": negatives, "gain": gain, **own}
    if not gain:
        report["why"] = "on held-out triples it is no better than counting"
    evidence = learn_evidence(facts).as_json(facts.relations) if counts else {}
    return report | {
        "baselines": measured,
        "calibrator": calibrator.as_json(),
        "evidence": evidence,
    }


def _hold_out(facts: Facts, number: int) -> tuple[Integers, Facts]:
    """Return the triples that a trial holds out, and the remaining facts.

    Held-out triples of kinds that do not occur in the remaining facts are dropped.
    """
    share = min(HELD_SHARE, MOST_HELD / max(1, len(facts.triples)))
    held = hold_out(facts, share, number)
    rest = replace(facts, triples=facts.triples[~held])
    triples = facts.triples[held]
    return triples[np.isin(triples[:, 1], rest.triples[:, 1])], rest


def _try(model: RelationModel, facts: Facts, true: Integers, rest: Facts) -> Trial:
    types = [one.type for one in facts.endpoints]
    false, origin = hard_negatives(true, facts.mirrored(), types)
    weights = model.train(rest)
    rivals = baselines(rest.mirrored(), _vectors(facts.endpoints), types, len(facts.relations))
    return Trial(
        true,
        false,
        origin,
        weights,
        learn_evidence(rest),
        {model.name: model.place(weights, facts.endpoints), **rivals},
    )


def _informed(model: RelationModel, trial: Trial) -> Trial:
    """Return a trial in which the evidence of rules is added to the model's scores."""
    informed = Informed.of(trial.scorers[model.name], trial.evidence)
    return replace(trial, scorers={**trial.scorers, model.name: informed})


def _size(trial: Trial) -> int:
    return len(trial.true) + len(trial.false)


def _groups(trials: Sequence[Trial]) -> Integers:
    """Return the group of each example: a true triple and its negatives share one."""
    found: list[Integers] = []
    first = 0
    for one in trials:
        found.append(np.tile(np.concatenate([np.arange(len(one.true)), one.origin]) + first, 3))
        first += len(one.true)
    return np.concatenate(found)


def _joined(parts: Sequence[Examples]) -> Examples:
    return Examples(
        np.concatenate([one.triples for one in parts]),
        np.concatenate([one.features for one in parts]),
        np.concatenate([one.unseen for one in parts]),
        [name for one in parts for name in one.relations],
        np.concatenate([one.labels for one in parts]),
    )


def gather_examples(model: RelationModel, facts: Facts, trial: Trial) -> Examples:
    """Return the examples of true and false triples, unchanged and with unseen ends.

    Each triple occurs three times: unchanged, with one end and with both ends replaced by copies
    that the model was not trained on.
    """
    weights, true, false = trial.weights, trial.true, trial.false
    count = len(facts.endpoints)
    strangers = [replace(one, key=f"\0{at}") for at, one in enumerate(facts.endpoints)]
    scorer = Informed.of(model.place(weights, [*facts.endpoints, *strangers]), trial.evidence)
    trained = np.array(model.is_trained(weights, facts.endpoints), np.bool_)
    plain = np.concatenate([true, false])
    labels = np.concatenate([np.ones(len(true), np.bool_), np.zeros(len(false), np.bool_)])
    turn = np.arange(len(plain)) % 2 * 2
    one_new, both_new = plain.copy(), plain.copy()
    one_new[np.arange(len(plain)), turn] += count
    both_new[:, [0, 2]] += count
    features = [scorer.features(triples, count) for triples in (plain, one_new, both_new)]
    unseen = 2 - trained[plain[:, [0, 2]]].sum(1)
    other = 1 - trained[plain[np.arange(len(plain)), 2 - turn]]
    names = _names(facts, plain)
    return Examples(
        np.tile(plain, (3, 1)),
        np.concatenate(features),
        np.concatenate([unseen, 1 + other, np.full(len(plain), 2)]).astype(np.int64),
        names * 3,
        np.tile(labels, 3),
    )


def cross_fitted(examples: Examples, groups: Integers) -> Scores:
    """Return the probability of each example by a calibrator fitted without its group's fold."""
    found = np.full(len(examples.labels), 0.5)
    fold = groups % FOLDS
    for number in range(FOLDS):
        inside = fold == number
        rest = ~inside
        if not inside.any() or len(set(examples.labels[rest].tolist())) < 2:
            continue
        calibrator = fit_calibrator(
            examples.features[rest],
            examples.unseen[rest],
            _chosen(examples.relations, rest),
            examples.labels[rest],
        )
        found[inside] = calibrator.probabilities(
            examples.features[inside],
            examples.unseen[inside],
            _chosen(examples.relations, inside),
        )
    return found


def describe_probabilities(probabilities: Scores, labels: Flags) -> dict[str, JSON]:
    """Return accuracy, calibration error, the share of answers given, and the accuracy of these."""
    answers = (probabilities >= LIKELY) | (probabilities <= 1.0 - LIKELY)
    return {
        "accuracy": _rounded(accuracy(probabilities, labels)),
        "calibration_error": _rounded(calibration_error(probabilities, labels)),
        "answered": _rounded(float(answers.mean())),
        "answered_accuracy": _rounded(accuracy(probabilities[answers], labels[answers])),
    }


def _measure(name: str, trials: Sequence[Trial], facts: Facts) -> dict[str, Any]:
    """Return the ranking figures and the AUC of a scorer on the held-out triples of all trials."""
    known = Known.of(facts.mirrored())
    ranks: list[Scores] = []
    scores: list[Scores] = []
    for one in trials:
        scorer = one.scorers[name]
        ranks += filtered_ranks(scorer, one.true, known, len(facts.endpoints))
        both = np.concatenate([one.true, one.false])
        scores.append(np.asarray(scorer.score(both[:, 0], both[:, 1], both[:, 2])))
    labels = np.concatenate([np.arange(_size(one)) < len(one.true) for one in trials])
    area = area_under_curve(np.concatenate(scores), labels)
    ranking = summarise_ranks(*ranks)
    return {key: _rounded(value) for key, value in asdict(ranking).items()} | {
        "auc": _rounded(area)
    }


def _types_of_ends(facts: Facts) -> dict[str, JSON]:
    """Return the types of heads and tails of each kind: `[[heads], [tails]]`."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for head, relation, tail in facts.mirrored().tolist():
        heads, tails = found.setdefault(facts.relations[relation], (set(), set()))
        heads.add(facts.endpoints[head].type)
        tails.add(facts.endpoints[tail].type)
    return {
        kind: [[*sorted(heads)], [*sorted(tails)]] for kind, (heads, tails) in sorted(found.items())
    }


def _vectors(endpoints: Sequence[Endpoint]) -> Scores:
    """Return the entities' vectors, zeros for missing ones."""
    sizes = [len(one.vector) for one in endpoints if one.vector is not None]
    vectors = np.zeros((len(endpoints), max(sizes, default=1)))
    for row, one in enumerate(endpoints):
        if one.vector is not None:
            vectors[row] = one.vector
    return vectors


def _names(facts: Facts, triples: Integers) -> list[str]:
    return [facts.relations[at] for at in triples[:, 1].tolist()]


def _chosen(names: Sequence[str], kept: Flags) -> list[str]:
    return [name for name, keep in zip(names, kept.tolist(), strict=True) if keep]


def _rounded(value: float) -> float:
    return round(float(value), 4)


def calibrator_of(report: Mapping[str, Any]) -> Calibrator | None:
    """Return the calibrator of a report; None if there were too few facts for one."""
    stored = report.get("calibrator")
    return None if stored is None else Calibrator.from_json(stored)
