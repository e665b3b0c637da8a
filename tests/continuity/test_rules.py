"""What each rule takes for a fault, and what it does not: small stories, written for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.session import Session

from ..cases import NAMES
from ..conftest import ReadVault
from ..databases import Databases
from .faults import FAULTS
from .no_faults_in_time import IN_TIME
from .no_faults_of_names import OF_NAMES
from .ranks_and_kin import CONFLICTS, NO_CONFLICTS
from .set_ups import NO_SET_UPS, SET_UPS

Find = Callable[[str, list[str], dict[str, str]], tuple[Path, list[dict[str, Any]]]]

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
            if not path.exists() or path.read_bytes() != text.encode():
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(text.encode())
        self.session.call("sync", {"close_reading": rule in READ_CLOSELY})


def check(session: Session, rule: str) -> list[dict[str, Any]]:
    """Return what a rule finds."""
    answer = session.call("check_continuity", {"rules": [rule], "limit": 200}).model_dump()
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


ABOUT_ONE = ("acts-after-death", "attribute-conflict")
"""Rules that look at one person at a time, whatever else stands in a sentence."""

READ_OTHERWISE = re.compile("(?:kills|bury) Ben Orchard")
"""What a parser reads otherwise of somebody with a rarer name."""

ONES = ("Ann Hale", "Ben Orchard")
SURNAMES = (("Hale", "Orchard"), ("Vale", "Pell"))


def is_told_with_others(rule: str, chapters: list[str], notes: dict[str, str]) -> bool:
    """Say whether a story may be told in one vault with others, each of people of its own.

    It has no other notes than their sheets, calls them by their whole names alone, says nothing of
    when it is, and nobody is kin: a parser may read a sentence otherwise that has other names.
    """
    texts = [*chapters, *notes.values()]
    without_names = re.sub("|".join(ONES), "", "\n".join(texts))
    return (
        rule in ABOUT_ONE
        and not any(text.startswith("---") for text in chapters)
        and notes.keys() <= {sheet_of(name) for name in ONES}
        and not any("[[" in text for text in texts)
        and not re.search(r"\b(Ann|Hale|Ben|Orchard|Corvin)\b", without_names)
    )


def sheet_of(name: str) -> str:
    return f"Characters/{name}.md"


@dataclass(frozen=True)
class Story:
    """A story of a rule that is told with others, and the names and paths that are its own."""

    chapters: list[str]
    notes: dict[str, str]
    number: int

    @property
    def names(self) -> dict[str, str]:
        """Return what the people are called here."""
        surnames = SURNAMES[self.number // len(NAMES)]
        given = (NAMES[self.number % len(NAMES)], NAMES[(self.number + 37) % len(NAMES)])
        own = (" ".join(name) for name in zip(given, surnames, strict=True))
        return dict(zip(ONES, own, strict=True))

    def tell(self) -> dict[str, str]:
        """Return the notes: all first chapters stand before all second ones."""
        told = {sheet_of(name): CAST[sheet_of(name)] for name in ONES} | self.notes
        for at, text in enumerate(self.chapters, 1):
            told[f"Manuscript/{300 * at - 200 + self.number}.md"] = text
        return {self._own(path): self._own(text) for path, text in told.items()}

    def _own(self, text: str) -> str:
        for name, own in self.names.items():
            text = text.replace(name, own)
        return text


def stories_of(rule: str) -> list[Story]:
    """Return the stories of a rule that are told in one vault."""
    cases = [(case[1], case[2]) for case in FOUND[rule]] + NOT_FOUND[rule]
    together = [case for case in cases if is_told_with_others(rule, *case)]
    return [Story(*case, number) for number, case in enumerate(together)]


@pytest.fixture
def find(stage: Stage, read_vault: ReadVault) -> Find:
    """Return a function that tells a story; it returns the vault's root and what a rule finds."""

    def found(
        rule: str, chapters: list[str], notes: dict[str, str]
    ) -> tuple[Path, list[dict[str, Any]]]:
        if not is_told_with_others(rule, chapters, notes) or READ_OTHERWISE.search(chapters[0]):
            stage.tell(rule, chapters, notes)
            return stage.root, check(stage.session, rule)
        stories = stories_of(rule)
        vault = {path: text for story in stories for path, text in story.tell().items()}
        session = read_vault(CAST | vault, workers=0, close_reading=rule in READ_CLOSELY)
        (own,) = (
            story.tell() for story in stories if (story.chapters, story.notes) == (chapters, notes)
        )
        return session.root, [
            finding
            for finding in check(session, rule)
            if own.keys() & {proof["path"] for proof in finding["evidence"]}
        ]

    return found


@pytest.mark.parametrize(
    ("rule", "code", "chapters", "notes"),
    [(rule, *case) for rule, cases in FOUND.items() for case in cases],
    ids=[f"{rule}-{case[0]}-{n}" for rule, cases in FOUND.items() for n, case in enumerate(cases)],
)
def test_a_fault_is_found(
    find: Find,
    rule: str,
    code: str,
    chapters: list[str],
    notes: dict[str, str],
) -> None:
    root, found = find(rule, chapters, notes)
    assert [finding["code"] for finding in found] == [code]
    for proof in found[0]["evidence"]:
        text = (root / proof["path"]).read_bytes().decode()
        assert text[proof["start"] : proof["end"]] == proof["quote"]
        assert text[: proof["start"]].count("\n") + 1 == proof["line"]


@pytest.mark.parametrize(
    ("rule", "chapters", "notes"),
    [(rule, *case) for rule, cases in NOT_FOUND.items() for case in cases],
    ids=[f"{rule}-{n}" for rule, cases in NOT_FOUND.items() for n, _ in enumerate(cases)],
)
def test_what_is_no_fault_is_not_found(
    find: Find,
    rule: str,
    chapters: list[str],
    notes: dict[str, str],
) -> None:
    _, found = find(rule, chapters, notes)
    assert [(one["message"], one["evidence"]) for one in found] == []
