"""What each rule takes for a fault, and what it does not: small stories, written for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..databases import Databases
from .faults import FAULTS
from .no_faults_in_time import IN_TIME
from .no_faults_of_names import OF_NAMES
from .ranks_and_kin import CONFLICTS, NO_CONFLICTS
from .set_ups import NO_SET_UPS, SET_UPS

FOUND = FAULTS | {
    "attribute-conflict": [*FAULTS["attribute-conflict"], *CONFLICTS],
    "unresolved-set-up": SET_UPS,
}
NOT_FOUND = {
    **IN_TIME,
    **OF_NAMES,
    "attribute-conflict": [*OF_NAMES["attribute-conflict"], *NO_CONFLICTS],
    "unresolved-set-up": NO_SET_UPS,
}

READ_CLOSELY = frozenset({"acts-after-death", "attribute-conflict"})
"""Rules about what the grammar of sentences tells."""

CAST = {
    "Characters/Ann Hale.md": "---\ntype: person\ngender: female\n---\nA surveyor.",
    "Characters/Ben Orchard.md": "---\ntype: person\ngender: male\n---\nA carter.",
    "Characters/Corvin.md": "---\ntype: person\ngender: male\n---\nA stranger.",
    "Places/Dover.md": "---\ntype: place\n---\nA port.",
    "Places/York.md": "---\ntype: place\n---\nA city.",
}


@dataclass(frozen=True)
class Stage:
    """One vault and its session, on which one story after another is told."""

    root: Path
    session: Session

    def tell(self, rule: str, chapters: list[str], notes: dict[str, str]) -> None:
        """Make the vault that of a story, read by grammar if a rule is about relations."""
        story = vault_of(chapters, notes)
        for path in self.root.rglob("*.md"):
            if path.relative_to(self.root).as_posix() not in story:
                path.unlink()
        for name, text in story.items():
            path = self.root / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.encode())
        self.session.call("sync", {"close_reading": rule in READ_CLOSELY})

    def check(self, rule: str) -> list[dict[str, Any]]:
        """Return what a rule finds."""
        answer = self.session.call("check_continuity", {"rules": [rule]}).model_dump()
        assert answer["failures"] == []
        findings: list[dict[str, Any]] = answer["findings"]
        return findings


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, sqlite_databases: Databases) -> Iterator[Stage]:
    root = tmp_path_factory.mktemp("stage")
    (root / ".obsidian").mkdir()
    with Session.open(
        root, database=sqlite_databases.create(), workers=0, close_reading=True
    ) as session:
        yield Stage(root, session)


def vault_of(chapters: list[str], notes: dict[str, str]) -> dict[str, str]:
    numbers = ("One", "Two", "Three")
    return {
        **CAST,
        **notes,
        **{
            f"Manuscript/0{number} - {numbers[number - 1]}.md": text
            for number, text in enumerate(chapters, 1)
        },
    }


@pytest.mark.parametrize(
    ("rule", "code", "chapters", "notes"),
    [(rule, *case) for rule, cases in FOUND.items() for case in cases],
    ids=[f"{rule}-{case[0]}-{n}" for rule, cases in FOUND.items() for n, case in enumerate(cases)],
)
def test_a_fault_is_found(
    stage: Stage,
    rule: str,
    code: str,
    chapters: list[str],
    notes: dict[str, str],
) -> None:
    stage.tell(rule, chapters, notes)
    found = stage.check(rule)
    assert [finding["code"] for finding in found] == [code]
    for proof in found[0]["evidence"]:
        text = (stage.root / proof["path"]).read_bytes().decode()
        assert text[proof["start"] : proof["end"]] == proof["quote"]
        assert text[: proof["start"]].count("\n") + 1 == proof["line"]


@pytest.mark.parametrize(
    ("rule", "chapters", "notes"),
    [(rule, *case) for rule, cases in NOT_FOUND.items() for case in cases],
    ids=[f"{rule}-{n}" for rule, cases in NOT_FOUND.items() for n, _ in enumerate(cases)],
)
def test_what_is_no_fault_is_not_found(
    stage: Stage,
    rule: str,
    chapters: list[str],
    notes: dict[str, str],
) -> None:
    stage.tell(rule, chapters, notes)
    assert [(one["message"], one["evidence"]) for one in stage.check(rule)] == []
