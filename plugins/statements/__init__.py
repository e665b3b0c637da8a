"""Finds what prose plainly states: who is whose sister, who serves whom, who was born where.

Only the words between two mentions are read, and a few before and after: an apposition ("Isolde,
sister of Aldous"), a copula ("is the enemy of"), a possessive ("Isolde's brother Aldous", "Isolde
and her brother Aldous"), a pair ("Ann and Bob are cousins"), a title ("Captain Vane of the
Cormorant"), an employment ("a clerk in the Guild"), whom somebody has ("had two sons, Ben and Al"),
or a phrase ("was born in"). A second verb or a pronoun is followed where nobody else can be meant
("Ann came in. She had married Ben."; "Ann wrote to her brother Ben."). In the sheet of somebody a
sentence may leave the subject out ("Master of the Guild."); in a table a cell may name it.
A question, a condition, a denial, a rumour or a mere possibility states nothing but what it takes
for granted ("have you met Ann's brother Ben?"). What somebody says in direct speech counts, with
less confidence than what the narrator says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from writeros_entities import hookimpl

if TYPE_CHECKING:
    from writeros_entities import DecidedMention, InferredRelation, Note, Ontology

__version__ = "6"


@hookimpl
def infer_relations(
    note: Note,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    subject: DecidedMention | None,
) -> Iterable[InferredRelation]:
    """Return what the note's prose states of its mentions."""
    from .reader import Reader

    return list(Reader(note, ontology, subject).read(mentions))
