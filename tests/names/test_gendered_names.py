"""Whose forms of address go with what a note says of gender: "Mrs. Vane" is the wife alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..sync.snapshot import take_snapshot

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
    found = {
        name: session.call("find_mentions", {"entity": name, "below": "Manuscript"}).model_dump()
        for name in ("Ilse Vane", "Tom Vane")
    }
    return {name for name, answer in found.items() if answer["total"]}


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


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("Tom keeps the chandlery. He is patient to a fault.", {"Ilse Vane"}),
        ("A diver, thirty, always hungry. His coat is wet.", {"Ilse Vane"}),
        ("Youngest brother. Debts.", {"Ilse Vane"}),
        ("Husband of Ilse Vane", {"Ilse Vane"}),
        ("Brother drowned in May.", {"Ilse Vane", "Tom Vane"}),
        ("The youngest son of a baker.", {"Ilse Vane"}),
        ("**Pronouns:** he/him\n\nRuns the shop.", {"Ilse Vane"}),
        ("| Sex | M |\n|---|---|\n| Age | 9 |", {"Ilse Vane"}),
        ("gender:: male", {"Ilse Vane"}),
        ("# Tom\n\nA clerk.\n\n## Appearance\n\nHe is tall.", {"Ilse Vane"}),
        # nobody is told to be a man
        ("A clerk.", {"Ilse Vane", "Tom Vane"}),
        ("**Pronouns:** they/them\n\nA clerk. He is patient.", {"Ilse Vane", "Tom Vane"}),
        # the pronoun is another's
        ("Tom admires Ben Cole. He is a surgeon.", {"Ilse Vane", "Tom Vane"}),
        ("Tom's father died young. He drank.", {"Ilse Vane", "Tom Vane"}),
        ("Ben loved Tom. He left.", {"Ilse Vane", "Tom Vane"}),
        ("A clerk.\n\n## Ben Cole\n\nHe is a surgeon.", {"Ilse Vane", "Tom Vane"}),
        ("A friend of every man in town.", {"Ilse Vane", "Tom Vane"}),
        ("A man's tailor.", {"Ilse Vane", "Tom Vane"}),
        ('"He is a fool," they say.', {"Ilse Vane", "Tom Vane"}),
    ],
)
def test_a_sheet_tells_by_its_words_whose_the_form_of_address_is_not(
    write_vault: WriteVault, open_vault: OpenVault, sheet: str, expected: set[str]
) -> None:
    notes = vault("role: clerk")
    notes["People/Tom Vane.md"] = f"---\ntype: person\n---\n{sheet}"
    assert bearers(open_vault(write_vault(notes))) == expected


def test_an_alias_of_the_sheet_counts_whatever_its_words_tell(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = vault("aliases: [Mrs. Vane]")
    notes["People/Tom Vane.md"] += " He wears her dresses on the stage."
    assert "Tom Vane" in bearers(open_vault(write_vault(notes)))


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


def test_a_change_of_the_words_changes_the_names_and_a_sync_is_a_rebuild(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(vault("role: clerk")))
    assert bearers(session) == {"Ilse Vane", "Tom Vane"}
    notes = vault("role: clerk")
    notes["People/Tom Vane.md"] += " He is never late."
    write_vault(notes)
    assert bearers(session) == {"Ilse Vane"}
    synced = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == synced


def test_a_field_of_a_section_that_is_revealed_later_tells_nothing_before(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    twist = "## History\n\nvisible_from:: [[02 - Two]]\n\ngender:: male\n\nHe is a man."
    notes = vault("role: clerk") | {"Manuscript/02 - Two.md": "It rained."}
    notes["People/Tom Vane.md"] += f"\n\n{twist}"
    assert bearers(open_vault(write_vault(notes))) == {"Ilse Vane", "Tom Vane"}


@pytest.mark.parametrize(
    ("bearer", "spouse"),
    [("Lord Wexcombe", "Lady Wexcombe"), ("Mrs. Danvers", "Mr. Danvers")],
)
def test_who_has_only_a_title_and_a_surname_is_not_the_spouse(
    write_vault: WriteVault, open_vault: OpenVault, bearer: str, spouse: str
) -> None:
    chapter = f"{bearer} sat. {spouse} rose, and Captain Pike laughed at {spouse}."
    notes = {f"People/{bearer}.md": "---\ntype: person\n---\n", "Manuscript/01 - One.md": chapter}
    session = open_vault(write_vault(notes))
    session.call("sync", {})
    found = session.call("find_mentions", {"entity": bearer}).model_dump()
    assert found["total"] == 1
