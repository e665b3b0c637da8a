"""Full text on PostgreSQL: a tsvector of words with their places, kept by the database itself.

The words are FTS5's own (see `words`), so that both engines find the same chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import text

from writeros_entities.names import is_spaced_script
from writeros_entities.store.postgres.words import CUT, MAX_LETTERS
from writeros_entities.store.tokens import words

if TYPE_CHECKING:
    from sqlalchemy import Connection

BATCH = 100
"""Names in one full-text query."""

_LETTERS = re.compile(r"[^\W_]")


def notes_containing(connection: Connection, vault_id: int, forms: Iterable[str]) -> set[int]:
    """Return the ids of notes that have a chunk in which one of the forms can occur.

    A superset: a chunk counts that holds all words of a form, in any order, the last one also as
    the beginning of a longer word (plurals). Forms in scripts written without spaces are looked
    for as substrings, since the index has no words for them.
    """
    spaced: list[str] = []
    substrings: list[str] = []
    for form in forms:
        has_words = _LETTERS.search(form) and is_spaced_script(form)
        (spaced if has_words else substrings).append(form)
    found: set[int] = set()
    for start in range(0, len(spaced), BATCH):
        found |= _search_index(connection, vault_id, spaced[start : start + BATCH])
    for substring in substrings:
        found |= _search_text(connection, vault_id, substring)
    return found


def _search_index(connection: Connection, vault_id: int, forms: Sequence[str]) -> set[int]:
    queries = [_all_words(parts) for parts in map(words, forms) if parts]
    statement = text(
        "SELECT DISTINCT note_id FROM chunk WHERE terms @@ CAST(:query AS tsquery) "
        "AND vault_id = :vault_id"
    )
    query = " | ".join([*queries, f"'{CUT}'"])
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def _all_words(parts: Sequence[str]) -> str:
    *first, last = (f"'{word[:MAX_LETTERS]}':D" for word in parts)
    return "(" + " & ".join([*first, f"{last}*"]) + ")"


def _search_text(connection: Connection, vault_id: int, form: str) -> set[int]:
    statement = text(
        "SELECT DISTINCT note_id FROM chunk WHERE vault_id = :vault_id AND strpos(text, :form) > 0"
    )
    return set(connection.scalars(statement, {"form": form, "vault_id": vault_id}))
