"""Find conflicts in what does not change by itself: eyes, hair, sides of the body, species, gender,
titles, kin.

true:  a note says "Grey eyes."  …  "Her green eyes shone."  (hers, by the sentence before)
false: "Grey eyes."  …  "He turned his green eyes on Ann."

Find people who are of one species in their properties, and of another in their sheet.

true:  `species: Wood Elf`  …  "She is a soft-spoken half-elf."
true:  `race: Dwarf`  …  **Race**: Gnome
false: `species: Elf`  …  "Her father is a half-elf." "She is a Wood Elf."

Find conflicting kinship: who is whose sister, mother or uncle, and families that cannot be.

true:  a note says that Mara is Ann's mother; a chapter, that Mara is Ann's aunt
true:  Ann is Bo's mother, Bo is Cy's father, and Cy is Ann's; or Ann is the child of three
false: a cousin whom somebody marries; what a character says: "Mara shall be my aunt," said Ann
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from writeros_entities import Evidence, Finding, Scene, Story, StoryEntity, StoryRelation

from .genders import gender_conflicts
from .people import People
from .titles import title_conflicts
from .traits import Trait, read_traits

_INVERSE = {
    "parent": "child",
    "child": "parent",
    "grandparent": "grandchild",
    "grandchild": "grandparent",
    "aunt or uncle": "nephew or niece",
    "nephew or niece": "aunt or uncle",
}
_RELATIONS = {
    "parent_of": "parent",
    "sibling_of": "sibling",
    "spouse_of": "spouse",
    "grandparent_of": "grandparent",
    "cousin_of": "cousin",
    "aunt_or_uncle_of": "aunt or uncle",
}
"""The kinship that each relation kind states; of a pair of inverse kinds the index stores one."""
_BOTH = frozenset({"cousin", "spouse"})
"""Kinds that may hold of the same two people."""
OF_KIN = 0.75
PROBABLE = 0.6
MOST_PARENTS = 2


@dataclass(frozen=True, slots=True)
class Kinship:
    """A statement that `one` is the `kind` of `other`."""

    one: str
    other: str
    kind: str
    evidence: Evidence


def kin_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield kinships of the same two people that exclude each other."""
    told: dict[tuple[str, str], list[Kinship]] = defaultdict(list)
    order = {entity: number for number, entity in enumerate(story.entities)}
    for kinship in _kinships(story, people):
        pair = (kinship.one, kinship.other)
        if order[pair[0]] > order[pair[1]]:
            kind = _INVERSE.get(kinship.kind, kinship.kind)
            pair = (pair[1], pair[0])
            kinship = Kinship(*pair, kind, kinship.evidence)
        told[pair].append(kinship)
    for pair, found in told.items():
        counts: dict[str, int] = defaultdict(int)
        for one in found:
            counts[one.kind] += 1
        usual = max(counts, key=lambda kind: counts[kind])
        first = next(one for one in found if one.kind == usual)
        shown: set[str] = set()
        for one in found:
            if one.kind != usual and one.kind not in shown and {one.kind, usual} != _BOTH:
                shown.add(one.kind)
                names = [story.entities[entity].name for entity in pair]
                message = (
                    f"{names[0]} is {names[1]}'s {first.kind} in one place, and {one.kind} in "
                    "another."
                )
                proofs = (first.evidence, one.evidence)
                yield Finding("kin", message, proofs, OF_KIN, pair, "error")


def impossible_families(story: Story, people: People) -> Iterator[Finding]:
    """Yield who is an own ancestor, and who has three parents that are not by adoption."""
    parents: dict[str, dict[str, Evidence]] = defaultdict(dict)
    for one in _kinships(story, people):
        if one.kind == "parent":
            parents[one.other].setdefault(one.one, one.evidence)
    names = {person: story.entities[person].name for person in people.by_id}
    for child, found in parents.items():
        if len(found) > MOST_PARENTS:
            told = ", ".join(names[one] for one in found)
            message = f"{names[child]} has {len(found)} parents: {told}."
            ids = (child, *found)
            yield Finding("kin", message, tuple(found.values()), PROBABLE, ids, "warning")
    known: set[frozenset[str]] = set()
    for person in parents:
        circle = _circle(person, parents)
        if len(circle) > 2 and frozenset(circle) not in known:
            known.add(frozenset(circle))
            pairs = list(zip(circle, (*circle[1:], circle[0]), strict=True))
            told = ", ".join(f"{names[two]} is a parent of {names[one]}" for one, two in pairs)
            message = f"{names[person]} is an ancestor of her or his own: {told}."
            proofs = tuple(parents[one][two] for one, two in pairs)
            yield Finding("kin", message, proofs, OF_KIN, tuple(circle), "error")


def _circle(person: str, parents: Mapping[str, Mapping[str, Evidence]]) -> list[str]:
    """Return the shortest way from somebody up to herself, without its end; empty if there is none.

    A pair of whom each is the other's parent is a conflict of two statements.
    """
    ways = [[person]]
    seen = {person}
    while ways:
        longer = []
        for way in ways:
            for parent in parents.get(way[-1], ()):
                if parent == person:
                    return way
                if parent not in seen:
                    seen.add(parent)
                    longer.append([*way, parent])
        ways = longer
    return []


def _kinships(story: Story, people: People) -> Iterator[Kinship]:
    manuscript = _by_path(story.scenes)
    for one in story.relations:
        kind = _RELATIONS.get(one.kind)
        is_of_people = one.source in people.by_id and one.target in people.by_id
        if kind and is_of_people and not _is_spoken(one, manuscript):
            yield Kinship(one.source, one.target, kind, one.evidence)


def _by_path(scenes: Iterable[Scene]) -> dict[str, list[Scene]]:
    found: dict[str, list[Scene]] = defaultdict(list)
    for scene in scenes:
        found[scene.path].append(scene)
    return found


def _is_spoken(relation: StoryRelation, manuscript: Mapping[str, list[Scene]]) -> bool:
    """Say whether only characters state a relation, who may hope, joke or lie."""
    proof = relation.evidence
    for scene in manuscript.get(proof.path, ()):
        for sentence in scene.sentences:
            if sentence.evidence.start < proof.end and proof.start < sentence.evidence.end:
                pair = (relation.source, relation.target)
                named = [name.is_spoken for name in sentence.names if name.entity in pair]
                return bool(named) and all(named)
    return False


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
