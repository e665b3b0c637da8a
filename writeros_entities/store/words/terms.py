"""Terms of a full-text query and their postings; `store.postings` has the rules of counting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers

COMMON = 5
"""A term is common if more than one in this many chunks contains it."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a query: alternative phrases, or a substring.

    A phrase is a tuple of words as split by `tokens.words`. Several phrases are forms of one term
    (`walk`, `walked`), whose occurrences are added up. With `is_beginning`, the last word of each
    phrase is a prefix. `piece` is a substring; a term with one has no phrases.
    """

    phrases: tuple[tuple[str, ...], ...] = ()
    is_beginning: bool = False
    piece: str = ""


@dataclass(frozen=True, eq=False)
class Postings:
    """The chunks with a term, by ascending id, and its occurrences in text and heading."""

    chunk_ids: Integers
    in_text: Integers
    in_heading: Integers


def has_presence_alone(term: Term, found: int, chunks: int) -> bool:
    """Return whether only the presence of a term is reported, not its number of occurrences.

    `found` is the number of visible chunks that contain it, `chunks` the number of all. An engine
    need not count the occurrences of such a term.
    """
    return any(len(phrase) > 1 for phrase in term.phrases) or found * COMMON > chunks


def only_present(chunk_ids: Integers) -> Postings:
    """Return postings that report only presence, as one occurrence in the text."""
    one, none = (np.broadcast_to(np.int64(number), len(chunk_ids)) for number in (1, 0))
    return Postings(chunk_ids, one, none)
