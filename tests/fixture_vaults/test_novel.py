"""The novel's index against what a careful reader finds in it, by hand: `novel.truth`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import case, select

from writeros_entities.names import fold_name
from writeros_entities.session import Session
from writeros_entities.story.finding import known_forms
from writeros_entities.testing import MentionScore, found_mentions, read_marked, score_mentions
from writeros_entities.values import ALWAYS

from ..truth import read_yaml

TRUTH = Path(__file__).parents[2] / "vault_fixtures" / "novel.truth"
NOTES = sorted(
    file.relative_to(TRUTH / "mentions").as_posix() for file in (TRUTH / "mentions").rglob("*.md")
)
STATED: dict[str, Any] = read_yaml(TRUTH / "entities.yaml")
ENTITIES: list[dict[str, Any]] = STATED["entities"]
TOGETHER: list[dict[str, Any]] = read_yaml(TRUTH / "together.yaml")["together"]
_LINKS: dict[str, Any] = read_yaml(TRUTH / "links.yaml")
LINKS: list[dict[str, Any]] = _LINKS["links"]
CANVAS_NODES: list[dict[str, Any]] = _LINKS["canvas"]

ALWAYS_MET = {
    "Harrowmouth",
    "Salt Road",
    "House Marrow",
    "Lantern Guild",
    "Tidewardens",
    "Timeline",
}
"""Named in the note of Harrowmouth, which may be seen always."""

MET_ELSEWHERE = {
    "Night of Five Wrecks": 10,  # named in a note's section that may be seen from there
}
NOT_FOUND = {
    ("Tobias Wren (elder)", "Tobias"),  # bare, in chapter 12; see docs/quality.md
}


@pytest.fixture
def listed(novel: Session) -> dict[str, dict[str, Any]]:
    answer = novel.call("list_entities", {"limit": 500}).model_dump()
    return {item["name"]: item for item in answer["entities"]}


def test_mentions_are_found_as_a_reader_marks_them(novel: Session) -> None:
    found = found_mentions(novel)
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
    assert total.right >= 540


def test_mentions_are_found_in_the_notes_that_are_read_and_in_no_other(novel: Session) -> None:
    assert found_mentions(novel).keys() <= set(NOTES)


def test_the_entities_are_those_that_a_reader_expects(listed: dict[str, dict[str, Any]]) -> None:
    assert listed.keys() == {entity["name"] for entity in ENTITIES}


def test_each_entity_has_the_type_and_status_that_a_reader_expects(
    listed: dict[str, dict[str, Any]],
) -> None:
    for entity in ENTITIES:
        found = listed[entity["name"]]
        assert found["type"] in [entity["type"], *entity.get("also_right", [])], entity["name"]
        assert found["status"] == entity["status"], entity["name"]


def test_what_only_looks_like_an_entity_is_none(listed: dict[str, dict[str, Any]]) -> None:
    assert listed.keys() & {item["name"] for item in STATED["not_entities"]} == set()


def test_every_link_leads_where_obsidian_would_lead(novel: Session) -> None:
    with novel.view() as view:
        link, note, target = view.link, view.note, view.note.alias("target")
        as_written = case((link.c.raw == "", "[[" + link.c.target + "]]"), else_=link.c.raw)
        rows = view.all(
            select(note.c.path, as_written, link.c.kind, link.c.status, target.c.path)
            .join(note, note.c.id == link.c.note_id)
            .outerjoin(target, target.c.id == link.c.target_note_id)
            .order_by(note.c.path, link.c.ordinal)
        )
    found = [tuple(row) for row in rows]
    expected = [
        (each["note"], each["raw"], each["kind"], each["status"], each["target"]) for each in LINKS
    ]
    expected += [
        (each["canvas"], each["target"], "canvas", each["status"], each["target"])
        for each in CANVAS_NODES
    ]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_the_chapters_stand_in_reading_order(novel: Session) -> None:
    with novel.view() as view:
        note = view.note
        rows = view.all(
            select(note.c.path, note.c.position)
            .where(note.c.position.is_not(None))
            .order_by(note.c.position)
        )
    chapters = [path for path in NOTES if path.startswith("Manuscript/")]
    assert [tuple(row) for row in rows] == list(zip(chapters, range(1, 15), strict=True))


def names_of(novel: Session, entity: str) -> dict[str, int | None]:
    """Return from where each name is visible, spellings that mean the same taken together."""
    answer = novel.call("get_entity", {"entity": entity}).model_dump()
    found: dict[str, int | None] = {}
    for item in answer["entity"]["names"]:
        found.setdefault(fold_name(item["form"]), item["visible_from"])
    return found


def test_each_entity_is_visible_from_where_a_reader_first_meets_it(novel: Session) -> None:
    with novel.view() as view:
        rows = view.all(select(view.entity.c.name, view.entity.c.visible_from))
    found = {row.name: row.visible_from for row in rows}
    met = {one["name"]: one["first_chapter"] for one in ENTITIES} | MET_ELSEWHERE
    met |= dict.fromkeys(ALWAYS_MET, ALWAYS)
    assert {one["name"]: found[one["name"]] for one in ENTITIES} == {
        one["name"]: met[one["name"]] for one in ENTITIES
    }


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity["name"])
def test_a_name_is_visible_from_the_chapter_that_first_uses_it(
    novel: Session, entity: dict[str, Any]
) -> None:
    name = entity["name"]
    expected: dict[str, int | None] = {}
    revealed = {each["name"]: each["chapter"] for each in entity.get("revealed", ())}
    for form, chapter in (entity.get("name_first_chapter", {}) | revealed).items():
        if (name, form) not in NOT_FOUND:
            key = fold_name(form)
            expected[key] = min(chapter, expected.get(key) or chapter)
    own = fold_name(name)
    if own in expected:
        expected[own] = MET_ELSEWHERE.get(name, expected[own])
    found = names_of(novel, name)
    if name in ALWAYS_MET:
        with novel.view(0) as view:
            assert own in [fold_name(form) for form in known_forms(view)]
        expected.pop(own, None)
    assert {form: found.get(form) for form in expected} == expected


@pytest.mark.parametrize("bound", TOGETHER, ids=lambda bound: " and ".join(bound["pair"]))
def test_the_chapter_that_binds_two_has_the_words(novel: Session, bound: dict[str, Any]) -> None:
    chapter = novel.root / "Manuscript"
    [file] = chapter.glob(f"{bound['chapter']:02} - *.md")
    assert bound["quote"] in file.read_text("utf-8")
    for name in bound["pair"]:
        found = novel.call("find_mentions", {"entity": name, "below": "Manuscript", "limit": 500})
        positions = {mention["position"] for mention in found.model_dump()["mentions"]}
        assert bound["chapter"] in positions


@pytest.mark.parametrize("as_of", [None, 14])
def test_the_ten_told_most_together_are_pairs_that_the_plot_binds(
    novel: Session, as_of: int | None
) -> None:
    """With the notes beside the manuscript, and by the chapters alone; all but one of them."""
    graph = novel.call(
        "get_entity_graph",
        {"origins": ["co-occurrence"], "max_nodes": 2000, "limit": 10, "as_of": as_of},
    ).model_dump()
    names = {
        name: novel.call("get_entity", {"entity": name}).model_dump()["entity"]["id"]
        for each in TOGETHER
        for name in each["pair"]
    }
    bound = [{names[name] for name in each["pair"]} for each in TOGETHER]
    strongest = [{edge["source"], edge["target"]} for edge in graph["edges"]]
    assert len(strongest) == 10
    assert len([pair for pair in strongest if pair not in bound]) <= 1
