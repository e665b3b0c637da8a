"""Where words stand: what full-text search counts, by the means of the engine that has the index.

What an engine has to give is plain counts of what a view sees, and no scores: an engine's own
ranking counts rows that the reader may not know of (see `query.search.full_text` for ours). Every
engine gives the same counts for the same rows:

- the words of a text are those of `store.words.tokens.words`, wherever the text comes from;
- a phrase is words that follow each other in one text, or in one heading;
- a beginning is a phrase whose last word may go on;
- a piece is characters as they stand, counted without overlaps, for scripts that do not separate
  words by spaces;
- how often is told of what tells something: of a phrase of several words, and of a term that more
  than one visible chunk of `COMMON` has, only that it is there, as one time in the text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.comments import commented_chunks, without_commented
from writeros_entities.store.kept import Recent
from writeros_entities.store.postgres import postings as postgres
from writeros_entities.store.sqlite import postings as sqlite
from writeros_entities.store.words.terms import Postings, Term, has_presence_alone, only_present

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from writeros_entities.store.view import View

T = TypeVar("T")

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return, for each term, the chunks that the view sees and that have it at least once."""
    return _kept(view, "postings", terms, _read_postings)


def _read_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    number = len(visible_chunks(view))
    found: list[Postings] = _engine(view).find_postings(view, terms)
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
    """Return what was read of each term; of the last ones it is kept until the index changes.

    Words come again, and to read a common one's list is what takes longest in all of a search.
    """
    recent = view.kept.get(view.revision, (name, view.as_of), Recent)
    known = {term: recent.get(term) for term in terms}
    missing = [term for term, found in known.items() if found is None]
    if missing:
        known |= zip(missing, read(view, missing), strict=True)
        for term in missing:
            recent.put(term, known[term])
    return [known[term] for term in terms]


def find_named_notes(view: View, terms: Sequence[Term]) -> list[NDArray[np.int64]]:
    """Return, for each term, the notes that have it in their title or in one of their names.

    Ids ascend. The names of a note are the `name` and `alias` forms of the entity that stands on
    it, as far as the view sees them; a note and its names count only where it sees the note.
    """
    return _kept(view, "named notes", terms, _engine(view).find_named_notes)


def _engine(view: View) -> Any:
    return _ENGINES[view.connection.dialect.name]
