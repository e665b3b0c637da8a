"""The relation model that ships: its facts, its examples, its honesty."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from writeros_plugins.transe import shipped

from writeros_entities.session import Session

from ..conftest import OpenVault
from ..models import WordwiseModel, with_model
from .small import ask


def test_no_example_was_trained_on() -> None:
    text = (files("writeros_plugins.transe") / "examples.tsv").read_text("utf-8")
    examples = [line.split("\t")[:3] for line in text.splitlines() if not line.startswith("#")]
    assert ["tokio", "implemented_in", "rust_language"] in examples
    assert not {tuple(one) for one in examples} & set(shipped.read_facts())


def test_at_least_four_hundred_facts_about_a_hundred_technical_entities_ship() -> None:
    technical = [fact for fact in shipped.read_facts() if "/" not in fact[0] + fact[2]]
    assert len(technical) >= 400
    assert len({end for head, _, tail in technical for end in (head, tail)}) >= 100


@pytest.mark.parametrize(
    ("subject", "predicate", "object_", "expected"),
    [
        ("Tokio", "implemented_in", "Rust", "valid"),
        ("Claude", "created_by", "Anthropic", "valid"),
        ("PostgreSQL", "works_at", "Google", "unlikely"),
    ],
)
def test_the_shipped_model_judges_what_it_was_not_trained_on(
    small: Session, subject: str, predicate: str, object_: str, expected: str
) -> None:
    found = ask(small, "validate_knowledge", subject=subject, predicate=predicate, object=object_)
    assert found["validation"] == expected
    assert (found["transe_score"] > -0.5) == (expected == "valid")
    assert (found["transe_score"] < -1.5) == (expected == "unlikely")
    assert found["supporting"] == found["contradicting"] == []


def test_vectors_of_another_embedding_model_tell_it_nothing(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault({"Tech/Tokio.md": "---\ntype: library\n---\nTokio runs on Rust.\n"})
    asked = {"subject": "Tokio", "predicate": "created_by", "object": "Anthropic"}
    scores = []
    for options in ({"embedding_model": ""}, with_model(WordwiseModel())):
        session = open_vault(root, **options)
        session.call("sync", {})
        scores.append(ask(session, "validate_knowledge", **asked)["transe_score"])
    assert scores[0] == scores[1]


def test_types_that_do_not_fit_are_named_where_they_decide(small: Session) -> None:
    found = ask(
        small, "validate_knowledge", subject="PostgreSQL", predicate="worksAt", object="Google"
    )
    assert found["decided_by"] == "ontology"
    assert found["reasons"][-1].endswith("PostgreSQL is a database.")


def test_a_relation_of_two_technologies_is_inferred(small: Session) -> None:
    found = ask(small, "infer_relationship", headEntity="React", tailEntity="JavaScript", topK=3)
    names = [one["relation"] for one in found["inferred_relations"]]
    assert {"implemented_in", "depends_on"} & set(names)
    assert {one["origin"] for one in found["inferred_relations"]} == {"inferred"}
    assert found["tail"]["canonical_id"] == "javascript"


def test_parent_and_child_are_told_apart(small: Session) -> None:
    names = {"subject": "Henry VIII", "object": "Elizabeth I"}
    parent = ask(small, "validate_knowledge", predicate="parent_of", **names)
    child = ask(small, "validate_knowledge", predicate="child_of", **names)
    assert parent["confidence"] > 1.5 * child["confidence"]
    assert child["transe_score"] < parent["transe_score"]
    assert "child_of is the inverse of parent_of." in child["reasons"]


def test_a_vector_leads_from_head_to_tail_on_request(small: Session) -> None:
    asked = {"head_entity": "Tokio", "tail_entity": "Rust", "include_score": False}
    assert ask(small, "infer_relationship", **asked)["predicted_vector"] is None
    found = ask(small, "infer_relationship", include_vector=True, **asked)
    assert len(found["predicted_vector"]) == 96
    assert {one["score"] for one in found["inferred_relations"]} == {None}


def test_the_shipped_report_is_honest_about_its_baselines(small: Session) -> None:
    found = ask(small, "evaluate_relations", shipped=True)
    assert found["source"] == "shipped"
    assert [one["name"] for one in found["baselines"]] == ["degree", "cosine", "frequency"]
    assert found["mrr"] > 2 * max(one["mrr"] for one in found["baselines"])
    assert found["auc"] > max(one["auc"] for one in found["baselines"])
    assert found["answered_accuracy"] >= 0.9
