"""Words between a name and a statement about it that do not change the statement.

    Ann | the baker | was born in Rivermouth                    a byname
    Ann |, her daughter,| had married Bob                       an aside
    Ann | and Carl | were born in Rivermouth                    a companion
    Ann lived | in a small house | in Rivermouth                a place within the place

Words are tokens of `grammar`; a comma is a word too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, zip_longest

from .employments import EMPLOYED_IN, EMPLOYMENTS
from .phrases import PHRASES, WITHIN_PLACES
from .words import (
    ASIDE_BREAKS,
    BE,
    FILLERS,
    HEARSAY,
    JOINING,
    LENGTHS_OF_TIME,
    NO_ADJUNCT,
    OPENING,
    OVER,
    PLACE_PREPOSITIONS,
    PLURAL_VERBS,
)

_LONGEST_ASIDE = 8
_LONGEST_ADJUNCT = 6


def is_list(words: Sequence[str]) -> bool:
    """Say whether words are names followed by one more: "Bob and", "Bob, Carl and the"."""
    names = all(word in JOINING or word[0].isupper() for word in words)
    return names and bool(words) and words[-1] in ("and", ",", "the") and words[0] != "and"


def is_plural(role: str) -> bool:
    """Say whether a noun is a plural: "sons", "children"."""
    return role.endswith("s") or role in ("children", "kin", "henchmen")


def plain_words(words: Sequence[str]) -> tuple[list[str], bool]:
    """Return words in lower case without fillers, with `be` for "to be"; and whether they say
    "over".
    """
    lower = [word.lower() for word in words]
    has_ended = any(word in OVER for word in lower)
    if "longer" in lower and lower[lower.index("longer") - 1] == "no":
        has_ended = True
        lower = [word for word in lower if word not in ("no", "longer")]
    words = [word for word in lower if word not in FILLERS]
    kept = [
        "be" if word in BE and (word != "got" or following.endswith("ed")) else word
        for word, following in zip_longest(words, words[1:], fillvalue="")
    ]
    return [word for word in kept if word not in OVER], has_ended


def without_byname(words: Sequence[str]) -> Sequence[str]:
    """Drop "the baker" in "Ann the baker was born", "of Rivermouth" in "Ann of Rivermouth"."""
    if len(words) > 2 and words[0] == "the" and words[1].islower():
        return words[2:]
    if len(words) > 2 and words[0] == "of":
        length = 1
        while length < len(words) and (words[length] == "the" or words[length][0].isupper()):
            length += 1
        if words[length - 1][0].isupper() and length < len(words) and words[length] != ",":
            return words[length:]
    return words


def without_companions(words: Sequence[str], begins_sentence: Callable[[], bool]) -> Sequence[str]:
    """Drop others with the same predicate: "and Bob" in "Ann and Bob were born in Vantry".

    Unless the following verb or noun is a plural, the first name must begin the sentence: "Ann saw
    Carl and Bob married Eve" says nothing about Carl.
    """
    if words[0] not in (",", "and"):
        return words
    length = 0
    while length < len(words) and (words[length] in JOINING or words[length][0].isupper()):
        length += 1
    if words[length - 1] == ",":
        length -= 1
    rest = words[length:]
    if "and" not in words[:length] or not rest or not words[length - 1][0].isupper():
        return words
    first = rest[0].lower()
    if first in OPENING:
        roles = [rest[at - 1] for at, word in enumerate(rest) if word == "of"]
        return rest if roles and is_plural(roles[0]) else words
    if first in PLURAL_VERBS:
        return rest
    is_verb = first not in BE and not first.endswith("s")
    return rest if is_verb and begins_sentence() else words


def without_aside(words: Sequence[str], *, for_role: bool = False) -> Sequence[str]:
    """Drop ", her daughter," in "Ann, her daughter, had married".

    An aside starts in lower case, unlike an item in a list of names, and must be followed by the
    rest of the sentence; or, `for_role`, by another apposition to the first name: "Ann, a clerk in
    the Guild, daughter of Bob".
    """
    if words[0] != "," or "," not in words[2:]:
        return words
    end = words.index(",", 2)
    aside, rest = words[1:end], words[end + 1 :]
    if not rest or end > _LONGEST_ASIDE or rest[0] in ASIDE_BREAKS or "and" in aside:
        return words
    if not (aside[0].islower() and rest[0].islower() and HEARSAY.isdisjoint(aside)):
        return words
    if not for_role:
        return rest
    is_nameless = not any(word[0].isupper() for word in aside)
    is_employment = any(
        before in EMPLOYMENTS and word in EMPLOYED_IN for before, word in pairwise(aside)
    )
    return (",", *rest) if is_nameless or is_employment else words


def without_adjunct(words: Sequence[str]) -> str | None:
    """Return the phrase without its adjunct: "lived in" for "lived in small house in".

    Only for living, lying, being born or dying in a place, which then holds of the larger place
    too.
    """
    for length in range(1, len(words) - 2):
        phrase = " ".join((*words[:length], words[-1]))
        if phrase not in PHRASES or PHRASES[phrase][0] not in WITHIN_PLACES:
            continue
        adjunct = words[length:-1]
        if len(adjunct) > _LONGEST_ADJUNCT or not NO_ADJUNCT.isdisjoint(adjunct):
            continue
        if not all(word.isalpha() and word.islower() for word in adjunct):
            continue
        is_time = adjunct[0] == "for" and not LENGTHS_OF_TIME.isdisjoint(adjunct)
        if adjunct[0] in PLACE_PREPOSITIONS or is_time:
            return phrase
    return None
