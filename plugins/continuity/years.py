"""The years in which chapters take place, if the vault states them."""

from __future__ import annotations

import re
from itertools import pairwise

from writeros_entities import Story

from .flashbacks import is_told_back
from .numbers import YEAR

_DATE_KEYS = ("story-date", "storydate", "date", "year", "story-year", "when")

ROW_YEAR = re.compile(rf"\A\W*(?P<year>{YEAR})\b")
"""Matches the year at the start of a timeline's row."""

_HEADING_YEAR = re.compile(rf"\b(?P<year>{YEAR})\b")


def scene_years(story: Story) -> dict[str, int]:
    """Return the year in which each note of the manuscript takes place, if the vault states it.

    It comes from the note's own date, or from the heading or row of a timeline that links to it;
    chapters between two of the same year take place in that year.
    """
    years: dict[str, int] = {}
    for scene in story.scenes:
        for key in _DATE_KEYS:
            found = re.search(YEAR, " ".join(scene.properties.get(key, ())))
            if found:
                years.setdefault(scene.path, int(found[0]))
    for section in story.sections:
        heading = _HEADING_YEAR.search(section.heading)
        for sentence in section.sentences:
            row = ROW_YEAR.match(sentence.text) if sentence.is_row else None
            year = row or heading
            if year is not None:
                for link in sentence.links:
                    years.setdefault(link.path, int(year["year"]))
    return years | _between(story, years)


def _between(story: Story, years: dict[str, int]) -> dict[str, int]:
    """Return the years of notes without one that are between two of the same year."""
    paths = list(dict.fromkeys(scene.path for scene in story.scenes if not is_told_back(scene)))
    dated = [number for number, path in enumerate(paths) if path in years]
    return {
        path: years[paths[first]]
        for first, last in pairwise(dated)
        if years[paths[first]] == years[paths[last]]
        for path in paths[first + 1 : last]
    }
