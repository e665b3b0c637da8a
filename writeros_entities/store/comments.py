"""What stands in the author's comments alone, taken out of what full text tells a reader.

The index has the words of comments, since their author may look for them. Who asks as of a position
is a reader, to whom they do not exist: in the few chunks that have any, words are counted again.
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
"""By chunk, its text without its comments, and its heading."""


def commented_chunks(view: View) -> Commented:
    """Return the chunks with comments; they are kept until the index changes."""
    return view.kept.get(view.revision, "commented", lambda: _read(view.whole()))


def without_commented(
    postings: Postings, term: Term, commented: Commented, *, is_presence: bool
) -> Postings:
    """Return postings of a term without what only comments have of it.

    With `is_presence`, a time in the text says no more than that the chunk has the term.
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
