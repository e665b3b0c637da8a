"""The fixture vault: small, and broken in every way that a repository can hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from .told import doctor, mentioning_notes

FIXTURE = Path(__file__).parents[2] / "vault_fixtures" / "hostile"


@pytest.fixture(scope="module")
def players(databases: Databases) -> Iterator[Session]:
    """Return the fixture vault, synced; tests only read it."""
    with Session.open(FIXTURE, database=databases.create()) as session:
        session.call("sync", {})
        yield session


def test_doctor_lists_every_bad_note_of_the_fixture_and_no_good_one(players: Session) -> None:
    assert doctor(players) == {
        (".obsidian", "broken-filter"),
        ("Acts/Curtain call.md", "unclosed-comment"),
        ("Acts/Epilogue.md", "unclosed-code"),
        ("Acts/Fifth act.md", "unclosed-frontmatter"),
        ("Acts/First act (Bram's conflicted copy 2025-01-01).md", "conflict-copy"),
        ("Acts/First act (Conflicted copy laptop 202501011010).md", "conflict-copy"),
        ("Acts/First act.md", "ambiguous-link"),
        ("Acts/First act.md", "unordered"),
        ("Acts/First act.sync-conflict-20250101-101010-ABCDEFG.md", "conflict-copy"),
        ("Acts/Fourth act.md", "broken-frontmatter"),
        ("Acts/Second act.md", "broken-frontmatter"),
        ("Acts/Third act.md", "broken-frontmatter"),
        ("Old laptop/Prompt book.md", "nul"),
        ("Old laptop/Typewriter.md", "nul"),
        ("Old laptop/Typewriter.md", "utf-16"),
        ("People/Zoe Quill.md", "not-utf-8"),
        ("Stage plan.canvas", "broken-canvas"),
    }


def test_every_note_that_can_be_read_is_mentioned_from_conflict_copies_are_not(
    players: Session,
) -> None:
    assert mentioning_notes(players) == {
        "Acts/Curtain call.md",
        "Acts/Epilogue.md",
        "Acts/Fifth act.md",
        "Acts/First act.md",
        "Acts/Fourth act.md",
        "Acts/Second act.md",
        "Acts/Third act.md",
        "Old laptop/Prompt book.md",
        "People/Bram Sallis.md",
        "People/Odile Farrow.md",
        "People/Zoe Quill.md",
    }
    assert mentioning_notes(players, "Bram Sallis") == {
        "Acts/First act.md",
        "People/Bram Sallis.md",
        "People/Odile Farrow.md",
        "Props/Lantern.md",
    }


def test_two_notes_of_one_name_are_two_entities(players: Session) -> None:
    listed = players.call("list_entities", {"containing": "Lantern"}).model_dump()
    assert {(item["name"], item["type"]) for item in listed["entities"]} == {
        ("Lantern", "item"),
        ("Lantern", "place"),
    }


@pytest.mark.parametrize(
    ("note", "line", "column", "start"),
    [
        ("People/Odile Farrow.md", 5, 3, 42),  # CR LF: two characters each
        ("People/Bram Sallis.md", 4, 48, 69),  # a byte-order mark: one
        ("People/Zoe Quill.md", 4, 28, 48),  # each byte that is not UTF-8: one
    ],
)
def test_offsets_count_the_characters_of_the_file_as_stored(
    players: Session, note: str, line: int, column: int, start: int
) -> None:
    answer = players.call("find_mentions", {"entity": "Odile Farrow", "below": note}).model_dump()
    first = answer["mentions"][0]
    assert (first["line"], first["column"], first["start"]) == (line, column, start)
    text = (FIXTURE / note).read_bytes().decode("utf-8", "replace")
    assert text[first["start"] : first["end"]] == "Odile Farrow"
