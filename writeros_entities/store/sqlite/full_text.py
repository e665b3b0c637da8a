"""Full text on SQLite: FTS5 over chunks and entities.

The indexes hold no text of their own (external content) and are kept by triggers, so that they
change in the same transaction as the rows, cascades included. The migrations create them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import text

from writeros_entities.names import is_spaced_script

if TYPE_CHECKING:
    from sqlalchemy import Connection

BATCH = 100
"""Names in one full-text query; many more would meet the engine's limit on expression depth."""

_WORDS = re.compile(r"[^\W_]+")


def notes_containing(connection: Connection, vault_id: int, forms: Iterable[str]) -> set[int]:
    """Return the ids of notes that have a chunk in which one of the forms can occur.

    A superset: a chunk counts that holds all words of a form, in any order, the last one also as
    the beginning of a longer word (plurals). Forms in scripts written without spaces are looked
    for as substrings, since the index has no words for them.
    """
    queries: list[str] = []
    substrings: list[str] = []
    for form in forms:
        words = _WORDS.findall(form)
        if words and is_spaced_script(form):
            queries.append("(" + " AND ".join(f'"{word}"' for word in words) + " *)")
        else:
            substrings.append(form)
    found: set[int] = set()
    for batch in _batches(queries, BATCH):
        found |= _search_index(connection, vault_id, "text : (" + " OR ".join(batch) + ")")
    for substring in substrings:
        found |= _search_text(connection, vault_id, substring)
    return found


def _search_index(connection: Connection, vault_id: int, query: str) -> set[int]:
    statement = text(
        "SELECT DISTINCT chunk.note_id FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid "
        "WHERE chunk_fts MATCH :query AND chunk.vault_id = :vault_id"
    )
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def _search_text(connection: Connection, vault_id: int, form: str) -> set[int]:
    statement = text(
        "SELECT DISTINCT note_id FROM chunk WHERE vault_id = :vault_id AND instr(text, :form) > 0"
    )
    return set(connection.scalars(statement, {"form": form, "vault_id": vault_id}))


def _batches(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))
