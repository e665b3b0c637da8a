"""Postings: which chunks contain a term and how often, from the engine's full-text index.

An engine supplies plain counts over the rows that a view can see, and no scores: its own ranking
would be based on rows that the reader must not know of (our ranking is in
`query.search.full_text`). Every engine gives the same counts for the same rows:

- words are those of `store.words.tokens.words`, on every engine;
- a phrase matches consecutive words within the text, or within the heading;
- a term with `is_beginning` matches the last word of a phrase as a prefix;
- a piece is a substring, counted without overlaps, for scripts without spaces between words;
- for a phrase of several words, and for a term that more than 1/`COMMON` of the visible chunks
  contain, only presence is reported, as one occurrence in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from writeros_entities.store.cache import LRUCache
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.comments import commented_chunks, without_commented
from writeros_entities.store.words.own_names import has_term
from writeros_entities.store.words.terms import Postings, Term, has_presence_alone, only_present

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers
    from writeros_entities.store.view import View

T = TypeVar("T")


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return, for each term, the chunks that the view can see and that contain it."""
    return _kept(view, "postings", terms, _read_postings)


def _read_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    number = len(visible_chunks(view))
    found = view.engine.postings.find_postings(view, terms)
    commented = None if view.as_of is None else commented_chunks(view)
    result = []
    for term, postings in zip(terms, found, strict=True):
        is_presence = has_presence_alone(term, len(postings.chunk_ids), number)
        told = only_present(postings.chunk_ids) if is_presence else postings
        if commented:
            told = without_commented(told, term, commented, is_presence=is_presence)
        result.append(told)
    return result


def _kept(
    view: View, name: str, terms: Sequence[Term], read: Callable[[View, Sequence[Term]], list[T]]
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


def find_named_notes(view: View, terms: Sequence[Term]) -> list[Integers]:
    """Return, for each term, the ids of notes that have it in their title or one of their names.

    Ids are in ascending order. A note's names are the `name` and `alias` forms of its entity that
    the view can see; only notes that the view can see are returned.
    """
    return _kept(view, "named notes", terms, _read_named_notes)


def _read_named_notes(view: View, terms: Sequence[Term]) -> list[Integers]:
    """Read the notes with each term in a title or a name.

    An engine's index covers names that the reader has not met yet, so visible names are checked
    again.
    """
    postings = view.engine.postings
    found = []
    for term in terms:
        titled = {note_id for (note_id,) in postings.find_titles(view, term)}
        called = {note for note, form in postings.find_names(view, term) if has_term(form, term)}
        found.append(np.array(sorted(titled | called), np.int64))
    return found
