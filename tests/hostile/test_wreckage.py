"""What no repository can hold: each bad note is one diagnostic, and nothing is lost or written.

The notes are read in the same way on both engines; what these can store is the subject of
`test_storable`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session
from writeros_entities.testing import hash_vault

from ..conftest import OpenVault
from ..databases import Databases, one_engine
from .generated import NOTES, write_notes, write_oddities
from .separate import run_separately
from .told import Codes, doctor, mentioning_notes

FIXTURE = Path(__file__).parents[2] / "vault_fixtures" / "hostile"

MEGABYTES = 300
"""How much more memory than a small vault the hostile one may take."""

databases = one_engine


@dataclass(frozen=True)
class Wreck:
    """The fixture vault with everything generated beside it, synced once, in its own process."""

    session: Session
    expected: Codes
    hash_before: str
    report: dict[str, Any]
    megabytes: float


@pytest.fixture(scope="module")
def wreck(tmp_path_factory: pytest.TempPathFactory, databases: Databases) -> Iterator[Wreck]:
    folder = tmp_path_factory.mktemp("wreck")
    root = folder / "vault"
    shutil.copytree(FIXTURE, root)
    write_notes(root / "Generated")
    expected = {(f"Generated/{name}", code) for name, (_, code) in NOTES.items() if code}
    expected |= set(write_oddities(root / "Oddities"))
    before = hash_vault(root)
    database = databases.create()
    ran = run_separately(root, database, ("call", "sync", {}))
    with Session.open(root, database=database) as session:
        yield Wreck(session, expected, before, ran.answers[0], ran.megabytes)


@pytest.mark.timeout(250)
def test_every_generated_bad_note_has_its_diagnostic_and_no_good_one_has_any(wreck: Wreck) -> None:
    generated = ("Generated/", "Oddities/")
    found = {item for item in doctor(wreck.session) if item[0].startswith(generated)}
    assert found == wreck.expected


def test_the_sync_itself_tells_of_every_bad_note(wreck: Wreck) -> None:
    in_fixture = 11 + 1  # of notes, and the filter in the settings
    assert wreck.report["total_diagnostics"] == len(wreck.expected) + in_fixture


def test_every_note_beside_the_wreckage_is_read(wreck: Wreck) -> None:
    found = mentioning_notes(wreck.session)
    assert {f"Generated/{name}" for name in NOTES if name != "large.md"} <= found
    assert "Oddities/folder.md/inner.md" in found
    assert f"Oddities/{'deep/' * 100}down here.md" in found
    assert "Acts/First act.md" in found
    assert not any("secret" in path or "loop/" in path for path in found)


def test_nothing_in_the_hostile_vault_has_changed(wreck: Wreck) -> None:
    assert hash_vault(wreck.session.root) == wreck.hash_before


def test_a_second_sync_of_the_wreckage_finds_nothing_to_do(wreck: Wreck) -> None:
    report = wreck.session.call("sync", {}).model_dump()
    counts = [report[name] for name in ("added", "changed", "moved", "removed", "redetected")]
    assert counts == [0, 0, 0, 0, 0]


def test_the_wreckage_takes_bounded_memory(wreck: Wreck, database: str) -> None:
    base = run_separately(FIXTURE, database, ("call", "sync", {}))
    assert wreck.megabytes - base.megabytes < MEGABYTES


@pytest.mark.timeout(240)
def test_symlinks_that_are_followed_lead_in_no_circle_and_not_out(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    root = tmp_path / "vault"
    shutil.copytree(FIXTURE, root)
    for _ in write_oddities(root / "Oddities"):
        pass
    session = open_vault(root, follow_symlinks=True)
    session.call("sync", {})
    found = mentioning_notes(session)
    assert not any("secret" in path or "loop/" in path or "leaving" in path for path in found)
    assert {
        ("Oddities/leaving", "symlink"),
        ("Oddities/leaving.md", "symlink"),
        ("Oddities/self.md", "symlink"),
    } <= doctor(session)
