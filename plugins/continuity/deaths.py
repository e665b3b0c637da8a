"""Find dead people who act: a death is told, and later the same person does something.

So do those who are not born yet, or have died, by the dates in their notes.

true:  "Ann died at dawn."  …  "Ann laughed and shut the door."
true:  a note says "born: 1190", and Ann laughs in a chapter of 1188
false: "Ann died at dawn."  …  "He remembered how Ann laughed." "Ann had laughed."
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from writeros_entities import (
    Evidence,
    Finding,
    Scene,
    SceneTime,
    Sentence,
    Story,
    StoryChange,
    StoryEvent,
    Tense,
)

from .years import is_told_back

CERTAIN = 0.85
DATED = 0.8
LISTED = 0.6
DENIED = 0.45
"""The confidence if one place tells the death, and a long part of the story ignores it."""

SURE_TIME = 0.85
"""The least confidence of a scene's date that is held against that of a birth or a death."""

_DEAD = "dead"
_DIES = "dies"

_LONG = 3
_SHOWN = 3
"""After acts in more than `_LONG` chapters a death is doubted; findings quote `_SHOWN` acts."""


def check(story: Story) -> Iterable[Finding]:
    """Return the acts of each dead person after the death: one finding for each person."""
    people = {person.id: person.name for person in story.people}
    scenes = [one for one in story.scenes if not is_told_back(one)]
    done = _acts_of(scenes)
    told: set[str] = set()
    for death in story.changes:
        is_death = death.kind == "status_changed" and death.new == _DEAD
        is_death &= death.position is not None  # a sheet tells the ending from the start
        if is_death and death.entity in people and death.entity not in told:
            told.add(death.entity)
            yield from _after(story, death, people[death.entity], scenes, done[death.entity])
    yield from _out_of_time(story, done)


def _acts_of(scenes: Iterable[Scene]) -> Mapping[str, list[tuple[Scene, Sentence]]]:
    """Return, by person, the sentences in which they do something, each with its scene."""
    done: dict[str, list[tuple[Scene, Sentence]]] = defaultdict(list)
    for scene in scenes:
        for sentence in scene.sentences:
            acting = (one for event in sentence.events for one in _acting_in(event))
            for person in dict.fromkeys(acting):
                done[person].append((scene, sentence))
    return done


def _acting_in(event: StoryEvent) -> Iterator[str]:
    """Yield who does what happens; neither what had happened before, nor dying."""
    for role, person in event.parts:
        if role == "doer" and not event.is_earlier and not _dies(event, person):
            yield person


def _after(
    story: Story,
    death: StoryChange,
    name: str,
    scenes: Iterable[Scene],
    done: Iterable[tuple[Scene, Sentence]],
) -> Iterator[Finding]:
    """Yield what shows a person alive behind the place where the death is told."""
    told, tense, place = _sentence_of(story, death), _tense_at(story, death), _place(death)
    when = _time_at(story, death)
    acts: dict[tuple[str, int], Sentence] = {}
    for scene, sentence in done:
        is_behind = (sentence.position or 0, sentence.evidence.start) > place
        if is_behind and tense in (None, scene.tense) and not _is_before(scene.time, when):
            acts.setdefault((scene.path, scene.ordinal), sentence)
    if acts:
        tellings = [
            one
            for one in story.sentences_of(death.entity)
            if any(_dies(event, death.entity) for event in one.events)
        ]
        is_sure = told.position is None or len(tellings) > 1
        yield _acting(name, death.entity, told, list(acts.values()), is_sure=is_sure)
        return
    listed = (
        one
        for one in scenes
        if tense in (None, one.tense) and _is_listed(one, death) and not _is_before(one.time, when)
    )
    for scene in islice(listed, 1):
        message = f"{name} is dead, but in the cast of “{scene.title}”."
        proofs = (told, scene.sentences[0].evidence)
        yield Finding("dead-in-cast", message, proofs, LISTED, (death.entity,))


def _out_of_time(
    story: Story, done: Mapping[str, list[tuple[Scene, Sentence]]]
) -> Iterator[Finding]:
    """Yield who acts before the birth or after the death that a note dates."""
    if story.dates is None:
        return
    dead = {key for key, status in story.dates.words.status_labels.items() if status == _DEAD}
    born = story.dates.words.birth_labels
    for person in story.people:
        for one in person.properties:
            label = one.key.replace("-", " ")
            date = story.dates.read(one.value) if label in dead or label in born else None
            if date is None:
                continue
            for scene, sentence in done[person.id]:
                if scene.time is None or scene.time.confidence < SURE_TIME:
                    continue
                time, is_birth = scene.time.date, label in born
                before, after = (time, date) if is_birth else (date, time)
                if before.reckoning == after.reckoning and before.last < after.first:
                    what = "born" if is_birth else "dead since"
                    message = f"{person.name}, {what} {date.name}, acts in a scene of {time.name}."
                    proofs = (one.evidence, sentence.evidence)
                    code = "acts-unborn" if is_birth else "acts-dead-by-date"
                    yield Finding(code, message, proofs, DATED, (person.id,), "error")
                    break


def _time_at(story: Story, death: StoryChange) -> SceneTime | None:
    """Return when the scene takes place that tells a death, if that is told."""
    scene = _scene_of(story, death)
    return None if scene is None else scene.time


def _is_before(one: SceneTime | None, other: SceneTime | None) -> bool:
    """Say whether a scene takes place before another, by dates of both."""
    if one is None or other is None or one.date.reckoning != other.date.reckoning:
        return False
    return one.date.last < other.date.first


def _tense_at(story: Story, death: StoryChange) -> Tense | None:
    """Return the tense of the scene that tells a death, None if a note does.

    In a book that is told in both tenses, the two are mostly different times.
    """
    scene = _scene_of(story, death)
    return None if scene is None else scene.tense


def _scene_of(story: Story, death: StoryChange) -> Scene | None:
    told = death.evidence
    around = (one for one in story.scenes if one.path == told.path and one.start <= told.start)
    return next((one for one in around if told.end <= one.end), None)


def _dies(event: StoryEvent, person: str) -> bool:
    """Say whether an event is somebody's death."""
    is_only_doer = event.has(person, "doer") and all(role != "done to" for role, _ in event.parts)
    return event.kind == _DIES and (event.has(person, "done to") or is_only_doer)


def _place(death: StoryChange) -> tuple[int, float]:
    """Return where a death is told; the end of the chapter if a note tells it."""
    told = death.evidence
    if told.position is None:
        return death.position or 0, float("inf")
    return told.position, float(told.end)


def _is_listed(scene: Scene, death: StoryChange) -> bool:
    is_later = scene.position is not None and scene.position > _place(death)[0]
    return is_later and bool(scene.sentences) and death.entity in (*scene.cast, scene.viewpoint)


def _sentence_of(story: Story, death: StoryChange) -> Evidence:
    """Return the whole sentence that tells a death, or the words that do."""
    told = death.evidence
    for sentence in story.sentences_of(death.entity):
        here = sentence.evidence
        if here.path == told.path and here.start <= told.start < here.end:
            return here
    return told


def _acting(
    name: str, person: str, death: Evidence, acts: list[Sentence], *, is_sure: bool
) -> Finding:
    """Return the finding for a death: it quotes the first acts, and its id follows from the first.

    No writer forgets a death for many chapters: if it is told only once, it may be misread.
    """
    chapters = {act.position for act in acts}
    more = f", in {len(chapters)} chapters" if len(chapters) > 1 else ""
    proofs = (death, *(act.evidence for act in acts[:_SHOWN]))
    confidence = CERTAIN if is_sure or len(chapters) <= _LONG else DENIED
    words = (death.quote, acts[0].evidence.quote)
    message = f"{name} is dead, and acts{more}."
    return Finding("dead-acts", message, proofs, confidence, (person,), "error", words)
