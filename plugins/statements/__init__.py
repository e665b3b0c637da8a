"""Finds what prose plainly states: who is whose sister, who serves whom, who was born where.

Only the words between two mentions are read, and a few before and after: an apposition ("Isolde,
sister of Aldous"), a copula ("is the enemy of"), a possessive ("Isolde's brother Aldous"), a pair
("Ann and Bob are cousins"), a title ("Captain Vane of the Cormorant"), or a phrase ("was born in").
A question, a condition, a denial, a rumour or a mere possibility states nothing. What somebody says
in direct speech counts, with less confidence than what the narrator says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from writeros_plugins.statements.grammar import (
    LONGEST_GAP,
    Claim,
    read_gap,
    read_status,
)
from writeros_plugins.statements.sentences import Sentence, ends_between, gap_between

from writeros_entities import (
    DecidedMention,
    InferredRelation,
    Note,
    Ontology,
    hookimpl,
)

__version__ = "1"

NARRATED = 0.9
"""Confidence in what the narrator, or a note of the writer's, says."""

SPOKEN = 0.7
"""Confidence in what somebody in the story says."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """One note's prose and the kinds of relation, while its mentions are read."""

    prose: str
    ontology: Ontology

    def pair(self, one: DecidedMention, other: DecidedMention) -> InferredRelation | None:
        """Return what is stated between two mentions, if anything is."""
        gap = gap_between(self.prose, one.end, other.start)
        if gap is None:
            return None
        claim = read_gap(gap, one, other, self.prose, self.ontology)
        if claim is None:
            return None
        source, target = (other, one) if claim.is_inverse else (one, other)
        return self._stated(claim, source, target, one.start, max(other.end, claim.end))

    def alone(self, one: DecidedMention) -> InferredRelation | None:
        """Return what is stated of one mention alone, if anything is."""
        claim = read_status(self.prose, one)
        return None if claim is None else self._stated(claim, one, None, one.start, claim.end)

    def _stated(
        self,
        claim: Claim,
        source: DecidedMention,
        target: DecidedMention | None,
        start: int,
        end: int,
    ) -> InferredRelation | None:
        sentence = Sentence.around(self.prose, start, end)
        if not sentence.is_plain:
            return None
        return InferredRelation(
            source,
            claim.kind,
            target,
            min(start, claim.start),
            end,
            SPOKEN if sentence.is_spoken else NARRATED,
            claim.rule,
            claim.has_ended,
        )


@hookimpl
def infer_relations(
    note: Note, mentions: Sequence[DecidedMention], ontology: Ontology
) -> Iterable[InferredRelation]:
    """Return what the note's prose states of its mentions."""
    reader = _Reader(note.prose, ontology)
    return list(_read(reader, mentions))


def _read(reader: _Reader, mentions: Sequence[DecidedMention]) -> Iterator[InferredRelation]:
    prose = reader.prose
    for at, one in enumerate(mentions):
        status = reader.alone(one)
        if status is not None:
            yield status
        for other in mentions[at + 1 :]:
            if other.start > one.end + LONGEST_GAP or ends_between(prose, one.end, other.start):
                break
            if other.start >= one.end:
                stated = reader.pair(one, other)
                if stated is not None:
                    yield stated
