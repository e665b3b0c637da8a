"""Verbs in the past tense that only the living can be the subject of, and verbs of going."""

from __future__ import annotations

import re

from .words import words

_IRREGULAR = words(
    "bade bent bit blew bought broke brought built came caught chose clung crept cut",
    "dealt drank drew drove dug ate fed felt flung fought found fled flew forgot forgave",
    "gave ground grew heard held hid kept knelt knew laid leapt led left lent let lit",
    "lost made meant met paid put ran rang read rode rose sang sat saw sent set shook",
    "shot shrank shut slammed slept slid sought spat spent spoke spun sprang stole stood",
    "strode struck stuck swam swept swore swung threw told took trod understood went wept",
    "woke won wore wound wrung",
)
_NO_ACTS = frozenset(
    {
        *("died", "drowned", "perished", "killed", "murdered", "buried", "hanged", "named"),
        *("called", "aged", "loved", "lived", "owned", "deceased", "remained", "remembered"),
        *("indeed", "need", "seed", "feed", "breed", "hundred", "sacred", "kindred", "naked"),
        *("wicked", "rugged", "blessed", "red", "bed", "shed", "ned", "fred", "ted", "weed"),
    }
)
_SPEECH = words(
    "said asked replied answered cried called whispered muttered murmured shouted snapped",
    "added remarked observed began continued went repeated told laughed sighed growled",
    "hissed exclaimed demanded protested agreed admitted declared announced",
)
_NOT = "|".join(sorted(_NO_ACTS))

ACTS = re.compile(
    r"(?:,[^,.;:]{1,40},)?\s+(?:\w+ly |then |also |only |just |still |at last |again )?"
    rf"(?!(?:{_NOT})\b)(?:said|{'|'.join(_IRREGULAR)}|[a-z]{{2,}}ed)\b(?! by\b)"
)
"""Matches behind a name whose bearer does something."""

SAYING = re.compile(rf"\b(?:{'|'.join(_SPEECH)}) (?:old |young )?$")
"""Matches before a name whose bearer has just spoken."""

GOING = re.compile(
    r"\b(?:went|go|goes|going|gone|walk\w*|rode|rid(?:e|es|ing)|ran|run\w*|came|come\w*|coming"
    r"|return\w*|cross\w*|climb\w*|sail\w*|left|leav\w*|arriv\w*|reach\w*|travel\w*|journey\w*"
    r"|hurr\w*|march\w*|drove|driv\w*|flew|fled|flee\w*|follow\w*|enter\w*|depart\w*|row\w*"
    r"|stepp?\w*|carried|carry\w*|brought|back|land(?:ed|s|ing)|boarded|jump\w*|leap\w*|leapt"
    r"|swam|wad(?:ed|ing)|set (?:out|off|foot)|made (?:for|her way|his way)|towards?|into|onto)\b",
    re.IGNORECASE,
)
"""Words by which somebody changes places."""

PASSING = re.compile(
    r"\b(?:later|next (?:day|morning|night|week)|afterwards?|that (?:night|evening|morning|day)"
    r"|by the time|then|days?|weeks?|months?|years?|hours?|tomorrow|yesterday|earlier|before"
    r"|after (?:a|that|this|some|many)|when (?:she|he|they))\b",
    re.IGNORECASE,
)
"""Words that let time pass, or go back in it."""
