"""A campaign's vault: sessions are what its players have read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..conftest import OpenVault

WriteVault = Callable[[dict[str, str]], Path]

CAMPAIGN = {
    "Sessions/Session 1 - Fog.md": "Odile met [[Brand]] on the quay.",
    "Sessions/Session 2 - Bells.md": "Brand was killed by [[Mother Tarn]].",
    "Sessions/Session 3 Prep.md": "Mother Tarn is Odile's grandmother.",
    "NPCs/Odile.md": "A diver.",
    "NPCs/Brand.md": "A clerk.",
    "NPCs/Mother Tarn.md": "See [[Session 2 - Bells]] and [[Session 3 Prep]].",
}


def test_as_of_a_session_nothing_later_is_told(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault(CAMPAIGN))
    session.call("sync", {})
    found = session.call("list_entities", {"as_of": "Session 1 - Fog"}).entities
    assert [entity.name for entity in found] == ["Brand", "Odile"]
    found = session.call("list_entities", {"as_of": 2}).entities
    assert [entity.name for entity in found] == ["Brand", "Mother Tarn", "Odile"]


def test_a_session_is_no_entity_though_linked(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault(CAMPAIGN))
    session.call("sync", {})
    found = session.call("list_entities", {"types": ["concept"]}).entities
    assert "Session 2 - Bells" not in [entity.name for entity in found]


def test_a_chapter_or_session_that_is_not_there_yet_is_no_entity(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    text = "See [[Notes/Session 9]], [[Chapter 12]] and [[The Seventh Bell]]."
    session: Any = open_vault(write_vault(CAMPAIGN | {"NPCs/Odile.md": text}))
    session.call("sync", {})
    found = session.call("list_entities", {"limit": 50}).entities
    linked = [entity.name for entity in found if entity.status == "linked"]
    assert linked == ["The Seventh Bell"]


DATED = {
    "Chapter 1/Fog.md": "---\ntype: session\ndate: 2024-01-05\n---\nOdile dives.",
    "Chapter 1/Bells.md": "---\ntype: session\ndate: 2024-01-12\n---\nThe bells ring.",
    "Chapter 2/Ashes.md": "---\ntype: session\ndate: 2024-02-02\n---\nThe quay burns.",
    "Chapter 2/Tides.md": "---\ntype: session\ndate: 2024-02-09\n---\nThe tide comes.",
    "Chapter 2/Embers.md": '---\ntype: session\ndate: ""\n---\nTarn runs.',
    "Chapter 3/Smoke.md": "---\ntype: session\ndate: 2024-03-01\n---\nSmoke over the bay.",
}


def test_a_session_without_a_date_comes_after_the_dated_ones_of_its_folder(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    session: Any = open_vault(write_vault(DATED))
    session.call("sync", {})
    told = session.call("list_notes", {"chapters_only": True}).notes
    assert [(note.position, note.title) for note in told] == [
        *((1, "Fog"), (2, "Bells"), (3, "Ashes"), (4, "Tides"), (5, "Embers"), (6, "Smoke"))
    ]
    problems = session.call("doctor", {"severity": "info"}).problems
    assert [(one.path, one.message) for one in problems if one.code == "undated"] == [
        (
            "Chapter 2/Embers.md",
            "It has no date, unlike the others of its folder: it is told as the last of them.",
        )
    ]


def test_what_lies_in_a_folder_of_preparations_was_not_played_though_tagged_a_session(
    open_vault: OpenVault, write_vault: WriteVault
) -> None:
    tagged = "---\ntags: [session]\n---\nOdile meets Brand on the quay."
    paths = ("! Session Prep Notes/Session 1 - Fog.md", "Session Logs/Session 1 - Fog.md")
    session: Any = open_vault(write_vault(dict.fromkeys(paths, tagged)))
    session.call("sync", {})
    notes = session.call("list_notes", {}).notes
    assert {note.path: (note.role, note.role_reason) for note in notes} == {
        paths[0]: ("plan", "Its folder '! Session Prep Notes' says that it was written before."),
        paths[1]: ("manuscript", "It has the tag #session."),
    }
