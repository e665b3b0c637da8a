"""Whose forms of address go with what a note says of gender: "Mrs. Vane" is the wife alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from .sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]


def vault(said: str) -> dict[str, str]:
    """Return a couple, of whom the man's note says something in its frontmatter."""
    return {
        "People/Ilse Vane.md": "---\ntype: person\npronouns: she/her\n---\nA keeper.",
        "People/Tom Vane.md": f"---\ntype: person\n{said}\n---\nA clerk.",
        "Manuscript/01 - One.md": "Mrs. Vane shut the door.",
    }


def bearers(session: Session) -> set[str]:
    """Return whose mention "Mrs. Vane" in the chapter may be."""
    session.call("sync", {})
    return {
        name
        for name in ("Ilse Vane", "Tom Vane")
        if session.call("find_mentions", {"entity": name}).model_dump()["total"]
    }


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("gender: male", {"Ilse Vane"}),
        ("Gender: [Trans man]", {"Ilse Vane"}),
        ("sex: M", {"Ilse Vane"}),
        ("pronouns: he/him", {"Ilse Vane"}),
        ("aliases: [Sir Tom]", {"Ilse Vane"}),
        ("pronouns: they/them", {"Ilse Vane", "Tom Vane"}),
        ("pronouns: she/he", {"Ilse Vane", "Tom Vane"}),
        ("role: clerk", {"Ilse Vane", "Tom Vane"}),
    ],
)
def test_a_wifes_form_of_address_is_not_her_husbands(
    write_vault: WriteVault, open_vault: OpenVault, said: str, expected: set[str]
) -> None:
    assert bearers(open_vault(write_vault(vault(said)))) == expected


def test_a_change_of_the_property_changes_the_names_and_a_sync_is_a_rebuild(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(vault("role: clerk")))
    assert bearers(session) == {"Ilse Vane", "Tom Vane"}
    for said, expected in (
        ("gender: male", {"Ilse Vane"}),
        ("gender: female", {"Ilse Vane", "Tom Vane"}),
    ):
        write_vault(vault(said))
        assert bearers(session) == expected
        synced = take_snapshot(session)
        session.call("rebuild", {})
        assert take_snapshot(session) == synced


def test_a_field_of_a_section_that_is_revealed_later_tells_nothing_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    twist = "## The truth\n\nvisible_from:: [[02 - Two]]\n\ngender:: male\n"
    notes = vault("role: clerk") | {"Manuscript/02 - Two.md": "It rained."}
    notes["People/Tom Vane.md"] += f"\n\n{twist}"
    assert bearers(open_vault(write_vault(notes))) == {"Ilse Vane", "Tom Vane"}
