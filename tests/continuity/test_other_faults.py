"""Faults of other stories than that by which the rules were made: each is found, and alone.

One story is told in the past tense, one in the present.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from . import ferry, orchard
from .orchard import Planted

STORIES = {"orchard": orchard, "ferry": ferry}


@pytest.fixture(scope="module")
def sessions(
    tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases
) -> Iterator[dict[str, Session]]:
    """Return a session for each story, on a vault of its own."""
    with ExitStack() as stack:
        opened = {}
        for name in STORIES:
            root = tmp_path_factory.mktemp(name)
            (root / ".obsidian").mkdir()
            database = sqlite_databases.create()
            session = Session.open(root, database=database, workers=0, close_reading=True)
            opened[name] = stack.enter_context(session)
        yield opened


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


@pytest.mark.parametrize("story", STORIES)
def test_the_sound_story_has_no_fault(sessions: dict[str, Session], story: str) -> None:
    found = tell(sessions[story], STORIES[story].VAULT)
    assert [(finding["message"], finding["evidence"]) for finding in found] == []


@pytest.mark.parametrize(
    ("story", "fault"),
    [(name, fault) for name, story in STORIES.items() for fault in story.PLANTED],
    ids=lambda one: one if isinstance(one, str) else f"{one.rule}-{one.note[5:7]}",
)
def test_a_planted_fault_is_found_alone(
    sessions: dict[str, Session], story: str, fault: Planted
) -> None:
    vault = STORIES[story].VAULT
    text = vault[fault.note]
    assert text.count(fault.find) == 1
    found = tell(sessions[story], vault | {fault.note: text.replace(fault.find, fault.replace)})
    assert [finding["rule"] for finding in found] == [fault.rule]
    assert fault.note in {proof["path"] for proof in found[0]["evidence"]}
