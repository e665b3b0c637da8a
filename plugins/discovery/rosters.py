"""Read the names in a note that is a list of the story's people, places or things.

    Characters.md
    # Characters
    ## Main characters          groups names
    ### Nell Okonkwo, 34        a name, with or without a remark behind it
    #### Appearance             part of what is told of her
    ### Martin                  a name too, if another text uses it as one

What such a note has a heading for is an entity, however seldom the chapters use its full name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from writeros_entities import ProposedName

from ..entity_types import TYPES
from ..word_lists import word_set

if TYPE_CHECKING:
    from writeros_entities import Heading, Note

LISTED: Final = frozenset({"person", "place", "faction", "creature", "vehicle"})
"""Types of which lists are read; the headings of a glossary or a history are no names."""

_CONFIDENCE: Final = 0.9
_MOST_WORDS: Final = 5
_IN_TITLES: Final = word_set(
    "all and character list main major minor my notes of place profiles secondary sheet sheets",
    "side supporting the",
)
"""Words in the title of a list that do not say what is listed, or only say it again."""

_GROUPING: Final = word_set(
    "additional antagonist antagonists arc arcs background backstory cast character characters",
    "crew dead deceased families family friends group groups hero heroes household ideas list",
    "locations main major minor misc miscellaneous names notes other others overview people",
    "persons places protagonist protagonists questions relationships rules secondary section",
    "settings side staff supporting todo unnamed various villain villains",
)
"""Words of headings that group names, or that say what is told below."""

_PARTICLES: Final = word_set("a al and at da de del della der di du el in la le of on the van von")
_REMARK: Final = re.compile(r"(?<!\s)\s*(?:[(\[,;:/|]|(?<=\s)[-–—=]+\s).*\Z", re.DOTALL)
_MARKS: Final = re.compile(r"\A(?:\d+[.)]\s+|[\W_])+|(?<![*_~=\s])[*_~=\s]+\Z")
_ORDER_MARK: Final = re.compile(r"\A[\W\d_]+")
_WORD: Final = re.compile(r"[^\W\d_][\w.'’-]*")
_FOLDERS: Final = {
    name.casefold(): kind.name
    for kind in TYPES
    if kind.name in LISTED
    for name in (kind.plural, *kind.folders)
}


def read_roster(note: Note) -> Iterator[ProposedName]:
    """Yield the names that have a heading in a list; nothing for any other note."""
    kind = _listed_type(note.title)
    if kind is None:
        return
    repeated = Counter(heading.text.casefold() for heading in note.headings)
    listed = 0
    for heading in note.headings:
        if listed and heading.level > listed:
            continue  # tells of the name above
        listed = 0
        name = _read_name(heading)
        if name is not None and repeated[heading.text.casefold()] == 1:
            listed = heading.level
            yield ProposedName(name, kind, 1, 1 if " " in name else 2, _CONFIDENCE)


def _listed_type(title: str) -> str | None:
    """Return the type of what a note of this title lists: "Characters", "List of places"."""
    cleaned = _ORDER_MARK.sub("", title).casefold()
    if cleaned in _FOLDERS:
        return _FOLDERS[cleaned]
    words = cleaned.split()
    telling = " ".join(word for word in words if word not in _IN_TITLES)
    if telling:
        return _FOLDERS.get(telling)
    return next((_FOLDERS[f"{word}s"] for word in words if f"{word}s" in _FOLDERS), None)


def _read_name(heading: Heading) -> str | None:
    """Return the name that a heading is; None if it only groups names, or is no name."""
    if "[[" in heading.text:
        return None
    name = _MARKS.sub("", _REMARK.sub("", _MARKS.sub("", heading.text)))
    words = name.split()
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    if any(word.casefold() in _GROUPING for word in words):
        return None
    is_name = all(
        _WORD.fullmatch(word) and (word[0].isupper() or word in _PARTICLES) for word in words
    )
    return name if is_name and not words[-1].islower() else None
