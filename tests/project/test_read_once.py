"""A note is read once: what answers parses no Markdown, and splits no sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from writeros_entities.vault import notes

from ..reading.conftest import Ask, ask, databases

__all__ = ["ask", "databases"]

ROOT = Path(__file__).resolve().parents[2]

VAULT = {
    "Cast/Ann Reed.md": (
        "---\ntype: person\naliases: [Ann]\nrole: miller\nmother: '[[Ruth Reed|Ruth]]'\n---\n"
        "Her father:: [[Bo Reed]]\n\n## Early life\n\nShe was born by the ford. ^born\n\n"
        "- keeps the mill\n\n\t- and the weir\n"
    ),
    "Cast/Bo Reed.md": "---\ntype: person\nage: 40\n---\nA smith. See [[Ann Reed#Early life]].\n",
    "Book/01 Ford.md": (
        "---\nsequence: 1\npov: Ann\n---\n# The Ford\n\n**Location**: the mill\n\n"
        "“Wait,” said [[Ann Reed|Ann]] to *Bo Reed*.\n\n***\n\n> “No,” said Bo Reed. He ran.\n\n"
        "| who | where |\n| --- | --- |\n| Ann | the mill |\n"
    ),
    "Book/02 Mill.md": "---\nsequence: 2\n---\nAnn waited. “Bo?” she said.\n\n`Ann` slept.\n",
}

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("find_mentions", {"entity": "Ann Reed"}),
    ("find_uses", {"entity": "Ann Reed", "renamed_to": "Bo Reed"}),
    ("get_family_tree", {"entity": "Ann Reed"}),
    ("get_entity", {"entity": "Ann Reed"}),
    ("build_context", {"entities": ["Ann Reed"]}),
    ("brief_scene", {"scene": "2"}),
    ("check_continuity", {}),
    ("find_speeches", {}),
    ("describe_voice", {"entity": "Ann Reed"}),
    ("list_events", {"order": "story"}),
    ("list_notes", {"order": "story"}),
    ("who_knows", {"about": "Ann Reed"}),
    ("read_note", {"note": "Ann Reed#Early life"}),
    ("read_note", {"note": "Ann Reed#^born"}),
    ("doctor", {}),
]


@pytest.mark.parametrize(("capability", "asked"), ASKED, ids=lambda one: str(one))
def test_an_answer_parses_no_note(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capability: str, asked: dict[str, Any]
) -> None:
    expected = ask(capability, **asked).as_text()
    monkeypatch.delattr(notes, "_parse")
    assert ask(capability, **asked).as_text() == expected


def test_an_answer_that_walks_over_phrases_parses_the_question_alone(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(notes, "_parse", _told(notes._parse, parsed))
    ask("reason_over_entities", query="Who keeps the mill?")
    assert {one.strip() for one in parsed} == {"Who keeps the mill?"}


def _told(parse: Any, parsed: list[str]) -> Any:
    def parse_and_tell(path: str, text: str, *others: Any) -> Any:
        parsed.append(text)
        return parse(path, text, *others)

    return parse_and_tell


SPLITS = re.compile(r"\[[.!?…。！？]{3,}\]")
"""Matches a pattern's class of the marks that end sentences, and of no other marks."""

ALLOWED = (
    *("writeros_entities/vault", "writeros_entities/language", "plugins/languages"),
    "plugins/discovery/uses.py",
)
"""Where sentences end; and what discovery asks of the marks beside a name, of which the page says
nothing.
"""


def literals() -> Iterator[tuple[str, int, str]]:
    """Yield the texts in the sources: their file, line and value."""
    for folder in ("writeros_entities", "plugins"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(ALLOWED):
                for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        yield name, node.lineno, node.value


def test_only_vault_and_language_say_where_sentences_end() -> None:
    assert [(file, line) for file, line, text in literals() if SPLITS.search(text)] == []


def test_the_search_for_patterns_that_split_finds_them() -> None:
    assert SPLITS.search(r"(?<![.!?…])[.!?…]++")
    assert not SPLITS.search(r"[.,;:!?]")
