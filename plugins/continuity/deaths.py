"""The dead who act: somebody's death is told, and later the same person does something.

true:  "Ann died at dawn."  …  "Ann laughed and shut the door."
false: "Ann died at dawn."  …  "He remembered how Ann laughed."
false: "as soon as Ann were dead"  …  "Ann laughed."
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from writeros_entities import (
    Evidence,
    Finding,
    NamedSpan,
    Scene,
    Sentence,
    Story,
    Tense,
)

from .verbs import HABIT, SEEMING, does

_MANNER = (
    r"(?:dead(?! with (?:fatigue|sleep|weariness|exhaustion|fear|fright|envy|shame|boredom)\b)"
    r"|killed|murdered|slain|hanged|drowned(?! in tears)|executed|beheaded|shot dead"
    r"|shot and killed|stabbed to death"
    r"|buried(?! (?:alive )?in (?:(?:a|the|his|her) )?(?:thoughts?|newspapers?|letters?|study"
    r"|studies|sleep|slumber|business|accounts|reflections?|country|depths?|(?:paper)?work)\b))"
)
_FIGURE = (
    r"(?! (?:inside(?! \w)|a little|laughing|of (?:shame|laughing|laughter|boredom|curiosity|joy)"
    r"|to (?:know|see|hear)|to (?:her|him|me|us|them|the world)\b|on (?:his|her) feet|out\b"
    r"|(?:his|her|their) |(?:it|them)\b|in (?:work|thought|debt|papers?|paperwork|books?|a book"
    r"|love|tears|grief|guilt|kisses|blankets)\b|at (?:cards|chess|darts|dice|golf|poker|tennis)\b"
    r"|when (?:she|he) (?:hears?|heard|sees?|saw)\b"
    r"|away\b(?! from)|with (?:kindness|laughter|(?:a|one) (?:look|smile|glance|word))"
    r"|(?:asleep|drunk|tired|set|certain|sure|right|wrong|serious|calm|quiet|silent|beat|broke|keen"
    r"|against|ahead|sober|sick|level|straight|on (?:time|course|target))\b))"
)
"""Behind words of dying that are only a manner of speaking, or about something else."""

_LEAD = r"(?:,[^,.;:]{1,60},)?(?: the \w+)? (?:\w+ly )?"
_DROWNED = r"drown(?:ed|s)(?! (?:the|an?) (?!(?:next|same|following|day|night|week|month|year)\b))"
_DIED = re.compile(
    rf"{_LEAD}(?:died|perished|passed away|{_DROWNED}|fell dead|bled to death"
    rf"|(?:breathed (?:his|her) last|(?:took|drew) (?:his|her) last breath)"
    rf"|(?:was|were|had been|lay)(?: \w+ly)? {_MANNER})\b{_FIGURE}"
)
_DIES = re.compile(
    rf"(?:{_LEAD}(?:dies|perishes|passes away|{_DROWNED}|(?:falls|drops) dead|bleeds to death"
    rf"|breathes (?:his|her) last|(?:takes|draws) (?:his|her) last breath"
    rf"|has (?:died|drowned|perished|passed away)"
    rf"|(?:is|are|has been|lies)(?: \w+ly)? {_MANNER})"
    rf"|['’]s dead(?= (?:and|but|now|too)\b|[^\w\s]))\b{_FIGURE}"
)
_OF = r"[Tt]he (?:death|body|corpse|funeral|burial) of"
_KILLED = re.compile(
    rf"\b(?:killed|murdered|slew|buried|hanged|drowned|beheaded|executed|{_OF}) (?:the )?$"
)
_KILLS = re.compile(
    r"\b(?:(?:kills|murders|slays|buries|hangs|drowns|beheads|executes)"
    r"|(?:[Tt]hey|[Ww]e|I) (?:\w+ly )?(?:kill|murder|slay|bury|hang|drown|behead|execute))"
    r" (?:the )?$"
)
_STRIKES = re.compile(
    r"\b(?:shot|shoots?|stabbed|stabs?|beats?|struck|strikes?|clubbed|clubs?|hacked|hacks?|burned"
    r"|burnt|burns?|starved|starves?|strangled|strangles?) (?:the )?$"
)
"""Before a name whose bearer dies of it, if "dead" or "to death" stands behind."""

_DEADLY = re.compile(r" (?:dead|to death)\b")
_NO_FIGURE = re.compile(_FIGURE)
_REMAINS = re.compile(
    r"['’]s? (?:(?:dead body|corpse|burial|coffin|funeral)\b"
    r"(?! (?:clothes|dress|plans?|shoes|suit)\b)"
    r"|grave\b(?! (?!(?:is|was|has|had|lay|lies|stands|stood|in|on|at|by|under|beneath|behind"
    r"|beside|with|without|and|to|for|from|where|that|which)\b)\w)"
    r"|body (?:lay|lies|hung|hangs|swung|swings|float(?:ed|s)|wash(?:ed|es) (?:up|ashore)"
    r"|(?:is|was|has been|had been) (?:\w+ly |never )?"
    r"(?:found|carried|brought|taken|laid|buried|burned|burnt|pulled|washed|recovered))\b)"
)
_BODY = re.compile(r"['’]s? body\b")
_FINDS = re.compile(
    r"\b(?:found|finds?|buried|buries|burned|burnt|burns|carried|carries|brought|brings|dragged"
    r"|drags|recovered|recovers|identified|identifies|dug up|digs up|laid out|lays out) $"
)
"""Before somebody's body, which only then is a dead one: a living one may ache."""

_DOUBT = re.compile(
    r"\b(?:[Ii]f|would|could|might|may|nearly|almost|not|never|nor|[Uu]nless|thought|dreamed"
    r"|as though|as if|say|believed|feared|pretend\w*|supposed\w*|will|wish\w*|n['’]t)\b"
    r"|n['’]t\b|\?"
)
_UNSURE_NOW = re.compile(
    r"\beither\b|\b[Oo]ne day\b|"
    r"\b(?:thinks?|dreams?|says?|believes?|fears?|hopes?|wonders?|whether|imagin\w*|shall|must"
    r"|going to|about to|again|perhaps|maybe|possibly|is said|film|cards|on (?:the )?stage"
    r"|for (?:a|one|an) (?:second|moment|instant|heartbeat))\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when|whenever|once|after|as soon as|unless|lest|in case|who)\b[^,;]*\Z"
    r"|\b(?:whoever|nobody|no one)\b",
    re.IGNORECASE,
)
"""In the present tense, what stands behind these in their clause has not come."""

_ACTED = re.compile(
    r"\bin (?:the|an?|his|her|their|this|that|every) (?:\w+ )?"
    r"(?:ballad|film|game|novel|opera|play|poem|song|story|tale|\w+ act)\b",
    re.IGNORECASE,
)
"""Says that somebody dies where nobody does."""

_PART = re.compile(r"\w of (?:the )?\Z")
"""Before a name whose bearer is not the one who dies: "the father of Ann died"."""

_WERE = re.compile(rf"{_LEAD}were\b")
_HAD = re.compile(r"\b[Hh]ad (?:the )?\Z")
"""Before a name whose bearer did not die: "had Ann died, she would rest"."""

_SEVERAL = re.compile(r"\b(?:and|nor|or) (?:the )?\Z")
"""Before a name that is not alone: "Ann and Ben were dead" tells; "if Ben were dead" supposes."""

_OPINION = re.compile(
    r"\A\W*[Tt]o [^,]{1,30}, \Z|"
    r"\b(?:th(?:inks?|inking|ought)|believ\w*|suppos\w*|fear\w*|hop(?:es?|ed|ing)|imagin\w*"
    r"|fanc(?:y|ied)|suspect\w*|expect\w*|convinced|persuaded|conclud\w*|presum\w*|assum\w*"
    r"|swore|rumou?r\w*|report\w*|gossip|whisper\w*|wonder\w*|whether|perhaps|maybe|possibly"
    r"|as good as|sa(?:id|ys?) that)\b[^.;:!]*\Z",
    re.IGNORECASE,
)
"""Before a death that somebody takes for granted, and the narrator does not tell."""

_NOT_YET = re.compile(r"\b(?:[Bb]efore|[Uu]ntil|[Tt]ill)\b")
"""Puts off a death that it stands before; one "before noon" has come."""

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
_BACK_IN_TIME = re.compile(
    r"\b(?:flashback|years? (?:ago|before|earlier)|earlier|before|prologue|memory|the past|then)\b",
    re.IGNORECASE,
)

CERTAIN = 0.85
LISTED = 0.6
DENIED = 0.45
"""Of a death that one sentence tells, and that a long part of the story does not know of."""

_LONG = 3
_SHOWN = 3
"""Chapters after which an act is none that slipped in, and acts that a finding quotes."""


@dataclass(frozen=True, slots=True)
class Death:
    """Where a death is told: in reading order, by position and offset, and in which tense.

    `is_doubtful` is one that nothing but a sentence of the manuscript tells. Where a book is told
    in the past and in the present, the one is mostly another time than the other: the dead of one
    tense may live in scenes of the other. A note (None) tells of both.
    """

    person: str
    place: tuple[int, float]
    evidence: Evidence
    tense: Tense | None
    is_doubtful: bool = False


def check(story: Story) -> Iterable[Finding]:
    """Return what each dead person does behind their death: one finding for a death."""
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
    """Return where the death of each person is first told in each tense, in reading order."""
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
    sentence: Sentence, tense: Tense | None, people: Collection[str], doomed: Collection[str]
) -> Iterator[str]:
    for name in sentence.names:
        if name.entity not in people or name.is_spoken or not _is_told(sentence, name, tense):
            continue
        meant = {name.entity, *name.rivals}
        if name.rivals:
            meant &= set(doomed)
        if len(meant) == 1:
            yield meant.pop()


def _is_told(sentence: Sentence, name: NamedSpan, tense: Tense | None) -> bool:
    """Say whether a sentence tells of somebody's death, in a scene of a tense.

    One told in the present tells of deaths in the past tense too, not the other way round; a note
    (None) tells in both what happens in the story.
    """
    text = sentence.narration
    before, after = text[: name.start], text[name.end :]
    is_object = not after.startswith(("'s", "’s"))
    is_found = _REMAINS.match(after) or (_BODY.match(after) and _FINDS.search(before))
    is_subject = not _PART.search(before)
    is_struck = _DEADLY.match(after) and _STRIKES.search(before)
    has_come = (
        (is_subject and _DIED.match(after))
        or is_found
        or (is_object and (_KILLED.search(before) or (tense != "present" and is_struck)))
    )
    if not has_come:
        is_killed = is_object and _KILLS.search(before) and _NO_FIGURE.match(after)
        dies = is_subject and _DIES.match(after)
        if tense == "past" or not (dies or is_killed or is_struck):
            return False
        if tense and _is_unsure(text, before, is_subject=bool(dies)):
            return False
    if (
        _ACTED.search(text)
        or _HAD.search(before)
        or (_WERE.match(after) and not _SEVERAL.search(before))
    ):
        return False
    return not (_DOUBT.search(text) or _NOT_YET.search(before) or _OPINION.search(before))


def _is_unsure(text: str, before: str, *, is_subject: bool) -> bool:
    """Say whether a narrator's present tense tells what may be, or what is so again and again."""
    is_seeming = is_subject and SEEMING.search(before)
    return any((_UNSURE_NOW.search(text), HABIT.search(text), _WHEN.search(before), is_seeming))


def _chapters(story: Story) -> dict[str, tuple[int | None, Tense | None]]:
    """Return the position of each chapter, and its tense if it is told in one alone."""
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
    """Yield where a death is told: here, or at the end of a chapter that a note links to."""
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
    """Return the first sentence of a scene, behind a death, in which the dead person acts."""
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
    """Return the finding of a death: its first acts, and the id of the first.

    Nobody forgets a death for many chapters: if one sentence alone tells it, that may be misread.
    """
    chapters = {act.position for act in acts}
    more = f", in {len(chapters)} chapters" if len(chapters) > 1 else ""
    proofs = (death.evidence, *(act.evidence for act in acts[:_SHOWN]))
    confidence = DENIED if death.is_doubtful and len(chapters) > _LONG else CERTAIN
    words = (death.evidence.quote, acts[0].evidence.quote)
    message = f"{name} is dead, and acts{more}."
    return Finding("dead-acts", message, proofs, confidence, (death.person,), "error", words)


def _in_cast(name: str, death: Death, scene: Scene) -> Finding:
    message = f"{name} is dead, and stands in the cast of “{scene.title}”."
    proofs = (death.evidence, scene.sentences[0].evidence)
    return Finding("dead-in-cast", message, proofs, LISTED, (death.person,))


def _acts(
    sentence: Sentence, name: NamedSpan, tense: Tense | None, deaths: Collection[str]
) -> bool:
    if name.is_spoken or not set(name.rivals) <= set(deaths):
        return False
    before, after = sentence.narration[: name.start], sentence.narration[name.end :]
    # What stands in an aside ("who had got the only stool") is told beside what somebody does.
    aside = _ASIDE.match(after)
    if aside and _OPINION.search(aside[0]):
        return False
    after = after[aside.end() :] if aside else after
    if after.startswith(("'", "’")) or _REMEMBERED.search(f"{before} {after}"):
        return False
    return does(sentence, name, tense)
