"""Full text, by the means of whichever engine holds the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from writeros_entities.names import is_spaced_script
from writeros_entities.store.postgres import full_text as postgres
from writeros_entities.store.rows import batches
from writeros_entities.store.sqlite import full_text as sqlite
from writeros_entities.store.words.tokens import words

if TYPE_CHECKING:
    from sqlalchemy import Connection

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}

BATCH = 100
"""Names in one query; many more would meet SQLite's limit on the depth of expressions."""


def notes_containing(connection: Connection, vault_id: int, forms: Iterable[str]) -> set[int]:
    """Return the ids of notes that have a chunk in which one of the forms can occur.

    A superset: a chunk counts that holds all words of a form, in any order, the last one also as
    the beginning of a longer word (plurals). Forms in scripts written without spaces are looked
    for as substrings, since the index has no words for them.
    """
    engine = _ENGINES[connection.dialect.name]
    spaced: list[tuple[str, ...]] = []
    substrings: list[str] = []
    for form in forms:
        cut = words(form)
        if cut and is_spaced_script(form):
            spaced.append(cut)
        else:
            substrings.append(form)
    found: set[int] = set()
    for batch in batches(spaced, BATCH):
        found |= engine.notes_with_words(connection, vault_id, batch)
    for substring in substrings:
        found |= engine.notes_with_text(connection, vault_id, substring)
    return found


def entities_containing(connection: Connection, vault_id: int, forms: Iterable[str]) -> set[int]:
    """Return the ids of entities whose names have, together, all words of one of the forms."""
    engine = _ENGINES[connection.dialect.name]
    found: set[int] = set()
    for batch in batches([cut for cut in map(words, forms) if cut], BATCH):
        found |= engine.entities_with_words(connection, vault_id, batch)
    return found
