"""The structured values that a writer gives a note: properties and inline fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from writeros_entities.values import JSON, Gender

TYPE_KEYS = ("type", "kind", "category", "codex", "notetype", "entitytype", "fileclass")
"""Frontmatter keys for an entity's type, without separators; the first whose value is a word
counts.
"""

CLASS_KEYS = ("class", "typ", "tipo", "noteicon")
"""Keys that count only if their value is a word for a type: a druid's class says nothing of the
note.
"""

ALIAS_KEYS = frozenset({"alias", "aliases"})
"""Keys that give other names of the note's subject."""

CAST_KEYS = (
    *("characters", "cast", "character", "people", "who", "povs"),
    *("party", "npcs", "present", "participants"),
)
VIEWPOINT_KEYS = ("pov", "viewpoint", "point-of-view", "narrator")
PLACE_KEYS = ("location", "locations", "place", "places", "setting", "where")
"""Keys by which a scene lists its people, its viewpoint character and its places, with dashes."""

TIME_KEYS = (
    *("fc-date", "date", "story-date", "storydate", "day", "when", "year", "story-year"),
    *("time", "story-time", "storytime", "hour", "season"),
)
"""Keys by which a scene states its time, with dashes."""

_VISIBILITY_KEY = "visiblefrom"

_READING_KEYS = frozenset(
    {
        *ALIAS_KEYS,
        *TYPE_KEYS,
        *("cssclass", "cssclasses", "tag", "tags", _VISIBILITY_KEY),
    }
)
"""Keys that say how to read a note, not what is true of its subject; without separators."""

_CONTEXT_KEY, _SHARE_KEY = "context", "contextshare"
_PERCENT = re.compile(r"(\d{1,3})\s*%?")
_LINKED = re.compile(r"\[\[([^\[\]]+)\]\]")

GENDER_KEYS = frozenset({"gender", "sex", "pronouns"})
"""Keys that say whether the note's subject is "she" or "he"."""

_FEMALE = re.compile(r"\b(?:f|w|fem\w*|wom[ae]n|weib\w*|she|hers?|girl|lady)\b", re.IGNORECASE)
_MALE = re.compile(r"\b(?:m|male|man|masc\w*|männ\w*|he|him|his|boy)\b", re.IGNORECASE)


def dashed(key: str) -> str:
    """Return a property's key in lower case with dashes: `story-date` for `story_date`."""
    return key.strip().casefold().replace("_", "-").replace(" ", "-")


def story_key(key: str) -> str:
    """Return a property's key as stories have it, with one spelling of `visible-from`."""
    return "visible-from" if says_visibility(key) else dashed(key)


NEVER_TOLD = "never"
"""The value of `visible_from` of what is never visible under `as_of`."""


def says_visibility(key: str) -> bool:
    """Say whether a key is `visible_from`, in any spelling: `Visible from`, `visibleFrom`."""
    return _squeezed(key) == _VISIBILITY_KEY


def says_how_to_read(key: str) -> bool:
    """Say whether a key says how to read a note, not what is true of its subject."""
    return _squeezed(key) in _READING_KEYS


def _squeezed(key: str) -> str:
    return dashed(key).replace("-", "")


def read_gender(value: JSON) -> Gender | None:
    """Return the gender that a property's value states: "f" for `she/her`, `Woman` or `F`.

    None if it states neither ("they") or both.
    """
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    is_female, is_male = _FEMALE.search(text), _MALE.search(text)
    if bool(is_female) == bool(is_male):
        return None
    return "f" if is_female else "m"


def gender_values(properties: Mapping[str, JSON]) -> list[JSON]:
    """Return the values of properties that state a gender, without empty ones from a template."""
    return [value for key, value in properties.items() if value and key.casefold() in GENDER_KEYS]


def join_properties(frontmatter: Mapping[str, JSON], fields: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the values that a writer gave, by key: properties, then inline fields.

    Keys that say how to read the note (type, aliases, tags, visibility) are left out; a key used in
    both ways has all its values.
    """
    properties: dict[str, JSON] = {
        key: value
        for key, value in frontmatter.items()
        if not says_how_to_read(key) and read_wish({key: value}) is None
    }
    for key, value in fields.items():
        if not says_how_to_read(key):
            append_value(properties, key, value)
    return properties


@dataclass(frozen=True, slots=True)
class ContextWish:
    """What a note wishes for prompts: its entity is always or never in them, or with others.

    `beside` are the names of those others. `share` is the part of a budget (0 to 1) that is kept
    for the entity, None for as much as its importance gives it.
    """

    when: Literal["always", "never", "asked"]
    beside: tuple[str, ...] = ()
    share: float | None = None

    def stored(self) -> dict[str, JSON]:
        """Return it as the column `entity.context`."""
        return {"when": self.when, "beside": list(self.beside), "share": self.share}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ContextWish:
        """Return the wish that a column has."""
        return cls(stored["when"], tuple(stored["beside"]), stored["share"])


def read_wish(frontmatter: Mapping[str, JSON]) -> ContextWish | None:
    """Return what properties wish for prompts, or None.

    They are `context: always`, `never` or `with [[Hope]], [[Tarn]]`, and `context_share: 20%`.
    """
    when: Literal["always", "never", "asked"] = "asked"
    beside: tuple[str, ...] = ()
    share = None
    for key, value in frontmatter.items():
        said = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        words = said.split(maxsplit=1)
        if _squeezed(key) == _SHARE_KEY and (percent := _PERCENT.fullmatch(said.strip())):
            share = min(1.0, int(percent[1]) / 100)
        elif _squeezed(key) == _CONTEXT_KEY and said.strip().casefold() == "always":
            when = "always"
        elif _squeezed(key) == _CONTEXT_KEY and said.strip().casefold() == NEVER_TOLD:
            when = "never"
        elif _squeezed(key) == _CONTEXT_KEY and words and words[0].casefold() == "with":
            beside = tuple(name.partition("|")[0] for name in _LINKED.findall(said))
    if when == "asked" and not beside and share is None:
        return None
    return ContextWish(when, beside, share)


def append_value(values: dict[str, JSON], key: str, value: JSON) -> None:
    """Add a value to those of a key; several values become a list."""
    earlier = values.get(key)
    more = value if isinstance(value, list) else [value]
    if earlier is None:
        values[key] = value
    elif isinstance(earlier, list):
        values[key] = [*earlier, *more]
    else:
        values[key] = [earlier, *more]
