"""What notes are about, in the index: whose topics they are, from where, and until when."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from sqlalchemy import select

from writeros_entities import DerivedName, Settings, hookimpl
from writeros_entities.plugins import load_plugins
from writeros_entities.session import Session
from writeros_entities.sync import run, workers

from ..conftest import OpenVault
from ..databases import one_engine

databases = one_engine

WriteVault = Callable[[dict[str, str]], Path]

MARGOT = """---
type: person
tags: [widow]
visible_from: 1
---
# Margot

## The garden

She grows roses.

## The mask

visible_from:: 2

She robs mills. #robber
"""
VAULT = {
    "People/Margot.md": MARGOT,
    "Book/01.md": "---\nthemes: [grief]\n---\nMargot wept.",
    "Book/02.md": "---\nthemes: [flour]\n---\nMargot laughed.",
}


def topics(session: Session, as_of: int | None = None) -> dict[str, set[str]]:
    with session.view(as_of) as view:
        topic, note = view.topic, view.note
        found: dict[str, set[str]] = {}
        statement = select(note.c.path, topic.c.name).join(note, note.c.id == topic.c.note_id)
        for path, name in view.all(statement):
            found.setdefault(path, set()).add(name)
        return found


def test_a_note_has_topics_from_where_it_may_be_seen(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    margot = {"People/Margot.md": {"widow", "The garden"}}
    assert topics(session, 0) == {}
    assert topics(session, 1) == margot | {"Book/01.md": {"grief"}}
    assert topics(session) == margot | {"Book/01.md": {"grief"}, "Book/02.md": {"flour"}}


def test_a_section_to_be_seen_later_has_no_part_in_the_topics_of_its_note(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    assert "robber" not in topics(session)["People/Margot.md"]
    (root / "People/Margot.md").write_text(MARGOT.replace("visible_from:: 2\n", ""))
    session.call("sync", {})
    assert topics(session, 1)["People/Margot.md"] == {"widow", "The garden", "The mask", "robber"}


def test_a_note_that_is_hidden_but_for_a_section_shows_no_topics(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = MARGOT.replace("visible_from: 1\n", "")
    session = open_vault(write_vault(VAULT | {"People/Margot.md": sheet}))
    session.call("sync", {})
    assert "People/Margot.md" not in topics(session, 2)
    assert topics(session)["People/Margot.md"] == {"widow", "The garden"}


def test_topics_change_and_go_with_their_note(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root)
    session.call("sync", {})
    (root / "Book/01.md").write_text("---\nthemes: [grief, rain]\n---\nMargot wept.")
    (root / "Book/02.md").unlink()
    session.call("sync", {})
    assert topics(session, 1)["Book/01.md"] == {"grief", "rain"}
    assert "Book/02.md" not in topics(session)


def test_the_graph_tells_the_topics_of_the_notes_that_name_an_entity(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    found = [
        session.call("get_entity_graph", {"include_topics": True, "as_of": as_of}).model_dump()
        for as_of in (1, None)
    ]
    assert [answer["nodes"][0]["topics"] for answer in found] == [
        ["grief", "widow", "The garden"],
        ["flour", "grief", "widow", "The garden"],
    ]


def test_a_note_tells_what_it_is_about_with_the_notes_that_are_near(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(VAULT))
    session.call("sync", {})
    answer = session.call("find_related_notes", {"note": "People/Margot.md", "as_of": 1})
    assert answer.model_dump()["topics"] == [
        {"name": "widow", "confidence": 0.95},
        {"name": "The garden", "confidence": 0.7},
    ]
    assert answer.as_text().startswith("People/Margot.md is about: widow, The garden.\n\n- Book/")


def test_a_vault_without_topics_can_be_had(write_vault: WriteVault, open_vault: OpenVault) -> None:
    session = open_vault(write_vault(VAULT), disabled_plugins=["topics"])
    session.call("sync", {})
    assert topics(session) == {}


def test_a_note_that_can_no_longer_be_read_has_no_topics(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    root = write_vault(VAULT)
    session = open_vault(root, max_note_bytes=1_000)
    session.call("sync", {})
    (root / "Book/01.md").write_text("---\nthemes: [grief]\n---\n" + "Margot wept. " * 100)
    session.call("sync", {})
    assert topics(session) == {
        "People/Margot.md": {"widow", "The garden"},
        "Book/02.md": {"flour"},
    }


class Meddler:
    """Does something when the first name is derived: between the reading of notes and topics."""

    def __init__(self, meddle: Callable[[], object]) -> None:
        self._meddle: Callable[[], object] | None = meddle

    @hookimpl
    def derive_names(self, name: str) -> Iterable[DerivedName]:
        if self._meddle is not None:
            meddle, self._meddle = self._meddle, None
            meddle()
        return []


def open_meddled(open_vault: OpenVault, root: Path, meddle: Callable[[], object]) -> Session:
    return open_vault(root, plugins=load_plugins(Settings(), {"meddler": Meddler(meddle)}))


def test_topics_that_an_interrupted_sync_has_not_found_are_found_by_the_next(
    write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "NOTES_PER_TRANSACTION", 1)
    session = open_meddled(open_vault, write_vault(VAULT), interrupt)
    with pytest.raises(KeyboardInterrupt):
        session.call("sync", {})
    assert session.call("status", {}).model_dump()["notes"] == {"note": 3}
    session.call("sync", {})
    assert topics(session, 1) == {
        "People/Margot.md": {"widow", "The garden"},
        "Book/01.md": {"grief"},
    }


@pytest.mark.parametrize("after", ["as it was", "as it became"])
def test_topics_of_a_note_that_changes_during_a_sync_are_found_by_the_next(
    after: str, write_vault: WriteVault, open_vault: OpenVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "ROOM", 0)  # so that it is read again
    root = write_vault(VAULT)
    margot = root / "People/Margot.md"
    hidden_but_for_a_section = MARGOT.replace("visible_from: 1\n", "")
    margot.write_text(hidden_but_for_a_section)
    changed = hidden_but_for_a_section.replace("widow", "bride")
    session = open_meddled(open_vault, root, lambda: margot.write_text(changed))
    session.call("sync", {})
    assert "People/Margot.md" not in topics(session)
    if after == "as it was":
        margot.write_text(hidden_but_for_a_section)
    session.call("sync", {})
    known = {"widow" if after == "as it was" else "bride", "The garden"}
    assert topics(session)["People/Margot.md"] == known
    assert "People/Margot.md" not in topics(session, 2)
