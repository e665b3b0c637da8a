"""Find dead people who act: a death is told, and later the same person does something.

true:  "Ann died at dawn."  …  "Ann laughed and shut the door."
false: "Ann died at dawn."  …  "He remembered how Ann laughed." "Ann had laughed."
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import (
    Evidence,
    Finding,
    Scene,
    Sentence,
    Story,
    StoryChange,
    StoryEvent,
    Tense,
)

from .flashbacks import is_told_back

CERTAIN = 0.85
LISTED = 0.6
DENIED = 0.45
"""The confidence if one place tells the death, and a long part of the story ignores it."""

_DEAD = "dead"
_DIES = "dies"

_LONG = 3
_SHOWN = 3
"""After acts in more than `_LONG` chapters a death is doubted; findings quote `_SHOWN` acts."""


def check(story: Story) -> Iterable[Finding]:
    """Return the acts of each dead person after the death: one finding for each person."""
    people = {person.id: person.name for person in story.people}
    told: set[str] = set()
    for death in story.changes:
        is_death = death.kind == "status_changed" and death.new == _DEAD
        is_death &= death.position is not None  # a sheet tells the ending from the start
        if is_death and death.entity in people and death.entity not in told:
            told.add(death.entity)
            yield from _after(story, death, people[death.entity])


def _after(story: Story, death: StoryChange, name: str) -> Iterable[Finding]:
    """Yield what shows a person alive behind the place where the death is told."""
    tense, told = _tense_at(story, death), _sentence_of(story, death)
    acts: list[Sentence] = []
    listed: Scene | None = None
    for scene in story.scenes:
        if scene.position is None or is_told_back(scene) or tense not in (None, scene.tense):
            continue
        act = next((one for one in scene.sentences if _is_act(one, death)), None)
        if act is not None:
            acts.append(act)
        elif listed is None and _is_listed(scene, death):
            listed = scene
    if acts:
        tellings = [
            one
            for one in story.sentences_of(death.entity)
            if any(_dies(event, death.entity) for event in one.events)
        ]
        is_sure = told.position is None or len(tellings) > 1
        yield _acting(name, death.entity, told, acts, is_sure=is_sure)
    elif listed is not None:
        message = f"{name} is dead, but in the cast of “{listed.title}”."
        proofs = (told, listed.sentences[0].evidence)
        yield Finding("dead-in-cast", message, proofs, LISTED, (death.entity,))


def _tense_at(story: Story, death: StoryChange) -> Tense | None:
    """Return the tense of the scene that tells a death, None if a note does.

    In a book that is told in both tenses, the two are mostly different times.
    """
    told = death.evidence
    around = (one for one in story.scenes if one.path == told.path and one.start <= told.start)
    return next((one.tense for one in around if told.end <= one.end), None)


def _is_act(sentence: Sentence, death: StoryChange) -> bool:
    """Say whether a sentence behind a death has the dead do something."""
    is_behind = (sentence.position or 0, sentence.evidence.start) > _place(death)
    return is_behind and any(_acts(event, death.entity) for event in sentence.events)


def _acts(event: StoryEvent, person: str) -> bool:
    is_doer = event.has(person, "doer")
    return is_doer and not event.is_earlier and not _dies(event, person)


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
