"""`doctor` tells of notes whose type is probably misspelt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]


def misspelt(session: Session) -> list[tuple[str, str]]:
    session.call("sync", {})
    found = session.call("doctor", {}).model_dump()["problems"]
    return [(one["path"], one["message"]) for one in found if one["code"] == "unknown-type"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("charcter", "'character'"), ("Loction", "'location'"), ("perosn", "'person'")],
)
def test_a_type_that_is_a_known_one_but_for_a_slip_is_told(
    write_vault: WriteVault, open_vault: OpenVault, written: str, meant: str
) -> None:
    session = open_vault(write_vault({"Ann.md": f"---\ntype: {written}\n---\nShe ran."}))
    message = f"Its type {written.casefold()!r} is none that is known. Is {meant} meant?"
    assert misspelt(session) == [("Ann.md", message)]


@pytest.mark.parametrize("written", ["plane", "character", "Characters", "vampire", "ranger"])
def test_a_type_of_the_writers_own_is_left_alone(
    write_vault: WriteVault, open_vault: OpenVault, written: str
) -> None:
    session = open_vault(write_vault({"Ann.md": f"---\ntype: {written}\n---\nShe ran."}))
    assert misspelt(session) == []


def test_a_type_that_several_notes_have_is_the_writers_own(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: charcter\n---\nShe ran."
    session = open_vault(write_vault({"Ann.md": sheet, "Bea.md": sheet}))
    assert misspelt(session) == []
