"""A plugin that fails costs its own answers and nothing more, and whoever looks is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import (
    Capability,
    DerivedName,
    Lexicon,
    Mention,
    Note,
    PluginError,
    ProposedName,
    Request,
    Response,
    Session,
    Settings,
    SyncOutcome,
    Topic,
    WriterosError,
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


class CarelessProposer:
    @hookimpl
    def propose_entities(self, note: Note) -> Iterable[Any]:
        return ["Gallows Point"]


class CarelessDetector:
    @hookimpl
    def detect_entities(self, note: Note, lexicon: Lexicon) -> Iterable[Any]:
        return [(0, 7)] if "left" in note.text else []


class Observer:
    @hookimpl
    def note_synced(self, outcome: SyncOutcome) -> None:
        raise ValueError("deaf")


class Namer:
    failing = True

    @hookimpl
    def derive_names(self, name: str) -> Iterable[DerivedName]:
        if self.failing:
            raise ValueError(f"nothing follows from {name}")
        return []


class Summarizer:
    failing = True

    @hookimpl
    def extract_topics(self, note: Note) -> Iterable[Topic]:
        if self.failing and "left" in note.text:
            raise ValueError("no idea")
        return []


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


def test_failing_to_find_topics_is_told_until_it_works(open_with: Callable[..., Session]) -> None:
    summarizer = Summarizer()
    session = open_with(summarizer)
    told = (
        "Chapter 2.md",
        "topics-failed",
        "Plugin 'stranger', extract_topics: ValueError: no idea",
    )
    assert troubles(call(session, "sync"), "diagnostics") == [told]
    assert troubles(call(session, "doctor"), "problems") == [told]
    assert isoldes_mentions(session) == 2
    (session.root / "Chapter 2.md").write_text("Isolde left at noon.\n")
    assert troubles(call(session, "sync"), "diagnostics") == [told]
    summarizer.failing = False
    (session.root / "Chapter 2.md").write_text("Isolde left.\n")
    assert troubles(call(session, "sync"), "diagnostics") == []
    assert troubles(call(session, "doctor"), "problems") == []


def test_answers_of_the_wrong_kind_cost_their_plugins_answers(
    open_with: Callable[..., Session],
) -> None:
    session = open_with(CarelessProposer())
    fault = "TypeError: expected 'ProposedName', got 'str'"
    message = f"Plugin 'stranger', propose_entities: {fault}"
    report = call(session, "sync")
    assert troubles(report, "diagnostics") == [(path, "plugin-failed", message) for path in VAULT]
    assert isoldes_mentions(session) == 2


def test_a_mention_of_the_wrong_kind_costs_the_plugins_mentions_in_that_note(
    open_with: Callable[..., Session],
) -> None:
    session = open_with(CarelessDetector())
    message = "Plugin 'stranger', detect_entities: TypeError: expected 'Mention', got 'tuple'"
    report = call(session, "sync")
    assert troubles(report, "diagnostics") == [("Chapter 2.md", "detection-failed", message)]
    assert isoldes_mentions(session) == 2


def test_a_failing_observer_is_told_and_the_sync_stands(open_with: Callable[..., Session]) -> None:
    session = open_with(Observer())
    report = call(session, "sync")
    message = "Plugin 'stranger', note_synced: ValueError: deaf"
    assert troubles(report, "diagnostics") == [("", "plugin-failed", message)]
    assert (report["added"], isoldes_mentions(session)) == (3, 2)


def test_failing_to_derive_names_is_told_until_it_works(open_with: Callable[..., Session]) -> None:
    namer = Namer()
    session = open_with(namer)
    report = call(session, "sync")
    told = (
        "Cast/Isolde.md",
        "naming-failed",
        "Plugin 'stranger', derive_names: ValueError: nothing follows from Isolde",
    )
    assert troubles(report, "diagnostics") == [told]
    assert troubles(call(session, "doctor"), "problems") == [told]
    assert isoldes_mentions(session) == 2
    namer.failing = False
    (session.root / "Cast/Isolde.md").write_text("---\ntype: person\naliases: [Izzy]\n---\n")
    assert troubles(call(session, "sync"), "diagnostics") == []
    assert troubles(call(session, "doctor"), "problems") == []


def test_failing_to_derive_from_a_name_without_a_note_costs_nothing_else(
    open_with: Callable[..., Session],
) -> None:
    session = open_with(Namer())
    call(session, "sync")
    text = "He met Mr. Marlow. Then he bowed to Mr. Marlow, and Mr. Marlow sat.\n"
    (session.root / "Chapter 9.md").write_text(text)
    (session.root / "Chapter 10.md").write_text(text.replace("Mr. ", ""))
    report = call(session, "sync")
    assert troubles(report, "diagnostics") == [
        (
            "Chapter 9.md",
            "naming-failed",
            "Plugin 'stranger', derive_names: ValueError: nothing follows from Mr. Marlow",
        )
    ]
    (found,) = call(session, "list_entities", statuses=["suggested"])["entities"]
    assert (found["name"], found["mention_count"]) == ("Mr. Marlow", 6)


def test_a_renewed_entity_says_anew_whether_its_names_could_be_derived(
    open_with: Callable[..., Session],
) -> None:
    namer = Namer()
    session = open_with(namer)
    call(session, "sync")
    assert [path for path, *_ in troubles(call(session, "doctor"), "problems")] == [
        "Cast/Isolde.md"
    ]
    namer.failing = False
    (session.root / "Chapter 2.md").write_text("[[Isolde|Lady Isolde]] left.\n")
    call(session, "sync")
    assert troubles(call(session, "doctor"), "problems") == []


def test_what_fails_over_a_text_that_is_no_note_is_told_with_what_was_found(
    open_with: Callable[..., Session],
) -> None:
    session = open_with(Proposer())
    call(session, "sync")
    answer = session.call("extract_entities", {"text": "Isolde came home."})
    found = answer.model_dump()
    message = "Plugin 'stranger', propose_entities: ValueError: no names today"
    assert [entity["surface_form"] for entity in found["entities"]] == ["Isolde"]
    assert [(one["code"], one["message"]) for one in found["diagnostics"]] == [
        ("plugin-failed", message)
    ]
    assert answer.as_text().endswith(f"- vault — {message} (plugin-failed)")


def test_a_detector_that_fails_over_a_text_is_told(open_with: Callable[..., Session]) -> None:
    session = open_with(Detector())
    call(session, "sync")
    found = call(session, "extract_entities", text="Isolde left.")
    message = "Plugin 'stranger', detect_entities: ValueError: cannot see"
    assert [entity["surface_form"] for entity in found["entities"]] == ["Isolde"]
    assert [one["message"] for one in found["diagnostics"]] == [message]


class Sizes(Response):
    sizes: list[int]

    def as_text(self) -> str:
        return f"{self.sizes}"


def adding(name: str, answer: object) -> object:
    def measure(session: object, request: Request) -> Any:
        return answer

    added = Capability(name, "sizes", "Measure.", Request, Sizes, measure)

    class Adding:
        @hookimpl
        def register_capabilities(self) -> list[Capability[Any, Any]]:
            return [added]

    return Adding()


def test_a_capability_that_returns_another_answer_is_named(
    open_with: Callable[[object], Session],
) -> None:
    session = open_with(adding("measure", {"sizes": [1]}))
    with pytest.raises(
        PluginError, match=r"^Capability 'measure' returned dict, expected Sizes\.$"
    ):
        session.call("measure", {})


def test_a_capability_named_like_the_frameworks_names_its_plugin(
    open_with: Callable[[object], Session],
) -> None:
    session = open_with(adding("search", Sizes(sizes=[])))
    with pytest.raises(PluginError, match=r"^Plugin 'stranger' has a capability named 'search', "):
        session.call("status", {})


def test_the_doctor_knows_of_a_plugin_that_is_broken(open_with: Callable[..., Session]) -> None:
    session = open_with(Misspelt())
    call(session, "sync")
    message = "Plugin 'stranger': There is no hook 'extract_topic'. Did you mean 'extract_topics'?"
    assert troubles(call(session, "doctor"), "problems") == [("", "broken-plugin", message)]


def test_what_the_settings_name_and_no_plugin_offers_is_told_where_one_looks(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> None:
    root = write_vault(VAULT)
    open_vault(root).call("sync", {})
    session = open_vault(root, embedding_model="gone", knowledge_bases=("lost",))
    advice = "install its plugin or change that."
    model = (
        "There is no embedding model named 'gone'. "
        "Known: all-MiniLM-L6-v2, multilingual-e5-small. "
        f"Setting embedding_model names it: {advice}"
    )
    base = (
        "There is no knowledge base named 'lost'. Known: technical. "
        f"Setting knowledge_bases names it: {advice}"
    )
    found = [one for one in troubles(call(session, "doctor"), "problems") if not one[0]]
    assert found == [("", "unavailable", model), ("", "unavailable", base)]
    status = call(session, "status")
    assert (status["notes"], status["lexical_because"]) == ({"note": 3}, model)
    with pytest.raises(WriterosError, match=advice):
        session.call("sync", {})
