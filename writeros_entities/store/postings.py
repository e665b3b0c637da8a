"""Where words stand: what full-text search counts, by the means of the engine that has the index.

What an engine has to give is plain counts of what a view sees, and no scores: an engine's own
ranking counts rows that the reader may not know of (see `query.text` for ours). Every engine gives
the same counts for the same rows:

- the words of a text are those of `store.tokens.words`, wherever the text comes from;
- a phrase is words that follow each other in one text, or in one heading;
- a beginning is a phrase whose last word may go on;
- a piece is characters as they stand, counted without overlaps, for scripts that do not separate
  words by spaces;
- how often is told of what tells something: of a phrase of several words, and of a term that more
  than one visible chunk of `COMMON` has, only that it is there, as one time in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.postgres import postings as postgres
from writeros_entities.store.sqlite import postings as sqlite

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from writeros_entities.store.view import View

_ENGINES = {"sqlite": sqlite, "postgresql": postgres}

COMMON = 5
"""A term is common that is in more than one chunk of so many."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a query asks for: any of some phrases, or a piece of text.

    A phrase is a tuple of words as `store.tokens.words` cuts them. Several phrases are forms of one
    thing (`walk`, `walked`): what has two of them counts both, as if they were one. With
    `is_beginning`, the last word of each phrase may go on. A `piece` stands alone.
    """

    phrases: tuple[tuple[str, ...], ...] = ()
    is_beginning: bool = False
    piece: str = ""


@dataclass(frozen=True, eq=False)
class Postings:
    """The chunks that have a term, by ascending id, and how often: in the text, in the heading."""

    chunk_ids: NDArray[np.int64]
    in_text: NDArray[np.int64]
    in_heading: NDArray[np.int64]


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return, for each term, the chunks that the view sees and that have it at least once."""
    number = len(visible_chunks(view))
    found: list[Postings] = _engine(view).find_postings(view, terms)
    return [
        _as_presence(postings)
        if has_presence_alone(term, len(postings.chunk_ids), number)
        else postings
        for term, postings in zip(terms, found, strict=True)
    ]


def has_presence_alone(term: Term, found: int, chunks: int) -> bool:
    """Say whether of a term, found in some of all visible chunks, only its presence is told.

    An engine need not count what this is true of; what it counted is left out.
    """
    return any(len(phrase) > 1 for phrase in term.phrases) or found * COMMON > chunks


def _as_presence(postings: Postings) -> Postings:
    ones = np.ones(len(postings.chunk_ids), np.int64)
    return Postings(postings.chunk_ids, ones, np.zeros_like(ones))


def find_named_notes(view: View, terms: Sequence[Term]) -> list[NDArray[np.int64]]:
    """Return, for each term, the notes that have it in their title or in one of their names.

    Ids ascend. The names of a note are the `name` and `alias` forms of the entity that stands on
    it, as far as the view sees them; a note and its names count only where it sees the note.
    """
    found: list[NDArray[np.int64]] = _engine(view).find_named_notes(view, terms)
    return found


def _engine(view: View) -> Any:
    return _ENGINES[view.connection.dialect.name]
