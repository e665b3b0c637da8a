"""Full text, by the means of whichever engine holds the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from writeros_entities.store.postgres import full_text as postgres
from writeros_entities.store.sqlite import full_text as sqlite

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def notes_containing(connection: Connection, vault_id: int, forms: Iterable[str]) -> set[int]:
    """Return the ids of notes in which one of the forms can occur: a superset."""
    found: set[int]
    found = _ENGINES[connection.dialect.name].notes_containing(connection, vault_id, forms)
    return found
