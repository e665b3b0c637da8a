"""Find ages, birth years and spans of years that do not add up.

true:  a note says "born: 1180", the timeline has the birth in 1182
true:  "She kept the light for fifty years." … "In forty years of keeping the light, she …"
false: born in 1180, "she was twenty-five" in 1206 (the birthday may be to come)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from writeros_entities import Evidence, Finding, Scene, Story

from .facts import AgeFacts, Fact, read_facts
from .years import NUMBER, YEAR, Year, is_told_back, read_number, read_year, scene_years

CERTAIN = 0.85
LIKELY = 0.65
POSSIBLE = 0.5

_AGO = re.compile(
    rf"\b(?P<count>{NUMBER})\s+years\s+(?:ago|since)\b(?!,?\s+[\w’']+\s+(?:would|could|might)\b)",
    re.IGNORECASE,
)
_TALKED_OF = 3
"""How many paragraphs back the year that a talk is about is searched for."""

_SHARED = 2
"""How many words two spans must share to be compared: stays of two days and of five days are
usually different ones. If one span in years has fewer, all of them will do.
"""

SLACK = 1
"""Years by which an age may be off: the birthday may still come, and people round."""


def check(story: Story) -> Iterable[Finding]:
    """Return statements that do not add up, in pairs."""
    facts = read_facts(story)
    names = {person.id: person.name for person in story.people}
    by_person: dict[str, AgeFacts] = defaultdict(AgeFacts)
    for fact in facts:
        by_person[fact.person].add(fact)
    for person, found in by_person.items():
        name = names.get(person, "Somebody")
        yield from _births(name, found)
        yield from _ages(name, found)
        yield from _durations(name, found)
    yield from _differences(names, by_person)
    yield from _years_ago(story)


def _finding(code: str, message: str, one: Fact, other: Fact, confidence: float) -> Finding:
    about = tuple(dict.fromkeys((one.person, other.person)))
    return Finding(code, message, (one.evidence, other.evidence), confidence, about, "error")


def _births(name: str, facts: AgeFacts) -> Iterator[Finding]:
    """Yield birth years that differ from the first one stated."""
    for other in facts.births[1:]:
        one = facts.births[0]
        if other.value != one.value and _are_comparable(one.value, other.value):
            message = f"{name} is born in {one.value}, and in {other.value}."
            yield _finding("birth-years", message, one, other, CERTAIN)


def _ages(name: str, facts: AgeFacts) -> Iterator[Finding]:
    """Yield ages that do not fit the year of birth, or each other."""
    for age in facts.ages:
        if age.year is None:
            continue
        wrong = [
            birth
            for birth in facts.births
            if _are_comparable(age.year, birth.value)
            and not 0 <= age.year - birth.value - age.value <= SLACK
        ]
        if wrong:
            birth = wrong[0]
            message = (
                f"{name} is {age.value} in {age.year}, but born in {birth.value}: "
                f"that would be {age.year - birth.value}."
            )
            yield _finding("age-and-birth", message, birth, age, CERTAIN)
    for one, other in combinations(facts.ages, 2):
        if one.year is not None and other.year is not None:
            if not _are_comparable(one.year, other.year):
                continue
            passed = other.year - one.year
            if abs(other.value - one.value - passed) > SLACK:
                message = f"{name} is {one.value} in {one.year}, and {other.value} in {other.year}."
                yield _finding("ages", message, one, other, LIKELY)
        elif one.is_now and other.is_now and _clash(one, other):
            if any(_is_of_other_chapter(age, facts.ages) for age in (one, other)):
                continue
            message = f"{name} is {one.value}, and {other.value}."
            yield _finding("ages", message, one, other, LIKELY)


def _are_comparable(one: int, other: int) -> bool:
    """Say whether the time between two years is known."""
    return isinstance(one, Year) and isinstance(other, Year) and one.reckoning == other.reckoning


def _is_of_other_chapter(sheet: Fact, ages: Iterable[Fact]) -> bool:
    """Say whether an age in a note is that which the person has in some chapter of the story."""
    told = [age.value for age in ages if age.is_now and age.position is not None]
    is_sheet = sheet.position is None and bool(told)
    return is_sheet and min(told) - SLACK <= sheet.value <= max(told) + SLACK


def _clash(one: Fact, other: Fact) -> bool:
    """Say whether two numbers of years of a person conflict: in the course of a story, people only
    grow older, and what they do lasts longer.
    """
    if one.position is not None and other.position is not None:
        first, second = sorted((one, other), key=lambda fact: (fact.position or 0, fact.start))
        return second.value < first.value
    return abs(one.value - other.value) > SLACK


def _durations(name: str, facts: AgeFacts) -> Iterator[Finding]:
    """Yield durations in years of the same thing that differ in length."""
    for one, other in combinations(facts.durations, 2):
        shared = one.words & other.words
        if one.unit != other.unit or abs(one.value - other.value) <= SLACK:
            continue
        is_same = one.unit == "years" and shared in (one.words, other.words)
        if not shared or (len(shared) < _SHARED and not is_same) or not _clash(one, other):
            continue
        if (one.quote, one.start) == (other.quote, other.start):
            continue
        what = min(shared)
        message = f"{name}: {one.value} {one.unit} ({what}), and {other.value} {other.unit}."
        yield _finding("durations", message, one, other, LIKELY)
    for one in facts.absences:
        for other in facts.absences:
            is_pair = one.is_derived and not other.is_derived
            if is_pair and abs(one.value - other.value) > SLACK:
                message = (
                    f"{name} is gone for {other.value} years, but by the ages or years given "
                    f"for {one.value}."
                )
                yield _finding("absence", message, one, other, LIKELY)


def _differences(names: dict[str, str], facts: dict[str, AgeFacts]) -> Iterator[Finding]:
    """Yield differences in age that contradict the birth years of the two people."""
    for person, found in list(facts.items()):
        for fact in found.differences:
            other = facts.get(fact.other or "")
            if other is None or not other.births or not found.births:
                continue
            gaps = [
                own.value - their.value
                for own in found.births
                for their in other.births
                if _are_comparable(own.value, their.value)
            ]
            if gaps and not any(abs(gap * fact.sign - fact.value) <= SLACK for gap in gaps):
                own, their = found.births[0], other.births[0]
                message = (
                    f"{names.get(person)} is born in {own.value}, {names.get(fact.other or '')} in "
                    f"{their.value}: this contradicts their stated ages."
                )
                yield _finding("age-difference", message, own, fact, LIKELY)


_A_YEAR = re.compile(rf"{YEAR}(?!\s+years\b)")
"""Matches a year, but no number of years: "300 years ago"."""


def _years_ago(story: Story) -> Iterator[Finding]:
    """Yield statements of "years ago" that do not lead to the year that is being talked about."""
    years = scene_years(story)
    for scene in story.scenes:
        now = years.get((scene.path, scene.ordinal))
        if now is None or is_told_back(scene):
            continue
        for index, sentence in enumerate(scene.sentences):
            for found in _AGO.finditer(sentence.text):
                count = read_number(found["count"])
                told = _year_spoken_of(story, scene, index)
                if told and _are_comparable(now, told[0]) and abs(now - count - told[0]) > SLACK:
                    message = f"{count} years before {now} is {now - count}, not {told[0]}."
                    proofs = (told[1], sentence.evidence)
                    yield Finding("years-ago", message, proofs, POSSIBLE, severity="error")


def _year_spoken_of(story: Story, scene: Scene, index: int) -> tuple[Year, Evidence] | None:
    """Return the only year that a sentence and the few paragraphs before it name, or None."""
    here = scene.sentences[index].paragraph
    near = [one for one in scene.sentences[: index + 1] if here - one.paragraph <= _TALKED_OF]
    told = [
        (year, one.evidence)
        for one in near
        for written in _A_YEAR.findall(one.text)
        if (year := read_year(story, written))
    ]
    return told[-1] if len({year for year, _ in told}) == 1 else None
