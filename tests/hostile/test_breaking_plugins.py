"""A plugin that breaks on a note costs its own answer for that note, and is its diagnostic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from writeros_entities import ChunkSpan, Mention, Note, TokenCounter, hookimpl
from writeros_entities.plugins import load_plugins
from writeros_entities.settings import Settings

from ..conftest import OpenVault
from ..databases import one_engine
from .told import diagnosed, doctor, mentioning_notes

databases = one_engine


class Stumbling:
    """Finds nothing in any note, and breaks on those that speak of a fox."""

    name = "stumbling"
    identity = "stumbling/1"

    @hookimpl
    def detect_entities(self, note: Note) -> list[Mention]:
        if "fox" in note.prose:
            raise RuntimeError("a fox!")
        return []

    @hookimpl
    def register_chunkers(self) -> list[Stumbling]:
        return [self]

    def chunk(self, note: Note, counter: TokenCounter) -> Sequence[ChunkSpan]:
        if "hare" in note.prose:
            raise RuntimeError("a hare!")
        return [ChunkSpan(0, len(note.text), 1, ())]


def test_a_detector_that_breaks_on_a_note_is_its_diagnostic_until_it_does_not(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault(
        {
            "People/Odile Farrow.md": "---\ntype: person\n---\nShe sleeps.\n",
            "First.md": "Odile Farrow lifts the fox.\n",
            "Second.md": "---\ntags: [a b]\n---\nOdile Farrow lifts the fox.\n",
            "Third.md": "Odile Farrow lifts the moon.\n",
        }
    )
    session = open_vault(root, plugins=load_plugins(Settings(), {"stumbling": Stumbling()}))
    report = session.call("sync", {}).model_dump()
    expected = {
        ("First.md", "detection-failed"),
        ("Second.md", "detection-failed"),
        ("Second.md", "invalid-tag"),
    }
    assert diagnosed(report, "diagnostics") == expected
    assert doctor(session) == expected
    problems = session.call("doctor", {}).model_dump()["problems"]
    assert problems[0]["message"] == ("Plugin 'stumbling', detect_entities: RuntimeError: a fox!")
    assert mentioning_notes(session) == {"First.md", "Second.md", "Third.md"}
    (root / "People" / "Odile Farrow.md").write_text(
        "---\ntype: person\naliases: [the fox]\n---\nShe sleeps.\n"
    )
    session.call("sync", {})
    assert doctor(session) == expected
    (root / "First.md").write_text("Odile Farrow lifts the moon.\n")
    session.call("sync", {})
    assert doctor(session) == expected - {("First.md", "detection-failed")}


def test_a_chunker_that_breaks_on_a_note_is_its_diagnostic(
    write_vault: Callable[[dict[str, str]], Path], open_vault: OpenVault
) -> None:
    root = write_vault({"First.md": "A hare.\n", "Second.md": "A moon.\n"})
    settings = Settings(chunker="stumbling")
    plugins = load_plugins(settings, {"stumbling": Stumbling()})
    session = open_vault(root, plugins=plugins, chunker="stumbling")
    session.call("sync", {})
    assert doctor(session) == {("First.md", "plugin-failed")}
    assert session.call("status", {}).model_dump()["chunks"] == 1
