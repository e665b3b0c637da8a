"""Find people who are "she" in one note and "he" in another.

true:  a sheet says "Human woman, late 20s"; "A man named Pip left when his mother died."
false: "Ann turned; he had gone." after a sentence about Ben: the pronoun is Ben's
false: both in one note, where somebody else may be meant
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

from writeros_entities import (
    Evidence,
    Finding,
    Gender,
    Scene,
    Sentence,
    Story,
    StoryEntity,
    gender_of,
)

from ..languages import LANGUAGES
from .people import KIN, People

_ENGLISH = next(one for one in LANGUAGES if one.code == "en").words
_PREPOSITIONS = "|".join(sorted(_ENGLISH.prepositions | _ENGLISH.function_words))
_PRONOUN = re.compile(
    rf"\b(?:she|he|his|hers|himself|herself|her(?=\s+(?!(?:{_PREPOSITIONS})\b)\w))\b", re.IGNORECASE
)
"""Matches a pronoun that is a subject or an owner: an object is mostly somebody else."""
_ANY_PRONOUN = re.compile(r"\b(?:she|her|hers|herself|he|him|his|himself)\b", re.IGNORECASE)
_OF_SUBJECT = re.compile(
    r"\bas (?:though|if) (?P<as>she|he)\b|\b(?P<self>herself|himself)\b|\b(?P<own>her|his) own\b"
    r"|\b(?:brings?|brought|carrie[ds]|takes?|took)\b[^.;:,]{0,200}\bwith (?P<with>her|him)\b",
    re.IGNORECASE,
)
"""Matches a pronoun that means the subject, whoever else is named: "took Ann with him"."""
_WORD = re.compile(r"[^\W\d_]+")
_OF_ANOTHER = re.compile(r"\b(?:an?|and|by|for|from|of|or|the|to|with|your)\s+\Z|['’]s?\s+\Z", re.I)
"""Matches before a noun that is somebody else: "a friend of the king"."""

_KEYS = frozenset({"gender", "pronouns", "sex"})
_INTRODUCED = re.compile(r"\b(?:named|called)\s+\Z", re.IGNORECASE)
"""Matches before a name of which the text has not spoken."""
_ENDS = re.compile(r"\s*(?:[,.;!?)]|\Z|(?:from|in|of|who|with)\b)")
"""Matches behind a noun that says by itself what somebody is."""

_NEAR = 8
"""How many sentences before a pronoun are searched for others whom it may mean."""
_FIRST_WORDS = 4
"""How many words at the beginning of a line of a sheet may have the noun for its subject."""

DIFFERING = 0.6


@dataclass(frozen=True, slots=True)
class _Vote:
    """A place that shows somebody's gender; `is_stated` if it is no pronoun of a chapter."""

    person: str
    gender: Gender
    evidence: Evidence
    is_stated: bool = False


def gender_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield people who have one gender in all of one note, and the other in all of another."""
    votes: dict[str, list[_Vote]] = defaultdict(list)
    for vote in _votes(story, people):
        votes[vote.person].append(vote)
    for person, found in votes.items():
        notes: dict[str, set[Gender]] = defaultdict(set)
        for vote in found:
            notes[vote.evidence.path].add(vote.gender)
        clear = [vote for vote in found if len(notes[vote.evidence.path]) == 1]
        women = [vote for vote in clear if vote.gender == "f"]
        men = [vote for vote in clear if vote.gender == "m"]
        other, usual = sorted((men, women), key=_weight)
        if other and _weight(usual) > (False, 1):
            name = people.by_id[person].name
            message = f"{name} is “she” in one note, and “he” in another."
            first = next((vote for vote in usual if vote.is_stated), usual[0])
            proofs = (first.evidence, other[0].evidence)
            yield Finding("gender", message, proofs, DIFFERING, (person,))


def _weight(votes: list[_Vote]) -> tuple[bool, int]:
    return any(vote.is_stated for vote in votes), len(votes)


def _votes(story: Story, people: People) -> Iterator[_Vote]:
    for person in story.people:
        yield from _of_properties(person)
    for scene in (*story.sections, *story.scenes):
        for index, sentence in enumerate(scene.sentences):
            yield from _of_sentence(people, scene, index, sentence)


def _of_properties(person: StoryEntity) -> Iterator[_Vote]:
    """Yield the gender that a person's properties state: it is the one by which she is known."""
    for stated in person.properties:
        if stated.key in _KEYS and person.gender:
            yield _Vote(person.id, person.gender, stated.evidence, is_stated=True)


def _of_sentence(people: People, scene: Scene, index: int, sentence: Sentence) -> Iterator[_Vote]:
    """Yield what a sentence shows that names one person at most.

    In a sheet, its subject is meant by a noun or a pronoun that begins a sentence without a name.
    """
    text, subject = sentence.narration, scene.subject
    spans = list(people.names_in(sentence))
    named = {name.entity for name in spans}
    begin = _begin(text)
    if subject in people.by_id and named <= {subject} and not sentence.links:
        opening = _PRONOUN.match(text, begin)
        gender = gender_of(opening[0]) if opening else _gender_of_noun(text)
        if gender and not _speaks_of_another(people, scene, index, gender):
            yield _Vote(subject, gender, sentence.evidence, is_stated=True)
            return
    if spans and spans[0].is_plain and spans[0].start == begin:
        own = _OF_SUBJECT.search(text, spans[0].end)
        if own and own.lastgroup:
            yield _Vote(spans[0].entity, gender_of(own[own.lastgroup]), sentence.evidence)
            return
    if len(named) == 1 and spans[0].is_plain and _INTRODUCED.search(text, 0, spans[0].start):
        found = list(_ANY_PRONOUN.finditer(text))
        genders = {gender_of(one[0]) for one in found}
        is_behind = bool(found) and found[0].start() >= spans[0].end
        if is_behind and len(genders) == 1 and any(map(_is_subject_or_owner, found)):
            gender = genders.pop()
            if not _may_mean_another(people, scene, index, gender, spans[0].entity):
                yield _Vote(spans[0].entity, gender, sentence.evidence)


def _is_subject_or_owner(pronoun: re.Match[str]) -> bool:
    return _PRONOUN.match(pronoun.string, pronoun.start()) is not None


def _speaks_of_another(people: People, scene: Scene, index: int, gender: Gender) -> bool:
    """Say whether a paragraph of a sheet has spoken of somebody else of a gender."""
    paragraph = scene.sentences[index].paragraph
    return any(
        one.paragraph == paragraph
        and (gender in _gender_nouns(one.text) or {*_others(people, one, scene.subject)})
        for one in scene.sentences[:index]
    )


def _others(people: People, sentence: Sentence, person: str | None) -> Iterator[str]:
    return (name.entity for name in people.names_in(sentence) if name.entity != person)


def _may_mean_another(
    people: People, scene: Scene, index: int, gender: Gender, person: str
) -> bool:
    """Say whether a pronoun beside a name may mean somebody else of whom the text has spoken.

    That is a noun of the gender before it, a name shortly before, a pronoun of the gender in a
    sentence without the name, or one of the other gender.
    """
    here = scene.sentences[index]
    if _gender_nouns(here.narration) & {gender}:
        return True
    for sentence in reversed(scene.sentences[max(0, index - _NEAR) : index]):
        others = _others(people, sentence, person)
        if any(people.genders.get(other, gender) == gender for other in others):
            return True
        if gender in _gender_nouns(sentence.text):
            return True
        genders = {gender_of(one[0]) for one in _ANY_PRONOUN.finditer(sentence.text)}
        is_named = any(name.entity == person for name in sentence.names)
        if genders - {gender} or (genders and not is_named):
            return True
    return False


def _begin(text: str) -> int:
    """Return where the first word of a text begins."""
    first = _WORD.search(text)
    return first.start() if first else len(text)


def _gender_of_noun(text: str) -> Gender | None:
    """Return the gender of a noun among the first words of a line that tells what somebody is."""
    for word in islice(_WORD.finditer(text), _FIRST_WORDS):
        gender = _nouns().get(word[0].lower())
        if gender:
            is_own = word[0].lower() not in KIN.split("|") and _ENDS.match(text, word.end())
            return gender if is_own and not _OF_ANOTHER.search(text, 0, word.start()) else None
    return None


def _gender_nouns(text: str) -> set[Gender]:
    return {gender for word in _WORD.findall(text) if (gender := _nouns().get(word.lower()))}


@cache
def _nouns() -> Mapping[str, Gender]:
    """Return the nouns for women and men."""
    return {noun: "f" if gender == "f" else "m" for noun, gender in _ENGLISH.people.items()}
