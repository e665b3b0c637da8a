"""Say when scenes take place, and in what order they happen.

    dating = load_dating(view)
    scenes = dating.date(load_scenes(view))          # with `time`, where the writer tells it
    story_order(scenes)                              # by (path, ordinal)

A scene's date is that of its property, its heading, its note's title or its first line; or it is so
long after the scene before as its first words say. Nothing else is read.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Text, cast, func, or_, select

from writeros_entities.language.dates import DateReader, Found, undeclared
from writeros_entities.language.words import Words
from writeros_entities.properties import TIME_KEYS, TYPE_KEYS, dashed, story_key
from writeros_entities.story.property_names import texts_of
from writeros_entities.story.scenes import load_scenes
from writeros_entities.values.story import SceneTime
from writeros_entities.vault.files.config import CONFIG_FOLDER

if TYPE_CHECKING:
    from pathlib import Path

    from writeros_entities.values import JSON
    from writeros_entities.values.calendars import Calendar, StoryDate
    from writeros_entities.values.story import Scene
    from writeros_entities.view import View

CALENDAR_FILES = tuple(
    f"{CONFIG_FOLDER}/plugins/{name}/data.json" for name in ("calendarium", "fantasy-calendar")
)
"""The files in which plugins of Obsidian keep calendars."""

_PLUGIN_KEYS = ("fc-date", "fc-start")
_OWN_DATE_KEYS = (*_PLUGIN_KEYS, "story-date", "storydate")
_HOUR_KEYS = ("time", "story-time", "storytime", "hour")
_DATE_KEYS = (
    *_OWN_DATE_KEYS,
    *(key for key in TIME_KEYS if key not in (*_OWN_DATE_KEYS, *_HOUR_KEYS)),
)
_CALENDAR_KEYS = ("fc-calendar", "calendar")
_FLASHBACK_KEYS = ("timeline-mode", "flashback")
_NOT_BACK = ("", "linear", "false", "no", "none", "present", "main")
_NUMBERED_KEYS = frozenset({"day"})
"""Keys whose number is no year."""

_LEAST_YEAR = 100
"""The least number that is a year with nothing beside it, where a key does not say "year"."""

GIVEN, HEADED, OPENED, STEPPED, INHERITED, UNSURE = 1.0, 0.9, 0.85, 0.75, 0.8, 0.5
"""How sure a date is: by a property, a heading or title, a first line, words that lead to it from
another scene, that of the note's beginning; and by words behind a scene that may be an aside.
"""

_TODAY = re.compile(r"\s*(?:199\d|20\d\d)-\d\d-\d\d")
"""Matches a day on which a note may have been written."""

_FEWEST_DATED = 3
"""From so many notes on people on, a key tells when notes are written."""

_NUMBERED = re.compile(r"\A\W*(?:[^\W\d]+\W+)?\d+\W+")
"""Matches the number before a title: "Chapter 3: "."""

_WORD = re.compile(r"[^\W_]+")

_READ = 200
"""How many characters of a scene are read for its date."""

_MOST_BESIDE = 4
"""The most words beside the date in a line that is a date: "Dover, 12 March 1887"."""

_ASIDE = 365
"""Days by which a scene that goes back in time lies before the one before it."""


@dataclass(frozen=True)
class Dating:
    """What is needed to date scenes: readers of dates by language, and when sessions were played.

    `played` has the day on which a session's note says that it was played, by path: no story date.
    `written` are the keys by which notes say when they were written. `main` are the words of the
    vault's main language.
    """

    calendars: tuple[Calendar, ...]
    main: Words
    words_of: Callable[[Scene], Words]
    played: Mapping[str, tuple[int, ...]]
    written: frozenset[str]
    _readers: dict[int, DateReader]

    def reader(self, words: Words) -> DateReader:
        """Return what reads dates in the words of a language."""
        return self._readers.setdefault(id(words), DateReader(self.calendars, words))

    def date(self, scenes: Iterable[Scene]) -> list[Scene]:
        """Return scenes with the time of those of which it is told, those in reading order."""
        told: list[Scene] = []
        line: _Line = _Line(None, None)
        for scene in scenes:
            before = told[-1] if told else None
            time = None
            if scene.position is not None:
                time = self._time(scene, before, line)
                line = self._next(line, scene, before, time)
            told.append(scene if time is None else replace(scene, time=time))
        return told

    def goes_back(self, scene: Scene) -> bool:
        """Say whether properties, headings or the title call a scene one that goes back in time."""
        for key in _FLASHBACK_KEYS:
            for value in scene.properties.get(key, ())[-1:]:
                if value.strip().casefold() not in _NOT_BACK:
                    return True
        named = [scene.title, *scene.headings[-1:]] if scene.ordinal == 0 else scene.headings[-1:]
        marks = self.words_of(scene).flashbacks
        return any(
            mark in f" {' '.join(one.casefold().split())} "
            for one in named
            for mark in (f" {mark}{end}" for mark in marks for end in " :.,–—")
        )

    def _time(self, scene: Scene, before: Scene | None, line: _Line) -> SceneTime | None:
        reader = self.reader(self.words_of(scene))
        is_first = scene.ordinal == 0 or before is None or before.path != scene.path
        goes_back = self.goes_back(scene)
        base, sure = self._base(scene, before, line, is_first=is_first, goes_back=goes_back)
        near = base.time.date if base is not None and base.time is not None else None
        for reason, date, confidence in self._told(scene, before, reader, near, is_first=is_first):
            placed = date if near is None else reader.on(date, near)
            return SceneTime(placed, reason, confidence)
        headings = (
            []
            if not is_first and before and before.heading == scene.heading
            else (scene.headings[::-1] if is_first else scene.headings[-1:])
        )
        opening = [scene.sentences[0].narration[:_READ]] if scene.sentences else []
        for text in [*headings, *([scene.title] if is_first else []), *opening]:
            step = reader.step(text) or reader.step(_NUMBERED.sub("", text))
            if step is not None and near is not None and base is not None and base.time is not None:
                where = base.heading.rpartition(" › ")[2] or base.title
                reason = f"“{step.words}”, after “{where}”"
                confidence = min(sure, base.time.confidence)
                return SceneTime(reader.after(near, step), reason, confidence)
        if not is_first and not goes_back and before is not None and before.time is not None:
            date = replace(before.time.date, minute=None)
            return SceneTime(
                date, "the scene before it in the note", min(INHERITED, before.time.confidence)
            )
        return None

    def _told(
        self,
        scene: Scene,
        before: Scene | None,
        reader: DateReader,
        near: StoryDate | None,
        *,
        is_first: bool,
    ) -> Iterator[tuple[str, StoryDate, float]]:
        """Yield the dates that a scene gives, the surest first."""
        by_key = list(self._given(scene, reader, near, is_first=is_first))
        if by_key and (is_first or by_key[0][3]):
            yield by_key[0][:3]
        is_new = is_first or before is None or before.heading != scene.heading
        headings = scene.headings[::-1] if is_first else scene.headings[-1:]
        labels = [("its heading", one) for one in headings] if is_new else []
        if is_first:
            labels.append(("its title", scene.title))
        for reason, label in labels:
            if (date := _in_label(reader, label, near)) and not self._is_played(scene, date):
                yield reason, date, HEADED
        if scene.sentences:
            line = scene.sentences[0].narration[:_READ]
            if (date := _opening(reader, line, near)) and not self._is_played(scene, date):
                yield "its first line", date, OPENED

    def _given(
        self, scene: Scene, reader: DateReader, near: StoryDate | None, *, is_first: bool
    ) -> Iterator[tuple[str, StoryDate, float, bool]]:
        """Yield the dates of properties, and whether they are the scene's own, not its note's."""
        properties = scene.properties
        calendar = next((v[-1] for key in _CALENDAR_KEYS if (v := properties.get(key))), "")
        if calendar and all(calendar.casefold() != one.name.casefold() for one in self.calendars):
            calendar = ""
        labels = [one.replace(" ", "-") for one in sorted(reader.words.date_labels)]
        hour = next((v[-1] for key in _HOUR_KEYS if (v := properties.get(key))), "")
        for key in dict.fromkeys((*_DATE_KEYS, *labels)):
            values = properties.get(key, ())
            for value in values[:1] if is_first else values[-1:]:
                own = calendar or ("" if key not in _PLUGIN_KEYS else self._own(near))
                date = reader.read(value, near=near, calendar=own)
                is_number = value.strip().isdecimal()
                if key in self.written and _TODAY.match(value):
                    continue
                if date is None or (is_number and _is_no_year(key, int(value), reader)):
                    continue
                if self._is_played(scene, date):
                    continue
                if hour and date.is_day and date.minute is None:
                    date = replace(date, minute=reader.minute_in(hour))
                yield f"its property `{key}`", date, GIVEN, len(values) > 1

    def _own(self, near: StoryDate | None) -> str:
        """Return the name of the first calendar, or "" if the scene before has an own one."""
        of_near = next((one for one in self.calendars if near and one.name == near.calendar), None)
        return "" if of_near is not None and of_near.first_day != 0 else self.calendars[0].name

    def _is_played(self, scene: Scene, date: StoryDate) -> bool:
        played = self.played.get(scene.path)
        if not played or not date.is_day:
            return False
        calendar = next(one for one in self.calendars if one.name == date.calendar)
        return calendar.parts(date.day) == played

    def _base(
        self,
        scene: Scene,
        before: Scene | None,
        line: _Line,
        *,
        is_first: bool,
        goes_back: bool,
    ) -> tuple[Scene | None, float]:
        """Return the scene that "three days later" is behind, and how sure that is.

        That is the scene before; but a chapter that goes back in time is left at its end.
        """
        if before is None or not is_first or goes_back or line.aside is None:
            return before if before is not None and before.time else line.main, STEPPED
        return line.main, STEPPED if self.goes_back(line.aside) else UNSURE

    def _next(
        self, line: _Line, scene: Scene, before: Scene | None, time: SceneTime | None
    ) -> _Line:
        """Return where the story stands after a scene: its last scene, and the aside it is in."""
        timed = scene if time is None else replace(scene, time=time)
        if self.goes_back(scene):
            return _Line(line.main, timed)
        if time is None:
            return line if line.aside is None or scene.ordinal else _Line(line.main, None)
        main = line.main.time.date if line.main is not None and line.main.time else None
        date = time.date
        if main is None or main.reckoning != date.reckoning or date.last >= main.day - _ASIDE:
            return _Line(timed, None)
        return _Line(line.main, timed)


class _Line(NamedTuple):
    """Where the story stands: the last scene of its main line that has a date, and the scene that
    goes back in time, if one does.
    """

    main: Scene | None
    aside: Scene | None


Place = tuple[int, int, int, int]
"""A scene's place in the story: its reckoning, its day, the minute, and its place in reading."""


def story_order(scenes: Sequence[Scene], dating: Dating) -> dict[tuple[str, int], Place]:
    """Return the places of dated scenes and of those between them, by path and ordinal.

    A scene of which no date is told happens after the scene before that is no flashback. What comes
    before the first dated one stays there. Dates that cannot be compared keep the order in which
    their reckonings are first read.
    """
    reckonings: dict[str, int] = {}
    places: dict[tuple[str, int], Place] = {}
    waiting: list[tuple[tuple[str, int], int]] = []
    line: tuple[int, int, int] | None = None
    for number, scene in enumerate(scenes):
        key = (scene.path, scene.ordinal)
        if scene.time is None:
            if line is None:
                waiting.append((key, number))
            else:
                places[key] = (*line, number)
            continue
        date = scene.time.date
        rank = reckonings.setdefault(date.reckoning, len(reckonings))
        day, minute = date.day, -1 if date.minute is None else date.minute
        if line is not None and date.minute is None and line[:2] == (rank, day):
            minute = line[2]
        here = (rank, day, minute)
        places[key] = (*here, number)
        if line is None:
            places.update({one: (*here, at) for one, at in waiting})
        is_aside = line is not None and line[0] == rank and date.last < line[1] - _ASIDE
        if line is None or not (is_aside or dating.goes_back(scene)):
            line = here
    places.update({one: (0, 0, 0, at) for one, at in waiting if one not in places})
    return places


def load_dating(view: View) -> Dating:
    """Return what dates the scenes of a vault, by all its calendars."""
    from writeros_entities.story.speakers import reader_of

    plugins, settings = view.plugins, view.settings
    main = plugins.languages.get(settings.language)
    words = main.words if main else Words()
    registered = list(plugins.named("register_calendars").values())
    found: list[Calendar] = []
    for path, data, text in (*_files(view.root), *_notes(view, plugins.words)):
        calendars, _ = plugins.gather("read_calendars", path=path, data=data, text=text)
        found += calendars
    own = [one for one in registered if one.first_day != 0]
    known = [*own, *found, *(one for one in registered if one.first_day == 0)]
    calendars = list({one.name: one for one in known}.values())
    labels = frozenset().union(*(_labels(one) for one in plugins.words), _DATE_KEYS)
    if calendars:
        said = _values(view, labels)
        calendars += undeclared(said, calendars, words)
    return Dating(tuple(calendars), words, reader_of(view), _played(view), _written(view), {})


def _labels(words: Words) -> frozenset[str]:
    labels = (*words.date_labels, *words.birth_labels)
    return frozenset(one.replace(" ", "-") for one in labels)


def _files(root: Path) -> Iterator[tuple[str, JSON, str]]:
    for path in CALENDAR_FILES:
        try:
            yield path, json.loads((root / path).read_text("utf-8-sig")), ""
        except (OSError, ValueError, RecursionError):
            continue


def _notes(view: View, languages: Iterable[Words]) -> Iterator[tuple[str, JSON, str]]:
    """Yield the notes on calendars, whatever has been read: which months there are gives nothing
    away.
    """
    kinds = sorted({kind for words in languages for kind in words.calendar_kinds})
    whole = view.whole()
    note, chunk = whole.note, whole.chunk
    written = func.lower(cast(note.c.frontmatter, Text))
    found = (
        select(note.c.id, note.c.path, note.c.frontmatter)
        .where(note.c.position.is_(None), or_(*(written.contains(kind) for kind in kinds)))
        .order_by(note.c.path)
    )
    for row in whole.all(found) if kinds else ():
        stated = [texts_of(v) for k, v in row.frontmatter.items() if _squeezed(k) in TYPE_KEYS]
        if any(one.strip().casefold() in kinds for values in stated for one in values):
            own = (chunk.c.note_id == row.id, chunk.c.ordinal >= 0)
            texts = select(chunk.c.text).where(*own).order_by(chunk.c.start)
            yield row.path, row.frontmatter, "\n".join(whole.scalars(texts))


def _values(view: View, keys: frozenset[str]) -> list[str]:
    """Return the values that notes give these keys, under `as_of` without inline fields: their
    section may be visible later than the note.
    """
    frontmatter, properties = view.note.c.frontmatter, view.entity.c.properties
    columns = (frontmatter, properties) if view.as_of is None else (frontmatter,)
    given = [
        row[0] for column in columns for row in view.all(select(column).where(column.is_not(None)))
    ]
    return [
        text
        for values in given
        for key, value in (values or {}).items()
        if dashed(key) in keys
        for text in texts_of(value)
    ]


def _played(view: View) -> dict[str, tuple[int, ...]]:
    note = view.note
    claimed = select(note.c.path, note.c.reading_order).where(note.c.position.is_not(None))
    return {
        row.path: tuple(row.reading_order["day"])
        for row in view.all(claimed)
        if row.reading_order and row.reading_order.get("day")
    }


def _written(view: View) -> frozenset[str]:
    """Return the keys that give the notes on people a day, too: that on which they were made."""
    whole, found = view.whole(), Counter[str]()
    note, entity = whole.note, whole.entity
    about = select(note.c.frontmatter).join(entity, entity.c.note_id == note.c.id)
    for row in whole.all(about.where(entity.c.type == "person", entity.c.heading.is_(None))):
        for key, value in (row.frontmatter or {}).items():
            found[dashed(key)] += any(map(_TODAY.match, texts_of(value)))
    return frozenset(key for key, notes in found.items() if notes >= _FEWEST_DATED)


def _squeezed(key: str) -> str:
    return story_key(key).replace("-", "")


def _is_no_year(key: str, number: int, reader: DateReader) -> bool:
    if key in _NUMBERED_KEYS:
        return True
    return "year" not in key and key not in reader.words.year_words and number < _LEAST_YEAR


def _in_label(reader: DateReader, label: str, near: StoryDate | None) -> StoryDate | None:
    """Return the date in a heading or a title, if it is not about something else."""
    found = next(reader.find(label, near=near), None)
    if found is None:
        return reader.read(label) if len(label.strip()) in (3, 4) else _year_behind(reader, label)
    return _timed(reader, label, found)


def _year_behind(reader: DateReader, label: str) -> StoryDate | None:
    """Return the year at the end of a heading, behind a comma: "Dover, 1806"."""
    said = label.rpartition(",")[2].strip()
    return reader.read(said) if said.isdecimal() and len(said) in (3, 4) else None


def _opening(reader: DateReader, line: str, near: StoryDate | None) -> StoryDate | None:
    """Return the date of a scene's first line, if that is a date, or begins with one."""
    found = next(reader.find(line, near=near), None)
    if found is None:
        return None
    before, behind = _WORD.findall(line[: found.start]), _WORD.findall(line[found.end :])
    words = reader.words
    small = {*words.prepositions, *words.definite, *words.of, *words.day_parts, *words.time_openers}
    is_line = len(before) + len(behind) <= _MOST_BESIDE and all(
        not one[:1].islower() or one in small for one in (*before, *behind)
    )
    opens = len(before) <= 1 and all(one.casefold() in words.prepositions for one in before)
    return _timed(reader, line, found) if is_line or (opens and found.date.is_day) else None


def _timed(reader: DateReader, line: str, found: Found) -> StoryDate:
    rest = f"{line[: found.start]} {line[found.end :]}"
    minute = reader.minute_in(rest) if found.date.is_day else None
    return found.date if minute is None else replace(found.date, minute=minute)


@dataclass(frozen=True)
class StoryTimes:
    """When the scenes of the manuscript take place: their places in the story, in reading order.

    The scenes are without their sentences.
    """

    dating: Dating
    scenes: tuple[Scene, ...]
    places: Mapping[tuple[str, int], Place]

    @cached_property
    def _by_note(self) -> dict[str, list[Scene]]:
        found: dict[str, list[Scene]] = {}
        for scene in self.scenes:
            found.setdefault(scene.path, []).append(scene)
        return found

    def of_note(self, path: str) -> list[Scene]:
        """Return the scenes of a note, in order."""
        return self._by_note.get(path, [])

    def notes_in_order(self) -> list[str]:
        """Return the paths of the manuscript's notes, by the place in the story of their first
        scenes.
        """
        firsts = {
            path: self.places[path, scenes[0].ordinal] for path, scenes in self._by_note.items()
        }
        return sorted(firsts, key=firsts.__getitem__)

    def scene_at(self, path: str, start: int) -> Scene | None:
        """Return the scene of a note in which an offset of its file lies."""
        scenes = self.of_note(path)
        at = bisect_right(scenes, start, key=attrgetter("start"))
        return scenes[max(0, at - 1)] if scenes else None

    def place_at(self, path: str, start: int) -> Place | None:
        """Return the place in the story of what stands at an offset of a note."""
        scene = self.scene_at(path, start)
        return None if scene is None else self.places[scene.path, scene.ordinal]

    def rank(self, date: StoryDate) -> int | None:
        """Return the rank of a date's reckoning in places; None if no scene is dated by it."""
        for scene in self.scenes:
            if scene.time is not None and scene.time.date.reckoning == date.reckoning:
                return self.places[scene.path, scene.ordinal][0]
        return None


def load_times(view: View) -> StoryTimes:
    """Return when the scenes of the manuscript take place; kept until the index changes."""

    def read() -> StoryTimes:
        dating, note = load_dating(view), view.note
        told = view.scalars(select(note.c.id).where(note.c.position.is_not(None)))
        scenes = dating.date(load_scenes(view, told)) if told else []
        places = story_order(scenes, dating)
        bare = tuple(replace(scene, sentences=(), speeches=()) for scene in scenes)
        return StoryTimes(dating, bare, places)

    return view.kept("story times", read)
