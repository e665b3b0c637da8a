"""Statements of a story about people's years: births, ages, and spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from writeros_entities import Evidence, NamedSpan, Scene, Sentence, Story, gender_of

from ..word_lists import word_set
from .people import People
from .years import (
    NUMBER,
    ROW_YEAR,
    YEAR,
    Year,
    has_number,
    is_told_back,
    read_number,
    read_year,
    scene_years,
    year_of,
)

FactKind = Literal["birth", "age", "duration", "difference", "absence"]

_BIRTH_KEYS = frozenset(
    {"born", "birth", "birth-year", "born-in", "date-of-birth", "birthday", "year-of-birth", "dob"}
)
_AGE_KEYS = frozenset({"age", "aged"})
_AGE_END = (
    r"(?=\s+(?:years?(?:\s+old\b|\s+of\s+age)|and\s|when\s|that\s|at\s+the\s+time|then|now|in\s|this"
    r"|last|come|winters|summers|already)|\s*[,.;:!?)—–]|\s*\Z)"
)
_NO_MEASURE = (
    r"(?!\s*(?:o['’]clock|miles|feet|yards|days|weeks|months|hours|minutes"
    r"|in\s+the\s+(?:morning|afternoon|evening|night)|at\s+night))"
)
_THEN = re.compile(
    r"\b(?:since|until|till|before|after|if|as\s+though|unless)\s+(?:\w+\s+)?\Z", re.I
)
"""Matches before a person who has an age at another time: "since Ann was six"."""
_AT_ANOTHER_TIME = re.compile(
    r"\b(?:when|at\s+the\s+time|then|once|in\s+those\s+days|ago|earlier|(?:that|the)\s+(?:\w+\s+)?"
    r"(?:year|spring|summer|autumn|fall|winter)|dream\w*|memor\w+|remember\w*|photo\w*|picture"
    r"|portrait|snapshot)\b",
    re.I,
)
"""Matches in a sentence that tells an age of another time: "the summer Ann was ten"."""

_IS = r"(?:was|is|turned|turns|became|had\s+been|had\s+turned|would\s+be|were)"
_HEDGE = r"(?:\s+(?:only|just|barely|already|now|then|still))?(?!\s+one\b(?!\s+(?:year|hundred)))"
_PERSON_AGES = (
    re.compile(rf"\s+(?P<verb>{_IS}){_HEDGE}\s+(?P<age>{NUMBER}){_NO_MEASURE}{_AGE_END}"),
    re.compile(
        rf"(?:\s+(?P<verb>{_IS})|,){_HEDGE}\s+an?\s+(?:\w+\s+)?(?:boy|girl|child|man|woman|lad|lass"
        rf"|youth|widow|bride|orphan)\s+of\s+(?P<age>{NUMBER})\b{_NO_MEASURE}"
    ),
    re.compile(
        rf",\s+(?:(?:aged|now|only|just)\s+)?(?P<age>{NUMBER})(?=\s*[,;)]|\s+years\s+old\b)"
    ),
    re.compile(rf"[^.;]{{0,40}}?\baged\s+(?P<age>{NUMBER})\b"),
)
_SUBJECT_AGE = re.compile(
    rf"\A\W*(?:age:?\s+|aged\s+)?(?P<age>{NUMBER})(?:\s+years\s+old)?\s*[;,.]", re.I
)
_YEARS_OLD = re.compile(
    rf"\A\W*(?:(?:he|she|they)\s+{_IS}{_HEDGE}\s+)?(?:(?:now|only|just|barely)\s+)?"
    rf"(?P<age>{NUMBER})(?:\s+years\s+old|\s+years\s+of\s+age|-year-old)\b",
    re.I,
)
"""Matches the age of the subject of a note, not that of things: "the house is ninety years old"."""
_PRONOUN_AGE = re.compile(
    rf"\b(?P<who>she|he)\s+(?P<verb>{_IS}){_HEDGE}\s+(?P<age>{NUMBER}){_NO_MEASURE}{_AGE_END}", re.I
)
_BORN = re.compile(r"\bborn\b(?P<when>[^.;|]{0,64})")
_CHILD = (
    r"\b(?:sons?|daughters?|child(?:ren)?|twins?|bab(?:y|ies)|boys?|girls?|heirs?),?\s+"
    r"(?:(?:was|were|is|are)\s+)?(?:\w+ly\s+)?\Z"
)
_BORN_OTHER = re.compile(
    r"['’]s\b|\b(?:his|her|their|ha[ds](?!\s+been)|have|who(?:m|se)?|where|when|with)\b"
    rf"|{_CHILD}",
    re.I,
)
"""Matches before a birth in a note about somebody that is another's: "his mother was born"."""
_BORN_BETWEEN = re.compile(rf"\b(?:his|her|their|that|which|whose)\b|{_CHILD}", re.I)
"""Matches between a name and a birth that is another's: "Ann, whose mother was born"."""
_NOT_BORN = re.compile(
    r"\b(?:if|as\s+though|might|could|would|should|wish\w*|not|never|perhaps|imagin\w*|pretend\w*)\b"
    r"|n['’]t\b|\A\W*had\b",
    re.I,
)
"""Matches before a birth that is only supposed: "if Ann had been born"."""

_ANY_YEAR = re.compile(
    rf"\b(?:in|of|since|by|until|year)\s+(?P<year>{YEAR})\b"
    r"(?!\s+(?:men|women|people|children|(?!(?:as|has|his|is|its|this|was)\b)[a-z]+s)\b)"
    rf"|\A(?P<alone>{YEAR})\Z"
)
"""Matches a year, but not a number of things: "one of 400 children"."""
_DURATION = re.compile(rf"\b(?P<count>{NUMBER})\s+(?P<unit>years|months|weeks|days)\b", re.I)
_SPAN_BEFORE = re.compile(r"\b(?:for|these|those|past|last|after|in|of|the)\s+(?:all\s+)?\Z", re.I)
_NO_SPAN_AFTER = re.compile(
    r"\s+(?:ago|old|of\s+age|before|earlier|later|younger|older|elder|away|by|south|north|east|west|inland)\b",
    re.I,
)
_GONE = re.compile(
    rf"\b(?:gone|away|absent|missing|in\s+exile|stayed\s+away)\s+(?:for\s+)?(?P<count>{NUMBER})\s+years\b",
    re.I,
)
_LEFT_AT = re.compile(
    r"\b(?:ran|left|went|fled|sailed|was sent|sent|departed|leaves|goes|runs)\b[^.;]{0,40}?\bat\s+"
    rf"(?P<left>{NUMBER})\b[^.;]{{0,60}}?\b(?:back|home|return\w*|came|comes)\b[^.;]{{0,30}}?\bat\s+(?P<back>{NUMBER})\b",
    re.I,
)
_LAST_HOUR = 12
"""Whoever "left at nine and was back at five" may have done so by the clock."""
_DIFFERENCE = re.compile(
    rf"(?P<count>{NUMBER})\s+years\s+(?:her\s+|his\s+)?(?P<way>younger|older|elder|junior|senior)\b(?:\s+than\b)?",
    re.I,
)
_SEEMS = re.compile(r"\b(?:look|seem|feel|felt|appear|sound|act)\w*\b", re.I)
_AS_KNOWN = re.compile(r"\s+(?:remember|recall|had|thought|expect|imagin|knew|seem|look|felt)")
"""Match before and behind a difference in age that is none: "looked ten years older than Ann"."""
_WORD = re.compile(r"[a-z]{4,}")
_COMMON = word_set(
    "about after again also always another back because been before being both came come could",
    "days done down each eight eighteen eighty eleven even ever every father fifteen fifty five",
    "forty four fourteen from hand hands have here house hundred husband into just keep kept knew",
    "know known last life like long lost many months more most mother much name never nine",
    "nineteen ninety nobody once only other over past people said same says seven seventeen",
    "seventy should since sixteen sixty some somebody still such than that their them then there",
    "these they thirteen thirty this those three time times twelve twenty under until upon very",
    "weeks were what when where which while whole wife with would years",
)
_NEAR = 45
"""Characters on each side of a duration that are searched for what it is about."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement about a person's years.

    `value` is a `Year` or a number of years; `year` is the year in which an age holds; `words` say
    what a duration is about.
    """

    person: str
    kind: FactKind
    value: int
    evidence: Evidence
    position: int | None
    year: Year | None = None
    other: str | None = None
    sign: int = 1
    unit: str = "years"
    words: frozenset[str] = frozenset()
    is_now: bool = True
    is_derived: bool = False

    @property
    def start(self) -> int:
        """Its offset in the note."""
        return self.evidence.start

    @property
    def quote(self) -> str:
        """Its text."""
        return self.evidence.quote


@dataclass
class AgeFacts:
    """The statements about one person, by kind."""

    births: list[Fact] = field(default_factory=list)
    ages: list[Fact] = field(default_factory=list)
    durations: list[Fact] = field(default_factory=list)
    differences: list[Fact] = field(default_factory=list)
    absences: list[Fact] = field(default_factory=list)

    def add(self, fact: Fact) -> None:
        """Add a statement to those of its kind."""
        lists = {
            "birth": self.births,
            "age": self.ages,
            "duration": self.durations,
            "difference": self.differences,
            "absence": self.absences,
        }
        lists[fact.kind].append(fact)


def read_facts(story: Story) -> list[Fact]:
    """Return all statements about the years of people, those of notes before the manuscript's."""
    people = People(story)
    years = scene_years(story)
    facts = list(_given(story))
    for scene in (*story.sections, *story.scenes):
        year, goes_back = years.get((scene.path, scene.ordinal)), is_told_back(scene)
        for index, sentence in enumerate(scene.sentences):
            reader = _Reader(story, people, scene, index, sentence, year, goes_back)
            facts += reader.read()
    return facts


def _given(story: Story) -> Iterator[Fact]:
    """Yield the statements of people's properties."""
    for person in story.people:
        for one in person.properties:
            if one.key in _BIRTH_KEYS and (year := _year_in(story, one.value)):
                yield Fact(person.id, "birth", year, one.evidence, None)
            elif one.key in _AGE_KEYS and re.fullmatch(NUMBER, one.value.casefold().strip()):
                yield Fact(person.id, "age", read_number(one.value), one.evidence, None)


def _year_in(story: Story, value: str) -> Year | None:
    """Return the year that a value gives, whatever stands around it."""
    year = re.search(YEAR, value)
    return read_year(story, value) or (read_year(story, year[0]) if year else None)


class _ToldAge(NamedTuple):
    """An age that a person has by a verb (or "" for none), in words that begin at `start`."""

    person: str
    age: int
    verb: str
    start: int


@dataclass(frozen=True)
class _Reader:
    """Reads the statements of one sentence."""

    story: Story
    people: People
    scene: Scene
    index: int
    sentence: Sentence
    scene_year: Year | None
    goes_back: bool

    def read(self) -> Iterator[Fact]:
        """Yield the statements about years."""
        if not has_number(self.text):
            return
        yield from self._births()
        yield from self._ages()
        yield from self._durations()
        yield from self._absences()
        yield from self._differences()

    @property
    def text(self) -> str:
        return self.sentence.narration

    def _fact(self, person: str, kind: FactKind, value: int) -> Fact:
        return Fact(person, kind, value, self.sentence.evidence, self.sentence.position)

    def _named(self) -> list[NamedSpan]:
        return [n for n in self.people.names_in(self.sentence) if n.is_plain]

    def _subject(self) -> str | None:
        """Return the person whose note this is, or None."""
        return self.scene.subject if self.scene.subject in self.people.by_id else None

    def _births(self) -> Iterator[Fact]:
        named = [name for name in self._named() if not _has_child(self.text, name)]
        row = ROW_YEAR.match(self.text) if self.sentence.is_row else None
        if row and re.search(r"\bborn\b|\bbirth\b", self.text, re.I) and len(named) == 1:
            if year := read_year(self.story, row["year"]):
                yield self._fact(named[0].entity, "birth", year)
        elif not row and (born := _BORN.search(self.text)) and (year := self._when(born["when"])):
            before = [name for name in named if name.end <= born.start()]
            if before:
                is_other = _BORN_BETWEEN.search(self.text, before[-1].end, born.start())
            else:
                is_other = _BORN_OTHER.search(self.text, 0, born.start())
            person = before[-1].entity if before else self._subject()
            if person and not is_other and not _NOT_BORN.search(self.text, 0, born.start()):
                yield self._fact(person, "birth", year)

    def _when(self, told: str) -> Year | None:
        """Return the first year in what follows the word for a birth."""
        found = next(self.story.dates.find(told), None) if self.story.dates else None
        if found is not None:
            return year_of(self.story, found.date)
        plain = re.search(rf"\b{YEAR}", told)
        return read_year(self.story, plain[0]) if plain else None

    def _ages(self) -> Iterator[Fact]:
        found: dict[int, _ToldAge] = {}
        for name in self._named():
            for pattern in _PERSON_AGES:
                match = pattern.match(self.text, name.end)
                if match:
                    verb = match.groupdict().get("verb") or ""
                    age = read_number(match["age"])
                    told = _ToldAge(name.entity, age, verb, name.start)
                    found.setdefault(match.start("age"), told)
        for match in _PRONOUN_AGE.finditer(self.text):
            person = self.people.referent(
                self.scene, self.index, match.start(), gender_of(match["who"])
            )
            if person:
                age = read_number(match["age"])
                told = _ToldAge(person, age, match["verb"], match.start())
                found.setdefault(match.start("age"), told)
        subject = self._subject()
        for pattern in (_SUBJECT_AGE, _YEARS_OLD) if self._opens_paragraph() else (_YEARS_OLD,):
            match = pattern.search(self.text) if subject and not self._named() else None
            if match and subject:
                age = read_number(match["age"])
                told = _ToldAge(subject, age, "", match.start())
                found.setdefault(match.start("age"), told)
        for person, age, verb, start in found.values():
            is_past = self._is_past(verb) or _THEN.search(self.text[:start]) is not None
            year, is_now = self._year(is_past), not (is_past or self.goes_back)
            yield replace(self._fact(person, "age", age), year=year, is_now=is_now)

    def _opens_paragraph(self) -> bool:
        """Say whether nothing in the paragraph precedes that a bare number might answer."""
        earlier = self.scene.sentences[self.index - 1] if self.index else None
        return earlier is None or earlier.paragraph != self.sentence.paragraph

    def _is_past(self, verb: str) -> bool:
        """Say whether an age refers to another time than that of the scene."""
        is_told_now = verb.split()[:1] in (["is"], ["turns"])
        is_other = {"past": is_told_now, "present": bool(verb) and not is_told_now}
        return (
            "had" in verb
            or _AT_ANOTHER_TIME.search(self.text) is not None
            or (self.scene.tense is not None and is_other[self.scene.tense])
        )

    def _year(self, is_past: bool) -> Year | None:
        """Return the year of a statement: one named just before it, or else the scene's."""
        for sentence in reversed(self.scene.sentences[max(0, self.index - 1) : self.index + 1]):
            if sentence.paragraph == self.sentence.paragraph:
                found = _ANY_YEAR.search(sentence.narration)
                if found:
                    return read_year(self.story, found["year"] or found["alone"])
        return None if is_past else self.scene_year

    def _durations(self) -> Iterator[Fact]:
        named = self._named()
        for match in _DURATION.finditer(self.text):
            if _NO_SPAN_AFTER.match(self.text, match.end()):
                continue
            before = self.text[: match.start()]
            if not (_SPAN_BEFORE.search(before)):
                continue
            earlier = [name.entity for name in named if name.end <= match.start()]
            person = (earlier[0] if earlier else None) or self._subject()
            if person is None:
                continue
            near = self.text[max(0, match.start() - _NEAR) : match.end() + _NEAR].casefold()
            about = frozenset(_WORD.findall(near)) - _COMMON - self._name_words()
            told = self._fact(person, "duration", read_number(match["count"]))
            yield replace(told, unit=match["unit"].casefold(), words=about)

    def _name_words(self) -> frozenset[str]:
        return frozenset(
            word
            for name in self.sentence.names
            for word in re.findall(r"[a-z]+", name.surface.casefold())
        )

    def _absences(self) -> Iterator[Fact]:
        subject = self._subject()
        gone = _GONE.search(self.text)
        if gone:
            pronoun = re.search(r"\b(she|he)\b(?=[^.;]{0,200}\Z)", self.text[: gone.start()], re.I)
            named = [n.entity for n in self._named() if n.end <= gone.start()]
            person = named[-1] if named else None
            if person is None and pronoun:
                person = (
                    self.people.referent(
                        self.scene, self.index, pronoun.start(), gender_of(pronoun[0])
                    )
                    or self.scene.viewpoint
                )
            if person:
                yield self._fact(person, "absence", read_number(gone["count"]))
        left = _LEFT_AT.search(self.text)
        if left:
            person = subject or next((n.entity for n in self._named()), None)
            back = read_number(left["back"])
            if person and back > _LAST_HOUR:
                passed = back - read_number(left["left"])
                yield replace(self._fact(person, "absence", passed), is_derived=True)

    def _differences(self) -> Iterator[Fact]:
        match = _DIFFERENCE.search(self.text)
        if not match:
            return
        named = self._named()
        after = [
            name.entity
            for name in named
            if name.start >= match.end() and not _AS_KNOWN.match(self.text, name.end)
        ]
        if _SEEMS.search(self.text, 0, match.start()):
            return
        before = [name.entity for name in named if name.end <= match.start()]
        person = before[-1] if before else self._subject()
        if person and after and after[0] != person:
            sign = 1 if match["way"].casefold() in ("younger", "junior") else -1
            told = self._fact(person, "difference", read_number(match["count"]))
            yield replace(told, other=after[0], sign=sign)


def _has_child(text: str, name: NamedSpan) -> bool:
    """Say whether a name is in the genitive, and not of a birth: somebody else is born."""
    return re.match(r"['’]s?\s(?!birth)", text[name.end :]) is not None
