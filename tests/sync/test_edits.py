"""Edits that change what other notes say, or what the note itself no longer says."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import NotFoundError
from writeros_entities.session import Session
from writeros_entities.sync.drafting import pipeline
from writeros_entities.sync.drafting.files import read_file
from writeros_entities.sync.synchronizer import Synchronizer

from ..conftest import OpenVault
from ..databases import one_engine

WriteVault = Callable[[dict[str, str]], Path]

databases = one_engine

PERSON = "---\ntype: person\n---\n"


def counts(session: Session) -> list[tuple[str, int]]:
    answer = session.call("list_entities", {}).model_dump()
    return [(one["status"], one["mention_count"]) for one in answer["entities"]]


def kinds(session: Session) -> list[str]:
    answer: dict[str, Any] = session.call("get_entity_graph", {}).model_dump()
    return [edge["relation"] for edge in answer["edges"]]


def test_what_a_sheet_says_stays_when_its_folder_is_renamed_while_watching(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheets = {"Cast/Mara Vane.md": f"{PERSON}Sister of Tobias Wren.", "Cast/Tobias Wren.md": PERSON}
    root = write_vault(sheets)
    session = open_vault(root)
    watching = Synchronizer(session)
    watching.sync()
    watching.warm_up()
    (root / "Cast").rename(root / "People")
    watching.sync_paths(["Cast", "People"])
    assert kinds(session) == ["sibling_of"]


def test_what_a_changed_note_said_is_kept_until_it_can_be_read_again(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_vault({"Ann.md": f"{PERSON}Sister of Bea.", "Bea.md": PERSON})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Ann.md").write_text(f"{PERSON}Daughter of Bea.", "utf-8")

    def read_others(path: bytes, limit: int) -> bytes | None:
        return None if path.endswith(b"Ann.md") else read_file(path, limit)

    with monkeypatch.context() as locked:
        locked.setattr(pipeline, "read_file", read_others)
        assert session.call("sync", {}).model_dump()["total_diagnostics"] == 1
        assert kinds(session) == ["sibling_of"]
    session.call("sync", {})
    assert kinds(session) == ["parent_of"]


def test_a_new_folder_is_read_while_watching_whatever_the_form_of_its_name(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"01 - Fog.md": "Ann ran."})
    watching = Synchronizer(open_vault(root))
    watching.sync()
    folder = root / unicodedata.normalize("NFD", "Élan")
    folder.mkdir()
    (folder / "Ann.md").write_text(PERSON, "utf-8")
    assert watching.sync_paths(["Élan"]).added == ("Élan/Ann.md",)


def test_a_person_who_is_never_found_by_name_comes_and_goes_with_the_links(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"01 - Fog.md": "She met [[Hope]]."})
    session = open_vault(root, never=["Hope"])
    watching = Synchronizer(session)
    watching.sync()
    assert counts(session) == [("linked", 1)]
    (root / "Hope.md").write_text(PERSON, "utf-8")
    watching.sync_paths(["Hope.md"])
    assert counts(session) == [("noted", 1)]
    (root / "Hope.md").unlink()
    watching.sync_paths(["Hope.md"])
    (root / "01 - Fog.md").write_text("She met [[Hope]] again.", "utf-8")
    watching.sync_paths(["01 - Fog.md"])
    assert counts(session) == [("linked", 1)]


def test_a_chapter_that_becomes_excluded_has_no_place_any_more(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"01 - Fog.md": "Mara ran.", "02 - Tea.md": "Mara slept."})
    session = open_vault(root)
    session.call("sync", {})
    assert session.call("status", {"as_of": "Tea"}).model_dump()["notes"] == {"note": 2}
    (root / ".obsidian").mkdir(exist_ok=True)
    excluded = '{"userIgnoreFilters": ["02 - "]}'
    (root / ".obsidian" / "app.json").write_text(excluded, "utf-8")
    session.call("sync", {})
    with pytest.raises(NotFoundError, match="Tea"):
        session.call("status", {"as_of": "Tea"})


def test_two_relations_in_one_property_keep_their_order_in_the_history(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    guild = (
        "---\nvisible_from: 1\ntype: faction\nmembers: ['[[Ida]]', '[[Ann]]']\n---\n"
        "The Guild: Ann, Ida."
    )
    root = write_vault({"Ann.md": PERSON, "Factions/Guild.md": guild, "Ida.md": PERSON})
    session = open_vault(root)

    def others() -> list[str]:
        answer = session.call("get_entity_history", {"entity": "Guild"}).model_dump()
        return [one["other"]["name"] for one in answer["changes"] if one["other"]]

    session.call("sync", {})
    before = others()
    (root / "Ann.md").unlink()
    session.call("sync", {})
    (root / "Ann.md").write_text(PERSON, "utf-8")
    session.call("sync", {})
    assert (before, others()) == (["Ann", "Ida"], ["Ann", "Ida"])


def test_a_card_that_shows_another_section_is_looked_for_there(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    card = '{"nodes": [{"id": "1", "type": "file", "file": "Ann.md", "subpath": "#Youth"}]}'
    root = write_vault({"Ann.md": "# Age", "Board.canvas": card})
    session = open_vault(root)
    session.call("sync", {})
    remarks = {"severity": "info"}
    problems = [session.call("doctor", remarks).model_dump()["problems"]]
    (root / "Board.canvas").write_text(card.replace("#Youth", "#Age"), "utf-8")
    session.call("sync", {})
    problems.append(session.call("doctor", remarks).model_dump()["problems"])
    assert [[(one["code"], one["message"]) for one in found] for found in problems] == [
        [("missing-heading", "Ann.md#Youth leads to a heading that Ann.md does not have.")],
        [],
    ]


def test_the_problems_of_one_note_are_told_in_one_order(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    scenes = "[Fog, Tea, Gloves, Tide, Rain, Salt]"
    session = open_vault(write_vault({"Index.md": f"---\nlongform: {{scenes: {scenes}}}\n---\n"}))
    session.call("sync", {})
    told = [one["message"] for one in session.call("doctor", {}).model_dump()["problems"]]
    assert [message.split("'")[1] for message in told] == [
        *("Fog", "Gloves", "Rain", "Salt", "Tea", "Tide"),
    ]
