"""Scores the candidates of a mention by the scene around it.

    score(candidate) = 0.50 if the note is its own
                     + 0.25 if a link in the note names it
                     + 0.30 if the note's properties put it into the scene, 0.35 as its viewpoint
                     + 0.30 · 2^(−d / 2000) if a name that only it has stands d characters before
                       the mention, or half of that if it stands only after it
                     + 0.10 if the mention is by a name or alias as spelled there
                     - 1.00 if it is a place or a thing, and does what only somebody does: "said X"

Each part depends on a single candidate. A name counts only if the vault connects it with the entity
no later than the matching name, so that an earlier reader learns nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from writeros_entities import Candidate, Lexicon, Mention, Note, Score, hookimpl

__version__ = "4"


@hookimpl
def link_mention(
    mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
) -> Iterable[Score]:
    """Return the evidence of the note's links, properties and full names for each candidate."""
    from .scenes import weigh_candidates

    return weigh_candidates(mention, candidates, note, lexicon)
