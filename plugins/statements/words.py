"""Function words and the like, by their role around the names that a sentence relates."""

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
"""Words after an aside that do not continue the main clause."""

BE = word_set("are became becomes been got is remained remains was were")

COUNTS = frozenset({"a", "an", "five", "four", "one", "seven", "several", "six", "three", "two"})
"""Words before relatives that a person has: "had two sons"."""

FILLERS = word_set(
    "a again all already also always an dearly deeply even eventually faithfully finally firmly",
    "formally gladly had happily has have her herself himself his indeed its itself just later",
    "long loyally my now openly our quietly recently secretly soon still the their themselves",
    "then too truly your",
)
"""Words that do not change what a phrase states."""

HAVE = frozenset({"had", "has", "have"})

HEARSAY = word_set(
    "allegedly apparently folk he it maybe men people perhaps possibly rumor rumour seemingly she",
    "some supposedly they women",
)
"""Words by which an aside revokes the statement around it: "Ann, they whisper, is the"."""

JOINING = frozenset({",", "and", "of", "the"})
"""Words between the names of a list."""

LENGTHS_OF_TIME = frozenset({"days", "life", "months", "time", "weeks", "while", "years"})

NAMED = frozenset({",", ":", "called", "named", "–", "—"})
"""Words and punctuation between a role and a name: "a brother named Bob"."""

SUBORDINATORS = word_set(
    "after although as because before he how i if it she since than that they though to until we",
    "what when where whether which while who whom whose why you",
)
"""Words after which a clause may have another subject."""

NO_ADJUNCT = SUBORDINATORS | word_set("and be but by from like no not or year")
"""Words that make an adjunct more than a place: "was born in the year that"."""

ONES = frozenset({"boy", "girl", "man", "one", "woman"})
"""Nouns between "is the" and "who" that add nothing: "Ann is the woman who killed Bob"."""

OPENING = frozenset({"(", ",", "-", "–", "—"})
"""Punctuation that begins an apposition."""

OVER = frozenset({"erstwhile", "ex", "former", "formerly", "once", "one-time", "sometime"})
"""Words that say that something is over."""

PLACE_PREPOSITIONS = word_set(
    "above alone among at behind beside in inside near on opposite outside over under with within",
)
"""Prepositions of an adjunct that gives a place inside a place."""

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
"""Words that are capitalised only because they begin a sentence."""
