"""The faults of `novel.truth/faults.yaml`, planted in a copy of the novel: which are found.

Somebody who had not seen the rules planted them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from ..truth import read_yaml

FIXTURES = Path(__file__).parents[2] / "vault_fixtures"
NOVEL = FIXTURES / "novel"

SOUND = {
    "Aldous Marrow is born in 1183, and in 1182.",
    "Isolde Marrow: eyes grey, and green.",
    "Aldous Marrow: signet (hand) left, and right.",
}
"""What the novel's own author planted, and `novel.truth/README.md` lists: no false findings."""


@dataclass(frozen=True)
class Fault:
    """A sentence of a note, and the same with what contradicts another place."""

    kind: str
    note: str
    find: str
    replace: str

    def plant(self, root: Path) -> None:
        """Write the fault into a copy of the novel."""
        path = root / self.note
        text = path.read_text("utf-8")
        assert text.count(self.find) == 1
        path.write_text(text.replace(self.find, self.replace), "utf-8")

    def is_shown_by(self, finding: dict[str, Any]) -> bool:
        """Say whether a finding is of this rule, and quotes what was planted."""
        return finding["rule"] == self.kind and any(
            proof["path"] == self.note and _overlap(proof["quote"], self.replace, self.find)
            for proof in finding["evidence"]
        )


def _overlap(quote: str, planted: str, sound: str) -> bool:
    return quote not in sound and (quote in planted or planted in quote)


def _faults() -> list[Fault]:
    found = read_yaml(FIXTURES / "novel.truth" / "faults.yaml")
    return [Fault(one["kind"], one["note"], one["find"], one["replace"]) for one in found["faults"]]


FAULTS = _faults()
MISSED = frozenset({2, 3, 7, 8})
"""Who is where at what hour, kin of "the old man", and what a note says of where a name may stand:
what only the order of words tells is not read.
"""
FOUND = sorted({*range(len(FAULTS))} - MISSED)


@dataclass(frozen=True)
class Copy:
    """A copy of the novel and its session."""

    root: Path
    session: Session

    def check(self) -> list[dict[str, Any]]:
        """Sync, and return the findings."""
        self.session.call("sync", {})
        answer = self.session.call("check_continuity", {"limit": 100}).model_dump()
        assert answer["failures"] == []
        findings: list[dict[str, Any]] = answer["findings"]
        return findings


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases) -> Iterator[Copy]:
    root = tmp_path_factory.mktemp("planted") / "novel"
    shutil.copytree(NOVEL, root)
    with Session.open(
        root, database=sqlite_databases.create(), workers=0, close_reading=True
    ) as session:
        yield Copy(root, session)


@pytest.fixture
def sound(copy: Copy) -> Copy:
    """Return the copy as the novel is."""
    for fault in FAULTS:
        shutil.copyfile(NOVEL / fault.note, copy.root / fault.note)
    return copy


def test_the_sound_novel_has_only_the_faults_that_its_author_planted(sound: Copy) -> None:
    assert {finding["message"] for finding in sound.check()} == SOUND


def test_the_planted_faults_are_found_and_nothing_beside_them(sound: Copy) -> None:
    for fault in FAULTS:
        fault.plant(sound.root)
    new = [finding for finding in sound.check() if finding["message"] not in SOUND]
    shown_by = [[n for n, fault in enumerate(FAULTS) if fault.is_shown_by(one)] for one in new]
    assert sorted(shown_by) == [[number] for number in FOUND]
