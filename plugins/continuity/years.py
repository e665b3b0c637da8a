"""The years in which scenes take place, if the vault states them.

Numbers in words and digits, and years.

read_number("two-and-twenty")  ->  22
"""

from __future__ import annotations

import re
from itertools import pairwise

from writeros_entities import Scene, Sentence, Story, StoryDate

from ..numerals import NUMERALS, TENS, UNITS

_UNIT = "|".join(sorted(UNITS[1:], key=len, reverse=True))
_TEN = "|".join(TENS)

NUMBER = (
    rf"(?:\d{{1,3}}|(?:a|one)\ hundred(?:\ and\ (?:{_UNIT}|(?:{_TEN})(?:-(?:{_UNIT}))?))?"
    rf"|(?:{_UNIT})-and-(?:{_TEN})|(?:{_TEN})(?:[- ](?:{_UNIT}))?|(?:{_UNIT}))"
).replace(r"\ ", " ")
"""A pattern for a number below two hundred, without groups."""

YEAR = (
    r"(?<!\d)(?<!\d{3}[-–—])(?<!\d{3} [-–—] )(?:1\d{3}|2[01]\d{2}|[3-9]\d{2})(?!\d)"
    r"(?! ?[-–—] ?\d{3,4}\b|[–—]\d\d\b)"
)
"""A pattern for a year in digits that is neither end of a span: not in "1012-1015"."""

_WORD = re.compile(r"[a-z]+|\d+")
_FIGURE = re.compile(r"\d")
_NUMERALS = frozenset({*NUMERALS, "hundred"})


def has_number(text: str) -> bool:
    """Say whether a text has a number in words or digits; much faster than `NUMBER`."""
    return (
        not _NUMERALS.isdisjoint(_WORD.findall(text.casefold())) or _FIGURE.search(text) is not None
    )


def read_number(text: str) -> int:
    """Return the value of what `NUMBER` matches."""
    total = 0
    for word in _WORD.findall(text.casefold()):
        if word.isdigit():
            total += int(word)
        elif word == "hundred":
            total = 100
        else:
            total += NUMERALS.get(word, 0)
    return total


ROW_YEAR = re.compile(rf"\A\W*(?P<year>{YEAR})\b")
"""Matches the year at the start of a timeline's row."""

_HEADING_YEAR = re.compile(rf"\b(?P<year>{YEAR})\b")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIMELINE = re.compile(
    r"\b(?:timelines?|chronolog\w+|chronicles?|calendar|history|annals|dates|years|events)\b", re.I
)
_SEASON = (
    r"spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|christmas|easter|midsummer"
)
_BARE_YEAR = re.compile(rf"\W*(?:(?:the|in|of|year|a\.?d|anno|{_SEASON})\W+)*{YEAR}\W*", re.I)
_SET_IN = re.compile(
    rf"(?:\A|[,:;–—-]|\b(?:in|year|{_SEASON})(?:\s+of)?|\b\d{{1,2}}(?:st|nd|rd|th)?,)\s*"
    r"(?P<year>1\d{3}|20\d{2})\W*\Z",
    re.I,
)
"""Matches a heading of a scene that says when: "Summer 1952", "Dover, 1806", not "Room 1408"."""


class Year(int):
    """A year, by its number in its calendar: -11 is 12 BC, and is written so.

    Only years of one `reckoning` can be compared.
    """

    name: str
    reckoning: str

    def __str__(self) -> str:
        return self.name


Years = dict[tuple[str, int], Year]


def year_of(story: Story, date: StoryDate) -> Year:
    """Return the year of a date."""
    assert story.dates is not None
    calendar = story.dates.calendar(date.calendar)
    year = Year(calendar.parts(date.day)[0])
    year.name, year.reckoning = calendar.year_name(year), date.reckoning
    return year


def read_year(story: Story, text: str) -> Year | None:
    """Return the year that a text is, or that of the date it begins with."""
    date = story.dates.read(text) if story.dates else None
    return None if date is None else year_of(story, date)


def scene_years(story: Story) -> Years:
    """Return the year in which each scene takes place, if the vault states it, by path and ordinal.

    It comes from the scene's own date or heading, or from the heading or row of a timeline that
    links to its note; chapters between two of the same year take place in that year.
    """
    of_notes = _linked_years(story)
    years: Years = {}
    for scene in story.scenes:
        # A note's date is not that of a flashback in it.
        is_aside = scene.ordinal > 0 and is_told_back(scene)
        year = _heading_year(story, scene) or (None if is_aside else _timed(story, scene))
        if year is not None:
            years[scene.path, scene.ordinal] = year
            of_notes.setdefault(scene.path, year)
        elif not is_aside and scene.path in of_notes:
            years[scene.path, scene.ordinal] = of_notes[scene.path]
    return years | _between(story, years)


def _heading_year(story: Story, scene: Scene) -> Year | None:
    for heading in (*reversed(scene.headings), scene.title):
        found = _SET_IN.search(heading)
        if found:
            return read_year(story, found["year"])
    return None


def _timed(story: Story, scene: Scene) -> Year | None:
    return None if scene.time is None else year_of(story, scene.time.date)


def _linked_years(story: Story) -> dict[str, Year]:
    """Return the years that timelines give to the notes to which they link."""
    years: dict[str, Year] = {}
    for section in story.sections:
        is_timeline = _TIMELINE.search(f"{section.title} {section.heading}") is not None
        last = section.headings[-1] if section.headings else ""
        is_of_story = is_timeline or _BARE_YEAR.fullmatch(last)
        heading = _HEADING_YEAR.search(section.heading) if is_of_story else None
        for sentence in section.sentences:
            row = _row_year(sentence, is_timeline=is_timeline)
            told = row or heading
            year = read_year(story, told["year"]) if told else None
            if year is not None:
                for link in sentence.links:
                    years.setdefault(link.path, year)
    return years


def _row_year(sentence: Sentence, *, is_timeline: bool) -> re.Match[str] | None:
    """Return the year that begins a row; a full date begins a writer's log as well."""
    row = ROW_YEAR.match(sentence.text) if sentence.is_row else None
    return None if row and not is_timeline and _DAY.match(sentence.text, row.start("year")) else row


def _between(story: Story, years: Years) -> Years:
    """Return the years of scenes without one that are between two of the same year."""
    told = [(one.path, one.ordinal) for one in story.scenes if not is_told_back(one)]
    dated = [number for number, key in enumerate(told) if key in years]
    return {
        key: years[told[first]]
        for first, last in pairwise(dated)
        if years[told[first]] == years[told[last]]
        for key in told[first + 1 : last]
    }


_BACK_IN_TIME = re.compile(
    r"\b(?:flashback|years? (?:ago|before|earlier)|earlier|prologue|memory|the past)\b"
    r"|\b(?:before|then)\W*\Z|(?:\A|[^\w\s]\s*)then\b",
    re.IGNORECASE,
)


def is_told_back(scene: Scene) -> bool:
    """Say whether a scene goes back in time, by its title, its headings or its properties."""
    mode = " ".join(
        value
        for key in ("timeline-mode", "flashback", "timeline", "mode")
        for value in scene.properties.get(key, ())
    ).casefold()
    is_marked = bool(mode) and mode not in ("linear", "false", "no", "present", "main")
    return is_marked or any(map(_BACK_IN_TIME.search, (scene.title, *scene.headings)))
