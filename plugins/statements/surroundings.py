"""The context of two mentions that decides whether the words between them state anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

from writeros_entities import DecidedMention

from .phrases import PHRASES
from .pronouns import GENDERS, NOUNS_OF_GENDER
from .sentences import begin_of_sentence
from .words import OPENERS

BORDER = re.compile(r"\x01*(?:[.,;:!?…)(\"”»—–]|\s[—–-]\s|\s*\Z|\s*\n\s*\n|\s+(?:and|who|which)\b)")
_LINK_BEFORE = re.compile(
    r"\b(?:of|to|with|for|from|by|than|like|unlike|about|against)\s+(?:the\s+)?\x01*\Z"
)
_DEAD = re.compile(r"\x01*\s+(?:dead|to\s+death)\b")
_WORD_BEFORE = re.compile(r"(?<![a-z])([a-z]+)\s+(?:the\s+)?\x01*\Z")
_JOINED_BEFORE = re.compile(r"[^\W\da-z_][\w'’-]{0,40}\x01*,?\s+and\s+\x01*\Z")
_LISTED_BEHIND = re.compile(r"\x01*(?:,|,?\s+and)\s+(?:the\s+)?\x01*[^\W\da-z_]")
_THEY = frozenset({"They ", "they "})
_LINE_BEGIN = re.compile(r"(?:\A|[\n\0])[ \t\x01]*+(?:[Tt]he \x01*)?\Z")


def before(mention: DecidedMention) -> tuple[int, int]:
    """Return the span just before a mention, in which its context is examined."""
    return max(0, mention.start - 60), mention.start


def follows_another(prose: str, mention: DecidedMention) -> bool:
    """Say whether a mention depends on the words before it: Ann in "the son of Ann".

    Also in "the man who loved Ann": after a verb that states something it is not a subject.
    """
    if _LINK_BEFORE.search(prose, *before(mention)) is not None:
        return True
    word = _WORD_BEFORE.search(prose, *before(mention))
    return word is not None and word[1] in PHRASES


@dataclass(frozen=True)
class Surroundings:
    """Two mentions in a note's prose."""

    one: DecidedMention
    other: DecidedMention
    prose: str

    def is_label(self) -> bool:
        """Say whether the first mention begins its line, as in "Ann: sister of Bob"."""
        return _LINE_BEGIN.search(self.prose, *before(self.one)) is not None

    def begins_sentence(self) -> bool:
        """Say whether the first mention begins its sentence."""
        begin = begin_of_sentence(self.prose, self.one.start, 60)
        before = "" if begin is None else self.prose[begin : self.one.start]
        return begin is not None and before.strip("\x01 ").lower() in ("", "the", "both")

    def is_first_of(self, gender: str) -> bool:
        """Say whether the sentence names nobody earlier to whom a pronoun may refer."""
        begin = begin_of_sentence(self.prose, self.one.start, 160)
        if begin is None or self.one.type != "person":
            return False
        words = self.prose[begin : self.one.start].replace("\x01", "").split()
        if words and words[0][0].isupper() and words[0].strip(",—–-").lower() not in OPENERS:
            return False
        return not any(word[0].isupper() for word in words[1:]) and not any(
            word.strip(",—–-").lower() in NOUNS_OF_GENDER[gender]
            or GENDERS.get(word.lower()) == gender
            for word in words
        )

    def are_several(self) -> bool:
        """Say whether the first mention is or ends a plural: "Ann and Bob serve", "they serve".

        A faction or a family may take a plural verb: "The Guild serve", "The Vanes serve"; but not
        inside a sentence, as in "made the Guild serve".
        """
        if self.prose[self.one.start : self.one.start + 5] in _THEY:
            return True
        if self.one.type != "person" or self.one.surface.endswith("s"):
            return self.begins_sentence()
        return _JOINED_BEFORE.search(self.prose, *before(self.one)) is not None

    def is_said_dead(self) -> bool:
        """Say whether "dead" or "to death" follows the other mention."""
        return _DEAD.match(self.prose, self.other.end) is not None

    def is_closed(self) -> bool:
        """Say whether the phrase ends with the other mention."""
        return BORDER.match(self.prose, self.other.end) is not None

    def is_listed(self) -> bool:
        """Say whether the other mention may be one of a list: "Ann's sister, Bob, and Carl"."""
        return _LISTED_BEHIND.match(self.prose, self.other.end) is not None

    def follows_another(self) -> bool:
        """Say whether the first mention depends on the words before it: "the son of Ann"."""
        return follows_another(self.prose, self.one)
