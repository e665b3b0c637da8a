"""What a relation model is worth on facts that it has not seen, and its calibrator.

    report = assess(model, facts)
    report["gain"]                      # False: no better than counting; answers have to abstain

A fifth of the facts is held out, by a hash of what they say; the model is trained on the rest, and
asked about these and about hard negatives. Every figure about probabilities is cross-fitted: no
triple is judged by a calibrator that has seen it. So that an entity which is new has its own
offset, each triple is asked about three times: as it is, and with one or both ends made strangers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.triples.baselines import baselines
from writeros_entities.triples.calibration import (
    LIKELY,
    Calibrator,
    fit_calibrator,
    triple_features,
)
from writeros_entities.triples.evaluation import (
    Known,
    accuracy,
    area_under_curve,
    calibration_error,
    filtered_ranks,
    summarise_ranks,
)
from writeros_entities.triples.splitting import hard_negatives, hold_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.protocols import RelationModel, TripleScorer
    from writeros_entities.triples.evaluation import Floats, Ints
    from writeros_entities.values import JSON, Endpoint, Facts

HELD_SHARE = 0.2
FEWEST = 40
"""Triples below which nothing can be held out that would prove anything."""

FEWEST_HELD = 8
MOST_HELD = 2_000
"""Triples held out at most, roughly: more would only make the figures sharper."""

FEWEST_OF_A_KIND = 5
"""Triples of a kind below which a model has nothing to say of it."""

FOLDS = 5


@dataclass(frozen=True, eq=False)
class Examples:
    """Triples whose truth is known, as a calibrator sees them."""

    triples: Ints
    features: Floats
    unseen: Ints
    relations: list[str]
    labels: NDArray[np.bool_]


def assess(model: RelationModel, facts: Facts) -> dict[str, JSON]:
    """Return the report on a model for these facts; without a calibrator where they are too few."""
    report: dict[str, JSON] = {
        "triples": len(facts.triples),
        "entities": len(facts.endpoints),
        "kinds": dict(sorted(Counter(_names(facts, facts.triples)).items())),
        "types": _types_of_ends(facts),
        "gain": False,
    }
    held = hold_out(facts, min(HELD_SHARE, MOST_HELD / max(1, len(facts.triples))))
    rest = replace(facts, triples=facts.triples[~held])
    asked = facts.triples[held]
    asked = asked[np.isin(asked[:, 1], rest.triples[:, 1])]
    if len(facts.triples) < FEWEST or len(asked) < FEWEST_HELD:
        why = f"{len(facts.triples)} triples are too few to learn from: it takes {FEWEST}"
        return report | {"why": why}
    types = [one.type for one in facts.endpoints]
    false, origin = hard_negatives(asked, facts.mirrored(), types)
    weights = model.train(rest)
    examples = gather_examples(model, weights, facts, asked, false)
    scorer = model.place(weights, facts.endpoints)
    rivals = baselines(rest.mirrored(), _vectors(facts.endpoints), types, len(facts.relations))
    measured = {name: _measure(one, facts, asked, false) for name, one in rivals.items()}
    own = _measure(scorer, facts, asked, false)
    seen = slice(0, len(asked) + len(false))
    groups = np.concatenate([np.arange(len(asked)), origin])
    probabilities = cross_fitted(examples, np.tile(groups, 3))
    labels = examples.labels[seen]
    own |= describe_probabilities(probabilities[seen], labels)
    best_rank = max(one["mrr"] for one in measured.values())
    best_area = max(one["auc"] for one in measured.values())
    calibrator = fit_calibrator(
        examples.features, examples.unseen, examples.relations, examples.labels
    )
    gain = own["mrr"] > best_rank or own["auc"] > best_area
    report |= {"held_out": len(asked), "negatives": len(false), "gain": gain, **own}
    if not gain:
        report["why"] = "on held-out triples it is no better than counting"
    return report | {"baselines": measured, "calibrator": calibrator.as_json()}


def gather_examples(
    model: RelationModel, weights: bytes, facts: Facts, true: Ints, false: Ints
) -> Examples:
    """Return examples of true and false triples: as they are, and with strangers for their ends."""
    count = len(facts.endpoints)
    strangers = [replace(one, key=f"\0{at}") for at, one in enumerate(facts.endpoints)]
    scorer = model.place(weights, [*facts.endpoints, *strangers])
    trained = np.array(model.is_trained(weights, facts.endpoints), np.bool_)
    plain = np.concatenate([true, false])
    labels = np.concatenate([np.ones(len(true), np.bool_), np.zeros(len(false), np.bool_)])
    turn = np.arange(len(plain)) % 2 * 2
    one_new, both_new = plain.copy(), plain.copy()
    one_new[np.arange(len(plain)), turn] += count
    both_new[:, [0, 2]] += count
    features = [triple_features(scorer, triples, count) for triples in (plain, one_new, both_new)]
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


def cross_fitted(examples: Examples, groups: Ints) -> Floats:
    """Return each example's probability by a calibrator fitted without its group's fold."""
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


def describe_probabilities(probabilities: Floats, labels: NDArray[np.bool_]) -> dict[str, JSON]:
    """Return accuracy, calibration error, and how often and how rightly an answer is given."""
    answers = (probabilities >= LIKELY) | (probabilities <= 1.0 - LIKELY)
    return {
        "accuracy": _rounded(accuracy(probabilities, labels)),
        "calibration_error": _rounded(calibration_error(probabilities, labels)),
        "answered": _rounded(float(answers.mean())),
        "answered_accuracy": _rounded(accuracy(probabilities[answers], labels[answers])),
    }


def _measure(scorer: TripleScorer, facts: Facts, true: Ints, false: Ints) -> dict[str, Any]:
    known = Known.of(facts.mirrored())
    ranking = summarise_ranks(*filtered_ranks(scorer, true, known, len(facts.endpoints)))
    both = np.concatenate([true, false])
    scores = np.asarray(scorer.score(both[:, 0], both[:, 1], both[:, 2]))
    labels = np.arange(len(both)) < len(true)
    area = area_under_curve(scores, labels)
    return {name: _rounded(value) for name, value in asdict(ranking).items()} | {
        "auc": _rounded(area)
    }


def _types_of_ends(facts: Facts) -> dict[str, JSON]:
    """Return which types each kind goes from and to: `[[heads], [tails]]`."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for head, relation, tail in facts.mirrored().tolist():
        heads, tails = found.setdefault(facts.relations[relation], (set(), set()))
        heads.add(facts.endpoints[head].type)
        tails.add(facts.endpoints[tail].type)
    return {
        kind: [[*sorted(heads)], [*sorted(tails)]] for kind, (heads, tails) in sorted(found.items())
    }


def _vectors(endpoints: Sequence[Endpoint]) -> Floats:
    """Return the entities' vectors; without any, cosines are all the same."""
    sizes = [len(one.vector) for one in endpoints if one.vector is not None]
    vectors = np.zeros((len(endpoints), max(sizes, default=1)))
    for row, one in enumerate(endpoints):
        if one.vector is not None:
            vectors[row] = one.vector
    return vectors


def _names(facts: Facts, triples: Ints) -> list[str]:
    return [facts.relations[at] for at in triples[:, 1].tolist()]


def _chosen(names: Sequence[str], kept: NDArray[np.bool_]) -> list[str]:
    return [name for name, keep in zip(names, kept.tolist(), strict=True) if keep]


def _rounded(value: float) -> float:
    return round(float(value), 4)


def calibrator_of(report: Mapping[str, Any]) -> Calibrator | None:
    """Return the calibrator of a report; None where there were too few facts for one."""
    stored = report.get("calibrator")
    return None if stored is None else Calibrator.from_json(stored)
