"""The dead who act: somebody's death is told, and later the same person does something.

true:  "Ann died at dawn."  …  "Ann laughed and shut the door."
false: "Ann died at dawn."  …  "He remembered how Ann laughed."
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from writeros_entities import Evidence, Finding, NamedSpan, Scene, Sentence, Story, StoryEntity

from .verbs import ACTS, SAYING

_DEAD = (
    r"(?:died|dies|perished|drowned|drowns|fell dead|breathed (?:his|her) last|bled to death"
    r"|(?:was|is|were|had been|lay|has been)(?: \w+ly)? (?:dead|killed|murdered|slain|hanged"
    r"|drowned|executed|beheaded|buried|shot dead|stabbed to death))"
)
_DIED = re.compile(rf"(?:,[^,.;:]{{1,60}},)?(?: the \w+)? (?:\w+ly )?{_DEAD}\b")
_KILLED = re.compile(
    r"\b(?:killed|murdered|slew|buried|hanged|drowned|beheaded|executed|the death of"
    r"|the (?:body|corpse|funeral|burial) of) (?:the )?$"
)
_REMAINS = re.compile(r"['’]s? (?:dead body|body|corpse|funeral|burial|coffin|grave)\b")
_DOUBT = re.compile(
    r"\b(?:if|would|could|might|may|nearly|almost|not|never|nor|unless|thought|dreamed"
    r"|as though|as if|say|believed|feared|pretend\w*|supposed\w*|will|wish\w*|n['’]t)\b"
    r"|n['’]t\b|\?"
)
_NOT_YET = re.compile(r"\b(?:before|until|till)\b")
"""Puts off a death that it stands before; one "before noon" has come."""

_REMEMBERED = re.compile(
    r"\b(?:had|used to|would|once|remember\w*|recall\w*|dream\w*|ghost\w*|grave|tomb|funeral"
    r"|memory|memories|years (?:ago|before|earlier)|long ago|before (?:he|she) died|portrait"
    r"|in (?:his|her) (?:life|lifetime|time|day|youth)|as (?:if|though)|always|never|dead|late"
    r"|taught|for \w+(?:-\w+)? years|when (?:he|she) (?:was|lived)|letter|wrote|named?|called)\b"
)
_ASIDE = re.compile(r"\A,[^,.;:]{1,60},")
_STATUS_KEYS = frozenset({"status", "fate", "died", "death", "deceased"})
_STATUS = re.compile(
    r"\b(?:dead|died|dies|deceased|killed|murdered|drowned|drowns|executed|hanged)\b"
)
_BACK_IN_TIME = re.compile(
    r"\b(?:flashback|years? (?:ago|before|earlier)|earlier|before|prologue|memory|the past|then)\b",
    re.IGNORECASE,
)

CERTAIN = 0.85
LISTED = 0.6


@dataclass(frozen=True, slots=True)
class Death:
    """Where a death is told: in reading order, by position and offset."""

    person: str
    place: tuple[int, float]
    evidence: Evidence


def check(story: Story) -> Iterable[Finding]:
    """Return the first act of each dead person in every note behind the death."""
    people = {person.id: person for person in story.people}
    deaths = find_deaths(story, people)
    for scene in story.scenes:
        if is_told_back(scene):
            continue
        for death in deaths.values():
            yield from _in_scene(scene, death, people[death.person], deaths)


def find_deaths(story: Story, people: Collection[str]) -> dict[str, Death]:
    """Return where the death of each person is first told."""
    doomed = _known_dead(story)
    positions = {scene.path: scene.position for scene in story.scenes}
    deaths: dict[str, Death] = {}
    for scene in (*story.scenes, *story.sections):
        if scene.position is not None and is_told_back(scene):
            continue
        for sentence in scene.sentences:
            for person in _who_dies(sentence, people, doomed):
                for place in _places(sentence, positions):
                    death = Death(person, place, sentence.evidence)
                    known = deaths.get(person)
                    if known is None or place < known.place:
                        deaths[person] = death
    return deaths


def is_told_back(scene: Scene) -> bool:
    """Say whether a scene goes back in time, by its heading or its properties."""
    mode = " ".join(
        value
        for key in ("timeline-mode", "flashback", "timeline", "mode")
        for value in scene.properties.get(key, ())
    ).casefold()
    is_marked = bool(mode) and mode not in ("linear", "false", "no", "present", "main")
    return is_marked or _BACK_IN_TIME.search(scene.heading.rpartition("#")[2]) is not None


def _known_dead(story: Story) -> set[str]:
    """Return the persons whom their own note, or another one's, calls dead or killed."""
    found = {
        person.id
        for person in story.people
        for one in person.properties
        if one.key in _STATUS_KEYS and (one.key != "status" or _STATUS.search(one.value.casefold()))
    }
    manuscript = {scene.path for scene in story.scenes}
    return found | {
        one.target
        for one in story.relations
        if one.kind == "killed" and one.evidence.path not in manuscript
    }


def _who_dies(
    sentence: Sentence, people: Collection[str], doomed: Collection[str]
) -> Iterator[str]:
    text = sentence.narration
    for name in sentence.names:
        if name.entity not in people or name.is_spoken:
            continue
        before, after = text[: name.start], text[name.end :]
        is_told = (
            _DIED.match(after)
            or (_KILLED.search(before) and not after.startswith(("'s", "’s")))
            or _REMAINS.match(after)
        )
        if not is_told or _DOUBT.search(text) or _NOT_YET.search(before):
            continue
        meant = {name.entity, *name.rivals}
        if name.rivals:
            meant &= set(doomed)
        if len(meant) == 1:
            yield meant.pop()


def _places(sentence: Sentence, positions: dict[str, int | None]) -> Iterator[tuple[int, float]]:
    """Yield where a death is told: here, or at the end of a chapter that a note links to."""
    if sentence.position is not None:
        yield sentence.position, float(sentence.evidence.start)
        return
    for link in sentence.links:
        position = positions.get(link.path)
        if position is not None:
            yield position, float("inf")


def _in_scene(
    scene: Scene, death: Death, person: StoryEntity, deaths: Collection[str]
) -> Iterator[Finding]:
    if scene.position is None or (scene.position, float(scene.end)) <= death.place:
        return
    for sentence in scene.sentences:
        place = (scene.position, float(sentence.evidence.start))
        if place <= death.place:
            continue
        for name in sentence.names:
            if name.entity == person.id and _acts(sentence, name, deaths):
                message = f"{person.name} is dead, and acts."
                proofs = (death.evidence, sentence.evidence)
                yield Finding("dead-acts", message, proofs, CERTAIN, (person.id,), "error")
                return
    if person.id == scene.viewpoint or (
        person.id in scene.cast and scene.position > death.place[0] and scene.sentences
    ):
        message = f"{person.name} is dead, and stands in the cast of “{scene.title}”."
        proofs = (death.evidence, scene.sentences[0].evidence)
        yield Finding("dead-in-cast", message, proofs, LISTED, (person.id,))


def _acts(sentence: Sentence, name: NamedSpan, deaths: Collection[str]) -> bool:
    if name.is_spoken or not set(name.rivals) <= set(deaths):
        return False
    before, after = sentence.narration[: name.start], sentence.narration[name.end :]
    # What stands in an aside ("who had got the only stool") is told beside what somebody does.
    after = _ASIDE.sub("", after)
    if after.startswith(("'", "’")) or _REMEMBERED.search(f"{before} {after}"):
        return False
    return bool(ACTS.match(after) or SAYING.search(before))
