"""Weighs the candidates of a mention by the scene they stand in.

    score(candidate) = 0.50 if the note is its own
                     + 0.25 if a link in the note names it
                     + 0.30 if the note's properties put it into the scene, 0.35 as its viewpoint
                     + 0.30 · 2^(−d / 2000) if a name that it alone has stands d characters before
                       the mention, or half of that if it stands only behind it
                     + 0.10 if the mention is by a name or alias as it is spelled there

Each part looks at one candidate alone. A name counts only if the vault connects it with the entity
no later than the name that was matched, so that an earlier reader is told nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from writeros_entities import Candidate, Lexicon, Mention, Note, Score, hookimpl

__version__ = "3"


@hookimpl
def link_mention(
    mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
) -> Iterable[Score]:
    """Return what the note's links, properties and full names say for each candidate."""
    from .scenes import weigh_candidates

    return weigh_candidates(mention, candidates, note, lexicon)
