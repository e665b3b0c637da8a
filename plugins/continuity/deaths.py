"""Find dead people who act: a death is narrated, and later the same person does something.

true:  "Ann died at dawn."  …  "Ann laughed and shut the door."
false: "Ann died at dawn."  …  "He remembered how Ann laughed."
false: "as soon as Ann were dead"  …  "Ann laughed."
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from writeros_entities import Evidence, Finding, NamedSpan, Scene, Sentence, Story, Tense

from .dying import OPINION, tells_of_death
from .flashbacks import is_told_back
from .verbs import does

_REMEMBERED = re.compile(
    r"\b(?:had|used to|would|once|remember\w*|recall\w*|dream\w*|ghost\w*|grave|tomb|funeral"
    r"|memory|memories|years (?:ago|before|earlier)|long ago|before (?:he|she) died|portrait"
    r"|in (?:his|her) (?:life|lifetime|time|day|youth)|as (?:if|though)|always|never|dead|late"
    r"|taught|for \w+(?:-\w+)? years|when (?:he|she) (?:was|lived)|letter|diary|journal|coffin"
    r"|hearse|heaven|into the ground|to dust|according to|wrote|named?|called)\b"
)
_ASIDE = re.compile(r"\A,[^,.;:]{1,60},")
_STATUS_KEYS = frozenset({"status", "fate", "died", "death", "deceased"})
_STATUS = re.compile(
    r"\b(?:dead|died|dies|deceased|killed|murdered|drowned|drowns|executed|hanged)\b"
)

CERTAIN = 0.85
LISTED = 0.6
DENIED = 0.45
"""The confidence if one sentence reports the death, and a long part of the story ignores it."""

_LONG = 3
_SHOWN = 3
"""After acts in more than `_LONG` chapters a death is doubted; findings quote `_SHOWN` acts."""


@dataclass(frozen=True, slots=True)
class Death:
    """Where a death is narrated, as position and offset in reading order, and in which tense.

    `is_doubtful` is set if a single sentence of the manuscript is the only evidence. In a book that
    is told in both the past and the present tense, the two are mostly different times: a person who
    is dead in one may be alive in scenes told in the other. A death told by a note (None) holds for
    both.
    """

    person: str
    place: tuple[int, float]
    evidence: Evidence
    tense: Tense | None
    is_doubtful: bool = False


def check(story: Story) -> Iterable[Finding]:
    """Return the acts of each dead person after the death: one finding for each death."""
    people = {person.id: person for person in story.people}
    deaths = find_deaths(story, people)
    acts: dict[Death, list[Sentence]] = {}
    listed: dict[Death, Scene] = {}
    for scene in story.scenes:
        if is_told_back(scene):
            continue
        for told in deaths.values():
            death = next((one for one in told if one.tense in (None, scene.tense)), None)
            if death and _is_behind(scene, death):
                act = _first_act(scene, death, deaths)
                if act:
                    acts.setdefault(death, []).append(act)
                elif _is_listed(scene, death):
                    listed.setdefault(death, scene)
    for death in (death for told in deaths.values() for death in told):
        name = people[death.person].name
        if death in acts:
            yield _acting(name, death, acts[death])
        elif death in listed:
            yield _in_cast(name, death, listed[death])


def find_deaths(story: Story, people: Collection[str]) -> dict[str, list[Death]]:
    """Return where each person's death is first narrated in each tense, in reading order."""
    doomed = _known_dead(story)
    chapters = _chapters(story)
    deaths: dict[str, dict[Tense | None, Death]] = {}
    tellings: Counter[str] = Counter()
    for scene in (*story.scenes, *story.sections):
        if scene.position is not None and is_told_back(scene):
            continue
        for sentence in scene.sentences:
            for person in _who_dies(sentence, scene.tense, people, doomed):
                tellings[person] += 1
                for place, tense in _places(sentence, scene, chapters):
                    death = Death(person, place, sentence.evidence, tense)
                    known = deaths.setdefault(person, {}).setdefault(tense, death)
                    if place < known.place:
                        deaths[person][tense] = death
    return {
        person: [
            replace(death, is_doubtful=tellings[person] == 1 and person not in doomed)
            for death in sorted(told.values(), key=lambda death: death.place)
        ]
        for person, told in deaths.items()
    }


def _known_dead(story: Story) -> set[str]:
    """Return the people whom their own note, or another one, states to be dead or killed."""
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
    sentence: Sentence, tense: Tense | None, people: Collection[str], doomed: Collection[str]
) -> Iterator[str]:
    for name in sentence.names:
        if name.entity not in people or name.is_spoken or not tells_of_death(sentence, name, tense):
            continue
        meant = {name.entity, *name.rivals}
        if name.rivals:
            meant &= set(doomed)
        if len(meant) == 1:
            yield meant.pop()


def _chapters(story: Story) -> dict[str, tuple[int | None, Tense | None]]:
    """Return the position of each chapter, and its tense if it has only one."""
    tenses: dict[str, set[Tense | None]] = {}
    for scene in story.scenes:
        tenses.setdefault(scene.path, set()).add(scene.tense)
    return {
        scene.path: (
            scene.position,
            scene.tense if len(tenses[scene.path]) == 1 else None,
        )
        for scene in story.scenes
    }


def _places(
    sentence: Sentence, scene: Scene, chapters: dict[str, tuple[int | None, Tense | None]]
) -> Iterator[tuple[tuple[int, float], Tense | None]]:
    """Yield where a death is narrated: here, or at the end of a chapter to which a note links."""
    if sentence.position is not None:
        yield (sentence.position, float(sentence.evidence.start)), scene.tense
        return
    for link in sentence.links:
        position, tense = chapters.get(link.path, (None, None))
        if position is not None:
            yield (position, float("inf")), tense


def _is_behind(scene: Scene, death: Death) -> bool:
    return scene.position is not None and (scene.position, float(scene.end)) > death.place


def _first_act(scene: Scene, death: Death, deaths: Collection[str]) -> Sentence | None:
    """Return the first sentence of a scene, after a death, in which the dead person acts."""
    for sentence in scene.sentences:
        if (scene.position or 0, float(sentence.evidence.start)) > death.place:
            for name in sentence.names:
                if name.entity == death.person and _acts(sentence, name, scene.tense, deaths):
                    return sentence
    return None


def _is_listed(scene: Scene, death: Death) -> bool:
    is_later = scene.position is not None and scene.position > death.place[0]
    return is_later and bool(scene.sentences) and death.person in (*scene.cast, scene.viewpoint)


def _acting(name: str, death: Death, acts: list[Sentence]) -> Finding:
    """Return the finding for a death: it quotes the first acts, and its id follows from the first.

    No writer forgets a death for many chapters: if only one sentence reports it, it may be misread.
    """
    chapters = {act.position for act in acts}
    more = f", in {len(chapters)} chapters" if len(chapters) > 1 else ""
    proofs = (death.evidence, *(act.evidence for act in acts[:_SHOWN]))
    confidence = DENIED if death.is_doubtful and len(chapters) > _LONG else CERTAIN
    words = (death.evidence.quote, acts[0].evidence.quote)
    message = f"{name} is dead, and acts{more}."
    return Finding("dead-acts", message, proofs, confidence, (death.person,), "error", words)


def _in_cast(name: str, death: Death, scene: Scene) -> Finding:
    message = f"{name} is dead, but in the cast of “{scene.title}”."
    proofs = (death.evidence, scene.sentences[0].evidence)
    return Finding("dead-in-cast", message, proofs, LISTED, (death.person,))


def _acts(
    sentence: Sentence, name: NamedSpan, tense: Tense | None, deaths: Collection[str]
) -> bool:
    if name.is_spoken or not set(name.rivals) <= set(deaths):
        return False
    before, after = sentence.narration[: name.start], sentence.narration[name.end :]
    # An aside ("who had got the only stool") says nothing of the main clause's verb.
    aside = _ASIDE.match(after)
    if aside and OPINION.search(aside[0]):
        return False
    after = after[aside.end() :] if aside else after
    if after.startswith(("'", "’")) or _REMEMBERED.search(f"{before} {after}"):
        return False
    return does(sentence, name, tense)
