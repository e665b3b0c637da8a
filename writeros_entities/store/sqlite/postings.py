"""Postings on SQLite: read from the FTS5 indexes through their vocabulary tables.

`fts5vocab` in its `instance` form has a row for every word of every text. Rows are joined to one
string by the engine and read by numpy, which takes a fifth of the time of fetching them: the
commonest words of a large vault have hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, bindparam, func, literal_column, select, text

from writeros_entities.store import postings, rows
from writeros_entities.store.chunks import visible_chunks
from writeros_entities.store.tokens import words
from writeros_entities.store.view import Scope, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from writeros_entities.store.chunks import Chunks
    from writeros_entities.store.postings import Postings, Term
    from writeros_entities.store.view import View

    Integers = NDArray[np.int64]

OWN_NAMES = ("name", "alias")

_LAST = "\U0010ffff"
"""Comes after every letter that can go on a word."""


def find_postings(view: View, terms: Sequence[Term]) -> list[Postings]:
    """Return the chunks that have each term; see `store.postings`."""
    chunks = visible_chunks(view)
    found = []
    for term in terms:
        if term.piece:
            found.append(_count_pieces(view, chunks, term.piece))
            continue
        in_text = _count_phrases(view, "chunk_fts", "text", chunks, term)
        in_heading = _count_phrases(view, "chunk_fts", "heading", chunks, term)
        found.append(_as_postings(chunks, in_text, in_heading))
    return found


def find_named_notes(view: View, terms: Sequence[Term]) -> list[Integers]:
    """Return the notes that have each term in a title or a name; see `store.postings`."""
    return [
        np.array(sorted(_titled(view, term) | _called(view, term)), np.int64) for term in terms
    ]
