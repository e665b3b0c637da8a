"""The technical vault's index against what was marked by hand: `technical.truth`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import case, select

from writeros_entities.session import Session
from writeros_entities.testing import MentionScore, found_mentions, read_marked, score_mentions
from writeros_entities.values import NAME_ALONE

from ..databases import Databases
from ..truth import read_yaml

FIXTURES = Path(__file__).parents[2] / "vault_fixtures"
TRUTH = FIXTURES / "technical.truth"
NOTES = sorted(
    file.relative_to(TRUTH / "mentions").as_posix() for file in (TRUTH / "mentions").rglob("*.md")
)
ENTITIES: list[dict[str, Any]] = read_yaml(TRUTH / "entities.yaml")
LINKS: list[dict[str, Any]] = read_yaml(TRUTH / "links.yaml")


@pytest.fixture(scope="module")
def harbour(databases: Databases) -> Iterator[Session]:
    """Return the technical vault, synced; tests only read it."""
    with Session.open(FIXTURES / "technical", database=databases.create()) as session:
        session.call("sync", {})
        yield session


@pytest.fixture(scope="module")
def listed(harbour: Session) -> dict[str, dict[str, Any]]:
    answer = harbour.call("list_entities", {"limit": 500}).model_dump()
    return {item["name"]: item for item in answer["entities"]}


def test_mentions_are_found_as_a_reader_marks_them(harbour: Session) -> None:
    found = found_mentions(harbour)
    total = MentionScore(0, 0, 0)
    errors = []
    for path in NOTES:
        text, expected = read_marked((TRUTH / "mentions" / path).read_bytes().decode())
        score = score_mentions(expected, found.get(path, set()))
        total = MentionScore(
            total.right + score.right, total.wrong + score.wrong, total.missed + score.missed
        )
        errors += [
            (path, text[start:end], name) for start, end, name in expected ^ found.get(path, set())
        ]
    assert total.f1 >= 0.97, errors
    assert found.keys() <= set(NOTES)


def test_the_entities_are_those_that_a_reader_expects(listed: dict[str, dict[str, Any]]) -> None:
    assert listed.keys() == {entity["name"] for entity in ENTITIES}


def test_each_entity_has_the_type_status_and_id_that_a_reader_expects(
    harbour: Session, listed: dict[str, dict[str, Any]]
) -> None:
    told = {}
    for entity in ENTITIES:
        found = listed[entity["name"]]
        assert found["type"] in [entity["type"], *entity.get("also_right", [])], entity["name"]
        detail = harbour.call("get_entity", {"entity": found["id"]}).model_dump()["entity"]
        path = (detail["source"] or {"path": None})["path"]
        told[entity["name"]] = (found["kind"], found["status"], detail["canonical_id"], path)
    assert told == {
        one["name"]: (one.get("kind"), one["status"], one.get("canonical_id"), one["path"])
        for one in ENTITIES
    }


def test_every_link_leads_where_obsidian_would_lead(harbour: Session) -> None:
    with harbour.view() as view:
        link, note, target = view.link, view.note, view.note.alias("target")
        rows = view.all(
            select(
                note.c.path,
                case((link.c.raw == "", "[[" + link.c.target + "]]"), else_=link.c.raw),
                link.c.kind,
                link.c.status,
                target.c.path,
                link.c.heading,
                link.c.block,
                link.c.field,
            )
            .join(note, note.c.id == link.c.note_id)
            .outerjoin(target, target.c.id == link.c.target_note_id)
            .where(link.c.kind.not_in(("canvas", NAME_ALONE)))
            .order_by(note.c.path, link.c.ordinal)
        )
    found = [tuple(row) for row in rows]
    expected = [
        (
            *(each["note"], each["raw"], each["kind"], each["status"], each["path"]),
            *(each["heading"], each.get("block"), each.get("field")),
        )
        for each in LINKS
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_without_a_manuscript_no_note_has_a_reading_position(harbour: Session) -> None:
    status = harbour.call("status", {}).model_dump()
    assert (status["manuscript_notes"], status["first_position"]) == (0, None)
