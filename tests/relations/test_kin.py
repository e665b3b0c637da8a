"""Kin that follows from what is told: `get_family_tree`, and `infer_relationship` by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.errors import NotFoundError
from writeros_entities.session import Session

from ..databases import Databases, one_engine

databases = one_engine

TABLE = Path(__file__).with_name("families.txt")


def read_table() -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """Return the notes of thirty families, and what each of 200 is to another one."""
    notes, rows = {}, []
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        pair, is_row, kin = line.partition(" = ")
        if is_row:
            person, _, other = pair.partition(" > ")
            rows.append((person, other, kin))
            continue
        name, _, said = line.partition(" | ")
        told: dict[str, list[str]] = {}
        for one in said.split("; ") if said else ():
            key, _, value = one.partition(": ")
            told.setdefault(key, []).append(value if key == "gender" else f'"[[{value}]]"')
        values = [f"{key}: {_as_list(found)}\n" for key, found in told.items()]
        notes[f"{name}.md"] = f"---\ntype: person\n{''.join(values)}---\nOf the valley.\n"
    return notes, rows


def _as_list(values: list[str]) -> str:
    return values[0] if len(values) == 1 else "[" + ", ".join(values) + "]"


@pytest.fixture(scope="module")
def families(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("families")
    for path, text in read_table()[0].items():
        (root / path).write_text(text, "utf-8")
    with Session.open(root, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        yield session


def test_two_hundred_relations_of_thirty_families_are_derived(families: Session) -> None:
    _, rows = read_table()
    assert len(rows) == 200
    wrong = []
    trees: dict[str, dict[str, str]] = {}
    for person, other, kin in rows:
        if person not in trees:
            answer = families.call("get_family_tree", {"entity": person, "generations": 7})
            told = answer.model_dump()["relatives"]
            assert all(one["statements"] for one in told)
            trees[person] = {one["entity"]["name"]: one["kin"] for one in told}
        if trees[person].get(other) != kin:
            wrong.append((person, other, kin, trees[person].get(other)))
    assert wrong == []


STORY = {
    "Ada.md": "---\ntype: person\nmother: '[[Ruth]]'\nhalf-brother: '[[Ed]]'\n---\nA miller.\n",
    "Ruth.md": (
        "---\ntype: person\nhusband: '[[Bo]]'\nadopted daughter: '[[Hal]]'\n"
        "ex-husband: '[[Old Finn]]'\n---\nShe knits.\n"
    ),
    "Bo.md": "---\ntype: person\nson: '[[Max]]'\nstepdaughter: '[[Una]]'\n---\nA smith.\n",
    "Tom.md": "---\ntype: person\n---\nA boy.\n",
    "Vera.md": "---\ntype: person\n---\n- Sister of [[Wim]]\n- Aunt of [[Xaver]]\n",
    "Cy.md": "---\ntype: person\nTochter: '[[Ida]]'\n---\nEin Müller.\n",
    **{
        f"{name}.md": "---\ntype: person\n---\nOf the valley.\n"
        for name in ("Hal", "Ed", "Max", "Una", "Ida", "Old Finn", "Wim", "Xaver")
    },
    "Book/1 One.md": (
        "---\nsequence: 1\n---\n[[Cy]] and [[Ruth]] met. [[Tom]] ran. [[Ada]] slept.\n"
    ),
    "Book/2 Two.md": "---\nsequence: 2\n---\nNow it was told: [[Ruth]] is [[Cy]]’s sister.\n",
    "Book/3 Three.md": (
        "---\nsequence: 3\n---\n[[Tom]] is [[Cy]]’s son. [[Ada]] is [[Ruth]]’s child.\n"
    ),
}


@pytest.fixture(scope="module")
def story(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("story")
    for path, text in STORY.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    database = databases.create()
    with Session.open(root, database=database, embedding_model="", close_reading=True) as session:
        session.call("sync", {})
        yield session


def kin_of(session: Session, name: str, **asked: object) -> dict[str, str]:
    answer = session.call("get_family_tree", {"entity": name, **asked}).model_dump()
    return {one["entity"]["name"]: one["kin"] for one in answer["relatives"]}


def test_kin_is_told_by_what_is_said_of_others(story: Session) -> None:
    assert kin_of(story, "Tom") == {
        "Cy": "parent",
        "Ruth": "aunt",
        "Bo": "uncle by marriage",
        "Ida": "sister",
        "Ada": "first cousin",
        "Hal": "first cousin by adoption",
    }


def test_who_is_half_adopted_or_a_step_is_told_so_both_ways(story: Session) -> None:
    assert kin_of(story, "Ada", generations=1) == {
        "Ruth": "mother",
        "Ed": "half-brother",
        "Hal": "sister by adoption",
    }
    assert kin_of(story, "Hal", generations=1) == {
        "Ruth": "adoptive mother",
        "Ada": "sibling by adoption",
    }
    assert kin_of(story, "Una") == {"Bo": "stepfather", "Max": "stepbrother"}
    assert kin_of(story, "Bo", generations=1) == {
        "Ruth": "wife",
        "Cy": "sibling-in-law",
        "Max": "son",
        "Una": "stepdaughter",
    }


def test_the_husband_of_a_mother_may_be_the_father_and_is_not_called_a_step(story: Session) -> None:
    assert "Bo" not in kin_of(story, "Ada")


def test_what_a_note_says_its_subject_is_of_another_tells_the_gender_of_its_subject(
    story: Session,
) -> None:
    assert kin_of(story, "Wim") == {"Vera": "sister"}
    assert kin_of(story, "Vera") == {"Wim": "sibling"}


def test_a_marriage_that_is_over_makes_no_in_laws(story: Session) -> None:
    assert kin_of(story, "Old Finn") == {"Ruth": "former wife"}
    assert kin_of(story, "Ruth")["Old Finn"] == "former husband"


def test_as_of_a_chapter_kin_follows_only_from_what_is_told_by_then(story: Session) -> None:
    assert kin_of(story, "Tom", as_of=2) == {}
    assert kin_of(story, "Tom", as_of=3) == {
        "Cy": "parent",
        "Ruth": "aunt or uncle",
        "Ada": "first cousin",
    }
    answer = story.call("get_family_tree", {"entity": "Tom", "as_of": 2})
    assert answer.as_text() == "Nothing is told of the family of Tom."


def test_each_relative_is_shown_with_what_it_follows_from(story: Session) -> None:
    text = story.call("get_family_tree", {"entity": "Tom", "limit": 2}).as_text()
    assert text == (
        "Tom (person): 2 of 6 relatives\n\n"
        "- Cy: parent (Book/3 Three.md:4 — Tom is Cy’s son)\n"
        "- Ruth: aunt (follows from Book/3 Three.md:4 — Tom is Cy’s son; "
        "Book/2 Two.md:4 — Ruth is Cy’s sister)\n\n"
        "2 of 6 relatives shown (limit, offset)."
    )


@pytest.mark.parametrize(
    ("language", "kin"),
    [
        ("de", {"Cy": "Elternteil", "Ruth": "Tante", "Bo": "angeheiratet: Onkel"}),
        ("fr", {"Cy": "parent", "Ruth": "tante", "Bo": "oncle par alliance"}),
    ],
)
def test_kin_is_called_as_a_language_calls_it(
    story: Session, language: str, kin: dict[str, str]
) -> None:
    assert kin.items() <= kin_of(story, "Tom", language=language).items()


def test_a_language_without_words_for_kin_is_an_error_that_names_those_with(
    story: Session,
) -> None:
    with pytest.raises(NotFoundError, match="'de', 'en' or 'fr'"):
        story.call("get_family_tree", {"entity": "Tom", "language": "xx"})


@pytest.mark.parametrize(
    ("form", "piece"),
    [
        ("mermaid", '["Tom"]'),
        ("canvas", '"file": "Ruth.md"'),
        ("html", "The family of Tom"),
    ],
)
def test_a_family_can_be_drawn(story: Session, form: str, piece: str) -> None:
    assert piece in story.call("get_family_tree", {"entity": "Tom", "format": form}).as_text()


def test_how_two_are_related_is_derived(story: Session) -> None:
    asked = {"head_entity": "Ada", "tail_entity": "Tom"}
    first = story.call("infer_relationship", asked).model_dump()["inferred_relations"][0]
    assert (first["relation"], first["origin"]) == ("cousin_of", "derived")
    assert first["reasons"] == ["Ada is Tom's first cousin."]
    assert [one["path"] for one in first["evidence"]] == [
        "Book/3 Three.md",
        "Book/2 Two.md",
        "Book/3 Three.md",
    ]
    early = story.call("infer_relationship", asked | {"as_of": 2}).model_dump()
    assert early["inferred_relations"] == []


def test_what_is_told_itself_is_not_derived(story: Session) -> None:
    asked = {"head_entity": "Ed", "tail_entity": "Ada"}
    found = story.call("infer_relationship", asked).model_dump()["inferred_relations"]
    assert [(one["relation"], one["origin"]) for one in found] == [("sibling_of", "asserted")]


def test_a_family_that_cannot_be_is_found(databases: Databases, tmp_path: Path) -> None:
    told = {
        "Ann": "son: '[[Bo]]'",
        "Bo": "daughter: '[[Cy]]'",
        "Cy": "children: ['[[Ann]]', '[[Dan]]']",
        "Dan": "mother: '[[Eve]]'\nfather: '[[Finn]]'\nadoptive father: '[[Gus]]'",
        **dict.fromkeys(("Eve", "Finn", "Gus"), "age: 60"),
    }
    for name, said in told.items():
        (tmp_path / f"{name}.md").write_text(f"---\ntype: person\n{said}\n---\nOf the mill.\n")
    with Session.open(tmp_path, database=databases.create(), embedding_model="") as session:
        session.call("sync", {})
        found = session.call("check_continuity", {}).model_dump()["findings"]
    assert [(one["code"], one["message"]) for one in found] == [
        (
            "kin",
            "Bo is an ancestor of her or his own: Ann is a parent of Bo, Cy is a parent of Ann, "
            "Bo is a parent of Cy.",
        ),
        ("kin", "Dan has 3 parents: Cy, Eve, Finn."),
    ]
    assert [[one["path"] for one in finding["evidence"]] for finding in found] == [
        ["Ann.md", "Cy.md", "Bo.md"],
        ["Cy.md", "Dan.md", "Dan.md"],
    ]
