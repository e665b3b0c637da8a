"""Finding rows by words on PostgreSQL: a generated tsvector column of words with their positions.

The words are the same as FTS5's (see `words`), so that both engines find the same chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import text

from writeros_entities.store.engines.postgres.words import CUT, MAX_LETTERS

if TYPE_CHECKING:
    from sqlalchemy import Connection


def notes_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the notes with a chunk that contains all words of a form.

    A chunk too long for all of its words to be indexed always matches.
    """
    statement = text(
        "SELECT DISTINCT note_id FROM chunk WHERE terms @@ CAST(:query AS tsquery) "
        "AND vault_id = :vault_id"
    )
    query = " | ".join([*map(_all_words, forms), f"'{CUT}'"])
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))


def _all_words(parts: Sequence[str]) -> str:
    *first, last = (f"'{word[:MAX_LETTERS]}':D" for word in parts)
    return "(" + " & ".join([*first, f"{last}*"]) + ")"


def entities_with_words(
    connection: Connection, vault_id: int, forms: Sequence[Sequence[str]]
) -> set[int]:
    """Return the entities whose names contain all words of a form.

    An entity with too many words for all to be indexed always matches.
    """
    statement = text(
        "SELECT id FROM entity WHERE terms @@ CAST(:query AS tsquery) AND vault_id = :vault_id"
    )
    every = (" & ".join(f"'{word[:MAX_LETTERS]}'" for word in words) for words in forms)
    query = " | ".join([*(f"({words})" for words in every), f"'{CUT}'"])
    return set(connection.scalars(statement, {"query": query, "vault_id": vault_id}))
