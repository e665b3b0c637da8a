"""What is known of two technical entities is answered, and limits what the model may guess."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault, ReadVault
from .small import ask

WriteVault = Callable[[dict[str, str]], Path]


@pytest.fixture
def log(read_vault: ReadVault) -> Session:
    text = "Redis, PostgreSQL, MySQL, Valkey, Docker and Kubernetes stand side by side."
    return read_vault({"Log.md": text}, knowledge_bases=("technical",))


def relations(session: Session, head: str, tail: str) -> dict[str, tuple[str, float]]:
    found = ask(session, "infer_relationship", head_entity=head, tail_entity=tail, top_k=50)
    return {
        one["relation"]: (one["origin"], one["confidence"]) for one in found["inferred_relations"]
    }


@pytest.mark.parametrize(
    ("head", "relation", "tail"),
    [
        ("Django", "implemented_in", "Python"),
        ("Python", "implementation_language_of", "Django"),
        ("MySQL", "alternative_to", "PostgreSQL"),
        ("PostgreSQL", "alternative_to", "MySQL"),
        ("Google", "creator_of", "Go"),
    ],
)
def test_what_is_known_is_answered(log: Session, head: str, relation: str, tail: str) -> None:
    assert relations(log, head, tail)[relation] == ("known", 0.95)
    found = ask(log, "validate_knowledge", subject=head, predicate=relation, object=tail)
    assert (found["validation"], found["decided_by"]) == ("valid", "known")


@pytest.mark.parametrize(
    ("head", "tail"),
    [("Redis", "PostgreSQL"), ("Valkey", "PostgreSQL"), ("MySQL", "PostgreSQL")],
)
def test_of_things_that_merely_stand_together_neither_depends_on_the_other(
    log: Session, head: str, tail: str
) -> None:
    found = relations(log, head, tail)
    assert max(found.get(name, ("", 0.0))[1] for name in ("depends_on", "dependency_of")) <= 0.5
    answer = ask(log, "validate_knowledge", subject=head, predicate="depends_on", object=tail)
    assert answer["validation"] == "uncertain"


def test_of_things_that_merely_stand_together_neither_replaces_the_other(log: Session) -> None:
    assert relations(log, "Docker", "Kubernetes")["alternative_to"] == ("inferred", 0.5)
    answer = ask(
        log, "validate_knowledge", subject="Docker", predicate="alternative_to", object="Kubernetes"
    )
    assert answer["validation"] == "uncertain"


@pytest.mark.parametrize(
    ("subject", "predicate", "object_"),
    [
        ("PostgreSQL", "implemented_in", "Python"),  # in C
        ("PostgreSQL", "extends", "TimescaleDB"),  # it is the other way round
        ("PostgreSQL", "depends_on", "pgvector"),
        ("Go", "created_by", "Microsoft"),
    ],
)
def test_what_known_facts_contradict_is_at_most_uncertain(
    log: Session, subject: str, predicate: str, object_: str
) -> None:
    found = ask(log, "validate_knowledge", subject=subject, predicate=predicate, object=object_)
    assert found["validation"] in ("uncertain", "unlikely")
    assert found["confidence"] <= 0.5


def test_of_a_person_of_the_story_nothing_is_known(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Redis.md": "---\ntype: person\n---\n# Redis\n",
        "01 - Fog.md": "Redis saw Memcached.",
    }
    session = open_vault(write_vault(notes), knowledge_bases=("technical",))
    session.call("sync", {})
    found: Any = relations(session, "Redis", "Memcached")
    assert "known" not in {origin for origin, _ in found.values()}
