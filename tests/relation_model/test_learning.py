"""A vault teaches the model what it asserts, the same at every sync and rebuild."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from writeros_plugins.transe import TransE

from writeros_entities.learning.training import learn_relations
from writeros_entities.learning.watching import LearningThread
from writeros_entities.session import Session

from ..conftest import OpenVault
from ..surfaces.test_plain_words import jargon
from .small import HOUSES, VAULT, ask, learning


def families(last: str = "Rowan") -> dict[str, str]:
    """Return a vault of sixty statements: in each of ten houses six serve the one who leads."""
    notes = {}
    for house in (*HOUSES[:-1], last):
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
    assert jargon(learned_from.as_text()) == set()
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
    silence = (
        "The relation model 'small' ships with no facts; what it learned of the whole vault is not "
        "used as of a chapter."
    )
    assert silence not in ask(session, "validate_knowledge", **asked)["reasons"]
    assert ask(session, "validate_knowledge", as_of=1, **asked)["reasons"] == [silence]


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
    notes = {f"{name}.md": "---\ntype: person\n---\n\nX.\n" for name in HOUSES}
    notes["Ash.md"] = "---\ntype: person\n"
    for number in range(45):
        notes["Ash.md"] += f"bond {number}: '[[{HOUSES[1 + number % 9]}]]'\n"
    notes["Ash.md"] += "---\n\nX.\n"
    session = open_vault(write_vault(notes), **learning())
    assert ask(session, "sync", relations=True)["learned"] == 0
    assert session.call("evaluate_relations", {}).as_text() == (
        "small abstains: 0 held-out triples are too few to evaluate: 8 are needed."
    )


def test_a_model_that_has_learned_nothing_is_not_said_to_be_missing(
    open_vault: OpenVault, write_vault: Any
) -> None:
    session = open_vault(write_vault(VAULT), **learning())
    ask(session, "sync")
    silence = (
        "The relation model 'small' has learned nothing that it could use: evaluate_relations says "
        "why."
    )
    ends = {"head_entity": "Orm Vale", "tail_entity": "Signy Vale"}
    assert ask(session, "infer_relationship", **ends)["remark"] == silence
    related = {"entity": "Orm Vale", "relation": "ally_of"}
    assert ask(session, "find_related_entities", **related)["remark"] == silence


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
    for _ in range(2_400):
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
