"""Resolve "she" or "he" beside a speech to the only person that the preceding words allow.

    resolve_pronoun(paragraphs, 4, 12, "f", people)  ->  ann.id

The nearest paragraph that names anybody of that gender decides. If it names several, it is the
person with whom its sentences begin, provided that the last of them has no other subject. If the
paragraph is neither this one nor the one before, nobody else may be named there or a little before.
A person who was just addressed by name is preferred, as she answers. If two are possible, the
result is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from writeros_entities.query.speech.paragraphs import (
    DASHES,
    SENTENCE_START,
    Name,
    Paragraph,
    People,
)
from writeros_entities.story import gender_of
from writeros_entities.values import Gender
from writeros_entities.vault.sentences.ends import CLOSING_MARKS, NOT_SHORTENED

_AFTER_SENTENCE = re.compile(
    rf"[.!?…]{NOT_SHORTENED}[{CLOSING_MARKS})]*\s+(?:(?:But|And|Then|So|The|Old)\s+)?\Z"
)
_CLAUSE = re.compile(r"[;:—–]|,\s+(?:and|but|so|then)\s")
_BLANK = re.compile(rf"[\s{DASHES}-]*")
_BESIDE = re.compile(r"(?:[\s,&]|\b(?:and|or|nor)\b|[^\W\d_a-z][\w'’-]*+)+\Z")
"""Matches what stands between people who do the same: "Ann, Eve and Ben"."""

_POSSESSIVE = re.compile(r"(?:Her|His)\b")
_SUBJECTS = {"f": re.compile(r"\b[Ss]he\b"), "m": re.compile(r"\b[Hh]e\b")}
_GOVERNED = re.compile(
    r"\b(?:in|with|to|of|for|at|by|from|on|upon|towards?|near|beside|behind|without|against|about"
    r"|between|than|like|\w+ing)\s+\Z",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\b(?:added|adds|continued|continues|went on|goes on|repeated|repeats)\b")
_NEAR_VERB = 25
"""Characters before and after a pronoun that are searched for its verb."""

_OF_ANYBODY = (
    "agent|assistant|attendant|baker|beggar|boss|captain|client|clerk|colonel|conductor|constable"
    "|cook|customer|dealer|detective|doctor|driver|farmer|general|guard|guest|guide|inspector|judge"
    "|keeper|lawyer|leader|librarian|lieutenant|magistrate|major|manager|officer|other|owner"
    "|passenger|patient|pilot|prisoner|professor|receptionist|reporter|rider|sailor|secretary"
    "|sergeant|servant|singer|smith|soldier|spy|stranger|student|surgeon|teacher|thief|trader"
    "|traveller|traveler|vendor|visitor|warden|witness|worker"
)
_NOUNS: dict[Gender, str] = {
    "m": "[a-z]*(?<!wo)man|boy|lad|fellow|father|grandfather|brother|son|grandson|husband|uncle"
    "|king|prince|lord|duke|earl|baron|knight|priest|bishop|monk|corporal|master|barber|butler|groom"
    f"|innkeeper|landlord|porter|steward|waiter|wizard|{_OF_ANYBODY}",
    "f": "[a-z]*woman|girl|lady|mother|grandmother|sister|daughter|wife|aunt|queen|princess|duchess"
    "|countess|nun|maid|widow|nurse|mistress|actress|barmaid|governess|hostess|housekeeper|landlady"
    f"|midwife|seamstress|waitress|witch|{_OF_ANYBODY}",
}
_SOMEBODY_ELSE = {
    gender: re.compile(
        r"\b(?:the|an?|his|her|my|their|our|this|that|one)\s+(?:[\w-]+\s+){0,2}?"
        rf"(?:{nouns})\b(?!['’]s)",
        re.IGNORECASE,
    )
    for gender, nouns in _NOUNS.items()
}
_REACH = 3
"""How many paragraphs back the antecedent of a pronoun is searched for."""
_FAR = 2
"""From how many paragraphs back on no other person of the gender may be within reach."""


def resolve_pronoun(
    paragraphs: Sequence[Paragraph], at: int, pronoun: re.Match[str], people: People
) -> str | None:
    """Return the person to whom a pronoun in the narration refers, or None if uncertain."""
    gender = gender_of(pronoun[0])
    back, person = _nearest(paragraphs, at, pronoun.end(), gender, people)
    asked = {one for one in paragraphs[at - 1].addressed if people[one] == gender} if at else set()
    if not asked or back == 0 or person in asked:
        return person
    return asked.pop() if len(asked) == 1 and not goes_on(paragraphs[at], pronoun) else None


def goes_on(paragraph: Paragraph, pronoun: re.Match[str]) -> bool:
    """Say whether a verb beside a pronoun ("she went on") says that the last speaker continues."""
    near = paragraph.narration[max(0, pronoun.start() - _NEAR_VERB) :]
    return _GOES_ON.search(near, 0, 2 * _NEAR_VERB) is not None


def _nearest(
    paragraphs: Sequence[Paragraph], at: int, end: int, gender: Gender, people: People
) -> tuple[int, str | None]:
    """Return how many paragraphs back the nearest name is, and the person it means.

    The person is None if it is ambiguous, or if an unnamed person ("the old man") stands nearer.
    """
    for back in range(min(at, _REACH) + 1):
        paragraph = paragraphs[at - back]
        until = end if back == 0 else len(paragraph.text)
        near = _able(paragraph, until, gender, people)
        last = _sentence_start(paragraph.narration, near[-1].start) if near else 0
        if _SOMEBODY_ELSE[gender].search(paragraph.narration, last, until):
            return back, None
        if near:
            person = _one_of(paragraph.narration[:until], near, gender)
            is_sure = back < _FAR or not _names_another(
                paragraphs[max(0, at - _REACH) : at - back + 1], person, gender, people
            )
            return back, person if is_sure and person and people[person] == gender else None
    return _REACH, None


def _able(paragraph: Paragraph, until: int, gender: Gender, people: People) -> list[Name]:
    """Return the names in the narration, up to an offset, of those who may be of a gender."""
    return [
        name
        for name in paragraph.names
        if name.end <= until
        and not name.is_spoken
        and not name.is_owner
        and (name.person is None or people[name.person] in (None, gender))
    ]


def _names_another(
    paragraphs: Sequence[Paragraph], person: str | None, gender: Gender, people: People
) -> bool:
    """Say whether paragraphs name somebody else who may be of a gender."""
    return any(
        name.person != person
        for one in paragraphs
        for name in _able(one, len(one.text), gender, people)
    )


def _one_of(text: str, near: Sequence[Name], gender: Gender) -> str | None:
    """Return the only person who can be meant among those named in a text, or None."""
    subjects = [name for name in near if not _is_object(text, name, gender)]
    persons = {name.person for name in subjects}
    if subjects and (len(persons) > 1 or len(subjects) < len(near)):
        beginners = [name for name in near if _begins_sentence(text, name.start)]
        last = _sentence_start(text, subjects[-1].start)
        persons = {name.person for name in subjects if name.start >= last}
        if len(persons) > 1:
            persons = {name.person for name in _with_joined(text, near, beginners, last)}
        persons = persons | {name.person for name in beginners} if beginners else set()
    return persons.pop() if len(persons) == 1 else None


def _with_joined(
    text: str, near: Sequence[Name], beginners: Sequence[Name], start: int
) -> Iterator[Name]:
    """Yield the names from `start` on with which sentences begin, and those joined to them."""
    end = None
    for name in near:
        is_joined = end is not None and _BESIDE.match(text, end, name.start)
        end = name.end if name.start >= start and (is_joined or name in beginners) else None
        if end is not None:
            yield name


def _is_object(text: str, name: Name, gender: Gender) -> bool:
    """Say whether a name is an object: a pronoun of the same gender is the subject there."""
    start = _sentence_start(text, name.start)
    if _POSSESSIVE.match(text, start) and gender_of(text[start : start + 3]) == gender:
        return True
    clauses = [found.end() for found in _CLAUSE.finditer(text, start, name.start)]
    if _SUBJECTS[gender].search(text, clauses[-1] if clauses else start, name.start):
        return True
    end = SENTENCE_START.search(text, name.end)
    behind = _SUBJECTS[gender].search(text, name.end, end.start() if end else len(text))
    return behind is not None and _GOVERNED.search(text, start, name.start) is not None


def _sentence_start(text: str, offset: int) -> int:
    ends = [found.end() for found in SENTENCE_START.finditer(text, 0, offset)]
    start = ends[-1] if ends else 0
    blank = _BLANK.match(text, start)
    return blank.end() if blank else start


def _begins_sentence(text: str, offset: int) -> bool:
    return not text[:offset].strip() or bool(_AFTER_SENTENCE.search(text[:offset]))
