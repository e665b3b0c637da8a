"""Postings on SQLite, read from the FTS5 indexes through their vocabulary tables.

`fts5vocab` of type `instance` has a row for each word of each text. SQLite joins rows into one
string that numpy parses, in a fifth of the time of fetching them: the commonest words of a large
vault have hundreds of thousands of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import bindparam, select, text

from writeros_entities.store import rows
from writeros_entities.store.chunks import visible_chunks
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
    from sqlalchemy import Connection

    from writeros_entities.arrays import Integers
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.view import StoredView

BEYOND = "\U0010ffff"
"""Sorts after every character that can continue a word."""


def find_postings(view: StoredView, terms: Sequence[Term]) -> list[Postings]:
    """Return the postings of each term."""
    chunks = visible_chunks(view)
    view.connection.exec_driver_sql(_VOCABULARY)
    return [_find(view, chunks, term) for term in terms]


def _find(view: StoredView, chunks: Chunks, term: Term) -> Postings:
    first = rows.IDS_PER_VAULT * view.vault_id
    values = {"match": _match("{text heading}", term), "first": first}
    present = chunks.rows_of(first + _read_ids(view.connection.scalar(_PRESENT, values)))
    present = present[np.argsort(chunks.ids[present])]
    ids = chunks.ids[present]
    if has_presence_alone(term, len(present), len(chunks)):
        return only_present(ids)
    in_text, in_heading = _count_words(view.connection, first, chunks, term)
    return Postings(ids, in_text[present], in_heading[present])


def _count_words(
    connection: Connection, first: int, chunks: Chunks, term: Term
) -> tuple[Integers, Integers]:
    """Return how often each chunk has a term of single words, in its text and its heading."""
    in_text = np.zeros(len(chunks), np.int64)
    in_heading = np.zeros(len(chunks), np.int64)
    for (word,) in term.phrases:
        values = {"word": word, "beyond": word + BEYOND, "first": first}
        found = connection.execute(_INSTANCES[term.is_beginning], values).one()
        for counts, ids in zip((in_text, in_heading), found, strict=True):
            places = chunks.rows_of(first + _read_ids(ids))
            counts += np.bincount(places, minlength=len(chunks))
    return in_text, in_heading


def _read_ids(joined: str | None) -> Integers:
    return np.empty(0, np.int64) if joined is None else np.fromstring(joined, np.int64, sep=",")


_PRESENT = text("SELECT group_concat(rowid - :first) FROM chunk_fts WHERE chunk_fts MATCH :match")

_VOCABULARY = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunk_word "
    "USING fts5vocab('main', 'chunk_fts', 'instance')"
)


def _instances(which: str) -> Any:
    columns = ", ".join(
        f"group_concat(doc - :first) FILTER (WHERE col = '{column}')"
        for column in ("text", "heading")
    )
    return text(f"SELECT {columns} FROM temp.chunk_word WHERE {which}")


_INSTANCES = {
    False: _instances("term = :word"),
    True: _instances("term >= :word AND term < :beyond"),
}


# -- Titles and names ----------------------------------------------------------------------------


@prepared
def _titles_with(scope: Scope) -> Query:
    note = scope.note
    match = text("note_fts MATCH :match").bindparams(bindparam("match"))
    index = select(text("rowid")).select_from(text("note_fts")).where(match)
    return select(note.c.id).where(note.c.id.in_(index), note.c.kind == "note")


@prepared
def _names_with(scope: Scope) -> Query:
    match = text("entity_fts MATCH :match").bindparams(bindparam("match"))
    index = select(text("rowid")).select_from(text("entity_fts")).where(match)
    return own_names(scope).where(scope.entity.c.id.in_(index))


def find_titles(view: StoredView, term: Term) -> list[int]:
    """Return the ids of the notes with a term in their title."""
    return view.scalars(_titles_with(view), match=_match("title", term))


def find_names(view: StoredView, term: Term) -> list[OwnName]:
    """Return the names that may have a term, with their notes."""
    return view.fetch(OwnName, _names_with(view), match=_match("{name forms}", term))


def _match(columns: str, term: Term) -> str:
    star = " *" if term.is_beginning else ""
    phrases = (f'"{" ".join(phrase)}"{star}' for phrase in term.phrases)
    return f"{columns} : ({' OR '.join(phrases)})"
