"""Postings on PostgreSQL, read from the generated columns of words (see `words`).

The index on `terms` finds the rows; the column `counts` says how often each word occurs in a chunk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select, text

from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.engines.postgres.words import MAX_LETTERS, TITLE
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.words import (
    OwnName,
    Postings,
    Term,
    has_presence_alone,
    only_present,
    own_names,
)

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers
    from writeros_entities.store.rows import Statement
    from writeros_entities.store.view import StoredView


def find_postings(view: StoredView, terms: Sequence[Term]) -> list[Postings]:
    """Return the postings of each term."""
    view.connection.execute(_BY_INDEX)
    found = [_find(view, term) for term in terms]
    view.connection.execute(_AS_PLANNED)
    return found


def _find(view: StoredView, term: Term) -> Postings:
    chunks = visible_chunks(view)
    first = rows.IDS_PER_VAULT * view.vault_id
    joined = view.scalar(_PRESENT, query=_match(term), first=first)
    present = chunks.rows_of(first + _read_numbers(joined))
    present = present[np.argsort(chunks.ids[present])]
    ids = chunks.ids[present]
    if has_presence_alone(term, len(present), len(chunks)):
        return only_present(ids)
    counts = np.zeros(len(chunks), np.int64)
    for (word,) in term.phrases:
        alone = Term(((word,),), term.is_beginning)
        values = {"word": word[:MAX_LETTERS], "query": _match(alone), "first": first}
        statement = _BEGINNINGS if term.is_beginning else _WORDS
        joined, numbers = view.one(statement, **values)
        ids_of_word = first + _read_numbers(joined)
        seen = np.isin(ids_of_word, chunks.ids)
        counts[chunks.rows_of(ids_of_word)] += _read_numbers(numbers)[seen]
    return Postings(ids, counts[present] % TITLE, counts[present] // TITLE)


def _read_numbers(joined: str | None) -> Integers:
    """Parse comma-separated numbers: reading one row is faster than reading thousands."""
    return np.empty(0, np.int64) if joined is None else np.fromstring(joined, np.int64, sep=",")


_BY_INDEX = text("SET LOCAL enable_seqscan = off")
"""The planner ignores the cost of unpacking a tsvector, and would prefer a sequential scan."""

_AS_PLANNED = text("SET LOCAL enable_seqscan TO DEFAULT")

_FOUND = "terms @@ CAST(:query AS tsquery) AND vault_id + 0 = :view_vault_id"
"""`vault_id + 0` keeps the planner from using an index on `vault_id` instead of the one on `terms`.
"""

_IDS = "string_agg(CAST(id - :first AS text), ',' ORDER BY id)"

_PRESENT = text(f"SELECT string_agg(CAST(id - :first AS text), ',') FROM chunk WHERE {_FOUND}")

_WORDS = text(
    f"SELECT {_IDS}, string_agg(coalesce(counts ->> CAST(:word AS text), '1'), ',' ORDER BY id) "
    f"FROM chunk WHERE {_FOUND}"
)

_BEGINNINGS = text(
    f"SELECT {_IDS}, string_agg(CAST(number AS text), ',' ORDER BY id) FROM ("
    "SELECT id, sum(coalesce(CAST(counts ->> word.lexeme AS bigint), 1)) AS number "
    f"FROM chunk, unnest(terms) AS word WHERE {_FOUND} "
    "AND starts_with(word.lexeme, CAST(:word AS text)) GROUP BY id) AS counted"
)


def _quoted(word: str) -> str:
    return f"'{word}'"


def _followed(phrase: Sequence[str], *, is_beginning: bool) -> str:
    """Return a tsquery for a phrase, within the title or within the body.

    A single word gets no weight label, which would make PostgreSQL unpack every tsvector it finds.
    """
    star = "*" if is_beginning else ""
    if len(phrase) == 1:
        return _quoted(phrase[0]) + (":*" if is_beginning else "")
    texts = []
    for weight in ("A", "D"):
        *head, last = map(_quoted, phrase)
        parts = [*(f"{word}:{weight}" for word in head), f"{last}:{weight}{star}"]
        texts.append("(" + " <-> ".join(parts) + ")")
    return " | ".join(texts)


# -- Titles and names ----------------------------------------------------------------------------


@prepared
def _titles_with(scope: Scope) -> Query:
    note = scope.note
    return select(note.c.id).where(note.c.id.in_(_rows_of("note")), note.c.kind == "note")


@prepared
def _names_with(scope: Scope) -> Query:
    return own_names(scope).where(scope.entity.c.id.in_(_rows_of("entity")))


def _rows_of(table: str) -> Statement:
    match = text(f"{table}.terms @@ CAST(:match AS tsquery)")
    return select(text(f"{table}.id")).select_from(text(table)).where(match)


def find_titles(view: StoredView, term: Term) -> list[int]:
    """Return the ids of the notes with a term in their title."""
    return view.scalars(_titles_with(view), match=_match(term))


def find_names(view: StoredView, term: Term) -> list[OwnName]:
    """Return the names that may have a term, with their notes."""
    return view.fetch(OwnName, _names_with(view), match=_match(term))


def _match(term: Term) -> str:
    return " | ".join(
        _followed([word[:MAX_LETTERS] for word in phrase], is_beginning=term.is_beginning)
        for phrase in term.phrases
    )
