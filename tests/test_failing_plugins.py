"""A plugin that fails costs its own answers and nothing more, and whoever looks is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import (
    Lexicon,
    Mention,
    Note,
    ProposedName,
    Session,
    Settings,
    SyncOutcome,
    hookimpl,
)
from writeros_entities.plugins import load_plugins

VAULT = {
    "Cast/Isolde.md": "---\ntype: person\n---\n",
    "Chapter 1.md": "Isolde came home.\n",
    "Chapter 2.md": "Isolde left.\n",
}


class Proposer:
    @hookimpl
    def propose_entities(self, note: Note) -> Iterable[ProposedName]:
        raise ValueError("no names today")


class Detector:
    @hookimpl
    def detect_entities(self, note: Note, lexicon: Lexicon) -> Iterable[Mention]:
        if "left" in note.text:
            raise ValueError("cannot see")
        return []


class Observer:
    @hookimpl
    def note_synced(self, outcome: SyncOutcome) -> None:
        raise ValueError("deaf")


class Misspelt:
    @hookimpl
    def extract_topic(self, note: Note) -> Iterable[str]:
        return []


@pytest.fixture
def open_with(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> Callable[[object], Session]:
    def open_with(plugin: object) -> Session:
        plugins = load_plugins(Settings(), {"stranger": plugin})
        return open_vault(write_vault(VAULT), plugins=plugins)

    return open_with


def call(session: Session, name: str, **arguments: Any) -> dict[str, Any]:
    return session.call(name, arguments).model_dump()


def troubles(answer: dict[str, Any], field: str) -> list[tuple[str, str, str]]:
    return [(one["path"], one["code"], one["message"]) for one in answer[field]]


def isoldes_mentions(session: Session) -> int:
    [isolde] = call(session, "list_entities", types=["person"])["entities"]
    count: int = isolde["mention_count"]
    return count


def test_a_failing_proposer_is_told_for_every_note(open_with: Callable[..., Session]) -> None:
    session = open_with(Proposer())
    report = call(session, "sync")
    message = "Plugin 'stranger', propose_entities: ValueError: no names today"
    assert troubles(report, "diagnostics") == [(path, "plugin-failed", message) for path in VAULT]
    assert isoldes_mentions(session) == 2


def test_a_failing_detector_costs_its_own_answers(open_with: Callable[..., Session]) -> None:
    session = open_with(Detector())
    report = call(session, "sync")
    message = "Plugin 'stranger', detect_entities: ValueError: cannot see"
    assert troubles(report, "diagnostics") == [("Chapter 2.md", "detection-failed", message)]
    assert ("Chapter 2.md", "detection-failed", message) in troubles(
        call(session, "doctor"), "problems"
    )
    assert isoldes_mentions(session) == 2


def test_a_failing_observer_is_told_and_the_sync_stands(open_with: Callable[..., Session]) -> None:
    session = open_with(Observer())
    report = call(session, "sync")
    message = "Plugin 'stranger', note_synced: ValueError: deaf"
    assert troubles(report, "diagnostics") == [("", "plugin-failed", message)]
    assert (report["added"], isoldes_mentions(session)) == (3, 2)


def test_the_doctor_knows_of_a_plugin_that_is_broken(open_with: Callable[..., Session]) -> None:
    session = open_with(Misspelt())
    call(session, "sync")
    message = "Plugin 'stranger': There is no hook 'extract_topic'. Did you mean 'extract_topics'?"
    assert troubles(call(session, "doctor"), "problems") == [("", "broken-plugin", message)]
