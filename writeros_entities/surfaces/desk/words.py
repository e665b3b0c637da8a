"""The desk's own words for what the capabilities name."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")

_SAID = {
    "manuscript": "a chapter",
    "plan": "a plan",
    "entity": "about somebody or something",
    "reference": "reference",
    "index": "a list of notes",
    "other": "something else",
    "person": "a person",
    "place": "a place",
    "faction": "a group",
    "item": "a thing",
    "creature": "a creature",
    "event": "an event",
    "concept": "an idea",
    "unknown": "not known yet",
    "no_name": "not a name",
    "same": "the same",
    "different": "two different ones",
    "in_order": "in this order",
    "other_order": "the other way round",
    "earlier": "told earlier",
    "later": "told later",
    "noted": "has a note",
    "linked": "linked, without a note",
    "suggested": "found in the text",
    "error": "cannot both be",
    "warning": "may make a reader stumble",
    "hint": "a loose end",
    "finding mentions": "looking for names",
}

KEYS = {
    "person": "p",
    "place": "l",
    "faction": "g",
    "item": "t",
    "creature": "c",
    "event": "e",
    "concept": "i",
    "no_name": "n",
    "same": "y",
    "different": "n",
    "in_order": "y",
    "other_order": "n",
    "manuscript": "c",
    "plan": "a",
    "entity": "b",
    "other": "e",
}
"""The key of each answer to a question; `s` puts the question off."""

SORTS = ("person", "place", "faction", "item", "creature", "event", "concept")
"""What a name can be of."""


def says(word: str) -> str:
    """Return how the desk says a role, type, status or answer: `a person`."""
    return _SAID.get(word, word.replace("_", " "))


def colour(type_: str) -> str:
    """Return the class that gives an entity of a type its colour."""
    return f"t-{type_}" if type_ in SORTS else "t-other"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: `1 place`, `1,200 places`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def plain(value: object) -> str:
    """Return a property's value as text: a link is the words that it shows."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(plain, value))
    return _LINK.sub(lambda link: link[2] or link[1], "" if value is None else str(value))
