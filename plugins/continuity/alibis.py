"""Find alibis that the narrator contradicts: a claim to have been somewhere else.

true:  "The night of the fair I sat here from nine until midnight," said Ben, in York.  …  On the
       night of the fair, at ten, Ben Orchard stood on the quay.  (in Dover)
false: the same, and at ten he sat in York; or at one; or on the night before the fair

A character may lie on purpose: the finding asks whether this is intended.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from writeros_entities import Finding, NamedSpan, Scene, Sentence, Speech, Story, Tense

from ..word_lists import words
from .flashbacks import is_told_back
from .nesting import Nesting
from .numbers import read_number
from .verbs import IMAGINED, does

_HOUR_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_HOUR = rf"(?:(?:half\s+past|a\s+quarter\s+past)\s+)?(?:{_HOUR_WORD}|noon|midnight)"
_CLOCK = r"(?:\s+o['’]clock)?"
_SPAN = re.compile(
    rf"\b(?:from|between)\s+(?P<first>{_HOUR}){_CLOCK}\s+(?:until|till|to|and)\s+"
    rf"(?P<last>{_HOUR}){_CLOCK}",
    re.IGNORECASE,
)
_STREET = "avenue|crescent|gardens|lane|place|road|row|square|street|terrace"
_AT_HOUR = re.compile(
    rf"\b(?:at|by|towards)\s+(?:about\s+|nearly\s+|almost\s+|just\s+)?(?P<hour>{_HOUR}){_CLOCK}"
    r"(?!\s+(?:miles|feet|yards|years|men|women|people|paces|points|pence|shillings|minutes|past|to))"
    rf"(?!(?:\s+\w+){{1,3}}\s+(?:{_STREET}))\b",
    re.IGNORECASE,
)
"""Matches an hour, but not "ten to nine", "ten paces" or "10 Downing Street"."""
_STAY = (
    r"(?:sat|was|were|stayed|slept|waited|lay|stood|worked|remained|dined|kept|talked|played"
    r"|have been|had been|never left|never stirred)"
)
_CLAIM = re.compile(rf"\b(?P<who>I|we|We)\s+(?:all\s+|both\s+|only\s+|\w+ly\s+)?{_STAY}\b")
_OF_OTHERS = re.compile(rf"\s+{_STAY}\b")
_NOT_SO = re.compile(
    r"\b(?:if|wish|would|could|should|as though|as if|perhaps)\b|\?", re.IGNORECASE
)
_HERE = re.compile(r"\b(?:here|at home|in this (?:room|house))\b", re.IGNORECASE)
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DAY = re.compile(
    rf"\b(?P<day>{_WEEKDAY}|day|night|evening|morning|afternoon|eve)\s+of\s+(?:the\s+|my\s+|our\s+)?"
    r"(?:\w+['’]s\s+)?(?P<event>[A-Za-z]\w+)"
)
_WHERE_WERE_YOU = re.compile(
    r"\b(?:where|what)\s+(?:were|was|had|have|did)\b[^.!]{0,200}\?", re.IGNORECASE
)
_IN_LIMBS = re.compile(r"['’]s?\s+(?:arm|hand|side|shoulder|elbow|back|face|eyes?|lap|head)\b")
_WORD = re.compile(r"[a-z]+")
_NIGHTS = frozenset({"night", "evening", "eve"})
_ANOTHER_PART = re.compile(
    r"\b(?:morning|forenoon|dawn|daybreak|noon|afternoon|next|following|later)\b", re.I
)
"""Matches in a sentence with an hour that is not that of a night."""
_EVENTS = {
    **dict.fromkeys(
        ("wedding", "marriage"), words("wedding marriage married marry bride bridegroom wed")
    ),
    **dict.fromkeys(("funeral", "burial"), words("funeral burial buried bury grave coffin")),
    "hanging": words("hanging hanged hang gallows"),
    "fire": words("fire burned burning blaze flames"),
    "ball": words("ball dance danced dancing"),
}
"""Words that show that a scene is about an event, for events with more words than their name."""

_HALF_A_DAY = 12

ALIBI = 0.6


@dataclass(frozen=True, slots=True)
class Alibi:
    """A claim about where people were, on the day of an event, between two hours.

    `places` are the vault's places that the words name or, for "here", the scene's own.
    """

    persons: frozenset[str]
    speaker: str
    day: str
    event: str
    hours: tuple[float, float]
    places: tuple[str, ...]
    scene: Scene
    sentence: Sentence


def check(story: Story, nesting: Nesting) -> Iterable[Finding]:
    """Return alibis with a sentence that has one of the people elsewhere at such an hour."""
    people = {person.id: person.name for person in story.people}
    for scene in story.scenes:
        for alibi in _alibis(scene, people, nesting):
            found = next(_contradictions(story, alibi, nesting), None)
            if found:
                person, sentence = found
                message = (
                    f"{people[alibi.speaker]} says where {people[person]} was at an hour at which "
                    "the narrator has them elsewhere."
                )
                proofs = (sentence.evidence, alibi.sentence.evidence)
                about = tuple(dict.fromkeys((person, alibi.speaker)))
                yield Finding("spoken-alibi", message, proofs, ALIBI, about)


def _alibis(scene: Scene, people: dict[str, str], nesting: Nesting) -> Iterator[Alibi]:
    for asked, speech in pairwise((None, *scene.speeches)):
        if speech is None or speech.speaker not in people or speech.speaker is None:
            continue
        for number in range(speech.first, speech.last + 1):
            sentence = scene.sentences[number]
            hours = _SPAN.search(sentence.text)
            day = _DAY.search(sentence.text) or _day_asked_for(asked)
            said = _words_of(speech.speaker, scene, number) if hours and day else ""
            if not hours or not day or hours[0] not in said:
                continue
            persons = _claimed(sentence, said, speech.speaker, people)
            places = _claimed_places(sentence, scene, nesting)
            if persons and places and not _NOT_SO.search(sentence.text):
                span = (_hour(hours["first"]), _hour(hours["last"]))
                event = day["event"].casefold()
                yield Alibi(
                    *(persons, speech.speaker, day["day"], event, span, places, scene, sentence)
                )


def _day_asked_for(speech: Speech | None) -> re.Match[str] | None:
    """Return the day in a question that the next speech answers: "Where were you?"."""
    is_question = speech is not None and _WHERE_WERE_YOU.search(speech.text)
    return _DAY.search(speech.text) if speech and is_question else None


def _words_of(speaker: str, scene: Scene, number: int) -> str:
    """Return what a person says in a sentence, in which others may speak too, and around it."""
    speeches = (one for one in scene.speeches if one.first <= number <= one.last)
    return " ".join(one.text for one in speeches if one.speaker == speaker)


def _claimed(sentence: Sentence, said: str, speaker: str, people: dict[str, str]) -> frozenset[str]:
    """Return the people whose whereabouts a sentence claims; a speaker has `said` a part of it."""
    claim = _CLAIM.search(sentence.text)
    found = {speaker} if claim and claim[0] in said else set()
    for name in sentence.names:
        if name.entity in people and name.is_spoken and not name.rivals:
            is_subject = _OF_OTHERS.match(sentence.text, name.end)
            is_with = re.search(r"\b(?:with|and)\s+\Z", sentence.text[: name.start])
            if is_subject or (found and is_with):
                found.add(name.entity)
    return frozenset(found)


def _claimed_places(sentence: Sentence, scene: Scene, nesting: Nesting) -> tuple[str, ...]:
    named = tuple(name.entity for name in sentence.names if name.entity in nesting)
    if named:
        return named
    return scene.places if _HERE.search(sentence.text) else ()


def _contradictions(story: Story, alibi: Alibi, nesting: Nesting) -> Iterator[tuple[str, Sentence]]:
    """Yield people of an alibi who are elsewhere at such an hour, with sentences that say so."""
    for scene in story.scenes:
        is_same = (scene.path, scene.ordinal) == (alibi.scene.path, alibi.scene.ordinal)
        if is_same or is_told_back(scene) or not _is_about(scene, alibi):
            continue
        for sentence in scene.sentences:
            hour = _AT_HOUR.search(sentence.narration)
            if not hour or not _is_within(_hour(hour["hour"]), alibi.hours):
                continue
            if alibi.day in _NIGHTS and _ANOTHER_PART.search(sentence.narration):
                continue
            here = [n.entity for n in sentence.names if n.entity in nesting] or [*scene.places]
            if here and _are_apart(here, alibi.places, nesting):
                for name in sentence.names:
                    if name.entity in alibi.persons and _is_present(sentence, name, scene.tense):
                        yield name.entity, sentence


def _are_apart(here: Iterable[str], there: Iterable[str], nesting: Nesting) -> bool:
    known = [place for place in here if place in nesting]
    return bool(known) and all(
        other in nesting and nesting.are_apart(one, other) for one in known for other in there
    )


def _is_about(scene: Scene, alibi: Alibi) -> bool:
    """Say whether a scene takes place on the day of an alibi.

    If the day is a weekday, the scene must name it and be about the event; otherwise it must say so
    in the same words: "the night of the fair".
    """
    told = [sentence.narration for sentence in scene.sentences]
    if not re.match(_WEEKDAY, alibi.day):
        phrases = [found for text in told for found in _DAY.finditer(text)]
        return any(
            found["day"] == alibi.day and found["event"].casefold() == alibi.event
            for found in phrases
        )
    spoken_of = {word for text in told for word in _WORD.findall(text.casefold())}
    return any(alibi.day in text for text in told) and not spoken_of.isdisjoint(
        _EVENTS.get(alibi.event, (alibi.event,))
    )


def _hour(text: str) -> float:
    """Return the hour that words express, on a twelve-hour dial."""
    folded = text.casefold()
    if folded in ("noon", "midnight"):
        return 0.0
    part = 0.5 if folded.startswith("half") else 0.25 if folded.startswith("a quarter") else 0.0
    return read_number(folded.removeprefix("half past").removeprefix("a quarter past")) % 12 + part


def _is_within(hour: float, span: tuple[float, float]) -> bool:
    """Say whether an hour lies strictly between two others on a twelve-hour dial."""
    length = (span[1] - span[0]) % _HALF_A_DAY
    return 0 < (hour - span[0]) % _HALF_A_DAY < length


def _is_present(sentence: Sentence, name: NamedSpan, tense: Tense | None) -> bool:
    """Say whether the narrator has a person present: acting, speaking, or with a limb mentioned."""
    is_imagined = IMAGINED.search(sentence.narration, 0, name.start) is not None
    return (
        name.is_plain
        and not is_imagined
        and bool(does(sentence, name, tense) or _IN_LIMBS.match(sentence.narration, name.end))
    )
