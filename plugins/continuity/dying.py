"""Recognise sentences that report a death, and those that only seem to.

true:  "Ann died at dawn", "they buried Ann", "Ann's body was found"
false: "Ann died laughing", "if Ann died", "to Ben, Ann was dead"
"""

from __future__ import annotations

import re

from writeros_entities import NamedSpan, Sentence, Tense

from .verbs import HABIT, SEEMING

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
"""Matches after words of dying that are only a figure of speech, or about something else."""

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
"""Matches before a name whose bearer dies of it if "dead" or "to death" follows."""

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
"""Matches before a person's body that must be a dead one; a living body may ache."""

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
    r"\b(?:when|whenever|once|after|as soon as|unless|lest|in case|who)\b[^,;]{0,200}\Z"
    r"|\b(?:whoever|nobody|no one)\b",
    re.IGNORECASE,
)
"""In the present tense, events that follow these words in their clause have not happened."""

_ACTED = re.compile(
    r"\bin (?:the|an?|his|her|their|this|that|every) (?:\w+ )?"
    r"(?:ballad|film|game|novel|opera|play|poem|song|story|tale|\w+ act)\b",
    re.IGNORECASE,
)
"""Matches fiction within the fiction, in which nobody really dies."""

_PART = re.compile(r"\w of (?:the )?\Z")
"""Matches before a name whose bearer is not the one who dies: "the father of Ann died"."""

_WERE = re.compile(rf"{_LEAD}were\b")
_HAD = re.compile(r"\b[Hh]ad (?:the )?\Z")
"""Matches before a name whose bearer did not die: "had Ann died, she would rest"."""

_SEVERAL = re.compile(r"\b(?:and|nor|or) (?:the )?\Z")
"""Matches before a name in a list: "Ann and Ben were dead" is a fact, "if Ben were dead" is not."""

OPINION = re.compile(
    r"\A\W*[Tt]o [^,]{1,30}, \Z|"
    r"\b(?:th(?:inks?|inking|ought)|believ\w*|suppos\w*|fear\w*|hop(?:es?|ed|ing)|imagin\w*"
    r"|fanc(?:y|ied)|suspect\w*|expect\w*|convinced|persuaded|conclud\w*|presum\w*|assum\w*"
    r"|swore|rumou?r\w*|report\w*|gossip|whisper\w*|wonder\w*|whether|perhaps|maybe|possibly"
    r"|as good as|claim\w*|insist\w*|sa(?:id|ys?) that)\b[^.;:!]{0,200}\Z"
    r"|\b(?:sa(?:id|ys?)|hears?|heard|told \w+|tells? \w+) (?:the )?\Z",
    re.IGNORECASE,
)
"""Matches before a death that a character assumes, but the narrator does not report."""

_NOT_YET = re.compile(r"\b(?:[Bb]efore|[Uu]ntil|[Tt]ill)\b")
"""Matches before a death that is yet to come; "before noon" after it does not count."""


def tells_of_death(sentence: Sentence, name: NamedSpan, tense: Tense | None) -> bool:
    """Say whether a sentence reports the death of a person named in it.

    `tense` is the scene's. Scenes in the present tense may tell deaths in the past tense, but not
    the other way round; notes (None) use either.
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
    return not (_DOUBT.search(text) or _NOT_YET.search(before) or OPINION.search(before))


def _is_unsure(text: str, before: str, *, is_subject: bool) -> bool:
    """Say whether a present tense may express a possibility or a habit."""
    is_seeming = is_subject and SEEMING.search(before)
    return any((_UNSURE_NOW.search(text), HABIT.search(text), _WHEN.search(before), is_seeming))
