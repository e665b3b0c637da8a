"""Numbered copies of notes, as iCloud and Finder leave them (rule 32 of what a vault means)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from writeros_entities.session import Session

WriteVault = Callable[[dict[str, str]], Path]
OpenVault = Callable[..., Session]

ROOK = "Rook is the harbour master of Tessaly, and trusts nobody with the keys.\n"


def copies_in(session: Session) -> list[tuple[str, str]]:
    problems = session.call("doctor", {}).model_dump()["problems"]
    return [(item["path"], item["message"]) for item in problems if item["code"] == "near-copy"]


@pytest.mark.parametrize(
    "copy",
    [ROOK, ROOK.replace("keys", "boats"), "---\ntags: [cast]\n---\n" + ROOK],
    ids=["equal", "one word changed", "with frontmatter"],
)
def test_a_numbered_note_that_says_nearly_the_same_is_a_copy(
    copy: str, write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"Cast/Rook.md": ROOK, "Cast/Rook 2.md": copy}))
    session.call("sync", {})

    assert copies_in(session) == [
        (
            "Cast/Rook 2.md",
            "It says the same as 'Cast/Rook.md', or nearly: a copy? Both are read.",
        )
    ]


def test_a_long_copy_with_a_line_changed_is_one(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    lines = [f"Line {number} of the log speaks of the weather at sea.\n\n" for number in range(800)]
    long = "".join(lines)
    other = long.replace("Line 400 of the log", "Somebody tore out the page that")
    session = open_vault(write_vault({"Log.md": long, "Log 3.md": other}))
    session.call("sync", {})

    assert [path for path, _ in copies_in(session)] == ["Log 3.md"]


def test_a_numbered_note_of_its_own_is_none(write_vault: WriteVault, open_vault: OpenVault) -> None:
    notes = {
        "Chapter.md": "What a chapter should hold: a want, a wall, a turn.\n",
        "Chapter 2.md": "The rain came down upon the mole, and Rook went out in it.\n",
        "Other/Rook 2.md": ROOK,
        "Rook.md": ROOK,
    }
    session = open_vault(write_vault(notes))
    session.call("sync", {})

    assert copies_in(session) == []
