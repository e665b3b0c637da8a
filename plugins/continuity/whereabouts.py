"""Find people who are in two places at once: in two scenes of the same date and hour.

true:  two scenes of `date: 1208-03-04`, `time: 6 pm`, one in Dover, one in York, Ann in both
false: the same, where York is a part of Dover, or where the time is only "evening"
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from writeros_entities import Evidence, Finding, Scene, Story

_DATES = ("story-date", "storydate", "date", "day", "when")
_HOURS = ("story-time", "storytime", "time", "hour")

_INSIDE = frozenset({"located_in", "part_of"})
_BESIDE = "connected_to"

SAME_DATE = 0.7


def check(story: Story) -> Iterable[Finding]:
    """Return people who are in places apart in two scenes of the same date and hour."""
    places, people = _Places(story), {person.id: person.name for person in story.people}
    dated: dict[tuple[object, ...], list[Scene]] = defaultdict(list)
    for scene in story.scenes:
        date, hour = _value(scene, _DATES), _value(scene, _HOURS)
        is_moment = any(character.isdigit() for character in hour)
        if date and is_moment and scene.places and scene.sentences:
            dated[_moment(story, scene, date, hour)].append(scene)
    for scenes in dated.values():
        date, hour = _value(scenes[0], _DATES), _value(scenes[0], _HOURS)
        for one, other in combinations(scenes, 2):
            if not all(places.are_apart(a, b) for a in one.places for b in other.places):
                continue
            for person in dict.fromkeys(_cast(one)):
                if person in _cast(other) and person in people:
                    where = " and ".join(places.name(scene.places[0]) for scene in (one, other))
                    message = f"{people[person]} is in {where} on {date}, {hour}."
                    proofs = (_opening(one), _opening(other))
                    yield Finding("same-date", message, proofs, SAME_DATE, (person,), "error")


def _moment(story: Story, scene: Scene, date: str, hour: str) -> tuple[object, ...]:
    """Return what two scenes of one date and hour share, in whatever way these are written."""
    minute = story.dates.minute_in(hour) if story.dates else None
    if scene.time is None or not scene.time.date.is_day or minute is None:
        return date, hour
    return scene.time.date.reckoning, scene.time.date.day, minute


class _Places:
    """The places of a story, and which of them contain which, as its relations say."""

    def __init__(self, story: Story) -> None:
        self._names = {one.id: one.name for one in story.entities.values() if one.type == "place"}
        self._around: dict[str, set[str]] = defaultdict(set)
        self._near: set[frozenset[str]] = set()
        for one in story.relations:
            if one.kind in _INSIDE:
                self._around[one.source].add(one.target)
            elif one.kind == _BESIDE:
                self._near.add(frozenset((one.source, one.target)))

    def name(self, place: str) -> str:
        """Return the name of a place."""
        return self._names[place]

    def are_apart(self, one: str, other: str) -> bool:
        """Say whether nobody can be in both: neither contains, adjoins or is named after the
        other.
        """
        if one not in self._names or other not in self._names:
            return False
        if one in self._all_around(other) or other in self._all_around(one):
            return False
        names = self.name(one).casefold(), self.name(other).casefold()
        is_named_after = names[0] in names[1] or names[1] in names[0]
        return frozenset((one, other)) not in self._near and not is_named_after

    def _all_around(self, place: str) -> set[str]:
        """Return a place and all places that contain it."""
        found, rest = {place}, [place]
        while rest:
            outer = self._around.get(rest.pop(), set()) - found
            found |= outer
            rest += outer
        return found


def _cast(scene: Scene) -> tuple[str, ...]:
    return (*scene.cast, *((scene.viewpoint,) if scene.viewpoint else ()))


def _opening(scene: Scene) -> Evidence:
    return scene.sentences[0].evidence


def _value(scene: Scene, keys: Iterable[str]) -> str:
    return next((scene.properties[key][0] for key in keys if scene.properties.get(key)), "")
