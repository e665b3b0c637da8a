"""Ids of entities are given in an order that only the vault decides: ties are told in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import event, text
from sqlalchemy.engine import Engine

from writeros_entities.session import Session

from ..conftest import OpenVault

SHEET = "---\ntype: person\n---\n"
VAULT = {f"Cast/{name}.md": SHEET for name in ("Ann", "Bea", "Cid", "Dan", "Eve")}


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
