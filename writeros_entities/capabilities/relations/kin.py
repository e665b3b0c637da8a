"""What is told of a family, and what kin is called in a language.

    told = read_family(view, [ada], steps=6)
    kin = told.family.kin_of(ada)[tom][0]
    KinNames(plugins, "en").word(kin, told.genders.get(tom))      # "first cousin once removed"

Ties are read from the relations that the vault asserts, from somebody outwards. The words by which
they are told say how they hold (`stepmother`, `half-brother`, `ex-wife`) and who is a woman or man.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.graph.kinship import Family, Kin, Tie, Way
from writeros_entities.properties import GENDER_KEYS, read_gender

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.plugins import Plugins
    from writeros_entities.story.asserted import EvidenceRow, RelationRow
    from writeros_entities.values import Gender
    from writeros_entities.view import View

MOST_PEOPLE = 1_000
"""Most people of a family that are read."""

KIN_KINDS: Mapping[str, str] = {
    **{one: f"{one}_of" for one in ("parent", "child", "sibling", "spouse", "cousin")},
    **{one: f"{one}_of" for one in ("grandparent", "grandchild", "sibling_in_law")},
    **{one: f"{one}_of" for one in ("aunt_or_uncle", "niece_or_nephew")},
    **{one: f"{one}_of" for one in ("parent_in_law", "child_in_law")},
    **dict.fromkeys(("step_parent", "step_child", "step_sibling"), "relative_of"),
    **dict.fromkeys(("grandparent_in_law", "grandchild_in_law"), "relative_of"),
}
"""The kind of relation that each sort of kin is, nearest."""

KIN_STEPS = 6
"""Most steps between two from which kin is derived: as many as to a second cousin."""

_EVIDENCE = 3
_KINDS = frozenset({"parent_of", "sibling_of", "spouse_of", "guardian_of"})
_PROSE = "words: "
"""Begins the key of a statement in prose, which has its words behind."""

_PART = re.compile(r"(?:degree|removed)\b")


@dataclass(frozen=True)
class ToldFamily:
    """The people around somebody: their ties, their genders as far as they are told, and how sure
    each statement is, in 0-1.
    """

    family: Family[int]
    genders: Mapping[int, Gender]
    sureness: Mapping[int, float]

    def derived(self, one: int, of: int, stated: Collection[str]) -> list[Kin[int]]:
        """Return what kin somebody is to another by what is told of others.

        What is `stated` of the two, by kinds of relation, is left out.
        """
        kin = self.family.kin_of(of).get(one, [])
        return [each for each in kin if not each.is_stated and KIN_KINDS[each.code] not in stated]


def read_family(view: View, entity_ids: Iterable[int], steps: int) -> ToldFamily:
    """Return what is told of the family of some people, at most so many steps away."""
    from writeros_entities.story.asserted import evidence_of, load_relations

    people, frontier = set(entity_ids), set(entity_ids)
    rows: dict[int, RelationRow] = {}
    while frontier and steps and len(people) < MOST_PEOPLE:
        found = [one for one in load_relations(view, frontier) if one.kind in _KINDS]
        rows.update((one.id, one) for one in found)
        frontier = {end for one in found for end in (one.source_id, one.target_id)} - people
        people |= frontier
        steps -= 1
    if not rows:
        return ToldFamily(Family(()), {}, {})
    evidence = evidence_of(view, rows, _EVIDENCE)
    words = _read_words(view.plugins.words)
    ties = list(_ties(view, list(rows.values()), evidence, words))
    told = {end for tie in ties for end in (tie.one, tie.other)}
    genders = _genders(view, rows, evidence, words, told)
    return ToldFamily(Family(ties), genders, {one.id: one.confidence for one in rows.values()})


def _ties(
    view: View,
    rows: Sequence[RelationRow],
    evidence: Mapping[int, Sequence[EvidenceRow]],
    words: _Words,
) -> Iterable[Tie[int]]:
    from writeros_entities.learning.judging import ended

    over = ended(view, [one for one in rows if one.kind == "spouse_of"])
    for row in rows:
        way = words.way(evidence.get(row.id, ()))
        if row.kind == "guardian_of":
            if way in ("adoptive", "step"):
                yield Tie(row.source_id, row.target_id, "parent", way, row.id)
        elif row.kind == "parent_of":
            yield Tie(row.source_id, row.target_id, "parent", "", row.id)
        elif row.kind == "sibling_of":
            kept: Way = way if way in ("half", "step") else ""
            yield Tie(row.source_id, row.target_id, "sibling", kept, row.id)
        else:
            is_over = row.id in over or way == "former"
            yield Tie(row.source_id, row.target_id, "spouse", "former" if is_over else "", row.id)


@dataclass(frozen=True)
class _Words:
    """The words with which kin is told, in every language."""

    ways: Mapping[str, Way]
    genders: Mapping[str, Gender]
    roles: Mapping[str, str]
    of: frozenset[str]

    def way(self, evidence: Iterable[EvidenceRow]) -> Way:
        """Return how a tie holds, by the first of its words that tells."""
        found = (self.ways.get(self.said(one.key)[0]) for one in evidence)
        return next((one for one in found if one), "")

    def said(self, key: str) -> tuple[str, bool]:
        """Return the noun of a statement, and whether it is about the note's own subject.

        `daughter of` is, and `daughter` is about the one named beside it.
        """
        words = _plain(key)
        before, _, last = words.rpartition(" ")
        return (before, True) if before and last in self.of else (words, False)

    def role(self, noun: str) -> str:
        """Return a noun as kinds of relation have it: `mother` for `Mutter`, or `is the mother`."""
        if noun not in self.roles and noun not in self.genders:
            noun = noun.rpartition(" ")[2]
        return self.roles.get(noun, noun)

    def gender(self, noun: str) -> Gender | None:
        """Return the gender that a noun tells."""
        return self.genders.get(noun) or self.genders.get(self.role(noun))


@lru_cache(maxsize=4)
def _read_words(languages: tuple[Words, ...]) -> _Words:
    """Return the words of some languages."""
    ways: dict[str, Any] = {}
    genders: dict[str, Any] = {}
    roles: dict[str, str] = {}
    for words in languages:
        ways.update((_plain(one), way) for one, way in words.kin_ways.items())
        roles.update((_plain(one), role) for one, role in words.roles.items())
        for name, code in words.kin_names.items():
            if code[-2:] in (" f", " m"):
                genders[_plain(name)] = code[-1]
    of = frozenset().union(*(words.of for words in languages))
    return _Words(ways, genders, roles, of)


def _plain(key: str) -> str:
    told = key.casefold().removeprefix(_PROSE)
    return " ".join(told.replace("-", " ").replace("_", " ").split())


def _genders(
    view: View,
    rows: Mapping[int, RelationRow],
    evidence: Mapping[int, Sequence[EvidenceRow]],
    words: _Words,
    people: Collection[int],
) -> dict[int, Gender]:
    """Return the genders of people: as their properties say, or else the words for what they are.

    A word that its kind of relation has for either of two is about the other one than the note is,
    or with "of" about that one.
    """
    entity, note = view.entity, view.note
    statement = select(entity.c.id, note.c.path, note.c.frontmatter).join(
        note, note.c.id == entity.c.note_id
    )
    stated: dict[int, Gender] = {}
    paths: dict[int, str] = {}
    for row in view.all_among(statement, entity.c.id, sorted(people)):
        paths[row.id] = row.path
        for key, value in (row.frontmatter or {}).items():
            if key.casefold() in GENDER_KEYS and (said := read_gender(value)):
                stated.setdefault(row.id, said)
    votes: dict[int, Counter[Gender]] = defaultdict(Counter)
    for relation_id, pieces in evidence.items():
        relation = rows[relation_id]
        kind = view.plugins.ontology.kind(relation.kind)
        sides = relation.source_id, relation.target_id
        for piece in pieces:
            noun, is_own = words.said(piece.key)
            gender = words.gender(noun)
            if gender is None:
                continue
            role = words.role(noun)
            ends = [_plain(one) for one in kind.inverse_roles], [_plain(one) for one in kind.roles]
            if not kind.symmetric and role in ends[0] + ends[1]:
                votes[sides[role in ends[0]]][gender] += 1
            elif piece.path in (told := [paths.get(one) for one in sides]):
                at = told.index(piece.path)
                votes[sides[at if is_own else 1 - at]][gender] += 1
    guessed = {
        one: gender
        for one, found in votes.items()
        for gender, count in found.items()
        if count * 2 > found.total()
    }
    return guessed | stated


class KinNames:
    """What kin is called in a language; what it has no word for, in English."""

    def __init__(self, plugins: Plugins, code: str) -> None:
        known = plugins.languages
        english, own = (
            {meaning: word for word, meaning in known[one].words.kin_names.items()}
            if one in known
            else {}
            for one in ("en", code)
        )
        if "form" in own:  # its parts are of one language
            english = {key: word for key, word in english.items() if not _PART.match(key)}
        self._names = english | own

    def word(self, kin: Kin[int], gender: Gender | None) -> str:
        """Return the word for what somebody is, of a gender if it is known."""
        if kin.code == "cousin":
            word = self._cousin(kin, gender)
        else:
            word = self._with_generations(kin, gender)
        if kin.code in ("aunt_or_uncle", "niece_or_nephew") and kin.is_by_marriage:
            word = self._names["by marriage"].format(kin=word)
        is_named = f"adoptive_{kin.code}" in self._names or kin.way != "adoptive"
        return word if is_named else self._names["by adoption"].format(kin=word)

    def _gendered(self, code: str, gender: Gender | None) -> str:
        return self._names.get(f"{code} {gender}") or self._names[code]

    def _with_generations(self, kin: Kin[int], gender: Gender | None) -> str:
        """Return the word with a "great-" for each generation that it does not tell."""
        own = f"{kin.way}_{kin.code}"
        far = max(kin.up, kin.down)
        code = own if kin.way and own in self._names else kin.code
        beyond = 0
        if kin.code.startswith("grand"):
            beyond = far - 2
        elif kin.code in ("aunt_or_uncle", "niece_or_nephew") and far > 2:
            code, beyond = f"great_{kin.code}", far - 3
        word = self._gendered(code, gender)
        great = self._names["great"]
        for _ in range(beyond):
            word = great + (word if great.endswith("-") else word[:1].lower() + word[1:])
        return word

    def _cousin(self, kin: Kin[int], gender: Gender | None) -> str:
        degree, removed = min(kin.up, kin.down) - 1, abs(kin.up - kin.down)
        word = self._names["form"].format(
            degree=self._numbered("degree", degree),
            cousin=self._gendered("cousin", gender),
            removed=self._numbered("removed", removed) if removed else "",
        )
        return " ".join(word.split())

    def _numbered(self, name: str, number: int) -> str:
        template = self._names.get(f"{name} {number}") or self._names.get(name, "{number}")
        return template.format(number=number)
