"""Kin that follows from kin: what somebody is to whom, by ways over parents, children and spouses.

    family = Family(ties)
    family.kin_of("Ada")["Tom"][0].code        # "cousin": the child of a sibling of a parent

A way is a word of the letters U (to a parent), D (to a child) and M (to a spouse); a sibling whose
parents are not told is UD. `RULES` says what each way makes of the one at its end, and nothing else
does. What has a step or is in law follows from a marriage that holds; who is married to a parent is
a step-parent only if two others are the parents, since it may be the other parent.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, NamedTuple, TypeVar

Person = TypeVar("Person", bound=Hashable)

Way = Literal["", "adoptive", "step", "half", "former"]
"""How a tie holds: by birth or as is told, by adoption, by marriage, by one parent, or no more."""

RULES: Mapping[str, str] = {
    "U": "parent",
    "D": "child",
    "M": "spouse",
    "U{2,}": "grandparent",
    "D{2,}": "grandchild",
    "UD": "sibling",
    "U{2,}D": "aunt_or_uncle",
    "UD{2,}": "niece_or_nephew",
    "U{2,}D{2,}": "cousin",
    "UM": "step_parent",
    "MD": "step_child",
    "UMD": "step_sibling",
    "MU": "parent_in_law",
    "DM": "child_in_law",
    "MUD|UDM": "sibling_in_law",
    "MU{2,}": "grandparent_in_law",
    "D{2,}M": "grandchild_in_law",
    "U{2,}DM": "aunt_or_uncle",
    "MUD{2,}": "niece_or_nephew",
}
"""What somebody is at the end of a way, by the way's letters."""

_CODES = tuple(RULES.values())
_RULES = re.compile("|".join(f"({way})" for way in RULES))
_FARTHEST = 7
"""Most steps up, and most steps down."""

_WORST_FIRST: tuple[Way, ...] = ("former", "adoptive", "half")
"""The ways that what follows has too, the one that counts most first."""

_BEGINNING = re.compile(rf"M?U{{0,{_FARTHEST}}}D{{0,{_FARTHEST}}}|U{{0,{_FARTHEST}}}D+M|UMD?")
_LETTERS = {
    ("parent", ""): ("U", "D"),
    ("parent", "adoptive"): ("U", "D"),
    ("parent", "step"): ("UM", "MD"),
    ("sibling", ""): ("UD", "UD"),
    ("sibling", "half"): ("UD", "UD"),
    ("sibling", "step"): ("UMD", "UMD"),
    ("spouse", ""): ("M", "M"),
    ("spouse", "former"): ("M", "M"),
}
"""The letters of a tie from the second person to the first, and back."""


@dataclass(frozen=True, slots=True)
class Tie(Generic[Person]):
    """What is stated: that `one` is the parent, sibling or spouse of `other`; and by what."""

    one: Person
    other: Person
    kind: Literal["parent", "sibling", "spouse"]
    way: Way
    statement: int


class _Step(NamedTuple, Generic[Person]):
    """A step to another person."""

    to: Person
    letters: str
    tie: Tie[Person]


@dataclass(frozen=True, slots=True)
class Kin(Generic[Person]):
    """What somebody is to another one: the rule's word, the way, and the ties that it follows from.

    `up` and `down` count the generations to the common ancestor and from there.
    """

    code: str
    letters: str
    way: Way
    ties: Sequence[Tie[Person]]

    @property
    def up(self) -> int:
        """Generations up."""
        return self.letters.count("U")

    @property
    def down(self) -> int:
        """Generations down."""
        return self.letters.count("D")

    @property
    def is_by_marriage(self) -> bool:
        """Whether it needs a marriage."""
        return "M" in self.letters and self.letters != "M"

    @property
    def is_stated(self) -> bool:
        """Whether it is stated as it is, and follows from nothing else."""
        return len(self.ties) == 1


class Family(Generic[Person]):
    """People and the ties between them."""

    def __init__(self, ties: Iterable[Tie[Person]]) -> None:
        self.ties = [one for one in ties if (one.kind, one.way) in _LETTERS]
        self._steps: dict[Person, list[_Step[Person]]] = defaultdict(list)
        for tie in self.ties:
            forth, back = _LETTERS[tie.kind, tie.way]
            self._steps[tie.other].append(_Step(tie.one, forth, tie))
            self._steps[tie.one].append(_Step(tie.other, back, tie))

    @cached_property
    def _parents(self) -> Mapping[Person, Mapping[Person, Tie[Person]]]:
        """The parents of each by birth, or as is told, each with the tie."""
        found: dict[Person, dict[Person, Tie[Person]]] = defaultdict(dict)
        for tie in self.ties:
            if tie.kind == "parent" and tie.way == "":
                found[tie.other].setdefault(tie.one, tie)
        return found

    def kin_of(self, person: Person) -> dict[Person, list[Kin[Person]]]:
        """Return what others are to somebody, the closest first; blood before marriage.

        Who is related by blood is not told to be so by marriage as well, except a spouse.
        """
        found: dict[Person, dict[str, Kin[Person]]] = defaultdict(dict)
        waiting: deque[tuple[str, tuple[Person, ...], tuple[Tie[Person], ...]]] = deque()
        waiting.append(("", (person,), ()))
        seen: set[tuple[Person, str, Person]] = set()
        while waiting:
            letters, people, ties = waiting.popleft()
            for step in self._steps.get(people[-1], ()):
                way = letters + step.letters
                if step.to in people or not _BEGINNING.fullmatch(way):
                    continue
                if letters and step.tie.way == "former":
                    continue
                mark = (step.to, way, people[-1])
                if mark in seen:
                    continue
                seen.add(mark)
                path, proofs = (*people, step.to), (*ties, step.tie)
                if step.tie.way != "former":
                    waiting.append((way, path, proofs))
                kin = self._judged(way, path, proofs)
                if kin is not None and _is_closer(kin, found[step.to].get(kin.code)):
                    found[step.to][kin.code] = kin
        return {other: _told(kinds.values()) for other, kinds in found.items() if kinds}

    def _judged(
        self, letters: str, path: Sequence[Person], ties: tuple[Tie[Person], ...]
    ) -> Kin[Person] | None:
        """Return what the last person of a path is to the first, or None if it is nothing sure."""
        found = _RULES.fullmatch(letters)
        if found is None or found.lastindex is None:
            return None
        code = _CODES[found.lastindex - 1]
        ways = {one.way for one in ties}
        if code.startswith("step"):
            others = list(self._other_parents(path, ties))
            if None in others or "adoptive" in ways:
                return None
            ties = (*ties, *(one for one in others if one is not None))
        way: Way = next((one for one in _WORST_FIRST if one in ways), "")
        if code == "sibling" and way == "":
            apart = self._parents_apart(path[0], path[-1])
            way, ties = ("half", (*ties, *apart)) if apart else (way, ties)
        return Kin(code, letters, way, ties)

    def _other_parents(
        self, path: Sequence[Person], ties: Sequence[Tie[Person]]
    ) -> Iterator[Tie[Person] | None]:
        """Yield the other parent of each child beside a marriage on a path, or None if that may be
        the one whom the parent has married.
        """
        for at, tie in enumerate(ties):
            if tie.kind != "spouse":
                continue
            one, other = path[at], path[at + 1]
            children = [(path[at - 1], one, other)] if at else []
            children += [(child, other, one) for child in path[at + 2 : at + 3]]
            for child, parent, married in children:
                parents = self._parents[child]
                known = [found for who, found in parents.items() if who != parent]
                yield known[0] if known and married not in parents else None

    def _parents_apart(self, one: Person, other: Person) -> list[Tie[Person]]:
        """Return the parents that two have apart, if they share one and of each two are known."""
        mine, others = self._parents[one], self._parents[other]
        shared = mine.keys() & others.keys()
        if len(mine) < 2 or len(others) < 2 or len(shared) != 1:
            return []
        return [tie for ties in (mine, others) for who, tie in ties.items() if who not in shared]


def _is_closer(kin: Kin[Person], known: Kin[Person] | None) -> bool:
    return known is None or _distance(kin) < _distance(known)


def _distance(kin: Kin[Person]) -> tuple[bool, bool, int, int]:
    return (kin.is_by_marriage, kin.way == "adoptive", len(kin.letters), len(kin.ties))


def _told(kinds: Collection[Kin[Person]]) -> list[Kin[Person]]:
    found = sorted(kinds, key=_distance)
    is_blood = any("M" not in one.letters for one in found)
    return [one for one in found if not (is_blood and one.is_by_marriage)]
