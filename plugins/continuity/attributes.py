"""Find conflicts in what does not change by itself: eyes, hair, sides of the body, species, gender,
titles, kin.

true:  a note says "Grey eyes."  …  "Her green eyes shone."  (hers, by the sentence before)
false: "Grey eyes."  …  "He turned his green eyes on Ann."
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from writeros_entities import Finding, Story

from .genders import gender_conflicts
from .kin import impossible_families, kin_conflicts
from .people import People
from .species import species_conflicts
from .titles import title_conflicts
from .traits import Trait, read_traits

CERTAIN = 0.8
SIDES = 0.7


def check(story: Story) -> Iterable[Finding]:
    """Return attributes that differ from their first statement."""
    people = People(story)
    yield from _differing(story, read_traits(story, people))
    yield from title_conflicts(story, people)
    yield from kin_conflicts(story, people)
    yield from impossible_families(story, people)
    yield from gender_conflicts(story, people)
    yield from species_conflicts(story, people)


def _differing(story: Story, traits: Iterable[Trait]) -> Iterator[Finding]:
    told: dict[tuple[str, str], list[Trait]] = defaultdict(list)
    for trait in traits:
        told[trait.person, trait.what].append(trait)
    for (person, what), found in told.items():
        first = found[0]
        for other in found[1:]:
            if not first.agrees(other):
                name = story.entities[person].name
                message = f"{name}: {what} {first.value}, and {other.value}."
                proofs = (first.evidence, other.evidence)
                confidence = CERTAIN if what in ("eyes", "hair") else SIDES
                yield Finding(other.code, message, proofs, confidence, (person,), "error")
