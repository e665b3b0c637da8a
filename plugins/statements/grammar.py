"""Parse the words around two mentions into a claim.

Each form is recognised from a list of words, in a single pass; no pattern is tried at several
places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from writeros_entities import DecidedMention, Ontology

from .asides import plain_words, without_adjunct, without_aside, without_byname, without_companions
from .claims import Claim
from .employments import AS_A_ROLE, EMPLOYMENTS
from .happenings import HAPPENING, OFTEN
from .objects import WEDDINGS, is_object
from .phrases import (
    BARE,
    BETWEEN_EQUALS,
    DEADLY,
    ELSE,
    LEARNED,
    NEED_TYPES,
    NO_LESSONS,
    OF_PEOPLE,
    OF_PLACES,
    OF_WORKS,
    PHRASES,
    SUFFERED,
)
from .roles import POSSESSIVE, Roles
from .words import ADJECTIVES, BE, FILLERS, JOINING, NAMED, NO_ADJUNCT, ONES, OPENING, OVER

LONGEST_GAP = 90
"""The most characters between two mentions of a statement."""

MOST_WORDS = 14

_WORD = re.compile(r"[^\W\d_][\w'’-]*|\S")
_FIRST = re.compile(r"[\s\x01]*(['’]|[^\W\d_][\w-]*|\S)")
_FIRST_WORDS = frozenset(
    {
        *(phrase.split()[0] for phrase in PHRASES),
        *(*BE, *FILLERS, *OVER),
        *(",", "(", "—", "–", "-", "'", "’", "and", "of", "who", "used", "passed", "at", ":"),
        *("the", "with", *DEADLY, *(first for first, _ in (*LEARNED, *AS_A_ROLE))),
    }
)
_FIRST_OF_CLAUSE = frozenset(
    {
        *(phrase.removeprefix("be ").split()[0] for phrase in PHRASES),
        *(*BE, *FILLERS, *OVER, *EMPLOYMENTS, "used"),
        *(first for first, _ in LEARNED),
    }
)
_ROLE_OF = re.compile(r"\b(?:of|to)\b", re.IGNORECASE)


def may_open(prose: str, end: int) -> bool:
    """Say whether the word after a mention that ends here may begin a statement."""
    first = _FIRST.match(prose, end)
    return first is not None and first[1].lower() in _FIRST_WORDS


def read_gap(
    gap: str, one: DecidedMention, other: DecidedMention, prose: str, ontology: Ontology
) -> Claim | None:
    """Return the claim that two mentions with these words between them make, or None."""
    words = _WORD.findall(gap)
    if not words or len(words) > MOST_WORDS:
        return None
    claim = _read_words(gap, words, _Pair(one, other, prose, ontology))
    if claim is None or HAPPENING.isdisjoint(map(str.lower, words)):
        return claim
    return replace(claim, is_happening=True) if OFTEN.isdisjoint(words) else None


def _read_words(gap: str, words: Sequence[str], pair: _Pair) -> Claim | None:
    possessive = POSSESSIVE.match(gap)
    if possessive is not None:
        return pair.read_possessive(_WORD.findall(gap[possessive.end() :]))
    if words[0] == ":" and pair.is_label():
        return pair.read([",", *words[1:]]) or pair.read([",", "who", *words[1:]])
    return pair.read(words)


def as_clauses(words: str) -> Sequence[str]:
    """Return words without a subject as they would follow a name: ", born in", ", who married".

    Returns () if they can be neither a role nor a phrase.
    """
    first = _FIRST.match(words)
    if first is None or not (first[1].lower() in _FIRST_OF_CLAUSE or _ROLE_OF.search(words)):
        return ()
    return f", {words}", f", who {words}"


@dataclass(frozen=True)
class _Pair(Roles):
    """Two mentions with words between them, in any form."""

    def read(self, words: Sequence[str]) -> Claim | None:
        """Read the words between in any form, except as a possessive."""
        if POSSESSIVE.match(self.prose, self.other.end):
            return self.read_role_behind(words) or self.read_one_of(words)
        return (
            self.read_joined(words)
            or self.read_kin(words)
            or self.read_having(words)
            or self.read_role(words)
            or self.read_phrase(words)
        )

    def read_phrase(self, words: Sequence[str]) -> Claim | None:
        """Read "Søren was born in Vantry", "Hope, who married Toby", "Ann, born in Vantry".

        Also "Ann the baker was born in", "Ann and Bob were born in", "killed Bob and Carl", "killed
        his brother Carl", "learned the trade from".
        """
        own = without_companions(words, self.begins_sentence)
        is_joined = len(own) < len(words)
        words = without_aside(without_byname(own))
        plain, has_ended = plain_words(words)
        is_apposed = bool(plain) and plain[0] in OPENING
        if not is_apposed and self.follows_another():
            return None
        while plain and (plain[0] in OPENING or plain[0] == "who"):
            plain = plain[1:]
        if plain[:2] == ["used", "to"]:
            plain, has_ended = plain[2:], True
        is_participle = is_apposed and words[1:2] != ["who"]
        if is_participle:
            plain = ["be", *plain]
        if len(plain) > 3 and plain[0] == "be" and plain[1] in ONES and plain[2] == "who":
            plain = plain[3:]
        phrase = self._phrase(plain, words)
        if phrase is None or not self._has_object_of(phrase):
            return None
        if phrase in BARE and not (is_joined or has_ended or self.are_several()):
            return None
        kind, is_over = PHRASES.get(phrase) or DEADLY[phrase]
        has_ended = has_ended or is_over
        if is_participle and kind in SUFFERED and not self.begins_sentence():
            return None
        claim = self._claim(phrase, kind, has_ended)
        claim = claim or self._claim(phrase, ELSE.get(phrase), has_ended)
        return claim and replace(claim, is_apart=words[-1] == ",")

    def _claim(self, phrase: str, kind: str | None, has_ended: bool) -> Claim | None:
        """Return the claim of a phrase with this kind, or None if the types do not fit."""
        if kind is None or (kind in OF_PLACES and self.one.type != "place"):
            return None
        reading = self.ontology.read_name(kind)
        own, linked = self.one.type, self.other.type
        is_strict = phrase in NEED_TYPES or phrase in ELSE
        if not self.ontology.fits(reading, own, linked, strictly=is_strict):
            return None
        if reading.kind in BETWEEN_EQUALS and own != linked:
            return None
        start, end, is_inverse = self.one.start, self.other.end, reading.is_inverse
        return Claim(reading.kind, phrase, start, end, is_inverse=is_inverse, has_ended=has_ended)

    def _has_object_of(self, phrase: str) -> bool:
        """Say whether the other mention is the object of the phrase: not in "built Ann a house"."""
        if phrase in OF_WORKS and self.other.type in ("person", "creature"):
            return False
        if phrase in OF_PEOPLE and self.other.type in ("item", "place"):
            return False
        return is_object(phrase, self.prose, self.other.end)

    def _phrase(self, plain: Sequence[str], words: Sequence[str]) -> str | None:
        """Return the phrase that the words are, or begin with if the rest does not change it."""
        whole = " ".join(plain)
        if whole in PHRASES:
            return whole
        if whole in DEADLY and self.is_said_dead():
            return whole
        adjunct = without_adjunct(plain)
        if adjunct is not None:
            return adjunct
        lesson = LEARNED.get((plain[0], plain[-1])) if len(plain) > 2 else None
        if lesson is not None and NO_LESSONS.isdisjoint(plain[1:-1]) and whole.islower():
            return lesson if len(plain) < 6 and "," not in plain else None
        for length in range(len(plain) - 1, 0, -1):
            phrase = " ".join(plain[:length])
            if phrase in PHRASES:
                rest = plain[length:]
                are_others = phrase not in WEDDINGS and self._are_others(words)
                is_more = are_others or self._is_person(rest) or self._is_explained(words)
                return phrase if is_more else None
        return None

    def _is_person(self, words: Sequence[str]) -> bool:
        """Say whether words only describe the person named next: "his elder brother"."""
        if self.other.type != "person" or any(word not in ADJECTIVES for word in words[:-1]):
            return False
        return self.ontology.read_role(words[-1], "person", "person") is not None

    def _is_explained(self, words: Sequence[str]) -> bool:
        """Say whether words introduce the person named next: "married a sailor, Bob", "named"."""
        lower = [word.lower() for word in words]
        articles = [at for at, word in enumerate(lower) if word in ("a", "an")]
        if not articles or lower[-1] not in NAMED or self.other.type != "person":
            return False
        described = words[articles[0] + 1 : -1]
        is_plain = NO_ADJUNCT.isdisjoint(described) and all(word.islower() for word in described)
        return bool(described) and is_plain and self.is_closed()

    def _are_others(self, words: Sequence[str]) -> bool:
        """Say whether the last words are a list of names that ends with the other mention."""
        listed = list(words)
        while listed and not listed[0][0].isupper():
            listed = listed[1:]
        are_names = all(word in JOINING or word[0].isupper() for word in listed)
        return bool(listed) and are_names and listed[-1] == "and" and self.is_closed()
