"""Find the rows that can contain a name, with the full-text index of the engine in use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sqlalchemy import func, literal, select

from writeros_entities.names import is_spaced_script
from writeros_entities.store import rows
from writeros_entities.store.engine import engine_of
from writeros_entities.store.rows import VaultRows, batches
from writeros_entities.store.words import words

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

BATCH = 100
"""Names in one query; many more would exceed SQLite's limit on the depth of expressions."""


def notes_containing(index: VaultRows, forms: Iterable[str]) -> set[int]:
    """Return the ids of notes with a chunk in which one of the forms can occur.

    This is a superset: a chunk matches if it holds all words of a form in any order, and the last
    word matches as a prefix too (for plurals). Forms in scripts without spaces between words are
    searched as substrings, since the index has no words for them.
    """
    full_text = engine_of(index.connection).full_text
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
        found |= full_text.notes_with_words(index.connection, index.vault_id, batch)
    chunk = rows.chunk
    for substring in substrings:
        is_in = has_piece(chunk.c.text, literal(substring))
        with_it = select(chunk.c.note_id).where(index.owns(chunk), is_in)
        found.update(index.connection.scalars(with_it.distinct()))
    return found


def has_piece(text: ColumnElement[str], piece: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a text contains these characters, in this case.

    LIKE would ignore case on SQLite, but not on PostgreSQL, and has characters of its own.
    """
    return func.replace(text, piece, "") != text


def entities_containing(index: VaultRows, forms: Iterable[str]) -> set[int]:
    """Return the ids of entities whose names together contain all words of one of the forms."""
    full_text = engine_of(index.connection).full_text
    found: set[int] = set()
    for batch in batches([cut for cut in map(words, forms) if cut], BATCH):
        found |= full_text.entities_with_words(index.connection, index.vault_id, batch)
    return found
