"""Find people who are of one species in their properties, and of another in their sheet.

true:  `species: Wood Elf`  …  "She is a soft-spoken half-elf."
true:  `race: Dwarf`  …  **Race**: Gnome
false: `species: Elf`  …  "Her father is a half-elf." "She is a Wood Elf."
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from writeros_entities import Evidence, Finding, Scene, Story, StoryEntity

from .people import People

_KEYS = frozenset({"ancestry", "heritage", "race", "species"})
_WORD = re.compile(r"[^\W\d_]+")
_SEVERAL = re.compile(r"[/,;&+?]|\b(?:and|or)\b", re.IGNORECASE)
"""Matches in a value that is not one species."""
_IS = r"(?:(?:is|was|am)|[^\W\d_]['’][ms])\s+an?\s+(?:[\w-]+,?\s+){0,3}?"
_LINE = r"\A\W*(?:an?\s+)?"
_HALF = frozenset({"half", "quarter"})
"""Words for what is not wholly so; others before a species say more of it: "a Wood Elf"."""
_SHORTEST = 3
"""Letters of the shortest word that is a species' own."""

DIFFERING = 0.65


def species_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield people whose species is told in two ways by their notes: one finding for each."""
    for person in story.people:
        stated = [
            (one.value, one.evidence)
            for one in person.properties
            if one.key in _KEYS and not _SEVERAL.search(one.value) and _WORD.search(one.value)
        ]
        for value, evidence in stated[:1]:
            other = _other_value(value, stated[1:]) or _told(story, people, person, value)
            if other:
                message = f"{person.name}: {value}, and {other[0]}."
                proofs = (evidence, other[1])
                yield Finding("species", message, proofs, DIFFERING, (person.id,), "error")


def _other_value(value: str, stated: list[tuple[str, Evidence]]) -> tuple[str, Evidence] | None:
    """Return a later value of the same label that has no word of the first."""
    own = set(_words(value))
    return next((one for one in stated if own.isdisjoint(_words(one[0]))), None)


def _told(
    story: Story, people: People, person: StoryEntity, value: str
) -> tuple[str, Evidence] | None:
    """Return the species of a person's sheet that is another of the same stem: a half-elf, no elf.

    Two words with a hyphen are one species, and so are two that have capitals.
    """
    own = _words(value)
    if len(own[-1]) < _SHORTEST:
        return None
    stem = re.escape(own[-1])
    pattern = re.compile(
        rf"(?:{_IS}|{_LINE})(?P<kind>(?P<what>[^\W\d_]+)(?:-{stem}|\s+{stem}))\b(?!['’])", re.I
    )
    for scene in story.sections:
        if scene.subject == person.id:
            for found, evidence in _matches(people, scene, pattern):
                what = found["what"].casefold()
                is_one = "-" in found["kind"] or found["kind"].istitle()
                is_other = len(own) > 1 or what in _HALF
                if is_one and is_other and what not in own:
                    return found["kind"], evidence
    return None


def _matches(
    people: People, scene: Scene, pattern: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], Evidence]]:
    """Yield where a section says something of its subject alone."""
    for sentence in scene.sentences:
        names = {name.entity for name in people.names_in(sentence)}
        if not sentence.is_row and names <= {scene.subject}:
            found = pattern.search(sentence.narration)
            if found:
                yield found, sentence.evidence


def _words(value: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(value)]
