"""What a property says that names somebody without a link: `mother: Ann Hale`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..cases import by_name
from ..conftest import OpenVault, ReadVault

WriteVault = Callable[[dict[str, str]], Path]

CAST = {
    "Cast/Ann Hale.md": "---\ntype: person\naliases: [Nan]\n---\n",
    "Cast/Ben Orchard.md": "---\ntype: person\n---\n",
    "Places/Vantry.md": "---\ntype: place\n---\n",
}
IDA = "Cast/Ida Crane.md"


def sheet(*lines: str, body: str = "") -> dict[str, str]:
    """Return the cast, and Ida's sheet with some properties."""
    return CAST | {IDA: "\n".join(["---", "type: person", *lines, "---", body])}


def idas(session: Session, **asked: Any) -> dict[str, list[str]]:
    """Return the relations of Ida, as `kind Other`, each with its quotes."""
    answer = session.call("get_entity", {"entity": "Ida Crane"} | asked).model_dump()
    return {
        f"{each['kind']} {each['other']['name']}": [one["quote"] for one in each["evidence"]]
        for each in answer["entity"]["relations"]
    }


SAID: list[tuple[list[str], str, dict[str, list[str]]]] = [
    (["mother: Ann Hale"], "", {"child_of Ann Hale": ["mother: Ann Hale"]}),
    (["mother: 'Nan'"], "", {"child_of Ann Hale": ["mother: 'Nan'"]}),
    (["lives in: vantry"], "", {}),
    (["home: Vantry"], "", {"lives_in Vantry": ["home: Vantry"]}),
    (
        ["allies:", "  - Ann Hale", "  - Ben Orchard"],
        "",
        {"ally_of Ann Hale": ["- Ann Hale"], "ally_of Ben Orchard": ["- Ben Orchard"]},
    ),
    (
        ["allies: Ann Hale, Ben Orchard"],
        "",
        {
            "ally_of Ann Hale": ["allies: Ann Hale, Ben Orchard"],
            "ally_of Ben Orchard": ["allies: Ann Hale, Ben Orchard"],
        },
    ),
    (
        [],
        "She rows (ally:: Ben Orchard) home.",
        {"ally_of Ben Orchard": ["(ally:: Ben Orchard)"]},
    ),
    (
        [
            "ties:",
            "  - name: Ann Hale",
            "    type: mother",
            "  - {who: Ben Orchard, role: rival}",
        ],
        "",
        {
            "child_of Ann Hale": ["- name: Ann Hale\n    type: mother"],
            "rival_of Ben Orchard": ["- {who: Ben Orchard, role: rival}"],
        },
    ),
    (
        ["allies:", "  - name: Ann Hale", "    since: 1910"],
        "",
        {"ally_of Ann Hale": ["- name: Ann Hale\n    since: 1910"]},
    ),
    (
        ["mother: {name: Ann Hale, age: 60}"],
        "",
        {"child_of Ann Hale": ["mother: {name: Ann Hale, age: 60}"]},
    ),
    (["ties: [{name: Ann Hale, type: sorcerer}]"], "", {}),
    (["ties: [{name: Ann Hale}]"], "", {}),
    (["ties: [{name: Ann Hale, with: Ben Orchard, type: rival}]"], "", {}),
    (["ties: [{reason: Ann Hale, type: rival}]"], "", {}),
    (["name: Ann Hale", "role: rival"], "", {}),
    (["mother: Ann Hale of Vantry"], "", {}),
    (["mother: unknown"], "", {}),
    (["mother: Vantry"], "", {}),
    (["colour: Ann Hale"], "", {}),
    (["related: Ann Hale"], "", {}),
    (["mother: Ida Crane"], "", {}),
    (['mother: "[[Ann Hale]]"'], "", {"child_of Ann Hale": ['mother: "[[Ann Hale]]"']}),
]


@pytest.mark.parametrize(("name", "case"), by_name(SAID).items())
def test_a_name_says_what_a_link_says(
    read_vault: ReadVault, name: str, case: tuple[list[str], str, dict[str, list[str]]]
) -> None:
    notes = dict(CAST)
    for one, (lines, body, _) in by_name(SAID).items():
        text = "\n".join(["---", "type: person", *lines, "---", body])
        notes[f"Cast/{one}.md"] = text.replace("Ida Crane", one)
    assert idas(read_vault(notes), entity=name) == case[2]


def test_a_name_that_two_bear_says_nothing(write_vault: WriteVault, open_vault: OpenVault) -> None:
    namesake = {"Old/Ann Hale.md": "---\ntype: person\n---\n"}
    session = open_vault(write_vault(sheet("mother: Ann Hale") | namesake))
    session.call("sync", {})
    assert idas(session) == {}


def test_a_name_is_no_link(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(sheet("mother: Ann Hale", "father: Nobody Known")))
    session.call("sync", {})
    assert session.call("status", {}).model_dump()["links"] == {}
    assert session.call("doctor", {}).model_dump()["problems"] == []
    answer = session.call("list_entities", {}).model_dump()
    assert sorted(each["name"] for each in answer["entities"]) == [
        *("Ann Hale", "Ben Orchard", "Ida Crane", "Vantry"),
    ]


def test_a_name_is_understood_as_soon_as_somebody_bears_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(sheet("mentor: Corvin")))
    session.call("sync", {})
    assert idas(session) == {}
    corvin = session.root / "Cast/Corvin.md"
    corvin.write_text("---\ntype: person\n---\n", "utf-8")
    session.call("sync", {})
    assert list(idas(session)) == ["student_of Corvin"]
    corvin.rename(session.root / "Cast/Corvin Vane.md")
    session.call("sync", {})
    assert idas(session) == {}
    (session.root / "Cast/Ben Orchard.md").write_text("---\ntype: person\naliases: Corvin\n---\n")
    session.call("sync", {})
    assert list(idas(session)) == ["student_of Ben Orchard"]


def test_a_name_in_a_section_is_said_from_where_the_section_may_be_read(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    body = "\n## Secret\n\nvisible_from:: 2\n\nmother:: Ann Hale\n"
    notes = sheet("visible_from: always", body=body)
    notes |= {
        f"Book/0{number}.md": "Ida Crane met Ann Hale and Ben Orchard.\n" for number in (1, 2)
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert [list(idas(session, as_of=chapter)) for chapter in (1, 2)] == [
        [],
        ["child_of Ann Hale"],
    ]


def test_what_a_key_means_can_be_set(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(sheet("oathlord: Ann Hale"))
    session = open_vault(root)
    session.call("sync", {})
    assert idas(session) == {}
    session.close()
    session = open_vault(root, relation_keys={"oathlord": "serves"})
    session.call("sync", {})
    assert list(idas(session)) == ["serves Ann Hale"]


def test_a_name_that_is_revealed_says_nothing_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = sheet("visible_from: always", "mentor: The Gannet")
    notes["Cast/Ann Hale.md"] = (
        "---\ntype: person\nvisible_from: always\n---\n\n"
        "## Secret\n\nvisible_from:: 2\n\nalias:: The Gannet\n"
    )
    notes |= {f"Book/0{number}.md": "Ida Crane met Ann Hale.\n" for number in (1, 2)}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert [list(idas(session, as_of=chapter)) for chapter in (1, 2)] == [
        [],
        ["student_of Ann Hale"],
    ]
    assert list(idas(session)) == ["student_of Ann Hale"]


def test_a_name_means_who_is_suggested_until_a_link_makes_somebody_of_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    vault = sheet("visible_from: always", "mentor: Dagny", body="Ida Crane is here.") | {
        "Book/01.md": "He met Dagny.",
        "Book/02.md": "Dagny slept, and he saw Dagny.",
    }
    session = open_vault(write_vault(vault))
    session.call("sync", {})
    write_vault({"Book/03.md": "[[Dagny]] came in."})
    session.call("sync", {})
    for as_of, status in ((1, None), (2, "suggested"), (3, "linked"), (None, "linked")):
        answer = session.call("get_entity", {"entity": "Ida Crane", "as_of": as_of}).model_dump()
        told = [(one["kind"], one["other"]["status"]) for one in answer["entity"]["relations"]]
        assert told == ([("student_of", status)] if status else [])
