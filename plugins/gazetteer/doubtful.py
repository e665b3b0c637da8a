"""Names that are also common words, and what a note says for taking one of them for a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from writeros_entities import ALWAYS, Candidate, Lexicon, Note

from .evidence import acts, reads_as_verb
from .spellings import position
from .words import Words

CAPITAL = 0.9
"""How much a name that is a common word keeps where only a capital speaks for it."""

ACTING = "what only somebody does, right behind"

OFTEN = 3
"""So many capitals inside sentences of a note make a name of a part that is also a word."""

_OWN = frozenset({"name", "alias"})
"""Kinds of names that are no part of a longer one."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A place where a name is also a common word."""

    start: int
    end: int
    word: str
    candidates: tuple[Candidate, ...]
    is_plural: bool
    capital: str | None

    def named_by_capital(self) -> list[str]:
        """Return whom the word names here because of its capital."""
        if self.capital is None or self.is_plural:
            return []
        return [candidate.entity for candidate in self.candidates]

    def named_in_full(self, words: Words, often: Mapping[str, int]) -> list[tuple[str, float]]:
        """Return whom the word names here as plainly as a full name would, and since when.

        Those whose name it is, and not a part of it, unless the note has it `often`, where the
        capital says so and the note has no such word in small letters.
        """
        if self.capital is None or self.is_plural or words.have(self.word.lower()):
            return []
        return [
            (candidate.entity, position(candidate.known_from))
            for candidate in self.candidates
            if candidate.method in _OWN or often[candidate.entity] >= OFTEN
        ]

    def borne_out(self, note: Note, supported: Mapping[str, float]) -> Iterator[Candidate]:
        """Return the candidates for which the note speaks, with what it says.

        `supported` are the entities that the note names plainly, each with the position since when.
        """
        if reads_as_verb(note, self.start, self.end):
            return
        acting = ACTING if acts(note, self.start, self.end) else None
        for candidate in self.candidates:
            capital = self.capital or acting
            support = supported.get(candidate.entity)
            in_full = (*candidate.reasons, "named in full in this note")
            if support is not None and support <= position(candidate.known_from):
                yield replace(candidate, reasons=in_full)
            elif capital is not None:
                score = candidate.score * CAPITAL
                yield replace(candidate, score=score, reasons=(*candidate.reasons, capital))
            elif support is not None and not self.is_plural:
                known_from = None if support == inf else int(support)
                yield replace(candidate, known_from=known_from, reasons=in_full)


def own_entities(note: Note, lexicon: Lexicon, doubtful: Iterable[Doubtful]) -> dict[str, float]:
    """Return those whose own sheet a note is: its name is above it."""
    entities = {candidate.entity for place in doubtful for candidate in place.candidates}
    return {
        entity: ALWAYS
        for entity in entities
        if entity in lexicon.entities and lexicon.entities[entity].note_path == note.path
    }
