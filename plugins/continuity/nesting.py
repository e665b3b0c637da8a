"""The places of a story: which contain each other, and which are far apart.

Nesting(story).are_apart(dover.id, york.id)
"""

from __future__ import annotations

import re
from itertools import pairwise

from writeros_entities import Sentence, Story

_INSIDE = frozenset(("located_in", "part_of", "in", "inside", "region", "within", "capital_of"))
_AROUND = frozenset(("contains", "has_part", "location_of", "capital"))
_BESIDE = "connected_to"
_STANDS = r",?\s+(?:(?:was|is|stood|stands|lay|lies)\s+)?"
_IN_OTHER = re.compile(rf"{_STANDS}(?:in|at|of)\s+(?:the\s+)?")
"""Matches between two places of which the second contains the first: "the Red Lion in Dover"."""
_BY_OTHER = re.compile(rf"{_STANDS}(?:on|near|by|above|below|outside)\s+(?:the\s+)?|['’]s\s+")
"""Matches between two places that are together: "Dover's castle"."""
_PART_OF = re.compile(
    r"(?<!north )(?<!south )(?<!east )(?<!west )(?<!out )"
    r"\b(?:in|of|at|inside|within)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
"""Matches before a place of which a note's own is a part: "the keep of Dover"."""


class Nesting:
    """The places of a story, and which of them contain which."""

    def __init__(self, story: Story) -> None:
        self._places = {
            entity.id: entity for entity in story.entities.values() if entity.type == "place"
        }
        self._near: set[frozenset[str]] = set()
        self._around: dict[str, set[str]] = {}
        for one in story.relations:
            said = {one.kind, one.key}
            if said & _INSIDE:
                self._around.setdefault(one.source, set()).add(one.target)
            elif said & _AROUND:
                self._around.setdefault(one.target, set()).add(one.source)
            elif _BESIDE in said:
                self._near.add(frozenset((one.source, one.target)))
        for sentence in story.sentences():
            if len(sentence.names) > 1:
                self._read_joined(sentence)
        for section in story.sections:
            if section.subject in self._places:
                for sentence in section.sentences:
                    self._read_sheet(section.subject, sentence)

    def _read_joined(self, sentence: Sentence) -> None:
        """Note the pairs of places that a sentence names in one breath."""
        places = [name for name in sentence.names if name.entity in self._places]
        for one, other in pairwise(places):
            if _IN_OTHER.fullmatch(sentence.text, one.end, other.start):
                self._around.setdefault(one.entity, set()).add(other.entity)
            elif _BY_OTHER.fullmatch(sentence.text, one.end, other.start):
                self._near.add(frozenset((one.entity, other.entity)))

    def _read_sheet(self, subject: str, sentence: Sentence) -> None:
        """Note in which places the text of a place's note puts it: "the keep of Dover"."""
        for name in sentence.names:
            if name.entity in self._places and _PART_OF.search(sentence.text, 0, name.start):
                self._around.setdefault(subject, set()).add(name.entity)

    def __contains__(self, entity: object) -> bool:
        return entity in self._places

    def name(self, place: str) -> str:
        """Return the name of a place."""
        return self._places[place].name

    def are_apart(self, one: str, other: str) -> bool:
        """Say whether nobody can be in both: neither contains, adjoins, or is named after the
        other.
        """
        if one in self._all_around(other) or other in self._all_around(one):
            return False
        if frozenset((one, other)) in self._near:
            return False
        names = (self.name(one).casefold(), self.name(other).casefold())
        return not (names[0] in names[1] or names[1] in names[0])

    def _all_around(self, place: str) -> set[str]:
        """Return a place and all places that contain it."""
        found, rest = {place}, [place]
        while rest:
            outer = self._around.get(rest.pop(), set()) - found
            found |= outer
            rest += outer
        return found
