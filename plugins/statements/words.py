"""Small words of a sentence, by what they do around the names that it relates."""

from __future__ import annotations

from ..word_lists import word_set
from .pronouns import GENDERS

ADJECTIVES = word_set(
    "acting appointed bastard beloved best bitter chief close closest crowned current dead dear",
    "devoted elder eldest elected estranged faithful favorite favourite first fourth good great",
    "greatest head hereditary humble intimate junior last late legitimate lifelong long-time",
    "longtime loyal made mortal named natural new old older oldest only own particular present",
    "proclaimed real rightful second self-styled senior sole surviving sworn third true trusted",
    "trusty twin undisputed widowed worst young younger youngest",
)
"""Words that may stand before a role: "the eldest daughter of"."""

ASIDE_BREAKS = frozenset({"and", "but", "nor", "of", "or", "then", "which", "who", "whose"})
"""Words that do not go on with the sentence after an aside."""

BE = word_set("are became becomes been got is remained remains was were")

COUNTS = frozenset({"a", "an", "five", "four", "one", "seven", "several", "six", "three", "two"})
"""Words before those whom somebody has: "had two sons"."""

FILLERS = word_set(
    "a again all already also always an dearly deeply even eventually faithfully finally firmly",
    "formally gladly had happily has have her herself himself his indeed its itself just later",
    "long loyally my now openly our quietly recently secretly soon still the their themselves",
    "then too truly your",
)
"""Words that change nothing in what a phrase states."""

HAVE = frozenset({"had", "has", "have"})

HEARSAY = word_set(
    "allegedly apparently folk he it maybe men people perhaps possibly rumor rumour seemingly she",
    "some supposedly they women",
)
"""Words by which an aside takes back what is said around it: "Ann, they whisper, is the"."""

JOINING = frozenset({",", "and", "of", "the"})
"""Words between the names of a list."""

LENGTHS_OF_TIME = frozenset({"days", "life", "months", "time", "weeks", "while", "years"})

NAMED = frozenset({",", ":", "called", "named", "–", "—"})
"""Words and marks between what somebody is and their name: "a brother named Bob"."""

SUBORDINATORS = word_set(
    "after although as because before he how i if it she since than that they though to until we",
    "what when where whether which while who whom whose why you",
)
"""Words behind which a sentence may have another subject."""

NO_ADJUNCT = SUBORDINATORS | word_set("and be but by from like no not or year")
"""Words by which something else is said than where: "was born in the year that"."""

ONES = frozenset({"boy", "girl", "man", "one", "woman"})
"""Nouns between "is the" and "who" that add nothing: "Ann is the woman who killed Bob"."""

OPENING = frozenset({"(", ",", "-", "–", "—"})
"""Marks that begin an apposition."""

OVER = frozenset({"erstwhile", "ex", "former", "formerly", "once", "one-time", "sometime"})
"""Words that say that something is over."""

PLACE_PREPOSITIONS = word_set(
    "above alone among at behind beside in inside near on opposite outside over under with within",
)
"""Words with which begins where in a place somebody lives or something lies."""

PLURAL_VERBS = frozenset({"are", "both", "have", "were"})

PREPOSITIONS = word_set(
    "about against at behind beside by for from in into near of on onto over to towards under",
    "upon with without",
)

OPENERS = (
    PREPOSITIONS
    | GENDERS.keys()
    | word_set(
        "a across after again all along among an and around as before beyond both but down during",
        "everywhere here how i inside it its later meanwhile my no now once only our out outside",
        "past since so some soon still suddenly that the then there these this those though today",
        "tomorrow tonight until up we what when where while yesterday yet you your",
    )
)
"""Words that have a capital only because they begin a sentence."""
