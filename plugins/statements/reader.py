"""Reads one note's prose around its mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from writeros_plugins.statements.grammar import LONGEST_GAP, Claim, may_open, read_gap, read_status
from writeros_plugins.statements.sentences import Sentence, ends_between

from writeros_entities import MARK, DecidedMention, InferredRelation, Ontology

NARRATED = 0.9
"""Confidence in what the narrator, or a note of the writer's, says."""

SPOKEN = 0.7
"""Confidence in what somebody in the story says."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One note's prose and the kinds of relation, while its mentions are read."""

    prose: str
    ontology: Ontology

    def pair(self, one: DecidedMention, other: DecidedMention) -> InferredRelation | None:
        """Return what is stated between two mentions of one sentence, if anything is."""
        gap = self.prose[one.end : other.start].replace(MARK, "")
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

    def read(self, mentions: Sequence[DecidedMention]) -> Iterator[InferredRelation]:
        """Yield what is stated of mentions, each looked at with those shortly behind it."""
        for at, one in enumerate(mentions):
            if not may_open(self.prose, one.end):
                continue
            status = self.alone(one)
            if status is not None:
                yield status
            for place in range(at + 1, len(mentions)):
                other = mentions[place]
                if other.start > one.end + LONGEST_GAP or ends_between(
                    self.prose, one.end, other.start
                ):
                    break
                if other.start >= one.end:
                    stated = self.pair(one, other)
                    if stated is not None:
                        yield stated
