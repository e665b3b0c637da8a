"""Rules that hold of what a vault states are given as reasons, with the statements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from writeros_entities.session import Session

from ..conftest import OpenVault
from .small import HOUSES, ask


def court(known: int = 4) -> dict[str, str]:
    """Return a vault in which servants live where their lords lead; of the last nobody says so."""
    notes = {}
    for number, house in enumerate(HOUSES[: known + 1]):
        notes[f"Cast/Lord {house}.md"] = (
            f"---\ntype: person\nrules: '[[Fort {house}]]'\n---\n\nA lord.\n"
        )
        notes[f"Places/Fort {house}.md"] = "---\ntype: place\n---\n\nA fort.\n"
        home = f"lives in: '[[Fort {house}]]'\n" if number < known else ""
        notes[f"Cast/Ada {house}.md"] = (
            f"---\ntype: person\nserves: '[[Lord {house}]]'\n{home}---\n\nA servant.\n"
        )
    return notes


RULE = (
    "Ada Fir serves Lord Fir, and Lord Fir rules Fort Fir; "
    "of 4 other pairs joined so, it holds for 4."
)


def test_a_rule_is_told_with_the_statements_that_carry_it(
    open_vault: OpenVault, write_vault: Any
) -> None:
    session = open_vault(write_vault(court()))
    ask(session, "sync")
    asked = {"subject": "Ada Fir", "predicate": "lives_in", "object": "Fort Fir"}
    found = ask(session, "validate_knowledge", **asked)
    assert RULE in found["reasons"]
    assert [(one["path"], one["quote"]) for one in found["supporting"]] == [
        ("Cast/Ada Fir.md", "serves: '[[Lord Fir]]'"),
        ("Cast/Lord Fir.md", "rules: '[[Fort Fir]]'"),
    ]
    # The vault states no such thing: what a rule says is told, and decides nothing by itself.
    assert found["decided_by"] != "asserted"
    home = {**asked, "predicate": "home_of", "subject": "Fort Fir", "object": "Ada Fir"}
    assert RULE in ask(session, "validate_knowledge", **home)["reasons"]
    other = ask(session, "validate_knowledge", **(asked | {"object": "Fort Elm"}))
    assert not [one for one in other["reasons"] if "other pairs" in one]
    assert other["supporting"] == []


def test_no_rule_is_told_of_a_namesake(open_vault: OpenVault, write_vault: Any) -> None:
    guest = {"Guests/Ada Fir.md": "---\ntype: person\n---\n\nA guest.\n"}
    session = open_vault(write_vault(court() | guest))
    ask(session, "sync")
    told = {}
    for one in ask(session, "list_entities", containing="Ada Fir")["entities"]:
        source = ask(session, "get_entity", entity=one["id"])["entity"]["source"]["path"]
        asked = {"subject": one["id"], "predicate": "lives_in", "object": "Fort Fir"}
        told[source] = RULE in ask(session, "validate_knowledge", **asked)["reasons"]
    assert told == {"Cast/Ada Fir.md": True, "Guests/Ada Fir.md": False}


def test_what_is_stated_needs_no_rule(open_vault: OpenVault, write_vault: Any) -> None:
    session = open_vault(write_vault(court()))
    ask(session, "sync")
    asked = {"subject": "Ada Elm", "predicate": "lives_in", "object": "Fort Elm"}
    assert ask(session, "validate_knowledge", **asked)["reasons"] == ["The vault asserts it."]


def test_a_rule_is_told_as_of_the_chapter_that_bears_it_out(
    open_vault: OpenVault, write_vault: Any
) -> None:
    notes = {
        path: text.replace("---\n\n", "visible_from: 1\n---\n\n") for path, text in court().items()
    }
    names = [Path(path).stem for path in notes if path != "Cast/Lord Fir.md"]
    notes["Chapters/01.md"] = f"---\nchapter: 1\n---\n\n{'. '.join(names)}.\n"
    notes["Chapters/02.md"] = "---\nchapter: 2\n---\n\nLord Fir came late.\n"
    late = "Cast/Lord Fir.md"
    notes[late] = notes[late].replace("visible_from: 1", "visible_from: 2")
    session = open_vault(write_vault(notes))
    ask(session, "sync")
    asked = {"subject": "Ada Fir", "predicate": "lives_in", "object": "Fort Fir"}
    assert RULE in ask(session, "validate_knowledge", as_of=2, **asked)["reasons"]
    earlier = ask(session, "validate_knowledge", as_of=1, **asked)
    assert not [one for one in earlier["reasons"] if "Lord Fir" in one]
    assert earlier["supporting"] == []


def test_rules_of_what_ships_are_told_as_well(small: Session) -> None:
    found = ask(
        small,
        "find_related_entities",
        entity="Rust",
        relation="implemented_in",
        direction="incoming",
        topK=10,
    )
    told = {one["entity"]["name"]: one["reasons"] for one in found["related_entities"]}
    assert told["Tokio"] == [
        "Actix depends on Tokio, and Actix is implemented in Rust; "
        "of 29 other pairs joined so, it holds for 21."
    ]
    inferred = ask(small, "infer_relationship", head_entity="Tokio", tail_entity="Rust", top_k=1)
    assert told["Tokio"][0] in inferred["inferred_relations"][0]["reasons"]
