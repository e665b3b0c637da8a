"""What a relation model is worth, worked out by hand on a handful of triples."""

from __future__ import annotations

import numpy as np
import pytest
from writeros_plugins.transe.training import DENSE, LARGE, SHIPPED, Recipe, recipe_for

from writeros_entities import Endpoint, Facts
from writeros_entities.triples import calibration, evaluation, splitting


class Table:
    """Scores tails by a table, whatever the head and the relation."""

    def __init__(self, *scores: float) -> None:
        self._scores = np.array(scores)

    def score(self, heads, relations, tails):
        return self._scores[tails] + 0.0 * heads + 0.0 * relations


def test_ranks_leave_out_other_known_answers_and_halve_ties() -> None:
    triples = np.array([[0, 0, 1], [0, 0, 2]])
    known = evaluation.Known.of(triples)
    tails, heads = evaluation.filtered_ranks(Table(5.0, 1.0, 3.0, 1.0), triples, known, 4)
    # Tail 1: 0 is better, 2 is known, 3 is equal. Tail 2: 0 is better.
    assert tails.tolist() == [2.5, 2.0]
    # Every head scores the same: the middle of four.
    assert heads.tolist() == [2.5, 2.5]
    assert evaluation.summarise_ranks(tails) == evaluation.Ranking(0.45, 0.0, 1.0, 1.0)


def test_hidden_answers_bound_what_ranks_can_be_worth() -> None:
    triples = np.array([[0, 0, 1], [0, 0, 2], [3, 1, 4]])
    known = evaluation.Known.of(triples)
    # Nothing is hidden, so that whoever knows all ranks every answer first.
    assert evaluation.attainable_mrr(triples, known, 0) == 1.0
    # As many are hidden as are known, so that (0, 0, ?) has one more answer in the mean. With k
    # more, its rank is any of 1 to k + 1: Σ H_(k+1) / (k + 1) · e^-1 / k! = (1 + 3/4 + 11/36 +
    # 25/288 + 137/7200 + 49/14400 + ...) / e = 2.16538 / e = 0.7966. All else has one answer.
    assert evaluation.attainable_mrr(triples, known, 3) == pytest.approx((2 * 0.7966 + 4) / 6, 1e-4)


def test_the_bound_is_what_an_all_knowing_scorer_comes_to() -> None:
    random = np.random.default_rng(0)
    everything = np.argwhere(random.random((120, 3, 120)) < 0.1)
    order = random.permutation(len(everything))
    truth = np.zeros((120, 3, 120))
    truth[tuple(everything.T)] = 1.0

    class AllKnowing:
        def score(self, heads, relations, tails):
            return truth[heads, relations, tails] + random.random(np.broadcast(heads, tails).shape)

    hidden, valid, rest = np.split(everything[order], [800, 1_800])
    known = evaluation.Known.of(rest, valid)
    ranks = evaluation.filtered_ranks(AllKnowing(), valid, known, 120)
    bound = evaluation.attainable_mrr(valid, known, len(hidden))
    assert evaluation.summarise_ranks(*ranks).mrr == pytest.approx(bound, abs=0.02)
    assert 0.6 < bound < 0.7


def test_the_area_counts_pairs_in_the_right_order() -> None:
    labels = np.array([True, True, False, False])
    assert evaluation.area_under_curve(np.array([4.0, 2.0, 3.0, 2.0]), labels) == 0.625


def test_the_calibration_error_is_the_mean_gap_of_the_bins() -> None:
    labels = np.array([True, False, True, True])
    error = evaluation.calibration_error(np.array([0.55, 0.55, 0.95, 0.95]), labels)
    assert error == pytest.approx(0.05)


def test_the_bounds_of_the_scale_are_those_of_the_verdicts() -> None:
    logits = np.array([calibration.logit(p) for p in (0.85, 0.15)])
    assert calibration.scaled(logits) == pytest.approx([-0.5, -1.5])
    assert [calibration.verdict(p) for p in (0.85, 0.84, 0.15)] == [
        "valid",
        "uncertain",
        "unlikely",
    ]


def test_scores_keep_the_order_of_what_is_all_but_certain() -> None:
    scores = calibration.scaled(np.array([30.0, 20.0, -20.0, -30.0]))
    assert np.all(np.diff(scores) < 0)


def test_a_calibrator_knows_how_much_a_model_is_worth_on_a_relation() -> None:
    random = np.random.default_rng(0)
    labels = random.random(400) < 0.5
    kinds = ["told"] * 200 + ["guessed"] * 200
    told = np.arange(400) < 200
    first = np.where(told, labels * 4.0 - 2.0, 0.0) + random.standard_normal(400)
    features = np.column_stack([first, *random.standard_normal((4, 400))])
    unseen = np.zeros(400, np.int64)
    fitted = calibration.fit_calibrator(features, unseen, kinds, labels)
    # The first feature, after the offset, is worth more where it was told.
    assert fitted.relations["told"][1] > 0.0 > fitted.relations["guessed"][1]
    again = calibration.Calibrator.from_json(fitted.as_json())
    found = again.probabilities(features, unseen, kinds)
    assert evaluation.accuracy(found[told], labels[told]) > 0.95
    assert evaluation.calibration_error(found[~told], labels[~told]) < 0.1


def test_a_calibrator_learns_where_one_feature_turns_another_round() -> None:
    random = np.random.default_rng(0)
    features = random.standard_normal((600, 2))
    labels = features[:, 0] * features[:, 1] > 0
    unseen = np.zeros(600, np.int64)
    fitted = calibration.fit_calibrator(features, unseen, ["told"] * 600, labels)
    found = fitted.probabilities(features, unseen, ["told"] * 600)
    assert evaluation.accuracy(found, labels) > 0.9


def test_false_triples_are_never_known_ones_and_follow_from_the_seed() -> None:
    true = np.array([[at, at % 2, (at + 1) % 6] for at in range(6)])
    types = ["person", "person", "place", "person", "place", "person"]
    false, origin = splitting.hard_negatives(true, true, types)
    assert not {tuple(row) for row in false.tolist()} & {tuple(row) for row in true.tolist()}
    assert origin.tolist() == sorted(set(origin.tolist()))
    again, _ = splitting.hard_negatives(true, true, types)
    assert np.array_equal(false, again)


def test_what_is_held_out_does_not_depend_on_the_order_of_the_facts() -> None:
    ends = tuple(Endpoint(f"person/{at}", str(at), "person") for at in range(40))
    rows = np.array([[at, 0, (at + 1) % 40] for at in range(40)])
    held = splitting.hold_out(Facts(ends, ("knows",), rows), 0.2)
    turned = splitting.hold_out(Facts(ends, ("knows",), rows[::-1]), 0.2)
    assert np.array_equal(held, turned[::-1])
    assert 2 <= held.sum() <= 14


# -- Trials ----------------------------------------------------------------------------------------


def test_five_trials_hold_out_every_triple_once() -> None:
    endpoints = tuple(Endpoint(f"person/{at}", str(at), "person") for at in range(40))
    triples = np.array([(at, 0, (7 * at + 1) % 40) for at in range(40)])
    facts = Facts(endpoints, ("knows",), triples)
    held = np.array([splitting.hold_out(facts, 0.2, number) for number in range(5)])
    assert held.sum(0).tolist() == [1] * 40
    assert held.any(1).all()


@pytest.mark.parametrize(
    ("triples", "entities", "recipe"),
    [(1_128, 563, SHIPPED), (5_216, 135, DENSE), (32_888, 2_034, LARGE)],
)
def test_a_graph_is_trained_on_by_its_size_and_density(
    triples: int, entities: int, recipe: Recipe
) -> None:
    assert recipe_for(triples, entities) == recipe
