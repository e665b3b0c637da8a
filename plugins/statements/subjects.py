"""Find the subject of a sentence or clause that does not name it.

    Ann lives in Vantry and serves Eve.          a second verb
    Ann came in, and she married Bob.            a pronoun
    Ann is quick. She was born in Vantry.        a pronoun, if all that precedes is about one

Only if nobody else can be meant: nobody else is named or mentioned after the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from writeros_entities import MARK, DecidedMention, Note, Ontology

from .claims import Claim
from .genders import Genders
from .grammar import LONGEST_GAP, as_clauses, read_gap
from .phrases import PHRASES
from .pronouns import GENDERS, NOUNS_OF_GENDER
from .sentences import LONGEST_LEAD, WORD, begin_of_sentence, is_doubtful, says
from .words import BE, FILLERS, HAVE, SUBORDINATORS

FURTHEST = 600
"""The most characters from the name of a subject to a statement about it."""

_LAST_WORDS = frozenset({*(phrase.split()[-1] for phrase in PHRASES), "of", "to"})
_ARTICLES = frozenset({"the", "a", "an", "his", "her"})
_PRONOUNS = frozenset({"he", "she", "He", "She"})
_CONJUNCTIONS = frozenset({"and", "then", "but"})
_TAIL = re.compile(r"(?:,? and then|,? and|, then|,? but) (?=([^\W\d_]+))")
_VERBS = frozenset({*(phrase.split()[0] for phrase in PHRASES), *BE, *HAVE} - {"be"})
_PRONOUN = re.compile(
    r"(?:\A|, | and | but | for | so | because | since | though )(he|she) (?=[^\W\d_])", re.I
)
_PREDICATE = re.compile(
    r"\b(?:is|was|been|became|remained|himself|herself) (?:an?|the|no|not an?) (?:[\w-]+ ){0,3}"
    r"[\w-]+"
)
"""Matches a predicate noun, as in "was a tall man": it is not another person."""

_QUOTES = frozenset('"“”«»„')


@dataclass(frozen=True)
class Subjects:
    """The mentions of a note, and the subjects of its sentences."""

    note: Note
    mentions: Sequence[DecidedMention]
    ontology: Ontology

    def read(self) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
        """Yield the claims of later clauses and sentences, each with its subject and object."""
        prose = self.note.prose
        for place, other in enumerate(self.mentions):
            if not _may_go_on(prose[max(0, other.start - LONGEST_GAP) : other.start]):
                continue
            begin = begin_of_sentence(prose, other.start, LONGEST_LEAD)
            one = None if begin is None else self.find(begin, place)
            if begin is None or one is None or one.entity == other.entity:
                continue
            for gap in self._gaps(one, max(begin, one.end), other.start):
                unnamed = replace(one, start=begin, end=begin)
                claim = read_gap(gap, unnamed, other, prose, self.ontology)
                if claim is not None:
                    yield claim, one, other
                    break

    def find(self, begin: int, place: int) -> DecidedMention | None:
        """Return the subject of a sentence: the mention that begins it, or that begins an earlier
        one.

        In the latter case, all sentences after that one must begin with the same pronoun.
        """
        prose, start, gender = self.note.prose, begin, ""
        while begin - start < FURTHEST:
            one = self._by_start.get(start)
            if one is not None:
                is_free = one.type == "person" and self._is_alone(one, place)
                between = prose[one.end : max(begin, one.end)]
                is_meant = not gender or self._may_mean(one, between, gender)
                return one if is_free and is_meant else None
            first = WORD.match(prose, start)
            pronoun = GENDERS.get(first[0].lower(), "") if first is not None else ""
            if pronoun not in ("he", "she") or gender not in ("", pronoun) or start == 0:
                return None
            gender = pronoun
            earlier = begin_of_sentence(prose, start - 1, LONGEST_LEAD)
            if earlier is None or earlier >= start or "\n\n" in prose[earlier:start]:
                return None
            start = earlier
        return None

    def _is_alone(self, one: DecidedMention, place: int) -> bool:
        """Say whether nobody else is named between two mentions, and nobody speaks."""
        end = self.mentions[place].start
        prose = self.note.prose[one.end : end]
        if not _QUOTES.isdisjoint(prose) or prose[:2] in ("'s", "’s"):
            return False
        between = self.mentions[self._places[one.start] + 1 : place]
        if any(each.type == "person" and each.entity != one.entity for each in between):
            return False
        spans = [(each.start - one.end, each.end - one.end) for each in between]
        for word in WORD.finditer(prose):
            is_name = word[0][0].isupper() and word[0] != "I" and word[0].lower() not in GENDERS
            if is_name and not any(start <= word.start() < stop for start, stop in spans):
                return False
        return True

    def _gaps(self, one: DecidedMention, start: int, end: int) -> Iterator[str]:
        """Yield the words of a sentence as they would follow the name of its subject."""
        lead = " ".join(self.note.prose[start:end].replace(MARK, "").split()) + " "
        for found in reversed(list(_PRONOUN.finditer(lead))):
            before_it = lead[: found.start(1)]
            if not (is_doubtful(before_it) or says(before_it)) and self._may_mean(
                one, lead[: found.start()], found[1].lower()
            ):
                yield from as_clauses(lead[found.end() :])
        for found in reversed(list(_TAIL.finditer(lead))):
            before = {word.lower() for word in WORD.findall(lead[: found.start()])}
            is_plain = SUBORDINATORS.isdisjoint(before) and not is_doubtful(lead[: found.end()])
            if found[1] in _VERBS and is_plain:
                yield from as_clauses(lead[found.end() :])

    def _may_mean(self, one: DecidedMention, between: str, gender: str) -> bool:
        """Say whether a pronoun may refer to a mention, and to nobody between or just before it."""
        if not _may_be(one, between, gender):
            return False
        known = self.genders.of(one.entity)
        return known == gender or (not known and self._is_first(one))

    @cached_property
    def genders(self) -> Genders:
        """The pronouns that the note uses for people."""
        return Genders.read(self.note.prose, self.mentions)

    def _is_first(self, one: DecidedMention) -> bool:
        """Say whether no other person is named shortly before a mention."""
        for each in reversed(self.mentions[: self._places[one.start]]):
            if each.end < one.start - FURTHEST:
                return True
            if each.type == "person" and each.entity != one.entity:
                return False
        return True

    @cached_property
    def _by_start(self) -> dict[int, DecidedMention]:
        return {mention.start: mention for mention in self.mentions}

    @cached_property
    def _places(self) -> dict[int, int]:
        return {mention.start: place for place, mention in enumerate(self.mentions)}


def _may_go_on(lead: str) -> bool:
    """Say whether the words before a name can be a verb after a pronoun or a conjunction."""
    lead = lead.replace(MARK, "")
    if _LAST_WORDS.isdisjoint(lead.rsplit(None, 2)[1:]):
        return False
    words = lead.split()
    last = len(words) - 1
    if last > 0 and words[last] in _ARTICLES:
        last -= 1
    if last < 1 or words[last] not in _LAST_WORDS:
        return False
    for place in range(last - 1, -1, -1):
        if words[place] in _PRONOUNS:
            return words[place + 1] in _VERBS or words[place + 1] in FILLERS
        if words[place] in _CONJUNCTIONS and words[place + 1] in _VERBS:
            return True
    return False


def _may_be(one: DecidedMention, between: str, gender: str) -> bool:
    """Say whether a pronoun may refer to a mention, and to nobody mentioned in between."""
    others = {name: nouns for name, nouns in NOUNS_OF_GENDER.items() if name != gender}
    called = {word.lower() for word in WORD.findall(one.surface)}
    if any(not nouns.isdisjoint(called) for nouns in others.values()):
        return False
    spoken_of = WORD.findall(_PREDICATE.sub(" ", between.lower()))
    return NOUNS_OF_GENDER[gender].isdisjoint(spoken_of)
