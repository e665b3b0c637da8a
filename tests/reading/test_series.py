"""Several books in one vault: each counts its chapters anew, and one is read after another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import AmbiguousNameError
from writeros_entities.session import Session

from ..conftest import OpenVault
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]

IDA = "---\nchapter: {}\n---\nIda Crane rowed.\n"
CORVIN = "---\nchapter: {}\n---\nIda Crane met Corvin Hale.\n"
CAST = {
    "Cast/Ida Crane.md": "---\ntype: person\n---\n",
    "Cast/Corvin Hale.md": "---\ntype: person\n---\n",
}


def books(first: str, second: str) -> dict[str, str]:
    """Return two books of two chapters; Corvin comes up in the second chapter of the second."""
    return {
        **CAST,
        f"{first}/Fog.md": IDA.format(1),
        f"{first}/Storm.md": IDA.format(2),
        f"{second}/Ice.md": IDA.format(1),
        f"{second}/Thaw.md": CORVIN.format(2),
    }


def synced(root: Path, open_vault: OpenVault, **settings: Any) -> Session:
    session = open_vault(root, **settings)
    session.call("sync", {})
    return session


def people(session: Session, as_of: int | str) -> dict[str, int]:
    """Return who has been met, with the number of mentions."""
    answer = session.call("list_entities", {"types": ["person"], "as_of": as_of}).model_dump()
    return {each["name"]: each["mention_count"] for each in answer["entities"]}


def problems(session: Session) -> list[tuple[str, str]]:
    answer = session.call("doctor", {}).model_dump()
    return [(each["path"], each["code"]) for each in answer["problems"]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Book 1", "Book 2"),
        ("Saga/Book One - The Fog", "Saga/Book Two - The Ice"),
        ("The Fog (Book 1)", "The Ice (Book 2)"),
        ("Manuscript/1 - Fog", "Manuscript/2 - Ice"),
    ],
)
def test_a_reader_of_the_first_book_has_not_read_the_second(
    write_vault: WriteVault, open_vault: OpenVault, first: str, second: str
) -> None:
    session = synced(write_vault(books(first, second)), open_vault)
    assert [people(session, as_of) for as_of in (2, 3, "Thaw")] == [
        {"Ida Crane": 2},
        {"Ida Crane": 3},
        {"Ida Crane": 4, "Corvin Hale": 1},
    ]
    assert problems(session) == []


def test_of_books_whose_folders_have_no_numbers_one_follows_the_other(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = synced(write_vault(books("The Fog", "The Ice")), open_vault)
    assert problems(session) == [("The Ice/Ice.md", "counted-alike")]
    assert [people(session, at) for at in (2, 4)] == [
        {"Ida Crane": 2},
        {"Ida Crane": 4, "Corvin Hale": 1},
    ]


def test_a_setting_lists_the_books_of_a_series(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = books("The Ice", "The Fog") | {
        "Interlude.md": "---\nchapter: 9\n---\nIda Crane slept.\n"
    }
    root = write_vault(notes)
    synced(root, open_vault).close()
    session = synced(root, open_vault, books=["The Ice", "The Fog"])
    assert [people(session, as_of) for as_of in ("The Ice/Storm", "The Fog/Ice", "Interlude")] == [
        {"Ida Crane": 2},
        {"Ida Crane": 3},
        {"Ida Crane": 5, "Corvin Hale": 1},
    ]
    assert problems(session) == []
    kept = take_snapshot(session)
    session.call("rebuild", {})
    assert take_snapshot(session) == kept


def test_a_chapter_that_each_book_has_is_named_with_its_book(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {f"Book {book}/Chapter {at}.md": "Ida rowed.\n" for book in (1, 2) for at in (1, 2)}
    session = synced(write_vault(notes), open_vault)
    with pytest.raises(AmbiguousNameError, match=r"Book 1/Chapter 2\.md"):
        people(session, "Chapter 2")
    status = session.call("status", {"as_of": "Book 2/Chapter 2"}).model_dump()
    assert status["last_position"] == 4


def test_scenes_stand_behind_the_chapter_that_they_name(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        "Chapters/The Long Night.md": "---\nchapter: 3\n---\nNobody slept.\n",
        "Chapters/Dawn.md": "---\nchapter: 4\n---\nIt was cold.\n",
        "Scenes/Bells.md": "---\nchapter: '[[Dawn|the dawn]]'\nscene: 1\n---\nIda rowed.\n",
        "Scenes/Lamps.md": "---\nchapter: The Long Night\nscene: 2\n---\nIda slept.\n",
        "Scenes/Doors.md": "---\nChapter: ['[[Chapters/The Long Night]]']\nscene: 1\n---\nIda!\n",
        "Ida.md": "---\ntype: person\n---\n",
    }
    session = synced(write_vault(notes), open_vault)
    mentions = session.call("find_mentions", {"entity": "Ida"}).model_dump()["mentions"]
    assert [(one["path"], one["position"]) for one in mentions] == [
        ("Scenes/Doors.md", 4),
        ("Scenes/Lamps.md", 5),
        ("Scenes/Bells.md", 7),
    ]
    assert problems(session) == []


def test_a_scene_whose_chapter_is_no_note_stands_where_its_number_says(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    """Scenes may be counted through the whole book, and name their chapters for the eye."""
    notes = {
        f"Scenes/{name}.md": f"---\nchapter: {chapter}\nscene: {scene}\n---\nIda rowed.\n"
        for name, chapter, scene in (("Fog", "Dusk", 1), ("Ice", "Dawn", 2))
    }
    session = synced(write_vault(notes), open_vault)
    status = session.call("status", {}).model_dump()
    assert (status["first_position"], status["last_position"]) == (1, 2)
    assert problems(session) == []


def test_scenes_that_are_numbered_in_each_chapter_follow_each_other(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    notes = {
        f"Manuscript/Chapter {chapter}/{name}.md": f"---\nscene: {scene}\n---\nIda rowed.\n"
        for chapter, scene, name in ((1, 1, "Fog"), (1, 2, "Storm"), (2, 1, "Ice"))
    }
    session = synced(write_vault(notes), open_vault)
    status = session.call("status", {}).model_dump()
    assert (status["first_position"], status["last_position"]) == (1, 3)
    assert problems(session) == []
