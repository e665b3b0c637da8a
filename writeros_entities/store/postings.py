"""Postings: which chunks contain a term and how often, from the engine's full-text index.

An engine supplies plain counts over the rows that a view can see, and no scores: its own ranking
would be based on rows that the reader must not know of (our ranking is in
`capabilities.search.full_text`). Every engine gives the same counts for the same rows:

- words are those of `store.words.words`, on every engine;
- a phrase matches consecutive words within the text, or within the heading;
- a term with `is_beginning` matches the last word of a phrase as a prefix;
- a piece is a substring, counted without overlaps, for scripts without spaces between words;
- for a phrase of several words, and for a term that more than 1/`COMMON` of the visible chunks
  contain, only presence is reported, as one occurrence in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from sqlalchemy import BindParameter, Text, bindparam, func, or_, select

from writeros_entities.store.cache import LRUCache
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.full_text import has_piece
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.words import (
    OwnName,
    Postings,
    Term,
    count_term,
    has_presence_alone,
    has_term,
    only_present,
    own_names,
)

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers
    from writeros_entities.store.view import StoredView

T = TypeVar("T")


class _Commented(NamedTuple):
    """A chunk with comments: its text without them, and its heading."""

    id: int
    text: str
    heading: str


def find_postings(view: StoredView, terms: Sequence[Term]) -> list[Postings]:
    """Return, for each term, the chunks that the view can see and that contain it."""
    return _kept(view, "postings", terms, _read_postings)


def _read_postings(view: StoredView, terms: Sequence[Term]) -> list[Postings]:
    number = len(visible_chunks(view))
    of_words = [term for term in terms if not term.piece]
    found = dict(zip(of_words, view.engine.postings.find_postings(view, of_words), strict=True))
    found |= _count_pieces(view, [term for term in terms if term.piece])
    commented = None if view.as_of is None else _commented_chunks(view)
    result = []
    for term in terms:
        postings = found[term]
        is_presence = has_presence_alone(term, len(postings.chunk_ids), number)
        told = only_present(postings.chunk_ids) if is_presence else postings
        if commented:
            told = _without_commented(told, term, commented, is_presence=is_presence)
        result.append(told)
    return result


def _count_pieces(view: StoredView, terms: Sequence[Term]) -> dict[Term, Postings]:
    """Return the postings of pieces, which no index has: all chunks are read, once for all."""
    if not terms:
        return {}
    fields = np.dtype([("id", "i8"), *((name, "i8") for name in _counts_of(len(terms)))])
    values: dict[str, Any] = {f"piece_{at}": term.piece for at, term in enumerate(terms)}
    found = view.array(fields, _chunks_with(len(terms))(view), **values)
    counted = {}
    for at, term in enumerate(terms):
        in_text, in_heading = found[f"text_{at}"], found[f"heading_{at}"]
        has = in_text + in_heading > 0
        counted[term] = Postings(found["id"][has], in_text[has], in_heading[has])
    return counted


def _counts_of(number: int) -> list[str]:
    """Return the names of the columns with the counts of so many pieces."""
    return [f"{where}_{at}" for at in range(number) for where in ("text", "heading")]


@cache
def _chunks_with(number: int) -> Callable[[StoredView], Query]:
    """Return the statement that counts `number` pieces in every chunk."""

    @prepared
    def build(scope: Scope) -> Query:
        chunk = scope.chunk
        pieces = [_piece(f"piece_{at}") for at in range(number)]
        searched = [(one, text) for one in pieces for text in (chunk.c.written, chunk.c.heading)]
        counts = (
            (func.length(text) - func.length(func.replace(text, one, ""))) // func.length(one)
            for one, text in searched
        )
        named = (count.label(name) for name, count in zip(_counts_of(number), counts, strict=True))
        has_one = or_(*(has_piece(text, one) for one, text in searched))
        return select(chunk.c.id, *named).where(has_one).order_by(chunk.c.id)

    return build


def _piece(name: str) -> BindParameter[str]:
    return bindparam(name, type_=Text)


@prepared
def _titles_with_piece(scope: Scope) -> Query:
    note = scope.note
    has = has_piece(note.c.title, _piece("piece"))
    return select(note.c.id).where(has, note.c.kind == "note")


@prepared
def _names_with_piece(scope: Scope) -> Query:
    return own_names(scope).where(has_piece(scope.alias.c.form, _piece("piece")))


def _commented_chunks(view: StoredView) -> Mapping[int, _Commented]:
    """Return the chunks that contain comments, cached until the index changes."""

    def read() -> Mapping[int, _Commented]:
        whole = view.whole()
        return {one.id: one for one in whole.fetch(_Commented, _with_comments(whole))}

    return view.cache.get(view.revision, "commented", read)


@prepared
def _with_comments(scope: Scope) -> Query:
    chunk = scope.chunk
    return select(chunk.c.id, chunk.c.text, chunk.c.heading).where(chunk.c.shown.is_not(None))


def _without_commented(
    postings: Postings, term: Term, commented: Mapping[int, _Commented], *, is_presence: bool
) -> Postings:
    """Return a term's postings without the occurrences that are only in comments.

    The full-text index includes the author's comments, because the author may search for them. A
    reader (any question asked as of a position) must not see them, so words are counted again in
    the few chunks that have some. With `is_presence`, the postings hold mere presence (see
    `only_present`), so that an occurrence in the heading counts as well.
    """
    in_text = np.array(postings.in_text)
    for place, chunk_id in enumerate(postings.chunk_ids.tolist()):
        if chunk_id in commented:
            chunk = commented[chunk_id]
            found = count_term(chunk.text, term)
            if is_presence:
                found += count_term(chunk.heading, term)
            in_text[place] = min(in_text[place], found)
    has = in_text + postings.in_heading > 0
    return Postings(postings.chunk_ids[has], in_text[has], postings.in_heading[has])


def _kept(
    view: StoredView,
    name: str,
    terms: Sequence[Term],
    read: Callable[[StoredView, Sequence[Term]], list[T]],
) -> list[T]:
    """Return what `read` gives for each term, from the cache where possible.

    The cache holds the last terms until the index changes: queries repeat words, and reading the
    postings of a common word is the slowest part of a search.
    """
    recent = view.kept(name, LRUCache)
    known = {term: recent.get(term) for term in terms}
    missing = [term for term, found in known.items() if found is None]
    if missing:
        known |= zip(missing, read(view, missing), strict=True)
        for term in missing:
            recent.put(term, known[term])
    return [known[term] for term in terms]


def find_named_notes(view: StoredView, terms: Sequence[Term]) -> list[Integers]:
    """Return, for each term, the ids of notes that have it in their title or one of their names.

    Ids are in ascending order. A note's names are the `name` and `alias` forms of its entity that
    the view can see; only notes that the view can see are returned.
    """
    return _kept(view, "named notes", terms, _read_named_notes)


def _read_named_notes(view: StoredView, terms: Sequence[Term]) -> list[Integers]:
    """Read the notes with each term in a title or a name.

    An engine's index covers names that the reader has not met yet, so visible names are checked
    again.
    """
    postings = view.engine.postings
    found = []
    for term in terms:
        if term.piece:
            titled = view.scalars(_titles_with_piece(view), piece=term.piece)
            names = view.fetch(OwnName, _names_with_piece(view), piece=term.piece)
        else:
            titled, names = postings.find_titles(view, term), postings.find_names(view, term)
        called = {name.note_id for name in names if has_term(name.form, term)}
        found.append(np.array(sorted(called.union(titled)), np.int64))
    return found
