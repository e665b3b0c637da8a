"""Faults of another story than the one by which the rules were made: each is found, and alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from .orchard import PLANTED, VAULT, Planted


@pytest.fixture(scope="module")
def orchard(
    tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("orchard")
    (root / ".obsidian").mkdir()
    with Session.open(root, database=sqlite_databases.create(), workers=0) as session:
        yield session


def tell(session: Session, vault: dict[str, str]) -> list[dict[str, Any]]:
    """Make the session's vault that of a story, and return the findings."""
    for path, text in vault.items():
        file = Path(session.root) / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    session.call("sync", {})
    answer = session.call("check_continuity", {"limit": 100}).model_dump()
    assert answer["failures"] == []
    findings: list[dict[str, Any]] = answer["findings"]
    return findings


def test_the_sound_story_has_no_fault(orchard: Session) -> None:
    assert [finding["message"] for finding in tell(orchard, VAULT)] == []


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: f"{fault.rule}-{fault.note[5:7]}")
def test_a_planted_fault_is_found_alone(orchard: Session, fault: Planted) -> None:
    text = VAULT[fault.note]
    assert text.count(fault.find) == 1
    found = tell(orchard, VAULT | {fault.note: text.replace(fault.find, fault.replace)})
    assert [finding["rule"] for finding in found] == [fault.rule]
    assert fault.note in {proof["path"] for proof in found[0]["evidence"]}
