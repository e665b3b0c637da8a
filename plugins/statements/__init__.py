"""Finds what prose plainly states: who is whose sister, who serves whom, who was born where.

Only the words between two mentions are read, and a few before and after: an apposition ("Isolde,
sister of Aldous"), a copula ("is the enemy of"), a possessive ("Isolde's brother Aldous"), a pair
("Ann and Bob are cousins"), a title ("Captain Vane of the Cormorant"), or a phrase ("was born in").
A question, a condition, a denial, a rumour or a mere possibility states nothing. What somebody says
in direct speech counts, with less confidence than what the narrator says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from writeros_entities import hookimpl

if TYPE_CHECKING:
    from writeros_entities import DecidedMention, InferredRelation, Note, Ontology

__version__ = "1"


@hookimpl
def infer_relations(
    note: Note, mentions: Sequence[DecidedMention], ontology: Ontology
) -> Iterable[InferredRelation]:
    """Return what the note's prose states of its mentions."""
    from writeros_plugins.statements.reader import Reader

    return list(Reader(note.prose, ontology).read(mentions))
