"""Names that are also common words, and a note's evidence that one is used as a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from writeros_entities import ALWAYS, Candidate, Lexicon, Note

from ..english import GIVEN_NAMES_AND_WORDS, STOP_WORDS
from ..numerals import NUMERALS
from .evidence import reads_as_verb
from .spellings import position
from .words import Words

CAPITAL = 0.9
"""The factor on the score if a capital is the only evidence."""

OFTEN = 3
"""How many capitals inside sentences of a note make a name of a part that is also a word."""

_OWN = frozenset({"name", "alias"})
"""Kinds of names that are not part of a longer one."""


_OPENING_WORDS = (STOP_WORDS | NUMERALS.keys()) - GIVEN_NAMES_AND_WORDS
"""Words that begin so many sentences that a capital there is no name, whoever else is named."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A place where a name is also a common word."""

    start: int
    end: int
    word: str
    candidates: tuple[Candidate, ...]
    is_plural: bool
    evidence: str | None

    def named_by_evidence(self) -> list[str]:
        """Return the entities that the word names here because of a capital or a verb."""
        if self.evidence is None or self.is_plural:
            return []
        return [candidate.entity for candidate in self.candidates]

    def named_in_full(self, words: Words, often: Mapping[str, int]) -> list[tuple[str, float]]:
        """Return the entities that the word names here as clearly as a full name, and from where.

        These are the entities that own the name, and those of which it is a part if the note uses
        it `often`, provided that there is evidence here and no use in lower case in the note.
        """
        if self.evidence is None or self.is_plural or words.have(self.word.lower()):
            return []
        return [
            (candidate.entity, position(candidate.known_from))
            for candidate in self.candidates
            if candidate.method in _OWN or often[candidate.entity] >= OFTEN
        ]

    def borne_out(self, note: Note, supported: Mapping[str, float]) -> Iterator[Candidate]:
        """Yield the candidates for which there is evidence in the note, with reasons.

        `supported` has the entities that the note names clearly, with the position from which it
        does.
        """
        if reads_as_verb(note, self.start, self.end):
            return
        is_opening = self.evidence is None and self.word.lower() in _OPENING_WORDS
        for candidate in self.candidates:
            if is_opening and candidate.method not in _OWN:
                continue
            support = supported.get(candidate.entity)
            in_full = (*candidate.reasons, "named in full in this note")
            if support is not None and support <= position(candidate.known_from):
                yield replace(candidate, reasons=in_full)
            elif self.evidence is not None:
                score = candidate.score * CAPITAL
                yield replace(candidate, score=score, reasons=(*candidate.reasons, self.evidence))
            elif support is not None and not self.is_plural:
                known_from = None if support == inf else int(support)
                yield replace(candidate, known_from=known_from, reasons=in_full)


def own_entities(note: Note, lexicon: Lexicon, doubtful: Iterable[Doubtful]) -> dict[str, float]:
    """Return the entities among the candidates whose own note this is, with position `ALWAYS`."""
    entities = {candidate.entity for place in doubtful for candidate in place.candidates}
    return {
        entity: ALWAYS
        for entity in entities
        if entity in lexicon.entities and lexicon.entities[entity].note_path == note.path
    }
