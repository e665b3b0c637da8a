"""What full-text search is asked for, and what it counts; the rules are those of `postings`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMMON = 5
"""A term is common that is in more than one chunk of so many."""


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a query asks for: any of some phrases, or a piece of text.

    A phrase is a tuple of words as `tokens.words` cuts them. Several phrases are forms of one thing
    (`walk`, `walked`): what has two of them counts both, as if they were one. With `is_beginning`,
    the last word of each phrase may go on. A `piece` stands alone.
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


def has_presence_alone(term: Term, found: int, chunks: int) -> bool:
    """Say whether of a term, found in some of all visible chunks, only its presence is told.

    An engine need not count what this is true of; what it counted is left out.
    """
    return any(len(phrase) > 1 for phrase in term.phrases) or found * COMMON > chunks


def only_present(chunk_ids: NDArray[np.int64]) -> Postings:
    """Return postings that say of chunks no more than that they have a term."""
    one, none = (np.broadcast_to(np.int64(number), len(chunk_ids)) for number in (1, 0))
    return Postings(chunk_ids, one, none)
