"""Verbs that need a living subject, verbs of saying, and verbs of motion.

does(sentence, ann, "past")      # "Ann laughed", "said Ann"
does(sentence, ann, "present")   # "Ann laughs", "Ann is laughing", "says Ann"

In a scene told in the present tense, a past tense is a memory and not an act; in one told in the
past tense, a present tense is a general truth.
"""

from __future__ import annotations

import re

from writeros_entities import NamedSpan, Sentence, Tense

from ..english import PAST_TENSES
from ..word_lists import words

_NO_PAST_ACTS = words(
    "died drowned perished killed murdered buried hanged named called aged loved lived owned owed",
    "belonged deserved haunted mattered needed rested rotted seemed smelled stayed weighed",
    "deceased remained remembered indeed need seed feed breed hundred sacred kindred naked",
    "wicked rugged blessed red bed shed ned fred ted weed",
)
_NO_PRESENT_ACTS = words(
    "dies drowns perishes is was has does lies rests rots stays sleeps lives loves owns remains",
    "remembers haunts belongs seems means matters owes needs deserves feels smells weighs stares",
    "across afterwards always as backwards besides downstairs downwards forwards hers his its",
    "nevertheless ours perhaps plus sometimes theirs this thus towards upstairs upwards us yes",
    "boys brothers children daughters estates girls lands letters papers sisters sons twins",
)
_STATES = words(
    "being bleeding dying going having king lying missing nothing resting rotting sleeping",
    "something thing waiting wanting willing",
)
_SPEECH = words(
    "said asked replied answered cried called whispered muttered murmured shouted snapped",
    "added remarked observed began continued went repeated told laughed sighed growled",
    "hissed exclaimed demanded protested agreed admitted declared announced",
)
_SPEECH_NOW = words(
    "says asks replies answers cries calls whispers mutters murmurs shouts snaps adds remarks",
    "observes begins continues repeats laughs sighs growls hisses exclaims demands protests",
    "agrees admits declares announces",
)
_ASIDE = r"(?:,[^,.;:]{1,60},)?"
_ADVERB = r"(?:\w+ly |then |also |only |just |at last |again )?"

_TO_HEIRS = (
    r" (?:behind|him|her|them|me|us|only|no|nothing|everything|an?|two|three|four|five|six"
    r"|seven|eight|nine|ten|debts)\b"
)
"""Matches after a verb for what the dead do too: "left three children", "leaves him the house"."""

_SEEMS = r"(?! (?:at|away|back|down|for|from|in|into|out|over|round|around|through|to|up)\b)"
"""Matches after "looked" if that is how somebody looks: "Ann looked peaceful"."""

_ACTS = re.compile(
    rf"{_ASIDE}\s+(?:{_ADVERB}|still )(?!(?:{'|'.join(_NO_PAST_ACTS)})\b|left{_TO_HEIRS})"
    rf"(?!looked\b{_SEEMS} \w)"
    rf"(?:said|{'|'.join(PAST_TENSES)}|[a-z]{{2,}}ed)\b(?! by\b)"
)
_ACTS_NOW = re.compile(
    rf"{_ASIDE}\s+{_ADVERB}(?:is {_ADVERB}(?!(?:{'|'.join(_STATES)})\b)[a-z]{{2,}}ing\b"
    rf"|(?!(?:{'|'.join(_NO_PRESENT_ACTS)})\b|leaves{_TO_HEIRS})"
    rf"(?!looks\b{_SEEMS})"
    r"[a-z]{2,}(?<!s)s\b)"
)
_SAYING = re.compile(
    rf"(?:\A|(?<!\s)\s\s|[^\w\s])\s*(?:and |then |\w+ly )?(?:{'|'.join(_SPEECH)}) (?:old |young )?$"
)
_SAYING_NOW = re.compile(rf"(?:\A|\s\s)\W{{0,20}}(?:{'|'.join(_SPEECH_NOW)}) (?:old |young )?$")
"""Match before a name whose bearer has just spoken, right after the speech: not "the sign said"."""

HABIT = re.compile(
    r"\b(?:(?:every|each|most) (?:time|hour|day|night|morning|evening|week|month|year|spring"
    r"|summer|autumn|winter|\w+day)s?|always|often|usually|sometimes|whenever|as a rule|\w+days)\b",
    re.IGNORECASE,
)
"""Words that make a present tense habitual."""

_WHEN = (
    r"(?:the|this|that|one)(?: \w+){0,2} (?:afternoon|autumn|day|evening|hour|moment|month|morning"
    r"|night|spring|summer|time|week|winter|year)s? $"
)
SEEMING = re.compile(
    r"\b(?:as|like|how|way|what|where|which|who|whom|why|that|if|when|imagin\w*|pictur\w*"
    r"|pretend\w*|thinks?|hopes?|wish\w*|believ\w*|fears?|whether):?(?: the| old| young)* $"
    rf"|(?:\A\W*|[,;:—–] |\b(?:and|but) )(?!{_WHEN})"
    r"(?:the|an?|every|any|no|all|her|his|my|their|this|that)(?: [a-z'’-]+){1,3} $",
    re.IGNORECASE,
)
"""Matches before a name whose bearer does not, or not now, do what the present tense says: "as Ann
laughs", "the song Ann sings".
"""

_SEEN = re.compile(
    r"\b(?:diary|film|frame|journal|painting|photo\w*|picture[ds]?|radio|recording|screen|tape|video"
    r"|voicemail|imagines?|somewhere|for (?:a|one|an) (?:second|moment|instant|heartbeat)"
    r"|in (?:his|her|my|their) (?:head|mind|thoughts|heart|sleep))\b",
    re.IGNORECASE,
)
"""Words for seeing or hearing a person who is not present."""

IMAGINED = re.compile(
    r"(?:\b(?:dream\w*|wish\w*|imagin\w*|pictur\w*|pretend\w*|remember\w*|thought|believed?|hoped?"
    r"|feared?|supposed?)\b[^,;:]{0,200}|\b(?:what|how|whom|which|as|like) )\Z",
    re.IGNORECASE,
)
"""Matches before a name whose bearer is only in somebody's mind: "dreamed that Ann"."""

IN_MIND = re.compile(
    r"\bin (?:spirit|(?:his|her|their|my) (?:mind|head|thoughts?|dreams?|heart|imagination"
    r"|memory))\b",
    re.IGNORECASE,
)
"""Words behind a place in which somebody is not in the flesh."""

GOING = re.compile(
    r"\b(?:went|go|goes|going|gone|walk\w*|rode|rid(?:e|es|ing)|ran|run\w*|came|come\w*|coming"
    r"|return\w*|cross\w*|climb\w*|sail\w*|left|leav\w*|arriv\w*|reach\w*|travel\w*|journey\w*"
    r"|hurr\w*|march\w*|drove|driv\w*|flew|flies|fled|flee\w*|follow\w*|enter\w*|depart\w*|row\w*"
    r"|stepp?\w*|carried|carr(?:y\w*|ies)|brought|brings?|back|land(?:ed|s|ing)|board(?:ed|s)"
    r"|jump\w*|leap\w*|leapt|sw[ai]ms?|wad(?:ed|es|ing)|sets? (?:out|off|foot)"
    r"|ma(?:de|kes) (?:for|her way|his way)|towards?|into|onto|bus|flight|plane|taxi|tickets?"
    r"|trains?)\b",
    re.IGNORECASE,
)
"""Words by which a person changes places."""

_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
PASSING = re.compile(
    r"\b(?:later|next (?:day|morning|night|week)|afterwards?|that (?:night|evening|morning|day)"
    r"|by the time|then|days?|weeks?|months?|years?|hours?|tomorrow|yesterday|earlier|before"
    r"|after (?:a|that|this|some|many)|when (?:she|he|they)|wakes|woke"
    rf"|(?:at|by|till|until) (?:{_HOUR}|dawn|daybreak|dusk|noon|midday|midnight|night(?:fall)?"
    r"|sunset|sunrise|teatime|lunchtime))\b",
    re.IGNORECASE,
)
"""Words that let time pass, or go back in time."""

ARRIVING = re.compile(
    r"\b(?:boat|bus|cab|car|carriage|coach|cutter|ferry|launch|plane|raft|ship|steamer|tram|train|van)"
    r" (?:\w+ly )?(?:(?:draws?|drew|pull(?:ed|s)) (?:up|in|out)|anchor(?:ed|s)|beach(?:ed|es)"
    r"|dock(?:ed|s)|drift(?:ed|s)|ground(?:ed|s)|land(?:ed|s)|s[ai]nks?|set off|start(?:ed|s)"
    r"|stop(?:ped|s)|str(?:ikes|uck)|(?:is|lay|lies|was) (?:aground|alongside|beached|moored"
    r"|(?:drawn|hauled|pulled|tied) up))\b",
    re.IGNORECASE,
)
"""Matches a vehicle that brings people to a place, or that one steps into and out of."""

_FINITE = {
    "past": re.compile(rf"\s+{_ADVERB}(?:was|were|had|did|lay|lived)\b|{_ACTS.pattern}"),
    "present": re.compile(
        rf"\s+{_ADVERB}(?:(?:is|has|does|lies|lives|sleeps|stays|waits)\b)|{_ACTS_NOW.pattern}"
    ),
}


def does(sentence: Sentence, name: NamedSpan, tense: Tense | None) -> bool:
    """Say whether the narrator has a person do or say something, in the tense of the scene.

    A note outside the manuscript has no tense (None): there, either counts.
    """
    text = sentence.narration
    before, after = text[: name.start], text[name.end :]
    if tense != "present" and (_ACTS.match(after) or _SAYING.search(before)):
        return True
    return tense != "past" and bool(
        (_ACTS_NOW.match(after) or _SAYING_NOW.search(before))
        and not SEEMING.search(before)
        and not HABIT.search(text)
        and not _SEEN.search(text)
    )


def is_in_tense(text: str, offset: int, tense: Tense | None) -> bool:
    """Say whether the words after an offset are not a finite verb in the other tense."""
    if tense is None:
        return True
    return not _FINITE["past" if tense == "present" else "present"].match(text, offset)
