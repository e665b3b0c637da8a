"""Postings on PostgreSQL: read from the words that the tables keep of their texts (see `words`).

The index over `terms` finds the rows. How often a single word stands in a chunk is kept beside, in
`counts`; where the words of phrases and beginnings stand is read from the tsvector.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, Text, bindparam, func, select, text

from writeros_entities.store import postings
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.own_names import count_term, has_term, own_names
from writeros_entities.store.pieces import count_pieces
from writeros_entities.store.postgres.words import MAX_LETTERS, TITLE
from writeros_entities.store.tokens import words
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.store.postings import Postings, Term
    from writeros_entities.store.view import View

    Integers = NDArray[np.int64]

MOST_PLACES = 255
"""Places of one word that a tsvector keeps; a chunk that has so many is counted in its text."""


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return the chunks that have each term; see `store.postings`."""
    pieces = count_pieces(view, [term.piece for term in terms if term.piece], func.strpos)
    return [next(pieces) if term.piece else _count(view, term) for term in terms]


def find_named_notes(view: View, terms: Sequence[Term]) -> list[Integers]:
    """Return the notes that have each term in a title or a name; see `store.postings`."""
    return [np.array(sorted(_titled(view, term) | _called(view, term)), np.int64) for term in terms]


def _count(view: View, term: Term) -> Postings:
    chunks = visible_chunks(view)
    in_text, in_heading = np.zeros((2, len(chunks)), np.int64)
    for phrase in term.phrases:
        is_word = len(phrase) == 1 and not term.is_beginning
        found = _count_word(view, phrase[0]) if is_word else _count_phrase(view, term, phrase)
        rows = chunks.rows_of(found[0])
        seen = np.isin(found[0], chunks.ids)
        in_text[rows] += found[1][seen]
        in_heading[rows] += found[2][seen]
    present = np.flatnonzero(in_text + in_heading)
    present = present[np.argsort(chunks.ids[present])]
    return postings.Postings(chunks.ids[present], in_text[present], in_heading[present])


# -- Words ---------------------------------------------------------------------------------------

_WORD = text(
    "SELECT id, coalesce(CAST(counts ->> CAST(:word AS text) AS integer), 1) FROM chunk "
    "WHERE terms @@ CAST(:query AS tsquery) AND vault_id = :view_vault_id"
)

_PLACES = text(
    "SELECT id, word.lexeme, word.positions, word.weights "
    "FROM chunk, unnest(terms) AS word WHERE terms @@ CAST(:query AS tsquery) "
    "AND vault_id = :view_vault_id AND (word.lexeme = ANY(CAST(:words AS text[])) "
    "OR starts_with(word.lexeme, CAST(:beginning AS text)))"
)

_TEXTS = text("SELECT id, text, heading FROM chunk WHERE id = ANY(CAST(:ids AS bigint[]))")


def _count_word(view: View, word: str) -> tuple[Integers, Integers, Integers]:
    """Return the chunks that have a word, and how often in the text and in the heading."""
    word = word[:MAX_LETTERS]
    found = np.array(view.tuples(_WORD, word=word, query=_quoted(word)), np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1] % TITLE, found[:, 1] // TITLE


def _count_phrase(
    view: View, term: Term, phrase: Sequence[str]
) -> tuple[Integers, Integers, Integers]:
    """Return the chunks that have a phrase, and how often in the text and in the heading."""
    kept = [word[:MAX_LETTERS] for word in phrase]
    found = view.tuples(
        _PLACES,
        query=_followed(kept, is_beginning=term.is_beginning),
        words=kept,
        beginning=kept[-1] if term.is_beginning else None,
    )
    places: dict[int, dict[str, set[tuple[str, int]]]] = defaultdict(dict)
    full: set[int] = set()
    for chunk_id, word, positions, weights in found:
        places[chunk_id][word] = set(zip(weights, positions, strict=True))
        if len(positions) >= MOST_PLACES:
            full.add(chunk_id)
    counted = {
        chunk_id: _ends(of_chunk, kept, is_beginning=term.is_beginning)
        for chunk_id, of_chunk in places.items()
        if chunk_id not in full
    }
    alone = postings.Term((tuple(phrase),), term.is_beginning)
    for chunk_id, body, heading in view.tuples(_TEXTS, ids=sorted(full)) if full else ():
        counted[chunk_id] = count_term(words(body), alone), count_term(words(heading), alone)
    columns = np.array([(key, *value) for key, value in counted.items()], np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _ends(
    places: dict[str, set[tuple[str, int]]], phrase: Sequence[str], *, is_beginning: bool
) -> tuple[int, int]:
    """Return how often a phrase ends in a chunk's text and in its heading."""
    *head, last = phrase
    lasts = [word for word in places if word.startswith(last)] if is_beginning else [last]
    ends = set().union(*(places.get(word, set()) for word in lasts))
    for back, word in enumerate(reversed(head), start=1):
        before = places.get(word, set())
        ends = {(weight, place) for weight, place in ends if (weight, place - back) in before}
    in_text = sum(weight == "D" for weight, _ in ends)
    return in_text, len(ends) - in_text


def _quoted(word: str) -> str:
    return f"'{word}'"


def _followed(phrase: Sequence[str], *, is_beginning: bool) -> str:
    """Return a tsquery for words that follow each other in one of the two texts."""
    star = "*" if is_beginning else ""
    texts = []
    for weight in ("A", "D"):
        *head, last = map(_quoted, phrase)
        parts = [*(f"{word}:{weight}" for word in head), f"{last}:{weight}{star}"]
        texts.append("(" + " <-> ".join(parts) + ")")
    return " | ".join(texts)


# -- Titles and names ----------------------------------------------------------------------------


@prepared
def _titles_with(scope: Scope) -> Select[Any]:
    note = scope.note
    return select(note.c.id).where(note.c.id.in_(_rows_of("note")), note.c.kind == "note")


@prepared
def _titles_with_piece(scope: Scope) -> Select[Any]:
    note = scope.note
    has_piece = func.strpos(note.c.title, bindparam("piece", type_=Text)) > 0
    return select(note.c.id).where(has_piece, note.c.kind == "note")


@prepared
def _names_with(scope: Scope) -> Select[Any]:
    return own_names(scope).where(scope.entity.c.id.in_(_rows_of("entity")))


@prepared
def _names_with_piece(scope: Scope) -> Select[Any]:
    return own_names(scope).where(
        func.strpos(scope.alias.c.form, bindparam("piece", type_=Text)) > 0
    )


def _rows_of(table: str) -> Select[Any]:
    match = text(f"{table}.terms @@ CAST(:match AS tsquery)")
    return select(text(f"{table}.id")).select_from(text(table)).where(match)


def _titled(view: View, term: Term) -> set[int]:
    if term.piece:
        found = view.tuples(_titles_with_piece(view), piece=term.piece)
    else:
        found = view.tuples(_titles_with(view), match=_match(term))
    return {note_id for (note_id,) in found}


def _called(view: View, term: Term) -> set[int]:
    """Return the notes with a name that has the term; the index knows of names not yet met."""
    if term.piece:
        return {row[0] for row in view.tuples(_names_with_piece(view), piece=term.piece)}
    found = view.tuples(_names_with(view), match=_match(term))
    return {note_id for note_id, form in found if has_term(form, term)}


def _match(term: Term) -> str:
    return " | ".join(
        _followed([word[:MAX_LETTERS] for word in phrase], is_beginning=term.is_beginning)
        for phrase in term.phrases
    )
