"""What cannot be read is not gone: nothing that was known of it is lost."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.errors import VaultError

from ..conftest import OpenVault
from .generated import LINE
from .separate import NOBODY, Run, separate_process
from .told import diagnosed, doctor, mentioning_notes

Act = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def everyone() -> Iterator[Path]:
    """Return a vault that an unprivileged user owns, in a folder that everyone may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    root = folder / "vault"
    for path, text in {
        "People/Odile Farrow.md": "---\ntype: person\n---\nShe pulls the strings.\n",
        "Acts/First act.md": "Odile Farrow lifts the fox.\n",
        "Acts/Second act.md": "Odile Farrow drops the fox.\n",
        "Alone.md": "Odile Farrow sleeps.\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    if os.getuid() == 0:
        for path_ in (folder, root, *root.rglob("*")):
            os.chown(path_, NOBODY, NOBODY)
    yield root
    for name in ("", "Acts"):
        (root / name).chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def nobody() -> Iterator[Run]:
    """Return what runs steps as a user whom permissions bind."""
    with separate_process(NOBODY) as run:
        yield run


@pytest.fixture
def act(nobody: Run, everyone: Path) -> Act:
    """Return a function that takes steps on the vault; it returns what the calls answered."""
    database = f"sqlite:///{everyone.parent / 'index.sqlite3'}"
    return lambda *steps: nobody(everyone, database, *steps).answers


def test_a_note_that_may_not_be_read_has_a_diagnostic_and_the_others_are_read(
    everyone: Path, act: Act
) -> None:
    (everyone / "Alone.md").chmod(0)
    report, found = act(("call", "sync", {}), ("call", "find_mentions", {"entity": "Odile Farrow"}))
    assert report["added"] == 4
    assert diagnosed(report, "diagnostics") == {("Alone.md", "unreadable")}
    assert [mention["path"] for mention in found["mentions"]] == [
        "Acts/First act.md",
        "Acts/Second act.md",
    ]


def test_a_note_that_becomes_unreadable_keeps_what_was_known_and_has_a_diagnostic(
    act: Act,
) -> None:
    _, report, health, found = act(
        ("call", "sync", {}),
        ("chmod", "Alone.md", 0),
        ("call", "sync", {}),
        ("call", "doctor", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert ("Alone.md", "unreadable") in diagnosed(health, "problems")
    assert found["total"] == 3


def test_a_folder_that_becomes_unreadable_deletes_nothing(act: Act) -> None:
    _, report, health, found = act(
        ("call", "sync", {}),
        ("chmod", "Acts", 0),
        ("call", "sync", {}),
        ("call", "doctor", {}),
        ("chmod", "Acts", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert ("Acts", "unreadable-folder") in diagnosed(health, "problems")
    assert found["total"] == 3


def test_a_folder_that_may_be_listed_but_not_entered_deletes_nothing(act: Act) -> None:
    _, report, found = act(
        ("call", "sync", {}),
        ("chmod", "Acts", 0o444),
        ("call", "sync", {}),
        ("chmod", "Acts", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 0
    assert found["total"] == 3


def test_a_root_that_becomes_unreadable_is_an_error_and_deletes_nothing(act: Act) -> None:
    _, error, broken_rebuild, found = act(
        ("call", "sync", {}),
        ("chmod", "", 0),
        ("call", "sync", {}),
        ("call", "rebuild", {}),
        ("chmod", "", 0o755),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert error["error"] == broken_rebuild["error"] == "VaultError"
    assert found["total"] == 3


def test_what_is_readable_again_is_read_again(everyone: Path, act: Act) -> None:
    (everyone / "Alone.md").chmod(0)
    _, report, found = act(
        ("call", "sync", {}),
        ("chmod", "Alone.md", 0o644),
        ("call", "sync", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["changed"] == 1
    assert report["total_diagnostics"] == 0
    assert found["total"] == 3


def test_a_single_note_that_vanishes_is_deleted(act: Act) -> None:
    _, report, found = act(
        ("call", "sync", {}),
        ("delete", "Alone.md"),
        ("call", "sync", {}),
        ("call", "find_mentions", {"entity": "Odile Farrow"}),
    )
    assert report["removed"] == 1
    assert found["total"] == 2


def test_an_empty_root_is_an_error_unless_it_is_meant(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault({"People/Odile Farrow.md": "She sleeps.\n"})
    session = open_vault(root)
    session.call("sync", {})
    for entry in root.iterdir():
        shutil.rmtree(entry)
    with pytest.raises(VaultError, match="is empty, but its index holds 1 files"):
        session.call("sync", {})
    assert session.call("status", {}).model_dump()["notes"] == {"note": 1}
    assert session.call("sync", {"allow_empty": True}).model_dump()["removed"] == 1


def test_a_note_that_grows_too_large_is_forgotten_with_a_diagnostic(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault(
        {"People/Odile Farrow.md": "---\ntype: person\n---\nShe sleeps.\n", "Log.md": LINE}
    )
    session = open_vault(root, max_note_bytes=1_000)
    session.call("sync", {})
    (root / "Log.md").write_text(LINE * 100)
    report = session.call("sync", {}).model_dump()
    assert diagnosed(report, "diagnostics") == {("Log.md", "too-large")}
    assert doctor(session) == {("Log.md", "too-large")}
    assert mentioning_notes(session) == set()
    (root / "Log.md").write_text(LINE)
    session.call("sync", {})
    assert doctor(session) == set()
    assert mentioning_notes(session) == {"Log.md"}
