import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from writeros_plugins import discovery

from writeros_entities import ProposedName, Settings


@pytest.fixture
def skipped(monkeypatch):
    """Stand in for the finder of names: every capitalised word is a person."""
    seen = []

    def find_names(text, *, skip):
        seen.extend(skip)
        return [
            SimpleNamespace(start=m.start(), end=m.end(), text=m[0], type=kind, confidence=0.5)
            for m in re.finditer(r"[A-Z][a-zA-Z\x01]+(?: [A-Z][a-z]+)?", text)
            for kind in ["person" if len(m[0]) < 8 else None]
        ]

    module = ModuleType("writeros_plugins.discovery.names")
    vars(module)["find_names"] = find_names
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return seen


def test_a_name_is_proposed_once_with_its_count(make_note, skipped) -> None:
    note = make_note("then Isolde met ISOLDE and Isolde, then Hezekiah")
    assert discovery.propose_entities(note, Settings(discovery_needed=2)) == [
        ProposedName("Isolde", "person", 3, 2, 0.5),
        ProposedName("Hezekiah", None, 1, 2, 0.5),
    ]


def test_formatting_is_no_part_of_a_name_and_hidden_text_is_skipped(make_note, skipped) -> None:
    note = make_note("Is**old**e and `Code`")
    note = make_note(note.text, prose=note.prose.replace("`Code`", "\0" * 6))
    (proposed,) = discovery.propose_entities(note, Settings())
    assert proposed.name == "Isolde"
    assert skipped == [(15, 21)]


def test_discovery_can_be_switched_off(make_note, skipped) -> None:
    assert discovery.propose_entities(make_note("Isolde"), Settings(discovery=False)) == []
