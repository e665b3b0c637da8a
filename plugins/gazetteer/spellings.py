"""What a name's spelling demands of a text, and which names a surface stands for where it stands.

A surface (`Spelling`) is met again and again, in a handful of circumstances; so what it says in
each of them (`Verdict`) is worked out once, for all names that are spelled alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

from writeros_entities import Candidate, Name

PLURAL = 0.5
"""How much of a name's weight its plural keeps."""

HYPHENATED = 0.5
"""How much a one-word name keeps inside a longer one: "Anne" in "Anne-Marie"."""

SURE = 0.8
"""The weight from which a name, found in a note, supports a weaker one of the same entity."""


@dataclass(frozen=True, slots=True)
class Form:
    """A name, what its spelling demands of a text, and the candidate that it makes where it fits.

    `capitals` are the offsets of letters that should be capital; `plural` is the ending that makes
    it mean the many who bear it ("the Marrows"), empty where there is no such thing.
    """

    name: Name
    candidate: Candidate
    plain: str
    capitals: tuple[int, ...]
    plural: str
    is_acronym: bool
    is_common: bool
    needs_link: bool
    is_person: bool = False

    @property
    def is_part(self) -> bool:
        """Tell whether this is one word of a longer name, which others may bear as well."""
        return self.name.kind == "derived" and (" " not in self.plain or self.is_head_noun)

    @property
    def is_head_noun(self) -> bool:
        """Tell whether this is the kind of group that a longer name tells: "the Bureau"."""
        return (
            self.name.kind == "derived"
            and self.plain.startswith("the ")
            and " " not in self.plain[len("the ") :]
        )

    @property
    def is_one_name(self) -> bool:
        """Tell whether this is a capitalised word without a hyphen."""
        return bool(self.capitals) and " " not in self.plain and "-" not in self.plain

    @property
    def as_word(self) -> str:
        """The word that a one-word name would be without its capital, empty for other names."""
        word = self.plain
        is_capitalised = word[:1].isupper() and word.isalpha()
        return word.lower() if is_capitalised and (self.is_person or not word.isupper()) else ""

    def fits_case(self, text: str) -> bool:
        """Tell whether a text of the same letters is written as this form may be written."""
        if self.name.exact:
            return text == self.plain
        if self.is_acronym:
            return text.isupper()
        return not self.capitals or not text[self.capitals[0]].islower()

    def lacks_capitals(self, text: str) -> bool:
        """Tell whether only the first of several capitals is there: "Old mill" for "Old Mill"."""
        return len(self.capitals) > 1 and all(text[at].islower() for at in self.capitals[1:])


class Circumstances(NamedTuple):
    """What is true of the place where a surface stands, as far as it matters there.

    `words` are the plain words, the same but for the capital, that the note has as well; they
    matter where a sentence begins.
    """

    in_link: bool = False
    opens_sentence: bool = False
    is_beside_name: bool = False
    is_half: bool = False
    words: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """The candidates of a surface in some circumstances, and those that need more evidence.

    `named` are the entities that the surface names plainly, each with the position since when.
    """

    candidates: tuple[Candidate, ...]
    doubtful: tuple[Candidate, ...]
    named: tuple[tuple[str, float], ...]


@dataclass
class Spelling:
    """A surface, as it is written, and the forms that it may be written for."""

    surface: str
    is_plural: bool
    forms: tuple[Form, ...]
    _verdicts: dict[tuple[object, ...], Verdict] = field(default_factory=dict)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that make a name doubtful where the note has them as such."""
        return tuple({form.as_word: None for form in self.forms if form.as_word})

    @cached_property
    def may_open_sentence(self) -> bool:
        """Tell whether it matters that a sentence begins here."""
        return bool(self.words) or any(form.lacks_capitals(self.surface) for form in self.forms)

    @cached_property
    def has_part(self) -> bool:
        """Tell whether it matters that a name stands before or behind."""
        return any(form.is_part for form in self.forms)

    @cached_property
    def has_head_noun(self) -> bool:
        """Tell whether it matters that "of" stands behind."""
        return any(form.is_head_noun for form in self.forms)

    @cached_property
    def may_be_titled(self) -> bool:
        """Tell whether a title before it would belong to it."""
        return not self.is_plural and any(form.is_person for form in self.forms)

    @cached_property
    def may_be_half(self) -> bool:
        """Tell whether it matters that a hyphen ties it to another name."""
        return not self.is_plural and any(form.is_one_name for form in self.forms)

    @cached_property
    def stands_alone(self) -> bool:
        """Tell whether nothing around it matters, but a link."""
        return not (self.may_open_sentence or self.has_part or self.may_be_half)

    def judge(
        self,
        in_link: bool = False,
        opens_sentence: bool = False,
        is_beside_name: bool = False,
        is_half: bool = False,
        words: tuple[str, ...] = (),
    ) -> Verdict:
        """Return what the surface stands for in these `Circumstances`."""
        here = in_link, opens_sentence, is_beside_name, is_half, words
        verdict = self._verdicts.get(here)
        if verdict is None:
            verdict = self._verdicts[here] = self._judge(Circumstances(*here))
        return verdict

    def _judge(self, here: Circumstances) -> Verdict:
        fitting: list[Candidate] = []
        doubtful: list[Candidate] = []
        named: list[tuple[str, float]] = []
        for form in self.forms:
            if form.needs_link and not here.in_link:
                continue
            is_word_here = here.opens_sentence and form.as_word in here.words
            if here.is_beside_name and form.is_part:
                continue
            if (form.is_common or is_word_here) and not here.in_link:
                doubtful.append(self._candidate(form, here))
            elif not (here.opens_sentence and form.lacks_capitals(self.surface)):
                fitting.append(self._candidate(form, here))
                if not self.is_plural and not here.in_link and form.name.weight >= SURE:
                    named.append((form.name.entity, position(form.name.known_from)))
        return Verdict(best(fitting), tuple(doubtful), tuple(named))

    def _candidate(self, form: Form, here: Circumstances) -> Candidate:
        name = form.name
        if self.is_plural:
            reason = f"plural of {name.form!r}"
            score = name.weight * PLURAL
            return Candidate(name.entity, score, "plural", name.form, name.known_from, (reason,))
        if here.is_half and form.is_one_name:
            reason = "part of a hyphenated name"
            score = name.weight * HYPHENATED
            return Candidate(name.entity, score, name.kind, name.form, name.known_from, (reason,))
        return form.candidate


def best(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return each entity's best candidate, the one with the highest score first.

    Of one entity's, what is known earliest is best, then what is surest: a name learned late must
    not push aside one that an earlier reader already has.
    """
    chosen: dict[str, Candidate] = {}
    for candidate in candidates:
        known = chosen.get(candidate.entity)
        if known is None or _rank(candidate) < _rank(known):
            chosen[candidate.entity] = candidate
    return ranked(chosen.values())


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates of different entities in the order in which a mention has them."""
    return tuple(sorted(candidates, key=lambda each: (-each.score, each.entity)))


def position(known_from: int | None) -> float:
    """Return a reading position that can be compared: nobody who reads on ever gets to None."""
    return inf if known_from is None else known_from


def _rank(candidate: Candidate) -> tuple[float, float]:
    return position(candidate.known_from), -candidate.score
