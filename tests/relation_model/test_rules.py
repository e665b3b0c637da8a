"""Rules read off a handful of triples: what they are, and how strongly they speak, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from writeros_entities import Endpoint, Facts
from writeros_entities.triples import evaluation, evidence
from writeros_entities.triples.rules import Ground, Rules

SERVES, RULES, LIVES_IN = range(3)
# Servants 0-3 of lords 10-13, who rule places 20-23. Of three servants it is known where they live.
COURT = np.array(
    [(at, SERVES, 10 + at) for at in range(4)]
    + [(10 + at, RULES, 20 + at) for at in range(4)]
    + [(at, LIVES_IN, 20 + at) for at in range(3)]
)


def court(triples: np.ndarray = COURT) -> Rules:
    return Rules(triples, 30, 3)


def test_two_relations_in_a_row_speak_for_a_third() -> None:
    rules = court()
    (rule,) = rules.paths[LIVES_IN]
    assert (rule.path, rule.pairs, rule.holding) == ((SERVES, RULES), 4, 3)
    # Servant 3 lives where the lord rules, as 3 of 3 others do: 3 / (3 + 5).
    assert rules.strengths(np.array([[3, LIVES_IN, 23]]))[0, 0] == pytest.approx(0.375)
    assert rules.grounds(3, LIVES_IN, 23) == [Ground(((3, SERVES, 13), (13, RULES, 23)), 3, 3)]


def test_a_triple_is_never_its_own_evidence() -> None:
    rules = court()
    # Of servant 0 it is known; of the 3 others it is of 2: 2 / (3 + 5).
    assert rules.strengths(np.array([[0, LIVES_IN, 20]]))[0, 0] == pytest.approx(0.25)
    assert rules.grounds(0, LIVES_IN, 20)[0].holding == 2


def test_a_rule_takes_three_pairs_of_which_it_holds() -> None:
    rules = court(COURT[:-1])
    assert LIVES_IN not in rules.paths
    assert not rules.strengths(np.array([[3, LIVES_IN, 23]])).any()


def test_a_relation_walked_backwards_is_a_path_as_well() -> None:
    turned = [(at, 0, 10 + at) for at in range(4)] + [(10 + at, 1, at) for at in range(3)]
    rules = Rules(np.array(turned), 20, 2)
    assert [(one.path, one.pairs, one.holding) for one in rules.paths[1]] == [((2,), 4, 3)]
    assert rules.grounds(13, 1, 3)[0].carried_by == ((3, 0, 13),)


def test_both_directions_of_a_symmetric_relation_are_one_triple() -> None:
    allied = np.array([(0, 0, 1), (2, 0, 3), (4, 0, 5), (6, 0, 7)])
    both = np.concatenate([allied, allied[:, ::-1]])
    for triples in (allied, both):
        rules = Rules(triples, 8, 1, symmetric=[0])
        assert rules.paths == {}
        assert not rules.strengths(both).any()
    # Who share a lord are allied: 3 of 4 pairs, and not 6 of 8.
    served = [(end, 1, 10 + pair) for pair in range(4) for end in (2 * pair, 2 * pair + 1)]
    rules = Rules(np.array([*allied[:3].tolist(), *served]), 20, 2, symmetric=[0])
    assert [(one.path, one.pairs, one.holding) for one in rules.paths[0]] == [((1, 3), 4, 3)]


def test_what_those_with_a_trait_share_speaks_for_another_with_it() -> None:
    # 1 to 4 serve 10, and all but 4 live in 20.
    triples = [(at, SERVES, 10) for at in range(1, 5)] + [(at, LIVES_IN, 20) for at in range(1, 4)]
    rules = Rules(np.array(triples), 30, 3)
    # 3 of the 3 others who serve 10 live in 20.
    strengths = rules.strengths(np.array([[4, LIVES_IN, 20], [1, LIVES_IN, 20]]))
    assert strengths[:, 1].tolist() == pytest.approx([0.375, 0.25])
    assert rules.grounds(4, LIVES_IN, 20) == [Ground(((4, SERVES, 10),), 3, 3, is_trait=True)]


def test_all_answers_to_a_question_are_as_strong_as_each_alone() -> None:
    random = np.random.default_rng(0)
    triples = np.unique(random.integers(0, (12, 3, 12), (80, 3)), axis=0)
    rules = Rules(triples, 12, 3, symmetric=[1])
    for head, relation, tail in triples[::9].tolist():
        tails = [rules.strengths(np.array([[head, relation, at]]))[0] for at in range(12)]
        heads = [rules.strengths(np.array([[at, relation, tail]]))[0] for at in range(12)]
        apart = np.arange(12) != head
        found = rules.strengths_of_tails(head, relation).T
        assert found[apart] == pytest.approx(np.array(tails)[apart])
        apart = np.arange(12) != tail
        found = rules.strengths_of_heads(relation, tail).T
        assert found[apart] == pytest.approx(np.array(heads)[apart])


def test_ends_are_counted_without_the_triple_itself() -> None:
    # Servant 0 and 4 serve lord 10.
    rules = court(np.concatenate([COURT, [(4, SERVES, 10)]]))
    asked = np.array([[0, SERVES, 10], [1, SERVES, 10]])
    # How often the tail is one, the head a head, the tail a head, the head a tail.
    assert rules.slots(asked).tolist() == [[1, 0, 0, 0], [2, 1, 0, 0]]


def test_nothing_speaks_for_entities_and_relations_that_no_triple_has() -> None:
    rules = court()
    assert not rules.strengths(np.array([[99, LIVES_IN, 20], [0, 7, 20]])).any()
    assert not rules.strengths_of_tails(99, LIVES_IN).any()
    assert not Rules(np.empty((0, 3), np.int64), 0, 0).strengths(np.array([[0, 0, 1]])).any()


# -- Their weight ----------------------------------------------------------------------------------


class Indifferent:
    """Scores every triple by the number of its tail, all but the same."""

    def score(self, heads, relations, tails):
        return 0.01 * tails + 0.0 * heads + 0.0 * relations


def large_court(servants: int) -> Facts:
    """Return a court in which servants live where their lords rule, a tenth left unsaid."""
    lords = servants // 2
    triples = [(at, SERVES, servants + at % lords) for at in range(servants)]
    triples += [(servants + at, RULES, servants + lords + at) for at in range(lords)]
    triples += [(at, LIVES_IN, servants + lords + at % lords) for at in range(servants) if at % 10]
    names = tuple(Endpoint(str(at), str(at), "") for at in range(servants + 2 * lords))
    return Facts(names, ("serves", "rules", "lives_in"), np.array(triples))


def test_weights_are_learned_on_what_was_held_out() -> None:
    facts = large_court(60)
    found = evidence.learn_evidence(facts)
    assert found.weights[LIVES_IN, 0] > 0.0
    again = evidence.Evidence.of(facts, found.as_json(facts.relations))
    informed = evidence.Informed.of(Indifferent(), again)
    asked = np.array([(at, LIVES_IN, 90 + at % 30) for at in range(0, 60, 10)])
    known = evaluation.Known.of(facts.triples)
    tails, _ = evaluation.filtered_ranks(informed, asked, known, len(facts.endpoints))
    alone, _ = evaluation.filtered_ranks(Indifferent(), asked, known, len(facts.endpoints))
    assert tails.tolist() == [1.0] * 6
    assert alone.min() > 1.0


def test_few_triples_have_rules_that_do_not_count() -> None:
    few = large_court(10)
    found = evidence.learn_evidence(few)
    assert len(few.triples) == 24
    assert not found.weights.any()
    asked = np.array([[0, LIVES_IN, 15]])
    assert found.rules.strengths(asked).any()
    informed = evidence.Informed.of(Indifferent(), found)
    assert informed.score(*asked.T).tolist() == [0.15]
