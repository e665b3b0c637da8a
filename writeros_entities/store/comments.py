"""Remove from full-text counts the words that occur only in the author's comments.

The full-text index includes comments, because the author may search for them. A reader (any
question asked as of a position) must not see them, so words are counted again in the few chunks
that contain comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, select

from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.words.own_names import count_term
from writeros_entities.store.words.terms import Postings

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.store.words.terms import Term

Commented = Mapping[int, tuple[str, str]]
"""Chunk id to the chunk's text without comments, and its heading."""


def commented_chunks(view: View) -> Commented:
    """Return the chunks that contain comments, cached until the index changes."""
    return view.cache.get(view.revision, "commented", lambda: _read(view.whole()))


def without_commented(
    postings: Postings, term: Term, commented: Commented, *, is_presence: bool
) -> Postings:
    """Return a term's postings without the occurrences that are only in comments.

    With `is_presence`, the postings hold mere presence (see `only_present`), so that an occurrence
    in the heading counts as well.
    """
    in_text = np.array(postings.in_text)
    for place, chunk_id in enumerate(postings.chunk_ids.tolist()):
        if chunk_id in commented:
            text, heading = commented[chunk_id]
            found = count_term(text, term)
            if is_presence:
                found += count_term(heading, term)
            in_text[place] = min(in_text[place], found)
    has = in_text + postings.in_heading > 0
    return Postings(postings.chunk_ids[has], in_text[has], postings.in_heading[has])


@prepared
def _with_comments(scope: Scope) -> Select[Any]:
    chunk = scope.chunk
    return select(chunk.c.id, chunk.c.text, chunk.c.heading).where(chunk.c.shown.is_not(None))


def _read(view: View) -> Commented:
    return {
        chunk_id: (text, heading) for chunk_id, text, heading in view.tuples(_with_comments(view))
    }
