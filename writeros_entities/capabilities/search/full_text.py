"""Full text, ranked by BM25F over what the reader may see.

For a chunk d and the terms t of a query, with the fields body, heading and names (the title of the
note, and the names of the note's entity):

    score(d) = Σ_t idf(t) · w(t, d) / (k₁ + w(t, d))
    w(t, d)  = tf_body / (1 - b + b · |d| / mean |d|) + W_heading · tf_heading + W_names · in_names
    idf(t)   = ln(1 + (N - n_t + ½) / (n_t + ½))

S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, section
3.6; the 1 in the idf keeps it above zero. N, n_t (chunks with the term) and mean |d| are computed
over the view: the database's own ranking would count chapters that the reader has not reached.

A term is a word with its other forms. A query of one word alone wants that word: a chunk that has
it in just this form gets s + `FORM_SHARE` · (1 - s) instead of s = w / (k₁ + w).

A scene goes on from passage to passage: in a chunk with any term of the query, every other term
counts at least `NEARBY_SHARE` of its greatest share within `NEARBY` chunks of it in the same note.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities.store.postings import find_named_notes, find_postings

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Floats, Integers
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.store.chunks import Chunks
    from writeros_entities.view import View


def greatest_nearby(shares: Floats, rows: Integers, note_ids: Integers, reach: int) -> Floats:
    """Return the greatest share among other chunks at most `reach` rows away, in the same note.

    `shares` has shape (terms, chunks), as has the result. The chunks are in reading order: `rows`
    are their places in it, `note_ids` their notes. Chunks that are not given have no share.
    """
    greatest = np.zeros_like(shares)
    for step in range(1, min(reach, len(rows) - 1) + 1):
        earlier, later = slice(None, -step), slice(step, None)
        is_near = rows[later] - rows[earlier] <= reach
        is_near &= note_ids[later] == note_ids[earlier]
        for here, beside in ((later, earlier), (earlier, later)):
            found = greatest[:, here]
            np.maximum(found, shares[:, beside] * is_near, out=found)
    return greatest


SATURATION = 1.2
LENGTH_SHARE = 0.75
HEADING_WEIGHT = 1.5
NAMES_WEIGHT = 3.0

FORM_SHARE = 0.5
"""The share of what is missing to 1 that a chunk gets for the very form of a query's only word."""

NEARBY = 2
NEARBY_SHARE = 0.3
"""How many chunks before and after a chunk count for it, and by how much of their shares."""


def score_text(view: View, chunks: Chunks, asked: Sequence[QueryTerm]) -> Floats:
    """Return what each term adds to the score of each visible chunk: (terms, chunks)."""
    shares = np.zeros((len(asked), len(chunks)))
    length = relative_length(chunks)
    terms = [one.term for one in asked]
    found = zip(find_postings(view, terms), find_named_notes(view, terms), strict=True)
    for share, (postings, notes) in zip(shares, found, strict=True):
        rows = chunks.rows_of(postings.chunk_ids)
        share[rows] = postings.in_text / length[rows] + HEADING_WEIGHT * postings.in_heading
        if len(notes):
            share[np.isin(chunks.note_ids, notes)] += NAMES_WEIGHT
        rare, share[:] = rarity(share), saturated(share)
        if len(asked) == 1:
            here = _has_form(view, chunks, asked[0])
            share[here] += FORM_SHARE * (1 - share[here])
        share *= rare
    return shares


def _has_form(view: View, chunks: Chunks, asked: QueryTerm) -> Flags:
    """Return which chunks have a word as the query spells it, in the text or the note's name."""
    here: Flags = np.isin(chunks.note_ids, find_named_notes(view, [asked.as_asked])[0])
    here[chunks.rows_of(find_postings(view, [asked.as_asked])[0].chunk_ids)] = True
    return here


def score_nearby(chunks: Chunks, shares: Floats) -> Floats:
    """Return what terms nearby add to the shares of each term in each chunk: (terms, chunks)."""
    rows = np.flatnonzero(shares.any(axis=0))
    here = shares[:, rows]
    nearby = NEARBY_SHARE * greatest_nearby(here, rows, chunks.note_ids[rows], NEARBY)
    added = np.zeros_like(shares)
    added[:, rows] = np.maximum(nearby - here, 0.0)
    return added


def relative_length(chunks: Chunks) -> Floats:
    """Return each chunk's length normalisation, 1 - b + b · |d| / mean |d|."""
    relative: Floats = chunks.tokens.astype(np.float64) / chunks.mean_tokens
    return 1 - LENGTH_SHARE + LENGTH_SHARE * relative


def saturated(weight: Floats) -> Floats:
    """Return w / (k₁ + w) of weights, in 0-1: the tenth occurrence adds less than the first."""
    share: Floats = weight / (SATURATION + weight)
    return share


def rarity(weight: Floats) -> float:
    """Return the idf of a term from its weight in each chunk."""
    number = np.count_nonzero(weight)
    return float(np.log1p((len(weight) - number + 0.5) / (number + 0.5)))
