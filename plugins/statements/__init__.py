"""Finds relations that prose states plainly: who is whose sister, who serves whom, and so on.

Only the words between two mentions are read, and a few before and after. The forms are: an
apposition ("Isolde, sister of Aldous"), a copula ("is the enemy of"), a possessive ("Isolde's
brother Aldous", "Isolde and her brother Aldous"), a pair ("Ann and Bob are cousins"), a title
("Captain Vane of the Cormorant"), an employment ("a clerk in the Guild"), having relatives ("had
two sons, Ben and Al"), or a phrase ("was born in"). A second verb or a pronoun is followed if it
can have no other subject ("Ann came in. She had married Ben."; "Ann wrote to her brother Ben."). In
the sheet of an entity a sentence may omit the subject ("Master of the Guild."); in a table a cell
may name it.

Questions, conditions, denials, rumours and possibilities state only what they presuppose ("have you
met Ann's brother Ben?"). Direct speech counts, with less confidence than narration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from writeros_entities import hookimpl

if TYPE_CHECKING:
    from writeros_entities import DecidedMention, InferredRelation, Note, Ontology

__version__ = "8"


@hookimpl
def infer_relations(
    note: Note,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    subject: DecidedMention | None,
) -> Iterable[InferredRelation]:
    """Return the relations that the note's prose states between its mentions."""
    from .reader import Reader

    return list(Reader(note, ontology, subject).read(mentions))
