"""Resolve "his" and "her" before or after a role and a name.

    Ann gave the letter to her brother Bob.       the only woman of the sentence so far
    Ann sat. She wrote to her brother Bob.        the subject to which a pronoun refers
    Bob came, and so did Ann, his sister.         the same, the name first
    Mr. and Mrs. Vane                             a couple who share a name

Only if nobody else can be meant: no other person who may be of that gender, named or not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from writeros_entities import DecidedMention, Note, Ontology

from .claims import Claim
from .genders import HUSBANDS, WIVES, title_of
from .grammar import read_gap
from .pronouns import GENDERS, NOUNS_OF_GENDER
from .sentences import WORD, begin_of_sentence
from .subjects import Subjects
from .surroundings import BORDER
from .words import OPENERS

LONGEST_LEAD = 240
"""The most characters from the start of a sentence to a pronoun in it."""

LONGEST_ROLE = 50

_ROLE_BEFORE = re.compile(
    r"\b([Hh]is|[Hh]er)\s+((?:(?!h(?:is|er)\b)[a-z-]+\s+){0,3}[a-z-]+,?)\s+\x01*\Z"
)
_ROLE_BEHIND = re.compile(r"\x01*,?\s+(his|her)\s+((?:[a-z-]+\s+){0,2}[a-z-]+)")
_LISTED_BEHIND = re.compile(r"\x01*(?:,\s+(?:his|her|their|the|an?)|,?\s+(?:and|or))\b")
"""Matches the continuation of a list, as in "saw Ann, his sister, and a dog"."""

_COUPLE = re.compile(r"(?<!\b[Tt]he )\b([^\W\da-z_]\w+)\.?\s+and\s+\x01*\Z")
_QUOTE = re.compile(r"[\"“”«»„]")
_OBJECT = re.compile(
    r"(?<!\bwith )\b(?:him|her (?:of|to|that|about|and|for|in|at|by|from|on|with))\b"
)
"""Matches a pronoun that means somebody other than the subject: "told him of his brother"."""


@dataclass(frozen=True)
class Possessors:
    """The mentions of a note, and the relatives among them of others."""

    note: Note
    mentions: Sequence[DecidedMention]
    ontology: Ontology
    subjects: Subjects

    def read(self) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
        """Yield a claim, the person whose relative is named, and the relative."""
        prose = self.note.prose
        for place, other in enumerate(self.mentions):
            if other.type != "person":
                continue
            lead = prose[max(0, other.start - LONGEST_ROLE) : other.start]
            behind = prose[other.end : other.end + 8]
            if "his" in lead or "her" in lead or "His" in lead or "Her" in lead:
                yield from self._read_before(place, other)
            if "his" in behind or "her" in behind:
                yield from self._read_behind(place, other)
            if "and" in lead[-6:]:
                yield from self._read_couple(other)

    def _read_before(
        self, place: int, other: DecidedMention
    ) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
        """Read "her brother Bob" and "her brother, Bob,"."""
        prose = self.note.prose
        found = _ROLE_BEFORE.search(prose, max(0, other.start - LONGEST_ROLE), other.start)
        if found is None:
            return
        if found[2][-1] == "," and prose[found.start() - 2 : found.start()] == ", ":
            return
        unnamed = replace(other, start=found.start(), end=found.start())
        claim = read_gap(f"’s {found[2]} ", unnamed, other, prose, self.ontology)
        if claim is None:
            return
        one = self._possessor(place, found.start(), GENDERS[found[1].lower()])
        if one is not None and one.entity != other.entity:
            yield claim, one, other

    def _read_behind(
        self, place: int, other: DecidedMention
    ) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
        """Read "Ann, his sister," and "Ann his sister"."""
        prose = self.note.prose
        found = _ROLE_BEHIND.match(prose, other.end)
        if found is None or not BORDER.match(prose, found.end()):
            return
        if _LISTED_BEHIND.match(prose, found.end()):
            return
        unnamed = replace(other, start=other.start, end=other.start)
        claim = read_gap(f"’s {found[2]} ", unnamed, other, prose, self.ontology)
        if claim is None:
            return
        one = self._possessor(place, other.start, GENDERS[found[1]])
        if one is not None and one.entity != other.entity:
            yield claim.until(found.end()), one, other

    def _read_couple(
        self, wife: DecidedMention
    ) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
        """Read "Mr. and Mrs. Vane", if the note names exactly one Mr. Vane."""
        if title_of(wife.surface) not in WIVES:
            return
        prose = self.note.prose
        found = _COUPLE.search(prose, max(0, wife.start - 30), wife.start)
        if found is None or found[1].lower() not in HUSBANDS:
            return
        husband = f"{found[1].lower()} {wife.surface.partition(' ')[2]}"
        named = self._husbands.get(husband, [])
        behind = bisect_left(named, wife.start, key=lambda each: each.start)
        near = named[max(0, behind - 1) : behind + 1]
        if near and near[0].entity != wife.entity:
            nearest = min(near, key=lambda each: abs(each.start - wife.start))
            rule = f"couple: {found[1].lower()}"
            claim = Claim("spouse_of", rule, found.start(), wife.end, is_presupposed=True)
            yield claim, nearest, wife

    def _possessor(self, place: int, end: int, gender: str) -> DecidedMention | None:
        """Return the person to whom a pronoun that starts at `end` refers, or None if uncertain.

        What stands before a quotation mark in the sentence is ignored: somebody else says it.
        """
        prose, genders = self.note.prose, self.subjects.genders
        begin = begin_of_sentence(prose, end, LONGEST_LEAD)
        if begin is None:
            return None
        start = max((found.end() for found in _QUOTE.finditer(prose, begin, end)), default=begin)
        named = self._named(place, start)
        sentence = range(begin, self.mentions[place].end + LONGEST_ROLE)
        may_be = [
            each
            for each in named
            if each.type == "person" and genders.of(each.entity, sentence) in ("", gender)
        ]
        if not may_be:
            return self.subjects.find(begin, place) if start == begin and not named else None
        one = may_be[0]
        is_known = genders.of(one.entity, sentence) == gender
        is_one = is_known and len({each.entity for each in may_be}) == 1
        return one if is_one and self._is_alone(start, one, named, end, gender) else None

    def _named(self, place: int, begin: int) -> list[DecidedMention]:
        """Return the mentions before one in the same sentence."""
        named: list[DecidedMention] = []
        for each in reversed(self.mentions[max(0, place - 40) : place]):
            if each.start < begin:
                break
            named.insert(0, each)
        return named

    def _is_alone(
        self,
        begin: int,
        one: DecidedMention,
        named: Sequence[DecidedMention],
        end: int,
        gender: str,
    ) -> bool:
        """Say whether the words up to a pronoun mention nobody else to whom it may refer."""
        prose = self.note.prose
        if _OBJECT.search(prose, one.end, end):
            return False
        spans = [(each.start, each.end) for each in named]
        for word in WORD.finditer(prose, begin, end):
            if any(start <= word.start() < stop for start, stop in spans):
                continue
            lower = word[0].lower()
            is_opener = word.start() == begin or lower in OPENERS or lower in GENDERS
            if word[0][0].isupper() and not is_opener:
                return False
            if word.start() < one.start and GENDERS.get(lower) == gender:
                return False
            if self._may_mean(lower, gender):
                return False
        return True

    def _may_mean(self, noun: str, gender: str) -> bool:
        """Say whether a noun is a person to whom a pronoun may refer: "a woman", "my friend"."""
        if noun in NOUNS_OF_GENDER[gender]:
            return True
        if any(noun in nouns for nouns in NOUNS_OF_GENDER.values()):
            return False
        role = self.ontology.read_role(noun, "person", "person")
        if role is None or self.ontology.fits(role, "place", "place", strictly=True):
            return False
        return self.ontology.fits(role, "person", "person", strictly=True)

    @cached_property
    def _husbands(self) -> dict[str, list[DecidedMention]]:
        """Mentions by title and name, of names that only one person of the note has: "mr Vane"."""
        by_name: dict[str, list[DecidedMention]] = {}
        for each in self.mentions:
            title = title_of(each.surface)
            if each.type == "person" and title in HUSBANDS:
                by_name.setdefault(f"{title} {each.surface.partition(' ')[2]}", []).append(each)
        return {
            name: named
            for name, named in by_name.items()
            if len({each.entity for each in named}) == 1
        }
