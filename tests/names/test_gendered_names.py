"""Whose forms of address go with what a note says of gender: "Mrs. Vane" is the wife alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..cases import by_name
from ..conftest import ReadVault
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]


TOM = "People/Tom Vane.md"


def vault(said: str) -> dict[str, str]:
    """Return a couple, of whom the man's note says something in its frontmatter."""
    return {
        "People/Ilse Vane.md": "---\ntype: person\npronouns: she/her\n---\nA keeper.",
        TOM: f"---\ntype: person\n{said}\n---\nA clerk.",
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


SHEETS = [
    ("Tom keeps the chandlery. He is patient to a fault.", False),
    ("A diver, thirty, always hungry. His coat is wet.", False),
    ("Youngest brother. Debts.", False),
    ("Husband of Ilse Vane", False),
    ("Brother drowned in May.", True),
    ("The youngest son of a baker.", False),
    ("**Pronouns:** he/him\n\nRuns the shop.", False),
    ("| Sex | M |\n|---|---|\n| Age | 9 |", False),
    ("gender:: male", False),
    ("# Tom\n\nA clerk.\n\n## Appearance\n\nHe is tall.", False),
    # nobody is told to be a man
    ("A clerk.", True),
    ("**Pronouns:** they/them\n\nA clerk. He is patient.", True),
    # the pronoun is another's
    ("Tom admires Ben Cole. He is a surgeon.", True),
    ("Tom's father died young. He drank.", True),
    ("Ben loved Tom. He left.", True),
    ("A clerk.\n\n## Ben Cole\n\nHe is a surgeon.", True),
    ("A friend of every man in town.", True),
    ("A man's tailor.", True),
    ('"He is a fool," they say.', True),
]
"""What the sheet of Tom Vane says, and whether "Mrs. Vane" may be he."""


@pytest.mark.parametrize(("family", "case"), by_name(SHEETS).items())
def test_a_sheet_tells_by_its_words_whose_the_form_of_address_is_not(
    read_vault: ReadVault, family: str, case: tuple[str, bool]
) -> None:
    session = read_vault(families())
    found = {
        given: session.call("find_mentions", {"entity": f"{given} {family}", "below": "Manuscript"})
        for given in (f"Il{family.lower()}", f"To{family.lower()}")
    }
    assert [answer.model_dump()["total"] > 0 for answer in found.values()] == [True, case[1]]


def families() -> dict[str, str]:
    """Return the vault of all the sheets, in which nobody has the name of anybody else."""
    notes = {}
    for at, (family, (sheet, _)) in enumerate(by_name(SHEETS).items(), 1):
        given = {"Ilse": f"Il{family.lower()}", "Tom": f"To{family.lower()}", "Vane": family}
        sheets = {TOM: f"---\ntype: person\n---\n{sheet}"}
        for path, text in {**vault("role: clerk"), **sheets}.items():
            path = path.replace("01 - One", f"{at:02} - {family}")
            for name, own in given.items():
                path, text = path.replace(name, own), text.replace(name, own)
            notes[path] = text
    return notes


def test_an_alias_of_the_sheet_counts_whatever_its_words_tell(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = vault("aliases: [Mrs. Vane]")
    notes[TOM] += " He wears her dresses on the stage."
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
    notes[TOM] += " He is never late."
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
    notes[TOM] += f"\n\n{twist}"
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
