"""The relation model: what ships, asked through a session, and what a vault teaches it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from writeros_plugins.transe import TransE, shipped
from writeros_plugins.transe.training import SMALL

from writeros_entities import RelationModel, Settings, hookimpl
from writeros_entities.learning.training import learn_relations
from writeros_entities.learning.watching import LearningThread
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session

from .conftest import OpenVault
from .databases import Databases


class SmallTransE(TransE):  # type: ignore[misc]  # plugins are typed by their own path
    """Knows what a vault asserts alone, and learns it in a moment."""

    name = "small"

    def __init__(self) -> None:
        super().__init__(ships=False, recipe=replace(SMALL, members=1, dimensions=8, rounds=10))


class SmallPlugin:
    """A plugin that has the small model."""

    @hookimpl
    def register_relation_models(self) -> Iterable[RelationModel]:
        return [SmallTransE()]


def learning() -> dict[str, Any]:
    """Return what a session is opened with to learn by the small model."""
    plugins = load_plugins(Settings(), {"small": SmallPlugin()})
    return {"plugins": plugins, "relation_model": "small", "learn_relations": True}


HOUSE = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Rowan")
"""Families of the generated vault: in each, one leads, and everyone else serves the leader."""

VAULT = {
    "Chapters/01 - One.md": "---\nchapter: 1\n---\n\nEdda Marsh met Orm Vale.\n",
    "Chapters/02 - Two.md": "---\nchapter: 2\n---\n\nOrm Vale, brother of Edda Marsh, laughed.\n",
    "Cast/Edda Marsh.md": "---\ntype: person\nborn in: '[[Port]]'\n---\n\nThe daughter.\n",
    "Cast/Orm Vale.md": "---\ntype: person\nmother: '[[Edda Marsh]]'\n---\n\nThe other.\n",
    "Cast/Signy Vale.md": "---\ntype: person\n---\n\nNobody knows.\n",
    "Places/Port.md": "---\ntype: place\n---\n\nA port.\n",
    "Places/Hill.md": "---\ntype: place\n---\n\nA hill.\n",
}


def ask(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    """Return a capability's answer as plain data."""
    answer: dict[str, Any] = session.call(name, arguments).model_dump()
    return answer


@pytest.fixture(scope="module")
def small(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Return a small vault, synced; tests only read it."""
    root = tmp_path_factory.mktemp("small")
    for path, text in VAULT.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create()) as session:
        session.call("sync", {})
        yield session


# -- What ships ------------------------------------------------------------------------------------


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


# -- What a vault asserts --------------------------------------------------------------------------


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


def test_what_is_asserted_and_denied_is_uncertain(open_vault: OpenVault, write_vault: Any) -> None:
    notes = {
        "Ann.md": "---\ntype: person\nally: '[[Ben]]'\n---\n\nX.\n",
        "Ben.md": "---\ntype: person\nenemy: '[[Ann]]'\n---\n\nX.\n",
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = ask(session, "validate_knowledge", subject="Ann", predicate="ally_of", object="Ben")
    assert (found["validation"], found["confidence"]) == ("uncertain", 0.5)
    assert found["reasons"][0] == "The vault asserts it, and the contrary."
    assert [one["path"] for one in found["supporting"]] == ["Ann.md"]
    assert [one["path"] for one in found["contradicting"]] == ["Ben.md"]


def test_asserted_relations_come_before_inferred_ones(small: Session) -> None:
    found = ask(small, "infer_relationship", head_entity="Orm Vale", tail_entity="Edda Marsh")
    first, second = found["inferred_relations"][:2]
    assert {first["relation"], second["relation"]} == {"child_of", "sibling_of"}
    assert first["origin"] == second["origin"] == "asserted"
    assert {one["evidence"][0]["path"] for one in (first, second)} == {
        "Cast/Orm Vale.md",
        "Chapters/02 - Two.md",
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
    from writeros_entities import NotFoundError

    with pytest.raises(NotFoundError, match="parent_of"):
        ask(small, "find_related_entities", entity="Edda Marsh", relation="parrent_of")
    with pytest.raises(NotFoundError, match="Edda Marsh"):
        ask(small, "infer_relationship", head_entity="Edda March", tail_entity="Port")


# -- What a vault teaches --------------------------------------------------------------------------


def families(last: str = "Rowan") -> dict[str, str]:
    """Return a vault of sixty statements: in each of ten houses six serve the one who leads."""
    notes = {}
    for house in (*HOUSE[:-1], last):
        leader = f"Lord {house}"
        notes[f"Cast/{leader}.md"] = f"---\ntype: person\n---\n\nLord of {house}.\n"
        for name in ("Ada", "Ben", "Cyn", "Dov", "Eve", "Gus"):
            text = f"---\ntype: person\nserves: '[[{leader}]]'\n---\n\nOf the house.\n"
            notes[f"Cast/{name} {house}.md"] = text
    return notes


def stored(session: Session) -> list[tuple[object, ...]]:
    """Return what is stored of trained models; when they were trained aside."""
    with session.view() as view:
        table = view.relation_model
        rows = view.all(select(table.c.identity, table.c.weights, table.c.report))
        return [(name, weights, report | {"revision": None}) for name, weights, report in rows]


def test_a_sync_learns_what_a_vault_asserts_and_equals_a_rebuild(
    open_vault: OpenVault, write_vault: Any
) -> None:
    root = write_vault(families("Willow"))
    session = open_vault(root, **learning())
    learned_from = session.call("sync", {"relations": True})
    assert learned_from.model_dump()["learned"] == 60
    assert "Learned from 60 relations." in learned_from.as_text()
    before = stored(session)
    assert ask(session, "sync", relations=True)["learned"] == 0
    write_vault({"Notes/Weather.md": "It rained, and nobody served anybody."})
    assert ask(session, "sync", relations=True)["learned"] == 0
    assert stored(session) == before
    for file in (root / "Cast").glob("* Willow.md"):
        file.unlink()
    write_vault(families())
    assert ask(session, "evaluate_relations")["source"] == "vault"
    assert ask(session, "sync")["learned"] == 0
    # What was learned of other statements answers nothing.
    assert ask(session, "evaluate_relations")["source"] is None
    assert ask(session, "sync", relations=True)["learned"] == 60
    learned = stored(session)
    assert learned != before
    assert ask(session, "rebuild", relations=True)["learned"] == 60
    assert stored(session) == learned
    report = ask(session, "evaluate_relations")
    assert (report["source"], report["triples"], report["held_out"] >= 8) == ("vault", 60, True)
    assert report["kinds"] == {"serves": 60}


def test_a_model_that_has_read_the_vault_is_not_asked_as_of_a_chapter(
    open_vault: OpenVault, write_vault: Any
) -> None:
    chapter = "---\nchapter: 1\n---\n\nAda Ash met Lord Oak.\n"
    session = open_vault(write_vault(families() | {"01 - One.md": chapter}), **learning())
    ask(session, "sync", relations=True)
    asked = {"subject": "Ada Ash", "predicate": "serves", "object": "Lord Oak"}
    assert (
        "There is no relation model." not in ask(session, "validate_knowledge", **asked)["reasons"]
    )
    found = ask(session, "validate_knowledge", as_of=1, **asked)
    assert found["reasons"] == ["There is no relation model."]


def test_a_vault_with_few_relations_imports_no_library_for_training(
    tmp_path: Path, write_vault: Any
) -> None:
    root = write_vault(VAULT)
    code = (
        "import sys; from writeros_entities import Session\n"
        f"with Session.open({str(root)!r}, database='sqlite:///{tmp_path}/a.sqlite3',"
        " learn_relations=True, embedding_model='', workers=0) as session:\n"
        "    session.call('sync', {'relations': True}); session.call('search', {'query': 'port'})\n"
        "    told = session.call('evaluate_relations', {})\n"
        "print(told.triples, told.answers, told.why, 'torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "3 False 3 triples are too few to learn from: 40 are needed False\n"


def test_without_pytorch_a_sync_goes_on_and_the_shipped_model_answers(
    open_vault: OpenVault, write_vault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("writeros_plugins.transe.find_spec", lambda name: None)
    session = open_vault(write_vault(families()), learn_relations=True)
    report = session.call("sync", {"relations": True})
    done = report.model_dump()
    assert report.as_text().splitlines()[1] == done["learning_remark"]
    assert (done["added"], done["learned"]) == (70, 0)
    assert done["learning_remark"].startswith("Relations are learned with PyTorch")
    assert ask(session, "evaluate_relations")["source"] == "shipped"
    # Whoever watches is not told of it again and again.
    assert LearningThread(session, lambda error: None).work() is None


def test_training_is_the_same_to_the_bit() -> None:
    import numpy as np

    from writeros_entities import Endpoint, Facts

    ends = tuple(Endpoint(f"person/{at}", str(at), "person") for at in range(12))
    rows = np.array([(at, 0, (at * 5 + 1) % 12) for at in range(12)], np.int64)
    facts = Facts(ends, ("serves",), rows)
    first, second = (TransE(ships=False).train(facts) for _ in range(2))
    assert first == second


def test_two_of_one_name_are_learned_apart(open_vault: OpenVault, write_vault: Any) -> None:
    other = {"Guests/Ada Ash.md": "---\ntype: person\nserves: '[[Lord Oak]]'\n---\n\nA guest.\n"}
    session = open_vault(write_vault(families() | other), **learning())
    assert ask(session, "sync", relations=True)["learned"] == 61
    report = ask(session, "evaluate_relations")
    assert (report["triples"], report["kinds"]) == (61, {"serves": 61})


def test_where_everyone_is_everyones_ally_the_model_has_nothing_to_add(
    open_vault: OpenVault, write_vault: Any
) -> None:
    names = ("Ada", "Ben", "Cyn", "Dov", "Eve", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea")
    notes = {
        f"{name} Marsh.md": "---\ntype: person\nally:\n"
        + "".join(f"  - '[[{other} Marsh]]'\n" for other in names[number:])
        + "---\n\nOf the marsh.\n"
        for number, name in enumerate(names, 1)
    }
    session = open_vault(write_vault(notes), **learning())
    assert ask(session, "sync", relations=True)["learned"] == 55
    abstains = "on held-out triples it is no better than counting"
    told = session.call("evaluate_relations", {}).as_text()
    assert told.startswith(f"small, trained on 55 triples (vault). It abstains: {abstains}.")
    found = ask(
        session, "infer_relationship", head_entity="Ada Marsh", tail_entity="Lea Marsh", topK=9
    )
    assert [(one["relation"], one["origin"]) for one in found["inferred_relations"]] == [
        ("ally_of", "asserted")
    ]
    assert found["remark"] == f"The model abstains: {abstains}."


def test_what_cannot_be_judged_is_not_learned(open_vault: OpenVault, write_vault: Any) -> None:
    notes = {f"{name}.md": "---\ntype: person\n---\n\nX.\n" for name in HOUSE}
    notes["Ash.md"] = "---\ntype: person\n"
    for number in range(45):
        notes["Ash.md"] += f"bond {number}: '[[{HOUSE[1 + number % 9]}]]'\n"
    notes["Ash.md"] += "---\n\nX.\n"
    session = open_vault(write_vault(notes), **learning())
    assert ask(session, "sync", relations=True)["learned"] == 0
    assert session.call("evaluate_relations", {}).as_text() == (
        "small abstains: 0 held-out triples are too few to evaluate: 8 are needed."
    )


def test_a_vault_may_be_without_a_relation_model(open_vault: OpenVault, write_vault: Any) -> None:
    session = open_vault(write_vault(VAULT), relation_model="", learn_relations=True)
    assert ask(session, "sync", relations=True)["learned"] == 0
    none = "There is no relation model"
    told = session.call("evaluate_relations", {}).as_text()
    assert told == f"{none} (setting relation_model)."
    found = ask(session, "infer_relationship", head_entity="Orm Vale", tail_entity="Signy Vale")
    assert (found["inferred_relations"], found["remark"]) == ([], f"{none}.")
    asked = {"subject": "Orm Vale", "predicate": "child_of", "object": "Edda Marsh"}
    assert ask(session, "validate_knowledge", **asked)["validation"] == "valid"


def test_relations_are_learned_beside_a_watched_vault(
    open_vault: OpenVault, write_vault: Any
) -> None:
    session = open_vault(write_vault(families()), **learning())
    ask(session, "sync")
    troubles: list[Exception] = []
    thread = LearningThread(session, troubles.append, quiet_seconds=0.01)
    thread.start()
    thread.wake()
    for _ in range(600):
        if stored(session):
            break
        time.sleep(0.1)
    thread.stop()
    assert ask(session, "evaluate_relations")["kinds"] == {"serves": 60}
    assert troubles == []


def test_what_was_learned_is_not_kept_once_the_watch_has_ended(
    open_vault: OpenVault, write_vault: Any
) -> None:
    session = open_vault(write_vault(families()), **learning())
    ask(session, "sync")
    assert learn_relations(session, is_interrupted=lambda: True).is_new is False
    assert stored(session) == []


# -- Rules that can be read off what a vault states ------------------------------------------------


def court(known: int = 4) -> dict[str, str]:
    """Return a vault in which servants live where their lords lead; of the last nobody says so."""
    notes = {}
    for number, house in enumerate(HOUSE[: known + 1]):
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
