"""Ids of entities are given in an order that only the vault decides: ties are told in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import event, select, text
from sqlalchemy.engine import Engine

from writeros_entities.learning.endpoints import vault_endpoints
from writeros_entities.session import Session

from ..conftest import OpenVault

SHEET = "---\ntype: person\n---\n"
VAULT = {f"Cast/{name}.md": SHEET for name in ("Ann", "Bea", "Cid", "Dan", "Eve")}


TOWN = {
    "Cast/Ann Vale.md": SHEET + "sibling:: [[Bea Vale]]\n\nally:: [[Cid]]\n",
    "Cast/Bea Vale.md": SHEET + "ally:: [[Cid]]\n\nborn in:: [[Ford]]\n",
    "Cast/Cid.md": SHEET + "ally:: [[Dan]]\n",
    "Cast/Dan.md": SHEET,
    "Places/Ford.md": "---\ntype: place\n---\n",
    "Places/Mill.md": "---\ntype: place\n---\n",
    "Book/01.md": "Vale met Cid. Ann and Bea Vale slept. Vale woke.\n",
    "Book/02.md": "Bea Vale was born in the Mill. Dan was the ally of Ann Vale.\n",
}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("get_entity_graph", {"evidence": 10, "min_relation_score": 0}),
    ("get_relationship_timeline", {"entity": "Cid"}),
    ("find_paths", {"entities": ["Ann Vale", "Dan"], "min_strength": 0}),
    ("find_communities", {"min_size": 1}),
    ("find_mentions", {"entity": "Ann Vale"}),
    ("search_by_entities", {"entities": ["Cid", "Vale"]}),
    ("build_context", {"entities": ["Bea Vale", "Ann Vale"], "include": ["relationships"]}),
    ("brief_scene", {"scene": 2}),
    ("validate_knowledge", {"subject": "Bea Vale", "predicate": "born_in", "object": "Cid"}),
]


def names_by_id(session: Session) -> list[str]:
    with session.view() as view:
        return [row.name for row in view.all(view.entity.select().order_by("id"))]


def test_entities_of_notes_get_their_ids_by_path_however_the_engine_reads(
    open_vault: OpenVault, write_vault: Any
) -> None:
    root: Path = write_vault(VAULT)
    session = open_vault(root)

    @event.listens_for(Engine, "begin")
    def read_backwards(connection: Any) -> None:
        if connection.dialect.name == "sqlite":
            connection.execute(text("PRAGMA reverse_unordered_selects = 1"))

    try:
        session.call("sync", {})
    finally:
        event.remove(Engine, "begin", read_backwards)
    assert names_by_id(session) == ["Ann", "Bea", "Cid", "Dan", "Eve"]


def test_no_id_decides_what_an_answer_says_or_its_order(
    open_vault: OpenVault, write_vault: Any
) -> None:
    root: Path = write_vault({})
    session = open_vault(root)
    files = list(TOWN.items())
    for some in (files[4:], files[1:4], files[:1]):
        for path, content in some:
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(content)
        session.call("sync", {})
    piecemeal = [session.call(name, asked).model_dump_json() for name, asked in ASKED]
    session.call("rebuild", {})
    assert piecemeal == [session.call(name, asked).model_dump_json() for name, asked in ASKED]


def test_namesakes_are_numbered_by_their_notes_in_whatever_order_they_came(
    open_vault: OpenVault, write_vault: Any
) -> None:
    session = open_vault(write_vault({"Guests/Ann.md": SHEET}))
    session.call("sync", {})
    write_vault({"Cast/Ann.md": SHEET})
    session.call("sync", {})
    with session.view() as view:
        entity, note = view.entity, view.note
        statement = select(entity, note.c.path).join(note, note.c.id == entity.c.note_id)
        found = view.all(statement.order_by(note.c.path))
        keys = [one.key for one in vault_endpoints(view, found)]
    assert [row.path for row in found] == ["Cast/Ann.md", "Guests/Ann.md"]
    assert keys == ["person/Ann", "person/Ann#2"]
