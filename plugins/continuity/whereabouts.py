"""Find people who are in two places at once: in one scene, or at one stated time.

true:  "On the night of the fair Ann was in Dover." … "On the night of the fair Ann sat at York."
false: "Ann was in Dover. She rode all day. By dusk Ann was in York."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise

from writeros_entities import Evidence, Finding, NamedSpan, Scene, Sentence, Story, Tense

from . import alibis
from .afloat import ground_of, is_of_house
from .flashbacks import is_told_back
from .nesting import Nesting
from .verbs import ARRIVING, GOING, HABIT, IN_MIND, PASSING, is_in_tense
from .years import scene_years

_AT = r"(?:in|at|on|inside|aboard|outside|under|within|beneath|below)"
_STAYS = re.compile(
    rf"[^.;!?]{{0,90}}?\b(?:{_AT})\s+"
    r"(?:the\s+|(?:the\s+)?[a-z' -]{2,24}\s(?:of|at|in)\s+(?:the\s+)?)?\Z"
)
_CAPITAL = re.compile(r" [^\W\da-z_]\w")
_IN_FRONT = re.compile(rf"\A\W*(?:[^,.;]{{0,60}}\b)?{_AT}\s+(?:the\s+)?\Z", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:th(?:ought|inks?)|dream\w*|remember\w*|letter|hear[ds]?|born|would|could|will|shall"
    r"|never|not|no|wish\w*|if|look(?:ed|s)|point(?:ed|s)|saw|sees|about|said|says|told|tells"
    r"|ha[sd] (?:an?|the|her|his|no)|own(?:ed|s)|knew|knows|used to|lord|lady|master|keeper"
    r"|had been|been|once|news|word|light\w*|seen|signal\w*|to|into|towards?|from|for|of"
    r"|only|first|best|worst|most|\w{3,}est|nobody|friends?|enem(?:y|ies)|famous|known|stranger"
    r"|grew|grown|raised|school|studied|youth|childhood"
    r"|liv(?:es|ed)|lov(?:es|ed)|hate[sd]|miss(?:es|ed)|pays|paid|phone[sd]|call(?:s|ed)|rings|rang"
    r"|texts|texted|imagin\w*|at home|wants?|wanted)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"(?:\b(?:if|unless|whether|perhaps|maybe|tomorrow|next (?!to\b)\w+|officially"
    r"|supposedly|apparently|as far as|as an? (?:\w+ )?(?:girl|boy|child)|youth|childhood"
    r"|in those days|nowhere|half of|dreams?|film|memory|painting|photo\w*|picture)"
    r"|(?<=\w )(?:suppos\w+|imagin\w+|th(?:ought|inks?)|believe[ds]?|hope[ds]?|says?|said"
    r"|hears?|heard))\b[^,;]{0,200}\Z",
    re.IGNORECASE,
)
"""Matches before a name whose bearer's whereabouts the sentence leaves uncertain."""

_MODAL = re.compile(
    r"\s+(?:\w+ly\s+|never\s+)?(?:would|could|should|might|will|shall|may|never|used to"
    r"|had (?:once|been)|(?:was|were|is|are) (?:to|not|never)|ha[sd] (?:not|never))\b"
)
"""Matches after a name whose bearer is not, or not yet, where the sentence says."""

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_TIMES = (
    re.compile(
        r"\b(?:night|eve|day|morning|evening|afternoon|dusk|dawn)\s+(?:of|before|after)\s+(?:the\s+)?"
        r"(?!(?:an?|he|his|her|she|their|they|my|your|our|its?|that|these|those|this|we|I|which"
        r"|what|last|next|one|some|all)\b)"
        r"(?P<what>[A-Za-z][\w'’-]*(?:\s+of\s+(?:the\s+)?[A-Z][\w'’-]*|\s+[A-Z][\w'’-]*)*)"
    ),
    re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?"),
    re.compile(rf"\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?"),
    re.compile(r"\b\d{4}-\d{2}-\d{2}\b"),
    re.compile(
        r"\b(?:Christmas|Easter|New Year|Midsummer|Michaelmas|All Hallows)['’]?s? "
        r"(?:Eve|Day|Night)\b(?:,? \d{4})?"
    ),
)
_HAS_YEAR = re.compile(r"\b\d{4}\b")
_YEAR_PASSES = re.compile(
    r"\b(?:years? (?:later|after|went|passed|had passed)|(?:next|following) year)\b", re.I
)
_PART_OF_DAY = re.compile(
    r"\W*(?:(?:early|late|mid|the|in|at)\W+)*(?:morning|forenoon|afternoon|evening|night|day|daytime)s?\W*",
    re.IGNORECASE,
)
"""Matches a time of a scene that is long enough to be in two places."""
_DATES = ("story-date", "storydate", "date", "day", "when")
_HOURS = ("story-time", "storytime", "time", "hour")
_SOMEBODY = re.compile(r"\b(?:she|he|they|we|I)\b", re.IGNORECASE)
SAME_TIME = 0.8
SAME_SCENE = 0.6
SAME_DATE = 0.7

_MOST = 100
"""The most pairs of places that are reported for a scene."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A sentence that puts a person in a place."""

    person: str
    place: str
    sentence: Sentence
    index: int


def check(story: Story) -> Iterable[Finding]:
    """Return people who are in two places in one scene, or at one stated time."""
    nesting, years, passed = Nesting(story), scene_years(story), 0
    people = {person.id: person.name for person in story.people}
    timed: dict[tuple[str, str, str], list[Stay]] = {}
    shown: set[tuple[Evidence, ...]] = set()
    for scene in story.scenes:
        stays = list(_stays(scene, people, nesting))
        within = list(_within(scene, stays, nesting, people))
        shown.update(finding.evidence for finding in within)
        yield from within
        yield from _on_two_grounds(scene, people)
        if is_told_back(scene):
            continue
        year = years.get((scene.path, scene.ordinal))
        ends = [_YEAR_PASSES.search(one.narration) is not None for one in scene.sentences]
        for stay in stays:
            for time in _times(stay):
                # What has no year may come again: a fair, Christmas Day, 3 March.
                number = passed + sum(ends[: stay.index + 1])
                when = "" if _HAS_YEAR.search(time) else f"{year or ''} {number}"
                timed.setdefault((stay.person, time, when), []).append(stay)
        passed += sum(ends)
    for (person, time, _), found in timed.items():
        for one, other in _apart(found, nesting):
            proofs = (one.sentence.evidence, other.sentence.evidence)
            if proofs not in shown:
                places = f"{nesting.name(one.place)} and {nesting.name(other.place)}"
                message = f"{people[person]} is in two places, {places}, at one time ({time})."
                about = (person, one.place, other.place)
                yield Finding("same-time", message, proofs, SAME_TIME, about, "error")
                break
    yield from _by_date(story, nesting, people)
    yield from alibis.check(story, nesting)


def _stays(scene: Scene, people: Collection[str], places: Nesting) -> Iterator[Stay]:
    for index, sentence in enumerate(scene.sentences):
        for person in sentence.names:
            if person.entity not in people or not person.is_plain:
                continue
            for place in sentence.names:
                is_place = place.entity in places and place.is_plain
                is_there = is_place and _puts(sentence, person, place)
                if is_there and _is_told(sentence, person, scene.tense):
                    yield Stay(person.entity, place.entity, sentence, index)


def _is_told(sentence: Sentence, person: NamedSpan, tense: Tense | None) -> bool:
    """Say whether what a sentence says of a person is true at the time of the scene.

    In the other tense, it was true before, or always is.
    """
    text = sentence.narration
    return (
        is_in_tense(text, person.end, tense)
        and "?" not in text[person.end :]
        and not _SUPPOSED.search(text[: person.start])
        and not _MODAL.match(text, person.end)
        and not HABIT.search(text)
        and not IN_MIND.search(text)
    )


def _puts(sentence: Sentence, person: NamedSpan, place: NamedSpan) -> bool:
    """Say whether a sentence puts a person in a place, without any doubt."""
    text = sentence.narration
    if person.start < place.start:
        between = text[person.end : place.start]
        others = [n for n in sentence.names if person.end <= n.start < place.start]
        return bool(
            not others
            and not _begins_longer(sentence, place)
            and not between.startswith(("'", "’", ","))
            and _STAYS.match(between)
            and not _ELSEWHERE.search(re.sub(r"\b(?:of|at|in) (?:the )?\Z", "", between))
            and not GOING.search(between)
        )
    before, between = text[: place.start], text[place.end : person.start]
    return bool(
        _IN_FRONT.search(before)
        and re.fullmatch(r",? (?:the |old |young )?", between)
        and not GOING.search(before)
        and not text[person.end :].startswith(("'", "’"))
    )


def _begins_longer(sentence: Sentence, place: NamedSpan) -> bool:
    """Say whether a place's name begins that of a house or the like: "the Dover Arms"."""
    is_named = any(name.start == place.end + 1 for name in sentence.names)
    return not is_named and _CAPITAL.match(sentence.narration, place.end) is not None


def _times(stay: Stay) -> Iterator[str]:
    """Yield the times that a sentence states, up to a name, normalised for comparison."""
    sentence = stay.sentence
    for pattern in _TIMES:
        for found in pattern.finditer(sentence.text):
            start = found.start("what") if "what" in pattern.groupindex else found.end()
            names = [n.start for n in sentence.names if start < n.start < found.end()]
            time = sentence.text[found.start() : min(names, default=found.end())]
            yield " ".join(time.casefold().replace(" the ", " ").split())


def _within(
    scene: Scene, stays: list[Stay], nesting: Nesting, people: dict[str, str]
) -> Iterator[Finding]:
    """Yield people who are in two places of a scene, without a word on how they moved."""
    found = (pair for together in _unmoved(scene, stays) for pair in _apart(together, nesting))
    for one, other in islice(found, _MOST):
        places = f"{nesting.name(one.place)} and {nesting.name(other.place)}"
        message = f"{people[one.person]} is in two places in one scene: {places}."
        proofs = (one.sentence.evidence, other.sentence.evidence)
        about = (one.person, one.place, other.place)
        yield Finding("same-scene", message, proofs, SAME_SCENE, about, "error")


def _unmoved(scene: Scene, stays: Iterable[Stay]) -> Iterator[list[Stay]]:
    """Yield the stays of each person in several places, split where the person may have moved."""
    by_person: dict[str, list[Stay]] = {}
    for stay in stays:
        by_person.setdefault(stay.person, []).append(stay)
    for own in by_person.values():
        if len({stay.place for stay in own}) > 1:
            together = own[:1]
            for before, stay in pairwise(own):
                if _can_move(scene, before, stay):
                    yield together
                    together = []
                together.append(stay)
            yield together


def _apart(stays: Sequence[Stay], nesting: Nesting) -> Iterator[tuple[Stay, Stay]]:
    """Yield the pairs of stays in places that are far apart, in order.

    Only stays in a place that is far from some other are compared: mostly there are none.
    """
    places = {stay.place for stay in stays}
    torn = {place for place in places if any(nesting.are_apart(place, other) for other in places)}
    for number, one in enumerate(stays):
        if one.place in torn:
            for other in islice(stays, number + 1, None):
                if nesting.are_apart(one.place, other.place):
                    yield one, other


def _on_two_grounds(scene: Scene, people: dict[str, str]) -> Iterator[Finding]:
    """Yield people who are afloat and ashore in a scene, without a word of a boat or a jump."""
    found: dict[str, list[tuple[Stay, str]]] = {}
    for index, sentence in enumerate(scene.sentences):
        for name in sentence.names:
            if name.entity in people and name.is_plain:
                ground = ground_of(sentence, name, scene.tense)
                if ground:
                    stay = Stay(name.entity, ground[0], sentence, index)
                    found.setdefault(name.entity, []).append((stay, ground[1]))
    for person, stays in found.items():
        for (one, noun), (other, second) in pairwise(stays):
            is_house = is_of_house(noun, scene) or is_of_house(second, scene)
            if one.place != other.place and not is_house and not _can_move(scene, one, other):
                message = f"{people[person]} is in two places in one scene: {noun} and {second}."
                proofs = (one.sentence.evidence, other.sentence.evidence)
                yield Finding("same-scene", message, proofs, SAME_SCENE, (person,), "error")


def _can_move(scene: Scene, one: Stay, other: Stay) -> bool:
    """Say whether a person may have moved between two stays of a scene.

    This is so if time passes between them, if a vehicle arrives or lies at a shore, or if a verb of
    motion is in a sentence with the person's name or a pronoun.
    """
    for sentence in scene.sentences[one.index : other.index + 1]:
        text = sentence.narration
        is_meant = any(name.entity == one.person for name in sentence.names)
        goes = GOING.search(text) and (is_meant or _SOMEBODY.search(text))
        if goes or PASSING.search(text) or ARRIVING.search(text):
            return True
    return False


def _by_date(story: Story, nesting: Nesting, people: dict[str, str]) -> Iterator[Finding]:
    """Yield people who are in different places in two scenes of the same date and hour."""
    dated: dict[tuple[str, str], list[Scene]] = {}
    for scene in story.scenes:
        date, hour = _value(scene, _DATES), _value(scene, _HOURS)
        is_moment = bool(hour) and not _PART_OF_DAY.fullmatch(hour)
        if date and is_moment and scene.places and scene.sentences:
            dated.setdefault((date, hour), []).append(scene)
    for (date, hour), scenes in dated.items():
        for one, other in combinations(scenes, 2):
            apart = all(
                first in nesting and second in nesting and nesting.are_apart(first, second)
                for first in one.places
                for second in other.places
            )
            shared = [p for p in _cast(one) if p in _cast(other) and p in people]
            if not apart or (one.path == other.path and one.ordinal == other.ordinal):
                continue
            for person in shared:
                places = f"{nesting.name(one.places[0])} and {nesting.name(other.places[0])}"
                message = f"{people[person]} is in {places} on {date}, {hour}."
                proofs = (_opening(one), _opening(other))
                yield Finding("same-date", message, proofs, SAME_DATE, (person,), "error")


def _cast(scene: Scene) -> tuple[str, ...]:
    return (*scene.cast, *((scene.viewpoint,) if scene.viewpoint else ()))


def _opening(scene: Scene) -> Evidence:
    return scene.sentences[0].evidence


def _value(scene: Scene, keys: Iterable[str]) -> str:
    return next((scene.properties[key][0] for key in keys if scene.properties.get(key)), "")
