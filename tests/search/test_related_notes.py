"""Notes that are near to a note: by whom and what both speak of, and by meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.capabilities.search import related_notes
from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.session import Session

from ..databases import one_engine
from ..models import with_meaning

databases = one_engine

OpenVault = Callable[..., Session]
WriteVault = Callable[[dict[str, str]], Path]


def related(session: Session, note: str, **arguments: Any) -> list[tuple[str, float]]:
    answer = session.call("find_related_notes", {"note": note, **arguments}).model_dump()
    return [(one["path"], one["sharing"]) for one in answer["notes"]]


ISLES = {
    "Places/Ait.md": "---\ntype: place\n---\nAn isle.\n",
    "Places/Bere.md": "---\ntype: place\n---\nAn isle.\n",
    "Places/Coll.md": "---\ntype: place\n---\nAn isle.\n",
    "Manuscript/01 - One.md": "From Ait to Bere.\n",
    "Manuscript/02 - Two.md": "Ait, then Bere.\n",
    "Manuscript/03 - Three.md": "Ait, then Coll.\n",
    "Manuscript/04 - Four.md": "The boat went to no isle.\n",
}


def test_notes_are_related_by_what_both_speak_of(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault(ISLES))
    session.call("sync", {})
    # 7 notes; Ait is in 3: ln(1 + 7/3) = 1.204, Bere in 2: ln(1 + 7/2) = 1.5041.
    # Three: 1.204 / (1.204 + 1.5041 + the mean of both, for Coll) = 0.2964.
    assert related(session, "Manuscript/01 - One.md") == [
        ("Manuscript/02 - Two.md", 1.0),
        ("Manuscript/03 - Three.md", 0.2964),
    ]
    assert related(session, "01 - One", as_of=2) == [("Manuscript/02 - Two.md", 1.0)]
    answer = session.call("find_related_notes", {"note": "01 - One"})
    assert "both mention Bere, Ait" in answer.as_text()


def test_shared_entities_that_tell_as_much_stand_by_name_however_they_came(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    isle = "---\ntype: place\n---\nAn isle.\n"
    vault = {
        "Places/Bere.md": isle,
        "Places/Coll.md": isle,
        "Manuscript/01 - One.md": "From Coll by Ait to Bere.\n",
        "Manuscript/02 - Two.md": "From Coll by Ait to Bere.\n",
    }
    root = write_vault(vault)
    session = open_vault(root)
    session.call("sync", {})
    (root / "Places/Ait.md").write_text(isle)
    session.call("sync", {})
    answer = session.call("find_related_notes", {"note": "01 - One"}).model_dump()
    shared = answer["notes"][0]["shared_entities"]
    assert [entity["name"] for entity in shared] == ["Ait", "Bere", "Coll"]


def test_notes_are_related_by_meaning_too(
    write_vault: WriteVault, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(related_notes, "DEPTH", 1)  # the note's own passages do not count
    vault = ISLES | {"Notes/Sails.md": "The ship went to no isle.\n"}
    with with_meaning(write_vault(vault), database) as session:
        session.call("sync", {})
        answer = session.call("find_related_notes", {"note": "04 - Four"}).model_dump()
    first = answer["notes"][0]
    assert (first["path"], first["nearness"], first["score"]) == ("Notes/Sails.md", 1.0, 0.5)


def test_a_note_is_meant_by_path_title_or_name(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    sheet = "---\ntype: character\naliases: [Nan]\n---\nAnn mends nets.\n"
    session = open_vault(write_vault({"Characters/Ann Reed.md": sheet}))
    session.call("sync", {})

    def path(note: str) -> str:
        answer = session.call("find_related_notes", {"note": note}).model_dump()
        return str(answer["path"])

    for name in ("Characters/Ann Reed.md", "Characters/Ann Reed", "ann reed", "Nan"):
        assert path(name) == "Characters/Ann Reed.md"
    with pytest.raises(NotFoundError, match="Ann Red"):
        path("Ann Red")


def test_a_title_that_two_notes_have_needs_a_path(
    write_vault: WriteVault, open_vault: OpenVault
) -> None:
    session = open_vault(write_vault({"a/Log.md": "x\n", "b/Log.md": "y\n"}))
    session.call("sync", {})
    with pytest.raises(AmbiguousNameError, match=r"a/Log\.md"):
        session.call("find_related_notes", {"note": "Log"})
