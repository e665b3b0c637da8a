"""The technical vault and the truth beside it agree with each other and with the knowledge base."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ..truth import read_yaml

ROOT = Path(__file__).parents[2]
VAULT = ROOT / "vault_fixtures" / "technical"
TRUTH = ROOT / "vault_fixtures" / "technical.truth"
MARK = re.compile(r"⟦([^⟦⟧→]+)(?:→([^⟦⟧→]+))?⟧")
NOTES = sorted(file.relative_to(VAULT).as_posix() for file in VAULT.rglob("*.md"))

KNOWN: dict[str, dict[str, Any]] = {
    entity["name"]: entity
    for entity in json.loads(
        (ROOT / "plugins" / "technical_knowledge" / "entities.json").read_text("utf-8")
    )
}
ENTITIES: dict[str, dict[str, Any]] = {
    entity["name"]: entity for entity in read_yaml(TRUTH / "entities.yaml")
}
LINKS: list[dict[str, Any]] = read_yaml(TRUTH / "links.yaml")


def marked(note: str) -> str:
    return (TRUTH / "mentions" / note).read_bytes().decode()


def test_every_note_has_a_marked_copy_and_no_copy_is_left_over() -> None:
    copies = sorted(
        file.relative_to(TRUTH / "mentions").as_posix()
        for file in (TRUTH / "mentions").rglob("*.md")
    )
    assert copies == NOTES


@pytest.mark.parametrize("note", NOTES)
def test_without_its_marks_the_copy_is_the_note(note: str) -> None:
    assert MARK.sub(r"\1", marked(note)).encode() == (VAULT / note).read_bytes()


@pytest.mark.parametrize("note", NOTES)
def test_a_mark_names_its_entity_only_where_the_surface_does_not(note: str) -> None:
    assert [surface for surface, name in MARK.findall(marked(note)) if surface == name] == []


def test_the_entities_are_those_that_are_marked() -> None:
    names = {name or surface for note in NOTES for surface, name in MARK.findall(marked(note))}
    assert names == set(ENTITIES)


def test_a_known_entity_is_the_knowledge_bases() -> None:
    known = {name: entity for name, entity in ENTITIES.items() if "canonical_id" in entity}
    assert len(known) == 82
    for name, entity in known.items():
        assert entity["canonical_id"] == KNOWN[name]["id"]
        assert entity["type"] == KNOWN[name]["type"]


def test_a_surface_of_a_known_entity_is_one_of_its_forms() -> None:
    for note in NOTES:
        for surface, name in MARK.findall(marked(note)):
            entity = KNOWN.get(name or surface)
            if entity is None:
                continue
            folded = {form.casefold() for form in entity["forms"]}
            assert surface in entity["exact"] or surface.casefold() in folded, (note, surface)


def test_a_noted_entity_has_its_note_and_no_other_entity_has_one() -> None:
    for name, entity in ENTITIES.items():
        if entity["status"] == "noted":
            assert Path(entity["path"]).stem == name
            assert entity["path"] in NOTES
        else:
            assert entity["status"] in {"linked", "known"}
            assert entity["path"] is None


def test_every_link_stands_in_its_note_and_leads_where_it_says() -> None:
    assert len(LINKS) == 87
    for link in LINKS:
        assert link["raw"] in (VAULT / link["note"]).read_text("utf-8")
        assert (link["status"] == "resolved") == (link["path"] is not None)
        assert link["path"] is None or (VAULT / link["path"]).is_file()
