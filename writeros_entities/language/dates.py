"""Read dates of a story in texts, and how long after another scene one takes place.

    reader = DateReader([calendar, gregorian], words)
    reader.read("12 March 1887").name               # "12 March 1887"
    reader.read("Spring, TA 2920").first            # a day
    reader.step("Three days later, Ann came home.") # Step("day", 3)

The names of months and eras are those of the calendars, all other words those of a language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from typing import NamedTuple

from writeros_entities.language.words import Words
from writeros_entities.values.calendars import Calendar, Era, StoryDate

_SHORT = 5
"""The most letters of an era's abbreviation, which is written in the case that it has."""

_FULL = 100
"""The least year that is written in full without an era."""

_MOST_OPENERS = 3
"""The most words before those that say how long after: "and then, only three days later"."""

_MOST_BEFORE = 2
"""The most words before a year that is a date with them: "in about 1887"."""

_NOON = 12 * 60
_HALF_A_YEAR = 183

_CLOCK = re.compile(
    r"(?<![\d:.-])(?P<hour>[01]?\d|2[0-3])(?:[:h.](?P<minute>[0-5]\d)\s*(?P<half>[ap]\.?m\b)?"
    r"|\s*(?P<whole>[ap]\.?m\b))(?![\d.:-])",
    re.IGNORECASE,
)
"""Matches a time of day: "18:05", "6 pm", "6.30 p.m."."""

_DIGIT = re.compile(r"\d")
_YEAR_ALONE = re.compile(r"-?\d{1,6}")
_ERA_ALONE = re.compile(
    r"(?P<before>[A-Z][A-Z.]{0,4}) ?(?P<number>\d{1,6})|(\d{1,6}) ?(?P<after>[A-Z]{1,5})"
)
"""Matches a year of an era that is written in capitals, alone: "TA 2920", "2920 TA"."""


_ENDS = r"(?=\s*(?:[,.;:!?—–]|\Z))"


class Step(NamedTuple):
    """How long after a scene another one takes place; negative if it is before.

    `minute` is that of the day, if the words say which part of it.
    """

    unit: str
    amount: int
    minute: int | None = None
    words: str = ""


class Found(NamedTuple):
    """A date in a text, and its span."""

    start: int
    end: int
    date: StoryDate


@dataclass(frozen=True, eq=False)
class DateReader:
    """Reads dates by some calendars, of which the first that fits is meant, in a language's words.

    A calendar of the writer's own stands before the Gregorian one.
    """

    calendars: tuple[Calendar, ...]
    words: Words

    def calendar(self, name: str) -> Calendar:
        """Return the calendar of a name."""
        return next(one for one in self.calendars if one.name == name)

    def read(
        self, text: str, *, near: StoryDate | None = None, calendar: str = "", alone: bool = True
    ) -> StoryDate | None:
        """Return the date that a text is, or begins with, or None.

        `near` is the date of the scene before, which gives a day its year, and a number its
        calendar, unless `calendar` names it. With `alone`, a number may be a year.
        """
        said = " ".join(text.strip(" \t\r\n*_[](){}\"'“”").split())
        if found := next(self.find(said, near=near, calendar=calendar), None):
            return self._timed(found.date, said[found.end :])
        year = _year_alone(said) if alone else None
        chosen = next(iter(self._named(calendar, near)), None)
        return chosen.date(_in_last_era(chosen, year)) if year is not None and chosen else None

    def find(
        self, text: str, *, near: StoryDate | None = None, calendar: str = ""
    ) -> Iterator[Found]:
        """Yield the dates in a text, from left to right, the longest at each place."""
        found = []
        for pattern in self._patterns if _DIGIT.search(text) else ():
            for match in pattern.finditer(text):
                if date := self._date(match.groupdict(), near, calendar):
                    found.append(Found(match.start(), match.end(), date))
        end = 0
        for one in sorted(found, key=lambda one: (one.start, -one.end)):
            if one.start >= end:
                end = one.end
                yield one

    def minute_in(self, text: str) -> int | None:
        """Return the minute of the day that a text gives, by the clock or a part of the day."""
        if clock := _CLOCK.search(text):
            half = (clock["half"] or clock["whole"] or "").casefold()[:1]
            hour = int(clock["hour"])
            hour = hour % 12 + (12 if half == "p" else 0) if half else hour
            return hour * 60 + int(clock["minute"] or 0)
        part = self._parts.search(text)
        return int(self.words.day_parts[_folded(part[0])]) if part else None

    def step(self, text: str) -> Step | None:
        """Return how long after the scene before a text takes place that begins with the words.

        What is before it is told by words that stand alone: "ten years ago, Ann" is none.
        """
        for at, (kind, pattern) in product(self._beginnings(text), self._steps):
            if match := pattern.match(text, at):
                said = match.groupdict()
                count = self._count(said.get("n"))
                is_aside = kind == "earlier" and any(map(str.isalnum, text[match.end() :]))
                if count is None or is_aside:
                    continue
                unit = self.words.time_units.get(_folded(said.get("unit") or ""), "day")
                part = self.words.day_parts.get(_folded(said.get("part") or ""))
                minute = None if part is None else int(part)
                count = {"later": count, "earlier": -count, "same": 0}[kind]
                return Step(unit, count, minute, match[0])
        return None

    def after(self, date: StoryDate, step: Step) -> StoryDate:
        """Return the date some time after another."""
        calendar = self.calendar(date.calendar)
        if step.unit == "hour":
            minutes = (_NOON if date.minute is None else date.minute) + 60 * step.amount
            moved = calendar.moved(date, days=minutes // 1440) if minutes // 1440 else date
            return moved if date.minute is None else replace(moved, minute=minutes % 1440)
        if step.amount == 0:
            return date if step.minute is None else replace(date, minute=step.minute)
        if step.unit == "year":
            moved = calendar.moved(date, years=step.amount)
        elif step.unit == "month":
            moved = calendar.moved(date, months=step.amount)
        else:
            moved = calendar.moved(date, days=step.amount * (7 if step.unit == "week" else 1))
        return replace(moved, minute=step.minute)

    def years(self, since: StoryDate, until: StoryDate) -> tuple[int, int] | None:
        """Return the full years between two dates, as `Calendar.years` does."""
        return self.calendar(since.calendar).years(since, until)

    def on(self, date: StoryDate, near: StoryDate) -> StoryDate:
        """Return a date that contains another, placed at that; any other one as it is."""
        is_within = date.reckoning == near.reckoning and date.first <= near.day <= date.last
        return replace(date, day=near.day) if is_within and date.is_vague else date

    def _timed(self, date: StoryDate, rest: str) -> StoryDate:
        return replace(date, minute=self.minute_in(rest)) if date.is_day and rest else date

    def _named(self, name: str, near: StoryDate | None) -> list[Calendar]:
        """Return the calendars of a name, or all of them, that of the scene before first."""
        if name:
            return [one for one in self.calendars if one.name.casefold() == name.casefold()]
        return sorted(self.calendars, key=lambda one: near is None or one.name != near.calendar)

    def _count(self, said: str | None) -> int | None:
        """Return the number that a word is, None if it is none."""
        if said is None or _folded(said) in self.words.articles:
            return 1
        if said.isdecimal():
            return int(said)
        parts = [self.words.numbers.get(part) for part in _folded(said).split("-")]
        return None if None in parts else sum(int(part) for part in parts if part)

    def _date(
        self, said: dict[str, str | None], near: StoryDate | None, calendar: str
    ) -> StoryDate | None:
        """Return the date of what a pattern found, in the first calendar that has it."""
        era = said.get("era") or said.get("era_behind")
        year = said.get("in_era") or said.get("of_era") or said.get("year")
        month, day, season = said.get("month"), said.get("day"), said.get("season")
        is_number = year is not None and not (era or month or season or said.get("word"))
        if is_number or (year and not (era or day) and int(year) < _FULL):
            return None
        for one in self._named(calendar, near):
            in_era = _era_of(one, era) if era else None
            at = _month_of(one, month) if month else None
            if (month and at is None) or (in_era is None and (era or _needs_era(one))):
                continue
            number = int(year) if year else None
            if number is not None and in_era is not None:
                number = in_era.year(number)
            elif number is not None and number < _FULL and one.first_day == 0:
                continue  # "12 March 87" may be of any century
            elif number is not None:
                number = _in_last_era(one, number)
            named = season.capitalize() if season else ""
            turn = int(self.words.seasons[_folded(season)]) if season else None
            try:
                if number is not None:
                    return one.date(
                        number,
                        at,
                        int(day) if day else None,
                        season=turn,
                        season_name=named,
                    )
                if near is not None and near.calendar == one.name and at and day:
                    return _nearest(one, near, at, int(day))
            except ValueError:
                continue
        return None

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        words = self.words
        months = _any_of(chain(words.months, *map(_main_names, self.calendars)))
        names = [name for one in self.calendars for name in _era_names(one)]
        short = _any_of(name for name in names if len(name) <= _SHORT)
        eras = rf"(?-i:{short})|{_any_of(name for name in names if len(name) > _SHORT)}"
        seasons, endings = _any_of(words.seasons), _any_of(words.ordinal_endings)
        the = rf"(?:(?:{_any_of(words.definite)})\s+)?"
        of = rf"(?:\s*,\s*|\s+(?:(?:{_any_of([*words.of, *words.prepositions])})\s+)?)"
        year_word = rf"(?:{the}(?:{_any_of(words.year_words)})\s+)?"
        day = rf"(?P<day>\d{{1,3}})(?:{endings})?(?![\w:])"
        month = rf"(?P<month>{months})\b\.?"
        number, stop = r"\d{1,6}", r"(?![\d:])"
        year = (
            rf"(?:{year_word}{the}(?P<era>{eras})(?!\w)(?:\s*,)?\s*{year_word}(?P<in_era>{number}){stop}"
            rf"|{year_word}(?P<of_era>{number}){of}?\s*{the}(?P<era_behind>{eras})(?!\w)"
            rf"|(?P<word>{the}(?:{_any_of(words.year_words)})\s+)?(?P<year>{number}){stop})"
        )
        shapes = (
            rf"{the}{day}{of}{month}(?:{of}{year})?",
            rf"{month}\s+{the}{day}(?:{of}{year})?",
            rf"{month}{of}{year}",
            rf"(?P<season>{seasons}){of}{the}{year}",
            rf"{year}{of}{the}{day}{of}{month}",
            rf"{year}{of}{month}(?:\s+{the}{day})?",
            year,
            rf"(?P<year>-?\d{{1,6}})-(?P<month>\d{{1,2}}|{months})-(?P<day>\d{{1,3}})(?!\d)",
            r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{2,6})(?!\d)",
        )
        return tuple(re.compile(rf"(?<![\w.-]){shape}", re.IGNORECASE) for shape in shapes)

    @cached_property
    def _parts(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{_any_of(self.words.day_parts)})\b", re.IGNORECASE)

    @cached_property
    def _steps(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        words = self.words
        holes = {
            "{n}": r"(?P<n>\d{1,4}|[^\W\d]+(?:-[^\W\d]+)?)",
            "{unit}": rf"(?P<unit>{_any_of(words.time_units)})",
            "{part}": rf"(?P<part>{_any_of(words.day_parts)})",
        }
        found = []
        for told, kind in words.steps.items():
            shape = r"\s+".join(map(re.escape, told.split()))
            for hole, pattern in holes.items():
                shape = shape.replace(re.escape(hole), pattern)
            # "three days after the ball" is not after the scene before
            end = _ENDS if told.split()[-1] in words.prepositions else r"\b"
            found.append((kind, re.compile(rf"{shape}{end}", re.IGNORECASE)))
        return tuple(found)

    @cached_property
    def _openers(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{_any_of(self.words.time_openers)})\W+", re.IGNORECASE)

    def _beginnings(self, text: str) -> Iterator[int]:
        """Yield where words may begin that say how long after: behind few words such as "only"."""
        at = next((at for at, letter in enumerate(text) if letter.isalnum()), len(text))
        yield at
        for _ in range(_MOST_OPENERS):
            if opener := self._openers.match(text, at):
                at = opener.end()
                yield at


def undeclared(texts: Iterable[str], calendars: Sequence[Calendar], words: Words) -> list[Calendar]:
    """Return a calendar for each era by which a text gives a year, and which no calendar has.

    It is named after the era, has the months of the last calendar, and can be compared with none.
    """
    known = {_folded(name) for one in calendars for name in _era_names(one)}
    known |= {_folded(name) for one in calendars for name in _month_names(one)}
    numbers = _any_of([*words.numbers, r"\d{1,2}"], escape=False)
    nouns = _any_of(words.era_nouns)
    numbered = re.compile(
        rf"(?:the\s+)?(?P<named>(?:{numbers})(?:{_any_of(words.ordinal_endings)})?\s+(?:{nouns}))"
        r"\s*,?\s*\d{1,6}",
        re.IGNORECASE,
    )
    found: dict[str, Calendar] = {}
    for text in texts:
        said = text.strip()
        alone, era = _ERA_ALONE.fullmatch(said), ""
        if alone:
            era = alone["before"] or alone["after"]
        elif nouns and (match := numbered.match(said)):
            era = match["named"]
        if era and _folded(era) not in known:
            known.add(_folded(era))
            found[era] = replace(calendars[-1], name=era, eras=(Era(era),), first_day=None)
    return [found[era] for era in sorted(found)]


def _year_alone(said: str) -> int | None:
    """Return the year that a text is, with a few words before it: "1887", "in about 1887"."""
    *before, year = said.split() or [""]
    year = year.strip(",.;?~()[]")
    if not _YEAR_ALONE.fullmatch(year) or any(map(_DIGIT.search, before)):
        return None
    return int(year) if not before or (len(before) <= _MOST_BEFORE and int(year) >= _FULL) else None


def _nearest(calendar: Calendar, near: StoryDate, month: int, day: int) -> StoryDate:
    """Return the date of a day of a month in the year that brings it nearest behind another."""
    year = calendar.parts(near.day)[0]
    date = calendar.date(year, month, day)
    if date.day < near.day - _HALF_A_YEAR:
        return calendar.date(year + 1, month, day)
    return date


def _in_last_era(calendar: Calendar, number: int) -> int:
    """Return the calendar's year of a number without an era."""
    return calendar.eras[-1].year(number) if calendar.eras else number


def _needs_era(calendar: Calendar) -> bool:
    """Say whether a calendar is only known by its era."""
    return [one.name for one in calendar.eras] == [calendar.name]


def _era_of(calendar: Calendar, said: str) -> Era | None:
    asked = _folded(said)
    return next(
        (one for one in calendar.eras if asked in map(_folded, (one.name, *one.forms))), None
    )


def _month_of(calendar: Calendar, said: str) -> int | None:
    if said.isdecimal():
        return int(said) if 1 <= int(said) <= len(calendar.months) else None
    asked = _folded(said)
    for number, month in enumerate(calendar.months, 1):
        if asked in map(_folded, (month.name, *month.others)):
            return number
    return None


def _main_names(calendar: Calendar) -> Iterator[str]:
    """Return the names of months, those of the Gregorian calendar in one language only."""
    is_own = calendar.first_day != 0
    return _month_names(calendar) if is_own else (month.name for month in calendar.months)


def _month_names(calendar: Calendar) -> Iterator[str]:
    return (name for month in calendar.months for name in (month.name, *month.others))


def _era_names(calendar: Calendar) -> Iterator[str]:
    return (name for era in calendar.eras for name in (era.name, *era.forms))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


def _any_of(names: Iterable[str], *, escape: bool = True) -> str:
    """Return a pattern for any of some names, the longest first; for none, one that never fits."""
    make: Callable[[str], str] = re.escape if escape else str
    found = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    return "|".join(make(name).replace(r"\ ", r"\s+") for name in found) or r"(?!)"
