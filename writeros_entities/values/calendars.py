"""Calendars of a story, and the dates in them.

    calendar = Calendar("Shire", (Month("Afteryule", 30), Month("Solmath", 30)), (Era("TA"),))
    calendar.date(2920, 2, 12).name              # "12 Solmath TA 2920"

A day is a number: that of the days since the first day of the calendar's year 1. The years of a
calendar are counted without a break: where it has an era that is counted backwards (BC), year 0 is
the last one of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

SEASONS = 4
_SPRING = 2 / 12
"""The part of a year before its spring."""

_LATE = 100
"""From this year on, the years of a plain era are written without its name."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month: its name, how many days it has, and what else it is called."""

    name: str
    days: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Era:
    """An era: its name, other ways to write it, and the calendar's year that is its year 1.

    With `is_backward`, years are counted from there back in time. The years of a `plain` one are
    written without its name.
    """

    name: str
    first: int = 1
    forms: tuple[str, ...] = ()
    is_backward: bool = False
    is_plain: bool = False

    def year(self, number: int) -> int:
        """Return the calendar's year that is the era's year of some number."""
        return self.first + (1 - number if self.is_backward else number - 1)

    def number(self, year: int) -> int:
        """Return the number that a year of the calendar has in the era."""
        return 1 + (self.first - year if self.is_backward else year - self.first)


@dataclass(frozen=True, slots=True)
class Leap:
    """A day more of a month (from 1), every so many years.

    `every` has the years in turn, negative ones for an exception: (4, -100, 400).
    """

    month: int
    every: tuple[int, ...]

    def before(self, year: int) -> int:
        """Return how many of them there are before a year, counted from year 1."""
        return sum(
            (year - 1) // each if each > 0 else -((year - 1) // -each) for each in self.every
        )


@dataclass(frozen=True, slots=True)
class StoryDate:
    """When something happens: a day, or a span of days, by its first and last.

    `name` is how it is shown. Dates of one `reckoning` can be compared. `day` is the day of the
    span by which it is ordered, `minute` that of the day, if it is known.
    """

    name: str
    calendar: str
    reckoning: str
    first: int
    last: int
    day: int
    minute: int | None = None

    @property
    def is_day(self) -> bool:
        """Whether it is one day."""
        return self.first == self.last

    @property
    def is_vague(self) -> bool:
        """Whether another date may lie within it."""
        return not self.is_day


@dataclass(frozen=True)
class Calendar:
    """A calendar: the months of its year, its eras, and its leap days.

    `first_day` is the number, in the Gregorian calendar, of the first day of its year 1, if it is
    known. Dates of calendars that have one can be compared.
    """

    name: str
    months: tuple[Month, ...]
    eras: tuple[Era, ...] = ()
    leaps: tuple[Leap, ...] = ()
    first_day: int | None = None

    def date(
        self,
        year: int,
        month: int | None = None,
        day: int | None = None,
        *,
        season: int | None = None,
        season_name: str = "",
    ) -> StoryDate:
        """Return the date of a year, or of a month, a day or a season (0 is spring) of it.

        Raises ValueError if there is no such month or day.
        """
        if month is None:
            begin, end = self._day(year, 1, 1), self._day(year + 1, 1, 1) - 1
            if season is not None:
                begin, end = self._season(begin, end + 1 - begin, season)
            name = f"{season_name} {self.year_name(year)}".strip()
        else:
            most = self._days_in(year, month)
            if day is not None and not 1 <= day <= most:
                raise ValueError(f"{self.months[month - 1].name} has no day {day}")
            begin = self._day(year, month, day or 1)
            end = begin if day else begin + most - 1
            named = f"{self.months[month - 1].name} {self.year_name(year)}"
            name = f"{day} {named}" if day else named
        moved = self.first_day or 0
        reckoning = self.name if self.first_day is None else ""
        return StoryDate(name, self.name, reckoning, begin + moved, end + moved, begin + moved)

    def on(self, day: int) -> StoryDate:
        """Return the date of a day, by the number that a `StoryDate` of this calendar has."""
        return self.date(*self.parts(day))

    def parts(self, day: int) -> tuple[int, int, int]:
        """Return the year, the month and the day of the month of a day's number."""
        own = day - (self.first_day or 0)
        year = 1 + own // self._days
        while self._day(year + 1, 1, 1) <= own:
            year += 1
        while self._day(year, 1, 1) > own:
            year -= 1
        left = own - self._day(year, 1, 1)
        month = 1
        while left >= self._days_in(year, month):
            left -= self._days_in(year, month)
            month += 1
        return year, month, left + 1

    def moved(
        self, date: StoryDate, *, years: int = 0, months: int = 0, days: int = 0
    ) -> StoryDate:
        """Return the date some time after (or before) another, as exactly as that time is told."""
        if days:
            day = date.day + days
            return replace(self.on(day), minute=None) if date.is_day else _spread(self, date, day)
        year, month, day = self.parts(date.day)
        turns, month = divmod(month - 1 + months, len(self.months))
        year, month = year + years + turns, month + 1
        exact = self.date(year, month, min(day, self._days_in(year, month))).day
        told = self.date(year, month) if months else self.date(year)
        return replace(told, day=exact)

    def years(self, since: StoryDate, until: StoryDate) -> tuple[int, int] | None:
        """Return the full years from a date to another: the least and the most that they can be.

        None if the two cannot be compared.
        """
        if since.reckoning != until.reckoning:
            return None
        return self._full_years(since.last, until.first), self._full_years(since.first, until.last)

    def year_name(self, year: int) -> str:
        """Return how a year is written: "12 BC", "1887", "TA 2920"."""
        begun = [one for one in self.eras if not one.is_backward and one.first <= year]
        if not begun:
            ended = next((one for one in self.eras if one.is_backward), None)
            return f"{ended.number(year)} {ended.name}" if ended else str(year)
        era = max(begun, key=lambda one: one.first)
        number = era.number(year)
        if era.is_plain:
            return str(number) if number >= _LATE else f"{number} {era.name}"
        return f"{era.name} {number}"

    def _full_years(self, since: int, until: int) -> int:
        then, now = self.parts(since), self.parts(until)
        return now[0] - then[0] - (now[1:] < then[1:])

    @cached_property
    def _days(self) -> int:
        return sum(month.days for month in self.months)

    def _days_in(self, year: int, month: int) -> int:
        if not 1 <= month <= len(self.months):
            raise ValueError(f"{self.name} has no month {month}")
        leaps = (
            one.before(year + 1) - one.before(year) for one in self.leaps if one.month == month
        )
        return self.months[month - 1].days + sum(leaps)

    def _day(self, year: int, month: int, day: int) -> int:
        """Return the number of a day, the first one of year 1 being 0."""
        days = (year - 1) * self._days + sum(one.before(year) for one in self.leaps)
        return days + sum(self._days_in(year, one) for one in range(1, month)) + day - 1

    @staticmethod
    def _season(begin: int, days: int, season: int) -> tuple[int, int]:
        bounds = [round(days * (_SPRING + at / SEASONS)) for at in (season, season + 1)]
        return begin + bounds[0], begin + bounds[1] - 1


def _spread(calendar: Calendar, date: StoryDate, day: int) -> StoryDate:
    """Return a span that some days have been added to, which are few beside it."""
    if date.first <= day <= date.last:
        return replace(date, day=day, minute=None)
    return replace(calendar.date(*calendar.parts(day)[:1]), day=day)
