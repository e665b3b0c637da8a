"""Sections of a note that are each about one person, place or thing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..conftest import OpenVault, ReadVault
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]

BIBLE = """# The Ferry: a bible

## Hook

Who sank her?

## Character roster

### Ada Moor — the ferryman's widow

**Age:** 61

ally:: [[Crew#Bo Lund]]

#### Background

Born in Fenwick.

### Tom

Fishes.

## Places

### The Old Quay

Rotten.

## Threads

### The Lost Ring
"""
CREW = "## Bo Lund\n\nA stoker.\n\n## Ropes\n\nHemp.\n"
VAULT = {
    "Bible.md": BIBLE,
    "Crew.md": CREW,
    "Book/Chapter 1.md": "Ada Moor saw [[Crew#Bo Lund|the stoker]] on the Old Quay, with Tom.\n",
    "Book/Chapter 2.md": "She called for Tom. Bo Lund slept.\n",
}


def entities(session: Any) -> dict[str, tuple[str, str | None, int]]:
    found = session.call("list_entities", {}).entities
    return {one.name: (one.type, one.heading, one.mention_count) for one in found}


@pytest.fixture
def session(read_vault: ReadVault) -> Any:
    return read_vault(VAULT)


def test_what_a_list_in_a_note_has_a_heading_for_is_an_entity(session: Any) -> None:
    assert entities(session) == {
        "Ada Moor": ("person", "Ada Moor — the ferryman's widow", 2),
        "Tom": ("person", "Tom", 3),
        "The Old Quay": ("place", "The Old Quay", 2),
        "Bo Lund": ("person", "Bo Lund", 4),
    }


def test_the_section_is_the_source_of_its_entity(session: Any) -> None:
    source = session.call("get_entity", {"entity": "Tom"}).entity.source
    path = "The Ferry: a bible › Character roster › Tom"
    assert (source.path, source.heading, source.line) == ("Bible.md", path, 19)
    assert source.text.split() == ["###", "Tom", "Fishes."]


def test_a_section_states_relations_of_whom_it_is_about(session: Any) -> None:
    relations = session.call("get_entity", {"entity": "Ada Moor"}).entity.relations
    assert [(one.kind, one.other.name) for one in relations] == [("ally_of", "Bo Lund")]


def test_a_prompt_has_the_text_of_the_section_alone(session: Any) -> None:
    told = session.call("build_context", {"entities": ["Tom"], "max_tokens": 500}).as_text()
    assert "Fishes." in told
    assert "Rotten." not in told


def test_sections_that_change_are_read_as_if_for_the_first_time(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session: Any = open_vault(root := write_vault(VAULT))
    session.call("sync", {})
    edits = [
        ("Crew.md", CREW.replace("Bo Lund", "Bo Lunde")),
        ("Bible.md", BIBLE.replace("### Tom", "### Tim")),
        ("Crew.md", "Nobody.\n"),
        ("People/Tom.md", "---\ntype: person\n---\n"),
    ]
    for path, text in edits:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
        session.call("sync", {})
        fresh: Any = open_vault(root)
        fresh.call("rebuild", {})
        assert take_snapshot(session) == take_snapshot(fresh)


WORLD = """The vale lies in the north.

## Salt Marks

Salt Marks are signs that the tide leaves on a child.

## Ebbing

An ebbing is a night without a moon.

## The Bound

These are a group of pilots who swore to the sea.

## The Ladder

A tower of seven locks.

## Sela - Goddess of the Tides

Worshippers: 200

## The First Era

> Before the flood.

## Appearance

It is a green valley.

## Trade

The trade of the vale is in salt.

## Winter Storms

These are the storms that come each year.
"""


def test_a_section_that_begins_with_what_its_heading_is_makes_it_an_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session: Any = open_vault(write_vault({"Places/The Vale.md": WORLD}))
    session.call("sync", {})
    assert {name: kind for name, (kind, heading, _) in entities(session).items() if heading} == {
        "Salt Marks": "concept",
        "Ebbing": "concept",
        "The Bound": "faction",
        "The Ladder": "place",
        "Sela": "person",
        "The First Era": "event",
    }


def test_what_many_sheets_have_a_section_for_is_a_label_though_one_begins_with_what_it_is(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    told = "## Key Trade\n\nA business in salt.\n\n## K4. Salt Cellar\n\nA cellar.\n"
    other = "## Key Trade\n\nSells salt.\n"
    notes = {
        "Places/The Vale.md": told,
        **{f"NPCs/{name}.md": other for name in ("Odo", "Ada", "Tom")},
    }
    session: Any = open_vault(write_vault(notes))
    session.call("sync", {})
    assert set(entities(session)) == {"The Vale", "Odo", "Ada", "Tom", "Salt Cellar"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Notable Figures\n\n- **Bram Oak** – keeps the gate\n", {"Bram Oak": "person"}),
        ("## Tidal Magic\n\n> Full note: [[Tides|All of tides]]\n", {"Tides": "concept"}),
        (
            "## Rick Stal\n\nRick Stal has a seal.\n\n## Rulers\n\nThe leader is [[Rick Stal]].\n",
            {"Rick Stal": "person"},
        ),
        ("## Brine\n\nBrine is the inner force of the sea.\n", {"Brine": "concept"}),
    ],
)
def test_a_heading_is_an_entity_only_if_its_section_tells_of_it(
    text: str, expected: dict[str, str], write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session: Any = open_vault(write_vault({"Places/The Vale.md": text}))
    session.call("sync", {})
    found = {name: kind for name, (kind, *_) in entities(session).items()}
    assert found == {"The Vale": "place", **expected}


def test_the_text_of_a_link_into_a_note_is_no_name_of_all_of_it(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Magic/Tides.md": "How the sea is led.\n\n## Brine\n\nWater obeys.\n\nFoam too. ^foam\n",
        "Places/Vantry.md": "Known for [[Tides#Brine|Brine]] and [[Tides#^foam|the Foam Art]].\n",
    }
    session: Any = open_vault(write_vault(notes))
    session.call("sync", {})
    assert {name: kind for name, (kind, *_) in entities(session).items()} == {
        "Tides": "concept",
        "Brine": "concept",
        "Vantry": "place",
    }
    tides = session.call("get_entity", {"entity": "Tides"}).entity
    assert [one.form for one in tides.names] == ["Tides"]


def test_a_section_of_a_sheet_tells_of_whom_the_sheet_is_about(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "A pilot.\n\n## Salt Marks\n\nSalt Marks are the signs on his arm.\n"
    session: Any = open_vault(write_vault({"Characters/Odo.md": sheet}))
    session.call("sync", {})
    assert entities(session) == {"Odo": ("person", None, 0)}


def test_a_section_about_somebody_who_has_a_note_is_no_other(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Factions/Bound.md": "Pilots.\n",
        "Places/The Vale.md": "## The Bound\n\nThe Bound are a guild of pilots.\n",
    }
    session: Any = open_vault(root := write_vault(notes))
    session.call("sync", {})
    assert {name for name, (_, heading, _) in entities(session).items() if heading} == set()
    (root / "Factions/Bound.md").unlink()
    session.call("sync", {})
    fresh: Any = open_vault(root)
    fresh.call("rebuild", {})
    assert take_snapshot(session) == take_snapshot(fresh)
    assert {name for name, (_, heading, _) in entities(session).items() if heading} == {"The Bound"}
