"""Postings on SQLite: read from the FTS5 indexes through their vocabulary tables.

`fts5vocab` in its `instance` form has a row for every word of every text. Rows are joined to one
string by the engine and read by numpy, which takes a fifth of the time of fetching them: the
commonest words of a large vault have hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, func, select, text

from writeros_entities.store import postings, rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.own_names import has_term, own_names
from writeros_entities.store.pieces import count_pieces
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.postings import Postings, Term
    from writeros_entities.store.view import View

    Integers = NDArray[np.int64]

BEYOND = "\U0010ffff"
"""Comes after every letter that can go on a word."""

WIDTH = 1 << 20
"""More than a text has words: places in different texts are never neighbours."""


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return the chunks that have each term; see `store.postings`."""
    chunks = visible_chunks(view)
    connection = view.connection
    connection.exec_driver_sql(_VOCABULARY)
    pieces = count_pieces(view, [term.piece for term in terms if term.piece], func.instr)
    found = []
    for term in terms:
        if term.piece:
            found.append(next(pieces))
            continue
        first = rows.IDS_PER_VAULT * view.vault_id
        in_text, in_heading = _places(connection, first, term)
        found.append(_count(chunks, first + in_text // WIDTH, first + in_heading // WIDTH))
    return found


def find_named_notes(view: View, terms: Sequence[Term]) -> list[Integers]:
    """Return the notes that have each term in a title or a name; see `store.postings`."""
    return [np.array(sorted(_titled(view, term) | _called(view, term)), np.int64) for term in terms]


def _count(chunks: Chunks, text_ids: Integers, heading_ids: Integers) -> Postings:
    in_text, in_heading = (
        np.bincount(chunks.rows_of(ids), minlength=len(chunks)) for ids in (text_ids, heading_ids)
    )
    present = np.flatnonzero(in_text + in_heading)
    present = present[np.argsort(chunks.ids[present])]
    return postings.Postings(chunks.ids[present], in_text[present], in_heading[present])


def _places(connection: Connection, first: int, term: Term) -> tuple[Integers, Integers]:
    """Return where a term ends, in texts and in headings.

    A place is `WIDTH` × (id of the chunk - first) + the number of the word in its text.
    """
    found = [
        _phrase_places(connection, first, phrase, is_beginning=term.is_beginning)
        for phrase in term.phrases
    ]
    in_text, in_heading = zip(*found, strict=True)
    return np.concatenate(in_text), np.concatenate(in_heading)


def _phrase_places(
    connection: Connection, first: int, phrase: Sequence[str], *, is_beginning: bool
) -> tuple[Integers, Integers]:
    *head, last = phrase
    is_alone = not head
    places = _word_places(connection, first, last, is_beginning, not is_alone)
    for back, word in enumerate(reversed(head), start=1):
        if not any(len(of_column) for of_column in places):
            break
        before = _word_places(connection, first, word, False, True)
        places = (
            places[0][np.isin(places[0] - back, before[0])],
            places[1][np.isin(places[1] - back, before[1])],
        )
    return places


def _word_places(
    connection: Connection, first: int, word: str, is_beginning: bool, with_offset: bool
) -> tuple[Integers, Integers]:
    values = {"word": word, "beyond": word + BEYOND, "first": first}
    found = connection.execute(_INSTANCES[is_beginning, with_offset], values).one()
    return _read_places(found[0], found[1]), _read_places(found[2], found[3])


def _read_places(ids: str | None, offsets: str | None) -> Integers:
    if ids is None:
        return np.empty(0, np.int64)
    places = np.fromstring(ids, np.int64, sep=",") * WIDTH
    return places if offsets is None else places + np.fromstring(offsets, np.int64, sep=",")


_VOCABULARY = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.chunk_word "
    "USING fts5vocab('main', 'chunk_fts', 'instance')"
)


def _instances(is_beginning: bool, with_offset: bool) -> Any:
    columns = [
        f"group_concat({what}) FILTER (WHERE col = '{column}')" if what else "NULL"
        for column in ("text", "heading")
        for what in ("doc - :first", "offset" if with_offset else "")
    ]
    which = "term >= :word AND term < :beyond" if is_beginning else "term = :word"
    return text(f"SELECT {', '.join(columns)} FROM temp.chunk_word WHERE {which}")


_INSTANCES = {
    (is_beginning, with_offset): _instances(is_beginning, with_offset)
    for is_beginning in (False, True)
    for with_offset in (False, True)
}


# -- Titles and names ----------------------------------------------------------------------------


@prepared
def _titles_with(scope: Scope) -> Select[Any]:
    note = scope.note
    match = text("note_fts MATCH :match").bindparams(bindparam("match"))
    index = select(text("rowid")).select_from(text("note_fts")).where(match)
    return select(note.c.id).where(note.c.id.in_(index), note.c.kind == "note")


@prepared
def _titles_with_piece(scope: Scope) -> Select[Any]:
    note = scope.note
    return select(note.c.id).where(
        func.instr(note.c.title, bindparam("piece")) > 0, note.c.kind == "note"
    )


@prepared
def _names_with(scope: Scope) -> Select[Any]:
    match = text("entity_fts MATCH :match").bindparams(bindparam("match"))
    index = select(text("rowid")).select_from(text("entity_fts")).where(match)
    return own_names(scope).where(scope.entity.c.id.in_(index))


@prepared
def _names_with_piece(scope: Scope) -> Select[Any]:
    return own_names(scope).where(func.instr(scope.alias.c.form, bindparam("piece")) > 0)


def _titled(view: View, term: Term) -> set[int]:
    if term.piece:
        found = view.tuples(_titles_with_piece(view), piece=term.piece)
    else:
        found = view.tuples(_titles_with(view), match=_match("title", term))
    return {note_id for (note_id,) in found}


def _called(view: View, term: Term) -> set[int]:
    """Return the notes with a name that has the term; the index knows of names not yet met."""
    if term.piece:
        return {row[0] for row in view.tuples(_names_with_piece(view), piece=term.piece)}
    found = view.tuples(_names_with(view), match=_match("{name forms}", term))
    return {note_id for note_id, form in found if has_term(form, term)}


def _match(columns: str, term: Term) -> str:
    star = " *" if term.is_beginning else ""
    phrases = (f'"{" ".join(phrase)}"{star}' for phrase in term.phrases)
    return f"{columns} : ({' OR '.join(phrases)})"
