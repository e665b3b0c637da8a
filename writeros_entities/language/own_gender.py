"""Find whether a character sheet refers to its subject as "she" or "he".

    infer_gender(note, ("Tom Vane",))      # "m": "Tom keeps a shop. He is patient to a fault."

An explicit line decides (`**Pronouns:** she/her`); else the beginnings of sentences: a pronoun that
can only mean the subject, or a noun ("A woman of forty", "Widow."). English only. Each paragraph is
read up to the first sentence about somebody else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from writeros_entities.language.sentences import read_ends
from writeros_entities.language.spoken import without_speech
from writeros_entities.properties import GENDER_KEYS, read_gender
from writeros_entities.values import HIDDEN, MARK

if TYPE_CHECKING:
    from writeros_entities.values import Gender, Note

_LABEL = re.compile(
    r"^[^\w\n]{0,12}(?:gender|sex|pronouns)[^\w\n:]{0,8}[:\0][^\w\n]{0,8}(?P<value>\w[^\n\0]*)",
    re.IGNORECASE | re.MULTILINE,
)
_BLOCKS = frozenset({"paragraph", "list", "callout"})
_LINE = re.compile(r"\n(?=[^\S\n]*(?:[-*+>]|\d+[.)])\s)")
_BULLET = re.compile(r"\A\s*(?:(?:[-*+>]|\d+[.)])\s+)*")

_ABOUT_THE_SUBJECT = frozenset(
    {
        *("about", "appearance", "arc", "background", "backstory", "bio", "biography", "career"),
        *("character", "character arc", "childhood", "description", "early life", "fears"),
        *("flaws", "goals", "habits", "history", "in brief", "later life", "life", "looks"),
        *("mannerisms", "motivation", "motivations", "notes", "overview", "past", "personality"),
        *("physical description", "profile", "psychology", "quirks", "role", "skills", "story"),
        *("strengths", "summary", "traits", "voice", "weaknesses", "youth"),
    }
)
"""Headings of sections about the subject; text before the first section is also about it."""

_PRONOUNS: dict[str, Gender] = {"she": "f", "her": "f", "he": "m", "his": "m"}
_FEMALE = """
aunt daughter girl grandmother heiress housewife lady lass matriarch mother niece nun princess queen
sister widow wife witch woman
"""
_MALE = """
boy brother father gentleman grandfather husband king lad man monk nephew patriarch prince son uncle
widower
"""
_NOUNS: dict[str, Gender] = {
    **dict.fromkeys(_FEMALE.split(), "f"),
    **dict.fromkeys(_MALE.split(), "m"),
}
_WHAT_ONE_IS = re.compile(
    r"(?:[\w'’ -]+? (?:is|was) )?(?:an?|the) "
    r"(?:(?!(?:of|to|for|by|with|in|at|on|from|every|and|who)\b)[\w'’-]+,? ){0,3}?"
    rf"(?P<noun>{'|'.join(_NOUNS)})\b(?!['’-])",
    re.IGNORECASE,
)
_WHAT_ALONE = re.compile(
    r"(?:(?:elder|eldest|half|middle|older|oldest|only|twin|younger|youngest)[ -])?"
    rf"(?P<noun>{'|'.join(_NOUNS)})(?=[.;!]|\Z|(?i: of)(?: [A-Z][\w'’-]*){{1,3}}(?:[.;!]|\Z))",
    re.IGNORECASE,
)
"""Matches a noun that is a sentence of its own: "Youngest brother.", "Wife of Tom Vane"."""

_OPENING = re.compile(
    r"(?:an?|the|in|at|on|from|by|once|born|now|after|before|since|when|while|always|never|no|not"
    r"|still|though|until|but|and|yet|aged|as)\b"
    r"|[A-Z][a-z]+(?:s|ed) (?:the|an?|in|at|on|as|from|her|his|up|for|with|to)\b"
    r"|[A-Z][a-z]+ (?:of|to|in|at|for) (?:the|an?)\b",
    re.IGNORECASE,
)
"""The beginning of a sentence whose first word is not a name."""

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NAME = re.compile(r"(?<![\w'’-])[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)*")
_NO_PERSON = re.compile(r"\b(?:in|at|on|from|near|the) \Z", re.I)
"""Words before the name of a place or thing: "in Ostend", "the Petrel"."""

_NEAR = 8
"""How many characters before a name are searched for them."""

_MOST = 2 / 3
"""Least share of one gender among all sentences that show one."""


def infer_gender(note: Note, names: Collection[str]) -> Gender | None:
    """Return the gender that a sheet shows for its subject with these names, if any."""
    stated = [field.value for field in note.fields if field.key.casefold() in GENDER_KEYS]
    stated += [label["value"] for label in _LABEL.finditer(note.prose, note.body_start)]
    if stated:
        return next(filter(None, map(read_gender, stated)), None)
    own = frozenset(word.lower() for name in names for word in _WORD.findall(name))
    told = [gender for text in _paragraphs(note, own) for gender in _read(text, own)]
    if not told:
        return None
    gender, count = Counter(told).most_common(1)[0]
    return gender if count >= _MOST * len(told) else None


def _paragraphs(note: Note, own: frozenset[str]) -> Iterator[str]:
    """Yield the paragraphs and list items about the subject."""
    headings = {heading.start: heading for heading in note.headings}
    is_own = True
    for block in note.blocks:
        heading = headings.get(block.start)
        if heading is not None:
            words = _WORD.findall(heading.text.lower())
            is_title = heading.level == 1 and heading is note.headings[0]
            is_usual = " ".join(words) in _ABOUT_THE_SUBJECT
            is_own = is_title or is_usual or own.issuperset(words)
        if is_own and block.kind in _BLOCKS:
            seen = note.prose[block.start : block.end].replace(MARK, "").replace(HIDDEN, " ")
            for line in _LINE.split(seen):
                yield " ".join(without_speech(_BULLET.sub("", line)).split())


def _read(paragraph: str, own: frozenset[str]) -> Iterator[Gender]:
    """Yield the gender of each sentence about the subject, up to the first about somebody else."""
    start = 0
    for end in (*read_ends(paragraph), len(paragraph)):
        sentence = paragraph[start:end].strip()
        start = end
        first = _WORD.match(sentence)
        if first is None:
            continue
        what = _WHAT_ONE_IS.match(sentence)
        pronoun = _PRONOUNS.get(first[0].lower())
        alone = _WHAT_ALONE.match(sentence)
        if alone is not None:
            yield _NOUNS[alone["noun"].lower()]
            continue
        if pronoun is not None:
            yield pronoun
        elif what is not None and _is_own(sentence, first, own):
            yield _NOUNS[what["noun"].lower()]
        if not _speaks_of_nobody_else(sentence, first, own, what.end() if what else 0):
            return


def _is_own(sentence: str, first: re.Match[str], own: frozenset[str]) -> bool:
    """Return whether a sentence begins with the subject's name, or with no name at all."""
    return first[0].lower() in own or _OPENING.match(sentence) is not None


def _speaks_of_nobody_else(
    sentence: str, first: re.Match[str], own: frozenset[str], told: int
) -> bool:
    if not (first[0].lower() in _PRONOUNS or _is_own(sentence, first, own)):
        return False
    words = (word.lower() for word in _WORD.findall(sentence[told:]))
    return not any(word in _NOUNS for word in words) and all(
        _NO_PERSON.search(sentence[max(0, name.start() - _NEAR) : name.start()]) is not None
        or own.issuperset(word.lower() for word in _WORD.findall(name[0]))
        for name in _NAME.finditer(sentence, first.end())
    )
