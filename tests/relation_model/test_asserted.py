"""What a vault asserts decides, and the model answers only where it has learned something."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import NotFoundError
from writeros_entities.session import Session

from ..conftest import OpenVault
from ..databases import Databases
from .small import VAULT, ask

PAIR = ("head_entity", "tail_entity")


def test_an_assertion_decides_with_its_proof(small: Session) -> None:
    found = ask(
        small, "validate_knowledge", subject="Orm Vale", predicate="child_of", object="Edda Marsh"
    )
    assert (found["validation"], found["decided_by"]) == ("valid", "asserted")
    assert [(one["path"], one["line"]) for one in found["supporting"]] == [("Cast/Orm Vale.md", 3)]


def test_only_an_asserted_clash_contradicts(small: Session) -> None:
    born = {"subject": "Edda Marsh", "predicate": "born_in", "object": "Hill"}
    clash = ask(small, "validate_knowledge", **born)
    assert (clash["validation"], clash["decided_by"]) == ("unlikely", "contradicted")
    assert [one["path"] for one in clash["contradicting"]] == ["Cast/Edda Marsh.md"]
    turned = {"subject": "Orm Vale", "predicate": "parent_of", "object": "Edda Marsh"}
    found = ask(small, "validate_knowledge", **turned)
    assert (found["validation"], found["decided_by"]) == ("unlikely", "contradicted")
    unknown = ask(small, "validate_knowledge", **(born | {"subject": "Signy Vale"}))
    assert unknown["contradicting"] == []
    assert (unknown["validation"], unknown["decided_by"]) == ("uncertain", "nothing")
    assert unknown["reasons"][0].startswith("The model abstains: it was not trained on Signy Vale")


def test_what_is_asserted_and_denied_is_uncertain_but_not_what_may_go_both_ways(
    open_vault: OpenVault, write_vault: Any
) -> None:
    notes = {
        "Ann.md": "---\ntype: person\nally: '[[Ben]]'\nwounded: '[[Ben]]'\n---\n\nX.\n",
        "Ben.md": "---\ntype: person\nenemy: '[[Ann]]'\nwounded: '[[Ann]]'\n---\n\nX.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = ask(session, "validate_knowledge", subject="Ann", predicate="ally_of", object="Ben")
    assert (found["validation"], found["confidence"]) == ("uncertain", 0.5)
    assert found["reasons"][0] == "The vault asserts it, and the contrary."
    assert [one["path"] for one in found["supporting"]] == ["Ann.md"]
    assert [one["path"] for one in found["contradicting"]] == ["Ben.md"]
    duel = ask(session, "validate_knowledge", subject="Ann", predicate="wounded", object="Ben")
    assert (duel["validation"], duel["contradicting"]) == ("valid", [])


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("mother", "'parent_of' or 'child_of'"),
        ("mother of", "'parent_of'"),
        ("sister_of", "'sibling_of'"),
        ("wife", "'spouse_of'"),
        ("Married to", "'spouse_of'"),
        ("enemies", "'enemy_of'"),
    ],
)
def test_a_word_for_a_relation_is_answered_with_the_kinds_that_it_may_mean(
    small: Session, word: str, meant: str
) -> None:
    with pytest.raises(NotFoundError, match=rf"Did you mean {meant}\?$"):
        small.call("find_related_entities", {"entity": "Orm Vale", "relation": word})
    with pytest.raises(NotFoundError, match=rf"Did you mean {meant}\?$"):
        ask(small, "validate_knowledge", subject="Orm Vale", predicate=word, object="Edda Marsh")


@pytest.mark.usefixtures("closely")
def test_a_proof_is_quoted_as_a_reader_sees_it(open_vault: OpenVault, write_vault: Any) -> None:
    notes = {
        "Ann.md": "---\ntype: person\n---\n\nA clerk. ally:: [[Ben]]\n",
        "Ben.md": "---\ntype: person\nenemy: '[[Cat|her]]'\n---\n\nX.\n",
        "Cat.md": "---\ntype: person\n---\n\n[[Cat]] is the sister of [[Ben]].\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    def told(name: str, *triple: str) -> str:
        keys = ("subject", "predicate", "object") if len(triple) == 3 else PAIR
        return session.call(name, dict(zip(keys, triple, strict=True))).as_text()

    assert "For: Ann.md:5 — A clerk. ally:: Ben" in told(
        "validate_knowledge", "Ann", "ally_of", "Ben"
    )
    assert "For: Ben.md:3 — enemy: 'her'" in told("validate_knowledge", "Ben", "enemy_of", "Cat")
    assert "  - Cat.md:5 — Cat is the sister of Ben" in told("infer_relationship", "Cat", "Ben")


def test_asserted_relations_come_before_inferred_ones(small: Session) -> None:
    found = ask(small, "infer_relationship", head_entity="Orm Vale", tail_entity="Edda Marsh")
    first = found["inferred_relations"][:3]
    assert {one["origin"] for one in first} == {"asserted"}
    assert {one["relation"]: one["evidence"][0]["path"] for one in first} == {
        "child_of": "Cast/Orm Vale.md",
        "known_by": "Chapters/01 - One.md",
        "sibling_of": "Chapters/02 - Two.md",
    }
    assert {quote["path"] for quote in found["together"]} >= {"Chapters/01 - One.md"}


def test_nothing_of_a_later_chapter_decides_as_of_an_earlier_one(small: Session) -> None:
    asked = {"subject": "Orm Vale", "predicate": "sibling_of", "object": "Edda Marsh"}
    later = ask(small, "validate_knowledge", as_of=2, **asked)
    assert [one["path"] for one in later["supporting"]] == ["Chapters/02 - Two.md"]
    earlier = ask(small, "validate_knowledge", as_of=1, **asked)
    assert earlier["supporting"] == []
    assert earlier["decided_by"] != "asserted"


def test_related_entities_are_found_from_both_ends(small: Session) -> None:
    out = ask(small, "find_related_entities", entity="Edda Marsh", relation="parent_of")
    assert [
        (one["entity"]["name"], one["origin"], one["found_in"]) for one in out["related_entities"]
    ] == [
        (
            "Orm Vale",
            "asserted",
            ["Chapters/01 - One.md", "Chapters/02 - Two.md"],
        )
    ]
    into = ask(
        small,
        "find_related_entities",
        entity="Rust",
        relation="implemented_in",
        direction="incoming",
        entityType="framework",
        topK=5,
    )
    names = {one["entity"]["name"] for one in into["related_entities"]}
    assert len(names) == 5
    assert names <= {"Tokio", "Serde", "Axum", "Actix", "Tauri", "Tower HTTP", "Polars", "Rocket"}
    assert {one["origin"] for one in into["related_entities"]} == {"inferred"}
    assert into["total"] > 5


def test_the_shipped_facts_relate_nobody_of_whom_they_know_nothing(
    databases: Databases, write_vault: Callable[[dict[str, str]], Path]
) -> None:
    root = write_vault(VAULT)
    with Session.open(
        root, database=databases.create(), embedding_model="all-MiniLM-L6-v2"
    ) as session:
        session.call("sync", {})
        found = ask(session, "find_related_entities", entity="Edda Marsh", relation="spouse_of")
        assert found["related_entities"] == []
        assert found["remark"] == "The model has learned nothing about Edda Marsh."
        guessed = ask(
            session,
            "validate_knowledge",
            subject="Edda Marsh",
            predicate="enemy_of",
            object="Signy Vale",
        )
        assert (guessed["validation"], guessed["confidence"]) == ("uncertain", None)
        assert guessed["reasons"] == [
            "The model abstains: it has learned nothing about Edda Marsh or Signy Vale."
        ]
        # Of those that no vault has, a knowledge base knows the name, and the model the vector.
        told = ask(
            session,
            "validate_knowledge",
            subject="Tokio",
            predicate="implemented_in",
            object="Rust",
        )
        assert told["validation"] == "valid"


def test_unknown_names_are_told_with_the_nearest(small: Session) -> None:
    with pytest.raises(NotFoundError, match="parent_of"):
        ask(small, "find_related_entities", entity="Edda Marsh", relation="parrent_of")
    with pytest.raises(NotFoundError, match="Edda Marsh"):
        ask(small, "infer_relationship", head_entity="Edda March", tail_entity="Port")
