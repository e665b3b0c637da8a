"""Notes that list the story's people or places, with a heading for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]

CHARACTERS = """# Characters

## Main characters
### Nora Quill, 34
Baker.
#### Appearance
Tall.
#### Old Wounds
Her father.
### Corvin Hale (her brother)
#### Appearance
Short.

## Minor
### 3. Martin
### Father Dominic
### Open Questions
### the man on the quay
### Lobster
"""
PLACES = """# Places
## The Anchor
A pub.
## Fenwick Street
"""
CHAPTER = """Nora baked. Corvin Hale ate, and so did Martin, and later Corvin slept.

In Fenwick Street she met Father Dominic, and they went to the Anchor.
"""
VAULT = {"Characters.md": CHARACTERS, "Places.md": PLACES, "Chapter 1.md": CHAPTER}


def found(session: Session, **asked: object) -> dict[str, tuple[str, int]]:
    """Return each entity's type and number of mentions."""
    entities = session.call("list_entities", asked).model_dump()["entities"]
    return {each["name"]: (each["type"], each["mention_count"]) for each in entities}


def test_who_has_a_heading_in_a_list_is_an_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    assert found(session) == {
        "Nora Quill": ("person", 2),
        "Corvin Hale": ("person", 3),
        "Martin": ("person", 2),
        "Father Dominic": ("person", 2),
        "The Anchor": ("place", 2),
        "Fenwick Street": ("place", 2),
    }
    listed = session.call("find_mentions", {"entity": "Nora"}).model_dump()
    assert [(each["path"], each["line"]) for each in listed["mentions"]] == [
        ("Chapter 1.md", 1),
        ("Characters.md", 4),
    ]


def test_a_reader_has_met_who_is_listed_where_a_chapter_names_them(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = VAULT | {"Chapter 2.md": "Lady Ada Moor rowed.\n"}
    notes["Characters.md"] += "### Lady Ada Moor\n### Eve Moor\n"
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    assert sorted(found(session, types=["person"], as_of=1)) == [
        "Corvin Hale",
        "Father Dominic",
        "Martin",
        "Nora",
    ]
    assert "Lady Ada Moor" in found(session, as_of=2)
    assert "Eve Moor" not in found(session, as_of=2)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Cast", "person"),
        ("02 - People", "person"),
        ("Character list", "person"),
        ("Main Characters", "person"),
        ("List of places", "place"),
        ("Factions", "faction"),
        ("Glossary", None),
        ("Corvin's people", None),
    ],
)
def test_a_list_is_known_by_its_title(
    write_vault: WriteVault, open_vault: OpenVault, title: str, expected: str | None
) -> None:
    session = open_vault(write_vault({f"{title}.md": "## Ada Moor\n\n## Eve Quill\nLate.\n"}))
    session.call("sync", {})
    assert found(session) == (
        {} if expected is None else {"Ada Moor": (expected, 1), "Eve Quill": (expected, 1)}
    )


def test_a_list_that_changes_is_read_as_if_for_the_first_time(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    edits = [
        CHARACTERS.replace("Nora Quill", "Nora Bell"),
        CHARACTERS + "### Nora Moor\n",
        CHARACTERS + "Nora and Nora met Nora and Nora.\n",
        "# Characters\n",
        CHARACTERS,
    ]
    for text in edits:
        write_vault({"Characters.md": text})
        session.call("sync", {})
        synced = take_snapshot(session)
        session.call("rebuild", {})
        assert take_snapshot(session) == synced
