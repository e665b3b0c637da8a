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
    values: dict[str, Any] = {f"piece_{number}": piece for number, piece in enumerate(pieces)}
    names = ("id", *(name for number in range(len(pieces)) for name in _names_of(number)))
    fields = np.dtype([(name, "i8") for name in names])
    found = view.array(fields, _chunks_with(len(pieces), find)(view), **values)
    for number in range(len(pieces)):
        in_text, in_heading = (found[name] for name in _names_of(number))
        has = in_text + in_heading > 0
        yield Postings(found["id"][has], in_text[has], in_heading[has])


def _names_of(number: int) -> tuple[str, str]:
    """Return the names of the columns with the counts of a piece in text and heading."""
    return f"text_{number}", f"heading_{number}"


@cache
def _chunks_with(number: int, find: Find) -> Callable[[View], Select[Any]]:
    """Return the statement that counts `number` pieces in every chunk."""

    @prepared
    def build(scope: Scope) -> Select[Any]:
        chunk = scope.chunk
        pieces: list[Any] = [bindparam(f"piece_{at}", type_=Text) for at in range(number)]
        searched = {
            name: (piece, column)
            for at, piece in enumerate(pieces)
            for name, column in zip(_names_of(at), (chunk.c.written, chunk.c.heading), strict=True)
        }
        counts = [
            (
                (func.length(column) - func.length(func.replace(column, piece, "")))
                // func.length(piece)
            ).label(name)
            for name, (piece, column) in searched.items()
        ]
        has_one = or_(*(find(column, piece) > 0 for piece, column in searched.values()))
        return select(chunk.c.id, *counts).where(has_one).order_by(chunk.c.id)

    return build
