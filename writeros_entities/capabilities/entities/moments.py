"""A time of the story that a request asks for, and what holds at it.

    moment = find_moment(view, "12 March 1887")      # or a chapter
    moment.has_come(path, start)                                # has this happened by then?
    moment.age({"born": "3 May 1856"})                          # "30"

It shows no more than the reader has read: a view's scenes are all that is asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capability import ChapterName
from writeros_entities.errors import NotFoundError, RequestError
from writeros_entities.properties import dashed

if TYPE_CHECKING:
    from writeros_entities.language.dates import DateReader
    from writeros_entities.story.dating import StoryTimes
    from writeros_entities.values import JSON, StoryDate
    from writeros_entities.view import View

At = Annotated[
    ChapterName | None,
    Field(max_length=300, description="At this story date or chapter."),
]

_NO_DATES = "No scene of the manuscript has a story date."
MOST_AGE = 1_000
"""No age is told of who was born more years ago: that is a date of another kind."""


@dataclass(frozen=True)
class Moment:
    """A time of the story: its date, if it has one, and the places of what comes first and last in
    it.
    """

    times: StoryTimes
    reader: DateReader
    name: str
    date: StoryDate | None
    place: tuple[float, ...]
    begin: tuple[float, ...]

    @property
    def shown(self) -> str:
        """What it is called: its date, or else the chapter."""
        return self.name if self.date is None else self.date.name

    def has_come(self, path: str, start: int) -> bool:
        """Say whether what stands at an offset of a note has happened by then.

        What stands outside the manuscript holds at any time.
        """
        place = self.times.place_at(path, start)
        return place is None or place <= self.place

    def last_of(self, found: Iterable[tuple[str, int]]) -> str | None:
        """Return the note of that which happens last by then, given paths and offsets."""
        placed = [(place, path) for path, at in found if (place := self.times.place_at(path, at))]
        return max((one for one in placed if one[0] <= self.place), default=(None, None))[1]

    def age(self, properties: Mapping[str, JSON]) -> str | None:
        """Return the age by then of who has these properties: "30", "29 or 30"; None if unknown."""
        born = birth_in(self.reader, properties)
        if born is None or self.date is None:
            return None
        years = self.reader.years(born, self.date)
        if years is None or not 0 <= years[1] <= MOST_AGE:
            return None
        least, most = max(0, years[0]), years[1]
        if least == most:
            return str(most)
        return f"{least} or {most}" if most - least == 1 else f"{least} to {most}"


def birth_in(reader: DateReader, properties: Mapping[str, JSON]) -> StoryDate | None:
    """Return the date of birth that properties state."""
    from writeros_entities.story.property_names import texts_of

    labels = {dashed(one) for one in reader.words.birth_labels}
    for key, value in properties.items():
        if dashed(key) in labels:
            for text in texts_of(value):
                if date := reader.read(text):
                    return date
    return None


def find_moment(view: View, asked: str) -> Moment:
    """Return the time of the story that a chapter's name or a date means.

    Raises NotFoundError if it is neither, and RequestError if the story's dates cannot be compared
    with it.
    """
    from writeros_entities.story.dating import load_times
    from writeros_entities.story.notes import find_note

    times = load_times(view)
    reader = times.dating.reader(times.dating.main)
    date = None if asked.strip().isdecimal() else reader.read(asked)
    if date is None:
        try:
            return _of_note(times, reader, find_note(view, asked).path)
        except NotFoundError:
            date = reader.read(asked)
            if date is None:
                raise
    rank = times.rank(date)
    if rank is None:
        dated = [one.time.date.name for one in times.scenes if one.time is not None]
        told = f"Its scenes have dates such as {dated[0]}." if dated else _NO_DATES
        raise RequestError(f"{date.name} cannot be compared with a date of the story. {told}")
    minute = math.inf if date.minute is None else date.minute
    begin = (rank, date.first, -1 if date.minute is None else date.minute, 0)
    return Moment(times, reader, date.name, date, (rank, date.last, minute, math.inf), begin)


def _of_note(times: StoryTimes, reader: DateReader, path: str) -> Moment:
    """Return the time at the end of a note of the manuscript: that of its latest scene."""
    scenes = times.of_note(path)
    if not scenes:
        raise RequestError(f"{path} is no chapter, so it has no time in the story.")
    places = {times.places[one.path, one.ordinal]: one for one in scenes}
    last = places[max(places)]
    date = None if last.time is None else last.time.date
    return Moment(times, reader, last.title, date, max(places), min(places))
