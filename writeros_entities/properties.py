"""The structured values that a writer gives a note: properties and inline fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from writeros_entities.values import JSON, Gender

TYPE_KEYS = ("type", "kind", "category", "codex", "notetype", "entitytype", "fileclass")
"""Frontmatter keys that name an entity's type, without what parts their words; the first with a
word as its value counts.
"""

CLASS_KEYS = ("class", "typ", "tipo")
"""Keys that do where their value is the word for a type: a druid's class is none of the note."""

ALIAS_KEYS = frozenset({"alias", "aliases"})
"""Keys that give other names of the note's subject."""

CAST_KEYS = (
    *("characters", "cast", "character", "people", "who", "povs"),
    *("party", "npcs", "present", "participants"),
)
VIEWPOINT_KEYS = ("pov", "viewpoint", "point-of-view", "narrator")
PLACE_KEYS = ("location", "locations", "place", "places", "setting", "where")
"""Keys by which a scene says who is in it, who tells it and where it is, in dashes."""

_VISIBILITY_KEY = "visiblefrom"

_READING_KEYS = frozenset(
    {
        *ALIAS_KEYS,
        *TYPE_KEYS,
        *("cssclass", "cssclasses", "tag", "tags", _VISIBILITY_KEY),
    }
)
"""Keys that say how a note is to be read, without what parts their words."""

GENDER_KEYS = frozenset({"gender", "sex", "pronouns"})
"""Keys that say whether the note's subject is "she" or "he"."""

_FEMALE = re.compile(r"\b(?:f|w|fem\w*|wom[ae]n|weib\w*|she|hers?|girl|lady)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:m|male|man|masc\w*|männ\w*|he|him|his|boy)\b", re.IGNORECASE)


def dashed(key: str) -> str:
    """Return a property's key in lower case with dashes: `story_date` is `story-date`."""
    return key.strip().casefold().replace("_", "-").replace(" ", "-")


def says_visibility(key: str) -> bool:
    """Tell whether a key says from where a note or section may be seen: `visible_from`."""
    return _squeezed(key) == _VISIBILITY_KEY


def says_how_to_read(key: str) -> bool:
    """Tell whether a key says how a note is to be read, not what is true of its subject."""
    return _squeezed(key) in _READING_KEYS


def _squeezed(key: str) -> str:
    return dashed(key).replace("-", "")


def read_gender(value: JSON) -> Gender | None:
    """Return the gender that a property's value says: "f" of `she/her`, `Woman` or `F`.

    None for what is neither ("they"), and for what says both.
    """
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    is_female, is_male = _FEMALE.search(text), _MALE.search(text)
    if bool(is_female) == bool(is_male):
        return None
    return "f" if is_female else "m"


def gender_values(properties: Mapping[str, JSON]) -> list[JSON]:
    """Return what properties say of gender, where a template has not been left empty."""
    return [value for key, value in properties.items() if value and key.casefold() in GENDER_KEYS]


def join_properties(frontmatter: Mapping[str, JSON], fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the structured values that a writer gave: properties, then inline fields.

    What says how to read the note (type, aliases, tags, visibility) is left out; a key used in both
    ways has all its values.
    """
    properties: dict[str, JSON] = {
        key: value for key, value in frontmatter.items() if not says_how_to_read(key)
    }
    for key, value in fields.items():
        if not says_how_to_read(key):
            append_value(properties, key, value)
    return properties


def append_value(values: dict[str, JSON], key: str, value: JSON) -> None:
    """Add a value to those that a key has already; several values are a list."""
    earlier = values.get(key)
    more = value if isinstance(value, list) else [value]
    if earlier is None:
        values[key] = value
    elif isinstance(earlier, list):
        values[key] = [*earlier, *more]
    else:
        values[key] = [earlier, *more]
