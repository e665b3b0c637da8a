"""Calendars: the Gregorian, those of the settings, and those that a vault describes.

    [calendars.Shire]                      a setting: months with their days, eras with the years
    months = ["Afteryule 30", "Solmath 30"]     that each but the last one lasted, and the day on
    eras = ["Second Age, SA, 3441", "Third Age, TA"]    which its year 1 began in the Gregorian
    begins = "0001-01-01"                           calendar, if it is to be compared with that

A note on a calendar has the same as properties, or a table or list of its months with their days.
Calendarium and Fantasy Calendar keep theirs in their `data.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from writeros_entities import JSON, Calendar, Era, Leap, Month, hookimpl

from .languages import LANGUAGES

if TYPE_CHECKING:
    from writeros_entities import Settings

__version__ = "1"

GREGORIAN = "Gregorian"

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH_DAYS = 30
"""The days of a month of which nothing is said."""

_USUAL_DAYS = range(5, 101)
"""The days of a month in a table or a list of them."""

_FEWEST_ROWS = 3
"""A note's table or list with fewer rows has no months."""

_DAYS_TOLD = re.compile(r"\d{1,3}(?!\d)")
_IN_ROW = re.compile(r"[-*+_\[\]|:(–—\d.)]+")
"""Matches what stands around the name of a month in a row of a table or a list."""
_DATE = re.compile(r"(-?\d{1,6})-(\d{1,2})-(\d{1,2})")
_LITERAL = re.compile(r"\{\{[^{}]*\}\}")
_SHORT_FORM = re.compile(r"\b[A-Z][A-Z.]{0,4}(?![\w.])")


@hookimpl
def register_calendars(settings: Settings) -> Iterable[Calendar]:
    """Return the Gregorian calendar and those of the setting `calendars`."""
    for name, told in settings.calendars.items():
        yield _calendar(name, {key: _as_json(value) for key, value in told.items()})
    yield _gregorian(settings.language)


@hookimpl
def read_calendars(path: str, data: JSON, text: str) -> Iterable[Calendar]:
    """Return the calendars of a calendar plugin's data, or of a note on one."""
    if not isinstance(data, dict):
        return
    if path.endswith(".json"):
        kept = data.get("calendars")
        for one in kept if isinstance(kept, list) else ():
            if isinstance(one, dict) and (calendar := _of_plugin(one)):
                yield calendar
        return
    name = path.rpartition("/")[2].removesuffix(".md")
    told = {key.casefold(): value for key, value in data.items()}
    if not told.get("months"):
        told["months"] = _rows(text)
    if told["months"]:
        yield _calendar(name, told)


def _gregorian(language: str) -> Calendar:
    """Return the Gregorian calendar, its months called as in a language first."""
    first = sorted(LANGUAGES, key=lambda one: one.code != language)
    months = []
    for number, days in enumerate(_DAYS, 1):
        names = [
            name for one in first for name, at in one.words.months.items() if at == str(number)
        ]
        others = dict.fromkeys(names)
        months.append(Month(names[0].capitalize(), days, tuple(others)))
    forms = {
        era: tuple(
            dict.fromkeys(f for one in first for f, which in one.words.eras.items() if which == era)
        )
        for era in ("BC", "AD")
    }
    eras = (
        Era("BC", 0, forms["BC"], is_backward=True),
        Era("AD", 1, forms["AD"], is_plain=True),
    )
    return Calendar(GREGORIAN, tuple(months), eras, (Leap(2, (4, -100, 400)),), 0)


def _calendar(name: str, told: Mapping[str, JSON]) -> Calendar:
    """Return a calendar as a writer tells it."""
    months = tuple(month for one in _items(told.get("months")) if (month := _month(one)))
    begins = _DATE.search(str(told.get("begins") or ""))
    first_day = None
    if begins:
        first_day = _gregorian("").date(*map(int, begins.groups())).first
    return Calendar(name, months, tuple(_eras(_items(told.get("eras")))), first_day=first_day)


def _as_json(value: str | tuple[str, ...]) -> JSON:
    return value if isinstance(value, str) else list(value)


def _items(told: JSON) -> Sequence[JSON]:
    if isinstance(told, str):
        return [one.strip() for one in told.split(";")]
    return told if isinstance(told, list | tuple) else ()


def _month(told: JSON) -> Month | None:
    if isinstance(told, dict):
        days = told.get("days", told.get("length", _MONTH_DAYS))
        return Month(str(told.get("name")), days if isinstance(days, int) else _MONTH_DAYS)
    found = _DAYS_TOLD.search(str(told))
    name = str(told)[: found.start() if found else None].strip(" :,(–—-\t")
    return Month(name, int(found[0]) if found else _MONTH_DAYS) if name else None


def _rows(text: str) -> list[JSON]:
    """Return the months in the longest table or list whose rows all have a name and some days."""
    longest: list[JSON] = []
    rows: list[JSON] = []
    for line in (*text.splitlines(), ""):
        if row := _row(line):
            rows.append(row)
            continue
        if len(set(map(str, rows))) == len(rows) > max(len(longest), _FEWEST_ROWS - 1):
            longest = rows
        rows = []
    return longest


def _row(line: str) -> str | None:
    """Return the month and its days in a row of a table or a list, None if that has none."""
    line = line.strip()
    if not line.startswith(("-", "*", "+", "|")) and not line[:1].isdigit():
        return None
    words = [part for one in _IN_ROW.split(line) if (part := one.strip())]
    numbers = _DAYS_TOLD.findall(line)
    is_month = words and numbers and int(numbers[-1]) in _USUAL_DAYS
    return f"{words[0]} {numbers[-1]}" if is_month else None


def _eras(told: Sequence[JSON]) -> Iterator[Era]:
    """Yield eras in order, up to the first one of which it is not told how long it lasted."""
    first = 1
    for one in told:
        names = [part.strip() for part in str(one).split(",") if part.strip()]
        years = int(names.pop()) if len(names) > 1 and names[-1].isdecimal() else None
        shortest = min(names, key=len, default="")
        if not shortest:
            continue
        yield Era(shortest, first, tuple(name for name in names if name != shortest))
        if years is None:
            return
        first += years


def _of_plugin(kept: Mapping[str, JSON]) -> Calendar | None:
    """Return a calendar as Calendarium or Fantasy Calendar keeps it."""
    static, name = kept.get("static"), kept.get("name")
    if not isinstance(static, dict) or not isinstance(name, str) or not name:
        return None
    months = []
    for one in _dicts(static.get("months")):
        days, short = one.get("length"), one.get("short")
        if isinstance(days, int) and days > 0:
            others = (short,) if isinstance(short, str) and short else ()
            months.append(Month(str(one.get("name")), days, others))
    eras = []
    for one in _dicts(static.get("eras")):
        began = one.get("date") or one.get("start")
        year = began.get("year") if isinstance(began, dict) else None
        restarts = one.get("restart") is True and isinstance(year, int)
        written = _LITERAL.sub(" ", str(one.get("format") or ""))
        short_form = _SHORT_FORM.search(written)
        title = str(one.get("name"))
        forms = (title,) if short_form else ()
        first = year if restarts and isinstance(year, int) else 1
        eras.append(
            Era(short_form[0] if short_form else title, first, forms, is_plain=not restarts)
        )
    return Calendar(name, tuple(months), tuple(eras), tuple(_leaps(static))) if months else None


def _leaps(static: Mapping[str, JSON]) -> Iterator[Leap]:
    for one in _dicts(static.get("leapDays")):
        month = one.get("timespan")
        every = []
        for each in _dicts(one.get("interval")):
            years = each.get("interval")
            if isinstance(years, int) and years > 0:
                every.append(-years if each.get("exclusive") else years)
        if isinstance(month, int) and every:
            yield Leap(month + 1, tuple(every))


def _dicts(values: JSON) -> Iterator[dict[str, JSON]]:
    return (
        (one for one in values if isinstance(one, dict)) if isinstance(values, list) else iter(())
    )
