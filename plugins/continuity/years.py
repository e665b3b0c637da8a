"""The years in which scenes take place, if the vault states them."""

from __future__ import annotations

import re
from itertools import pairwise

from writeros_entities import Scene, Sentence, Story

from .flashbacks import is_told_back
from .numbers import YEAR

_DATE_KEYS = ("story-date", "storydate", "date", "year", "story-year", "when")

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

Years = dict[tuple[str, int], int]


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
        year = _heading_year(scene) or (None if is_aside else _dated(scene))
        if year is not None:
            years[scene.path, scene.ordinal] = year
            of_notes.setdefault(scene.path, year)
        elif not is_aside and scene.path in of_notes:
            years[scene.path, scene.ordinal] = of_notes[scene.path]
    return years | _between(story, years)


def _heading_year(scene: Scene) -> int | None:
    for heading in (*reversed(scene.headings), scene.title):
        found = _SET_IN.search(heading)
        if found:
            return int(found["year"])
    return None


def _dated(scene: Scene) -> int | None:
    for key in _DATE_KEYS:
        found = re.search(YEAR, " ".join(scene.properties.get(key, ())))
        if found:
            return int(found[0])
    return None


def _linked_years(story: Story) -> dict[str, int]:
    """Return the years that timelines give to the notes to which they link."""
    years: dict[str, int] = {}
    for section in story.sections:
        is_timeline = _TIMELINE.search(f"{section.title} {section.heading}") is not None
        last = section.headings[-1] if section.headings else ""
        is_of_story = is_timeline or _BARE_YEAR.fullmatch(last)
        heading = _HEADING_YEAR.search(section.heading) if is_of_story else None
        for sentence in section.sentences:
            row = _row_year(sentence, is_timeline=is_timeline)
            year = row or heading
            if year is not None:
                for link in sentence.links:
                    years.setdefault(link.path, int(year["year"]))
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
