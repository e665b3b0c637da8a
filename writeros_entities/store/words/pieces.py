"""Substring counts, for scripts without spaces between words.

The full-text index has no words for these, so all chunks of the view are scanned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Select, Text, bindparam, func, or_, select

from writeros_entities.store.scope import Scope, prepared
from writeros_entities.store.words.terms import Postings

if TYPE_CHECKING:
    from writeros_entities.store.view import View

Find = Callable[[Any, Any], Any]
"""SQL function of the engine that returns the 1-based position of a substring in a column, or 0."""


def count_pieces(view: View, pieces: Sequence[str], find: Find) -> Iterator[Postings]:
    """Yield the postings of each piece; the chunks are scanned once for all of them."""
    values = {f"piece_{number}": piece for number, piece in enumerate(pieces)}
    found = view.tuples(_chunks_with(len(pieces), find)(view), **values)
    columns = [np.array(column, np.int64) for column in zip(*found, strict=True)]
    columns = columns or [np.empty(0, np.int64)] * (2 * len(pieces) + 1)
    for number in range(len(pieces)):
        in_text, in_heading = columns[2 * number + 1], columns[2 * number + 2]
        has = in_text + in_heading > 0
        yield Postings(columns[0][has], in_text[has], in_heading[has])


@cache
def _chunks_with(number: int, find: Find) -> Callable[[View], Select[Any]]:
    """Return the statement that counts `number` pieces in every chunk."""

    @prepared
    def build(scope: Scope) -> Select[Any]:
        chunk = scope.chunk
        pieces: list[Any] = [bindparam(f"piece_{at}", type_=Text) for at in range(number)]
        columns = [
            (piece, column) for piece in pieces for column in (chunk.c.written, chunk.c.heading)
        ]
        counts = [
            (func.length(column) - func.length(func.replace(column, piece, "")))
            // func.length(piece)
            for piece, column in columns
        ]
        has_one = or_(*(find(column, piece) > 0 for piece, column in columns))
        return select(chunk.c.id, *counts).where(has_one).order_by(chunk.c.id)

    return build
