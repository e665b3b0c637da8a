"""Reads the statements of one note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from writeros_entities import MARK, DecidedMention, InferredRelation, Note, Ontology

from .claims import Claim
from .genders import gender_of_kin
from .grammar import LONGEST_GAP, may_open, read_gap
from .possessors import Possessors
from .sentences import Sentence, begin_of_sentence, ends_between
from .sheets import UNKNOWN_TYPES, Sheet
from .statuses import read_status
from .subjects import Subjects
from .table_rows import read_rows

NARRATED = 0.9
"""The confidence in narration, and in notes outside the manuscript."""

SPOKEN = 0.7
"""The confidence in direct speech."""

_FIRST_ROLE = re.compile(
    r"(?:\A|, (?:and )?)(?:(?:the|an?) )?([^\W\d_][\w-]*) of (?:the )?\Z", re.IGNORECASE
)
_LINES = frozenset((role, role) for role in ("child", "daughter", "son"))
_SECOND_ROLE = re.compile(r",\s+(?:and )?(?:(?:the|an?) )?([^\W\d_][\w-]*) of ")


@dataclass(frozen=True)
class Reader:
    """Reads one note's prose around its mentions.

    `subject` is the entity whose note it is, or None if there is none.
    """

    note: Note
    ontology: Ontology
    subject: DecidedMention | None = None

    def read(self, mentions: Sequence[DecidedMention]) -> Iterator[InferredRelation]:
        """Yield the relations stated of mentions."""
        yield from self._named(mentions)
        subjects = Subjects(self.note, mentions, self.ontology)
        for claim, who, other in subjects.read():
            yield from self._stated(claim, who, other, claim.start, max(other.end, claim.end))
        for claim, who, other in Possessors(self.note, mentions, self.ontology, subjects).read():
            yield from self._stated(claim, who, other, claim.start, max(other.end, claim.end))
        for claim, who, other in read_rows(self.note, mentions, self.ontology):
            start, end = min(claim.start, who.start), max(claim.end, who.end)
            yield from self._stated(claim, who, other, start, end)
        if self.subject is None or self.subject.type in UNKNOWN_TYPES:
            return
        sheet = Sheet(self.note, self.subject, self.ontology)
        for other in mentions:
            said = sheet.read(other) if other.entity != self.subject.entity else None
            if said is not None:
                end = max(other.end, said.end)
                yield from self._stated(said, self.subject, other, said.start, end)

    def _named(self, mentions: Sequence[DecidedMention]) -> Iterator[InferredRelation]:
        prose = self.note.prose
        for at, one in enumerate(mentions):
            if not may_open(prose, one.end):
                continue
            status = read_status(prose, one)
            if status is not None:
                yield from self._stated(status, one, None, one.start, status.end)
            for place in range(at + 1, len(mentions)):
                other = mentions[place]
                if other.start > one.end + LONGEST_GAP or ends_between(prose, one.end, other.start):
                    break
                if other.start < one.end:
                    continue
                gap = prose[one.end : other.start].replace(MARK, "")
                claim = read_gap(gap, one, other, prose, self.ontology)
                if claim is not None and not self._is_of_subject(gap, one):
                    end = max(other.end, claim.end)
                    yield from self._stated(claim, one, other, one.start, end)

    def _is_of_subject(self, gap: str, one: DecidedMention) -> bool:
        """Say whether the words after a name continue about the one described before it.

        "Enemy of Ann, widower of Eve" is all about the enemy, and "Ben, husband of Ann, uncle of
        Eve" about Ben; but "son of Ann, queen of Vantry" and "son of Ann, daughter of Eve" are not
        all about the son, and "son of Al, son of Ben" is a line of ancestors.
        """
        second = _SECOND_ROLE.match(gap)
        begin = (
            None if second is None else begin_of_sentence(self.note.prose, one.start, LONGEST_GAP)
        )
        if second is None or begin is None:
            return False
        first = _FIRST_ROLE.search(self.note.prose[begin : one.start].replace(MARK, ""))
        if first is None or not all(self._may_be_of(each[1], "person") for each in (first, second)):
            return False
        if self._may_be_of(second[1], "place"):
            return False
        roles = first[1].lower(), second[1].lower()
        genders = set(map(gender_of_kin, roles)) - {None}
        return len(genders) < 2 and roles not in _LINES

    def _may_be_of(self, role: str, other_type: str) -> bool:
        reading = self.ontology.read_role(role, "person", "person")
        return reading is not None and self.ontology.fits(
            reading, "person", other_type, strictly=True
        )

    def _stated(
        self,
        claim: Claim,
        one: DecidedMention,
        other: DecidedMention | None,
        start: int,
        end: int,
    ) -> Iterator[InferredRelation]:
        """Yield a claim about two mentions as a relation, if its sentence states it plainly."""
        sentence = Sentence.around(self.note.prose, start, end)
        if (claim.is_apart and sentence.is_spoken) or (
            claim.is_happening and not sentence.has_come
        ):
            return
        if not (sentence.is_real if claim.is_presupposed else sentence.is_plain):
            return
        source, target = (other, one) if claim.is_inverse and other is not None else (one, other)
        yield InferredRelation(
            source,
            claim.kind,
            target,
            min(start, claim.start),
            end,
            SPOKEN if sentence.is_spoken else NARRATED,
            claim.rule,
            claim.has_ended,
        )
