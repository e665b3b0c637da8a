"""The desk's own words for what the capabilities name, and the lines of decisions it offers."""

from __future__ import annotations

import re
from collections.abc import Mapping

ROLES = ("manuscript", "plan", "entity", "reference", "other")
SORTS = ("person", "place", "faction", "item", "creature", "event", "concept")

_WORDS = """
manuscript: a chapter; plan: a plan; entity: about somebody or something; index: a list of notes;
other: something else; person: a person; place: a place; faction: a group; item: a thing;
creature: a creature; event: an event; concept: an idea; unknown: not known yet;
no_name: not a name; same: the same; different: two different ones; in_order: in this order;
other_order: the other way round; earlier: told earlier; later: told later; noted: has a note;
linked: linked, without a note; suggested: found in the text; error: cannot both be;
warning: may make a reader stumble; hint: a loose end; finding mentions: looking for names
"""
_SAID = dict(one.strip().split(": ") for one in _WORDS.split(";"))

_ANSWERS = ("no_name", "same", "different", "in_order", "other_order")
_MOVES = ("earlier", "later")
KEYS = dict(zip((*SORTS, *_ANSWERS, *ROLES, *_MOVES), "plgtceinynyncabre<>", strict=True))
"""The key of each answer to a question; `s` puts the question off."""

_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")


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


def link_to(path: str) -> str:
    """Return a link to a note, as a decision names it."""
    return f"[[{path.removesuffix('.md')}]]"


def line(words: Mapping[str, str], kind: str, a: str, b: str = "", c: str = "") -> str:
    """Return a line of a kind, in the words that `decide` gives; `b` may be a role or a sort."""
    told = words.get(kind, "")
    return told.replace("{b}", words.get(b, b)).replace("{a}", a).replace("{c}", c)


def answers(
    words: Mapping[str, str], name: str, kinds: tuple[str, ...] = SORTS, but: str = ""
) -> list[tuple[str, str]]:
    """Return what a name, or a link to a note, could be, each with the line that says so."""
    found = [(one, line(words, "is", name, one)) for one in kinds if one != but]
    return [*found, ("no_name", line(words, "no_name", f'"{name}"'))] if kinds is SORTS else found
