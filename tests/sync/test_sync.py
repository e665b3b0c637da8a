"""What a sync does, seen from outside."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import BusyError, StoreError, VaultError
from writeros_entities.store.database import Database
from writeros_entities.store.engines import sqlite
from writeros_entities.store.lease import SECONDS, Lease, hold_lease
from writeros_entities.sync import run, synchronizer
from writeros_entities.sync.entities import lexicon
from writeros_entities.sync.plan import Plan, make_plan
from writeros_entities.sync.synchronizer import Synchronizer
from writeros_entities.testing import hash_vault

from ..conftest import OpenVault
from ..databases import Databases

WriteVault = Callable[[dict[str, str]], Path]

VAULT = {
    "Characters/Mara Vane.md": "---\ntype: person\naliases: [Vee]\n---\nA smith.",
    "Manuscript/01.md": "---\nchapter: 1\n---\nMara Vane lit the lamp. Vee sang.",
    "Manuscript/02.md": "---\nchapter: 2\n---\nMara slept.",
}


def entity_id(session: Any, name: str) -> str:
    return str(session.call("get_entity", {"entity": name}).model_dump()["entity"]["id"])


def mentions(session: Any, name: str, **arguments: Any) -> list[tuple[str, str]]:
    answer = session.call("find_mentions", {"entity": name, **arguments}).model_dump()
    return [(item["path"], item["surface"]) for item in answer["mentions"]]


def test_a_sync_says_what_it_did(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    first = session.call("sync", {}).model_dump()
    assert (first["added"], first["changed"], first["moved"], first["removed"]) == (3, 0, 0, 0)

    (root / "Manuscript" / "01.md").write_text("---\nchapter: 1\n---\nVee sang.", "utf-8")
    (root / "Manuscript" / "02.md").unlink()
    (root / "Characters" / "Mara Vane.md").rename(root / "Mara Vane.md")
    second = session.call("sync", {}).model_dump()

    assert (second["added"], second["changed"], second["moved"], second["removed"]) == (0, 1, 1, 1)
    assert second["revision"] == first["revision"] + 1


def test_the_old_index_answers_until_a_rebuild_is_done(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    reader = open_vault(root)
    reader.call("sync", {})
    answers: list[list[tuple[str, str]]] = []

    class Asking:
        def update(self, stage: str, done: int, total: int | None) -> None:
            answers.append(mentions(reader, "Mara Vane"))

    before = mentions(reader, "Mara Vane")
    (root / "Manuscript" / "01.md").write_text("---\nchapter: 1\n---\nVee sang.", "utf-8")
    open_vault(root).reporting(Asking()).call("rebuild", {})
    assert before == [
        ("Manuscript/01.md", "Mara Vane"),
        ("Manuscript/01.md", "Vee"),
        ("Manuscript/02.md", "Mara"),
    ]
    assert len(answers) >= len(VAULT)
    assert all(answer == before for answer in answers)
    assert mentions(reader, "Mara Vane") == [
        ("Manuscript/01.md", "Vee"),
        ("Manuscript/02.md", "Mara"),
    ]


def test_nothing_to_do_changes_nothing(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT))
    first = session.call("sync", {}).model_dump()
    second = session.call("sync", {}).model_dump()
    assert (second["revision"], second["redetected"]) == (first["revision"], 0)


def test_the_vault_is_never_written(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT)
    before = hash_vault(root)
    session = open_vault(root)
    for name in ("sync", "rebuild", "migrate", "status", "doctor"):
        session.call(name, {})
    assert hash_vault(root) == before


def test_a_renamed_note_is_the_same_entity(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    before = entity_id(session, "Mara Vane")

    (root / "Characters" / "Mara Vane.md").rename(root / "Characters" / "Mara Holt.md")
    session.call("sync", {})

    assert entity_id(session, "Mara Holt") == before
    assert ("Manuscript/01.md", "Vee") in mentions(session, "Mara Holt")


def test_a_note_that_is_renamed_with_its_links_to_itself_is_the_same_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: person\nself: '[[Mara Vane]]'\n---\nMara Vane: [[Mara Vane#Youth|below]].\n"
    root = write_vault({"Cast/Mara Vane.md": sheet, "Cast/Ida.md": sheet})
    session = open_vault(root)
    session.call("sync", {})
    before = entity_id(session, "Mara Vane")

    (root / "Cast" / "Mara Vane.md").unlink()
    (root / "Cast" / "Mara Holt.md").write_bytes(
        sheet.replace("[[Mara Vane", "[[Mara Holt").encode()
    )
    outcome = session.call("sync", {}).model_dump()

    assert (outcome["added"], outcome["moved"], outcome["removed"]) == (0, 1, 0)
    assert entity_id(session, "Mara Holt") == before


def test_a_note_in_the_place_of_a_moved_one_is_another_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({})
    session = open_vault(root)
    ids = set()
    for number in range(3):
        file = root / "Mara.md"
        file.write_text(f"---\ntype: person\n---\nMara, {number}.", "utf-8")
        session.call("sync", {})
        ids.add(entity_id(session, "Mara"))
        file.rename(root / f"Mara {number}.md")
        session.call("sync", {})
    assert len(ids) == 3


def test_a_new_alias_finds_old_mentions(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT | {"Notes/Far.md": "The smith of Harrow was here."})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Characters" / "Mara Vane.md").write_text(
        "---\ntype: person\naliases: [Vee, The smith of Harrow]\n---\nA smith.", "utf-8"
    )

    report = session.call("sync", {}).model_dump()

    assert ("Notes/Far.md", "The smith of Harrow") in mentions(session, "Mara Vane")
    assert report["redetected"] == 2  # the note itself, and the one that has the new alias


def test_a_new_alias_finds_old_mentions_in_another_unicode_form(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Manuscript/01.md": "---\nchapter: 1\n---\nThen Ren\u00e9e ran home."})
    session = open_vault(root)
    session.call("sync", {})
    sheet = "---\ntype: person\naliases: [Rene\u0301e]\n---\nA smith."
    (root / "Smith.md").write_text(sheet, "utf-8")
    session.call("sync", {})
    assert mentions(session, "Smith") == [("Manuscript/01.md", "Ren\u00e9e")]


def test_a_new_alias_without_spaces_between_words_finds_old_mentions(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault({"Manuscript/01.md": "昨日林月來了。", "Manuscript/02.md": "昨日她來了。"})
    session = open_vault(root)
    session.call("sync", {})
    (root / "Smith.md").write_text("---\ntype: person\naliases: [林月]\n---\nA smith.", "utf-8")
    report = session.call("sync", {}).model_dump()
    assert mentions(session, "Smith") == [("Manuscript/01.md", "林月")]
    assert report["redetected"] == 2  # the note itself, and the one that has the new alias


def test_many_new_names_at_once_find_their_old_mentions(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexicon, "MANY_FORMS", 20)
    notes = {"Manuscript/01.md": "Vee 7 met Vee 27.", "Manuscript/02.md": "Nobody came."}
    root = write_vault(notes)
    session = open_vault(root)
    session.call("sync", {})
    for number in range(30):
        (root / f"Vee {number}.md").write_text("---\ntype: person\n---\nOne of many.", "utf-8")
    report = session.call("sync", {}).model_dump()
    assert mentions(session, "Vee 7") == [("Manuscript/01.md", "Vee 7")]
    assert mentions(session, "Vee 27") == [("Manuscript/01.md", "Vee 27")]
    assert report["redetected"] == 32


def test_what_a_process_keeps_from_garbage_collection_stays_so(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(
        write_vault(VAULT | {f"Note {n}.md": "A gull." for n in range(run.MANY_NOTES)})
    )
    gc.freeze()
    before = gc.get_freeze_count()
    session.call("sync", {})
    assert gc.get_freeze_count() > before / 2  # some of them are gone in the ordinary way


def test_after_a_large_sync_nothing_is_kept_from_garbage_collection(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({f"{number}.md": "" for number in range(run.MANY_NOTES)}))
    gc.unfreeze()
    try:
        session.call("sync", {})
        assert gc.get_freeze_count() == 0
    finally:
        gc.freeze()


def test_scenes_stand_in_the_order_of_their_longform_index(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    scenes = ("Arrival", "1984", "Storm")
    index = "---\nlongform:\n  format: scenes\n  scenes:\n"
    root = write_vault(
        {
            "Novel/Index.md": index + "".join(f"    - {scene}\n" for scene in scenes) + "---\n",
            **{f"Novel/{scene}.md": "Mara Vane came." for scene in scenes},
            "Mara Vane.md": "---\ntype: person\n---\nA smith.",
        }
    )
    session = open_vault(root)
    session.call("sync", {})
    seen = [path for path, _ in mentions(session, "Mara Vane", as_of=2)]
    assert seen == ["Novel/Arrival.md", "Novel/1984.md"]
    # What is moved to the front is seen first; what is left out has no place.
    (root / "Novel" / "Index.md").write_text(f"{index}    - Storm\n    - Arrival\n---\n", "utf-8")
    session.call("sync", {})
    assert [path for path, _ in mentions(session, "Mara Vane", as_of=1)] == ["Novel/Storm.md"]
    seen = [path for path, _ in mentions(session, "Mara Vane", as_of=9)]
    assert seen == ["Novel/Storm.md", "Novel/Arrival.md"]


def test_a_link_to_nobody_with_a_title_in_short_names_somebody(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    chapter = "[[Dr. Hale]] met [[J. R. Marsh]] by the [[Map.png]] and [[Old song.mp3]]."
    session = open_vault(write_vault({"Manuscript/01.md": chapter}))
    session.call("sync", {})
    listed = session.call("list_entities", {"order": "name"}).model_dump()["entities"]
    assert [(one["name"], one["status"], one["mention_count"]) for one in listed] == [
        ("Dr. Hale", "linked", 1),
        ("J. R. Marsh", "linked", 1),
    ]


def test_a_file_that_is_gone_is_not_served_before_the_next_sync(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    (root / "Manuscript" / "01.md").unlink()
    assert mentions(session, "Mara Vane") == [("Manuscript/02.md", "Mara")]


def test_an_edit_right_after_a_sync_is_noticed_though_size_and_time_are_the_same(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    file = root / "Manuscript" / "02.md"
    stat = file.stat()
    Synchronizer(session, clock=lambda: stat.st_mtime + 0.001).sync()
    file.write_bytes(b"---\nchapter: 2\n---\nPiet slept.")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    session.call("sync", {})
    assert ("Manuscript/02.md", "Mara") not in mentions(session, "Mara Vane")


def test_an_empty_vault_folder_is_not_taken_for_deletion(
    write_vault: WriteVault, open_vault: OpenVault, tmp_path: Path
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    root.rename(tmp_path / "elsewhere")
    root.mkdir()

    for name in ("sync", "rebuild"):
        with pytest.raises(VaultError, match="is empty, but its index holds 3 files"):
            session.call(name, {})

    assert session.call("status", {}).model_dump()["notes"] == {"note": 3}
    assert session.call("sync", {"allow_empty": True}).model_dump()["removed"] == 3


def test_a_second_writer_is_told_who_writes(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    with hold_lease(session.database, session.vault_id):
        with pytest.raises(BusyError, match=f":{os.getpid()}\\) is writing this vault's index"):
            session.call("sync", {"wait": 0})
        assert session.call("status", {}).model_dump()["chunks"] == 3


def test_a_database_that_stays_locked_is_said_to_be_busy(
    sqlite_databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "PRAGMAS", ("busy_timeout=1", *sqlite.PRAGMAS[1:]))
    url = sqlite_databases.create()
    one, other = Database(url), Database(url)
    one.prepare()
    with one.write(), pytest.raises(BusyError, match="Another process is writing"), other.write():
        pass
    other.close()
    one.close()
    sqlite_databases.give_back(url)


class GivingUp:
    """Breaks off whatever reports a stage."""

    def __init__(self, stage: str) -> None:
        self.stage = stage

    def update(self, stage: str, done: int, total: int | None) -> None:
        if stage == self.stage:
            raise KeyboardInterrupt


def test_waiting_for_another_writer_can_be_given_up(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    impatient = session.reporting(GivingUp("waiting for another writer"))
    with hold_lease(session.database, session.vault_id), pytest.raises(KeyboardInterrupt):
        impatient.call("sync", {"wait": 3600})
    assert session.call("sync", {"wait": 0}).model_dump()["added"] == 3


@pytest.mark.parametrize("capability", ["sync", "rebuild"])
def test_a_large_vault_half_read_is_no_answer(
    write_vault: WriteVault,
    open_vault: OpenVault,
    monkeypatch: pytest.MonkeyPatch,
    capability: str,
) -> None:
    monkeypatch.setattr(run, "NOTES_PER_TRANSACTION", 1)
    session = open_vault(write_vault(VAULT))
    if capability == "rebuild":
        session.call("sync", {})
    with pytest.raises(KeyboardInterrupt):
        session.reporting(GivingUp("finding mentions")).call(capability, {})

    with pytest.raises(StoreError, match=r"^The first sync of the vault, or a rebuild, is running"):
        session.call("get_entity", {"entity": "Mara Vane"})
    status = session.call("status", {})
    assert status.model_dump()["unfinished"] is True
    assert "- last sync: none finished: run sync" in status.as_text()
    session.call("sync", {})
    assert mentions(session, "Mara Vane", as_of=1) == [
        ("Manuscript/01.md", "Mara Vane"),
        ("Manuscript/01.md", "Vee"),
    ]


def test_a_later_sync_that_is_broken_off_leaves_what_was_there(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "NOTES_PER_TRANSACTION", 1)
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    (root / "Manuscript" / "02.md").write_text("---\nchapter: 2\n---\nMara woke.", "utf-8")
    with pytest.raises(KeyboardInterrupt):
        session.reporting(GivingUp("finding mentions")).call("sync", {})
    assert ("Manuscript/01.md", "Vee") in mentions(session, "Mara Vane")
    found = session.call("search", {"query": "sang"}).model_dump()["passages"]
    assert [hit["path"] for hit in found] == ["Manuscript/01.md"]


def test_the_place_of_a_drive_that_is_not_there_takes_nothing_away(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    before = mentions(session, "Mara Vane")
    root.rename(root.with_name("elsewhere"))
    assert mentions(session, "Mara Vane") == before
    root.mkdir()
    assert mentions(session, "Mara Vane") == before


def test_a_session_that_was_closed_says_so(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    twin = session.reporting(GivingUp("no stage"))
    session.close()
    session.close()
    for closed in (session, twin):
        with pytest.raises(StoreError, match=r"is closed\. Open the vault again\.$"):
            closed.call("list_entities", {})
        with pytest.raises(StoreError, match="is closed"):
            closed.read_note("Manuscript/01.md")


def test_an_expired_lease_is_taken_over(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT))
    long_ago = time.time() - 3600
    with hold_lease(session.database, session.vault_id, clock=lambda: long_ago):
        assert session.call("sync", {"wait": 0}).model_dump()["added"] == 3


def test_a_writer_who_has_lost_its_turn_is_told_so_at_once(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_vault(write_vault(VAULT))

    def plan_while_another_takes_over(*arguments: Any, **named: Any) -> Plan:
        with session.database.write() as connection:
            another = Lease(session.vault_id, owner="elsewhere:1:0")
            another.renew(connection, time.time() + 2 * SECONDS)
        return make_plan(*arguments, **named)

    monkeypatch.setattr(synchronizer, "make_plan", plan_while_another_takes_over)
    with pytest.raises(BusyError, match=r"Another process \(elsewhere:1\)"):
        Synchronizer(session).sync()
    with session.database.write():
        pass  # nobody keeps others waiting


def test_a_changed_plugin_makes_notes_stale(write_vault: WriteVault, open_vault: OpenVault) -> None:
    root = write_vault(VAULT)
    open_vault(root).call("sync", {})
    without = open_vault(root, disabled_plugins=["partial_names"])
    assert without.call("migrate", {}).model_dump()["sync"]["redetected"] > 0
    assert mentions(without, "Mara Vane") == [
        ("Manuscript/01.md", "Mara Vane"),
        ("Manuscript/01.md", "Vee"),
    ]
