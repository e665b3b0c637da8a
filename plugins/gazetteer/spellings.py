"""What a name's spelling requires of a text, and which names a surface stands for in its context.

The same surface (`Spelling`) occurs often, but in few different contexts (`Circumstances`). So its
candidates in each of them (`Verdict`) are computed once, for all names that are spelled alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import NamedTuple

from writeros_entities import Candidate, Name

PLURAL = 0.5
"""The factor on a name's weight for its plural."""

HYPHENATED = 0.5
"""The factor for a one-word name inside a hyphenated one: "Anne" in "Anne-Marie"."""

SURE = 0.8
"""The weight from which a name found in a note supports weaker names of the same entity."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The requirements of a name's spelling, which all who are called so share.

    `capitals` are the indexes of letters that should be capitals, of a thing's own name of several
    words (`may_be_lower`) unless it has none: "blood root" for "Blood Root". `plural` is the ending
    of the plural for all who share the name ("the Marrows"), or "" if there is none.
    """

    plain: str
    kind: str
    exact: bool
    capitals: tuple[int, ...]
    plural: str
    is_acronym: bool
    is_common: bool
    needs_link: bool
    is_person: bool = False
    may_be_lower: bool = False

    @property
    def is_part(self) -> bool:
        """Whether this is one word of a longer name, which others may share."""
        return self.kind == "derived" and (" " not in self.plain or self.is_head_noun)

    @property
    def is_head_noun(self) -> bool:
        """Whether this is the noun for a group in a longer name: "the Bureau"."""
        return (
            self.kind == "derived"
            and self.plain.startswith("the ")
            and " " not in self.plain[len("the ") :]
        )

    @property
    def is_one_name(self) -> bool:
        """Whether this is a capitalised word without a hyphen."""
        return bool(self.capitals) and " " not in self.plain and "-" not in self.plain

    @property
    def as_word(self) -> str:
        """The word that a one-word name would be in lower case; "" for other names."""
        word = self.plain
        is_capitalised = word[:1].isupper() and word.isalpha()
        return word.lower() if is_capitalised and (self.is_person or not word.isupper()) else ""

    def fits_case(self, text: str) -> bool:
        """Say whether a text with the same letters has a case in which this may be written."""
        if self.exact:
            return text == self.plain
        if self.is_acronym:
            return text.isupper()
        is_written = not self.capitals or not text[self.capitals[0]].islower()
        return is_written or (self.may_be_lower and text.islower())

    def lacks_capitals(self, text: str) -> bool:
        """Say whether only the first of several capitals is present: "Old mill" for "Old Mill"."""
        return len(self.capitals) > 1 and all(text[at].islower() for at in self.capitals[1:])


class Form(NamedTuple):
    """A name, and the candidate that it makes if the requirements of its spelling are met."""

    name: Name
    candidate: Candidate
    shape: Shape


class Circumstances(NamedTuple):
    """The context of a surface, as far as it matters for its meaning.

    `words` are those of the surface's `Spelling.words` that the note uses in lower case; they
    matter at the start of a sentence.
    """

    in_link: bool = False
    opens_sentence: bool = False
    is_beside_name: bool = False
    is_half: bool = False
    words: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """The candidates of a surface in some circumstances, and those that need more evidence.

    `named` has the entities that the surface names clearly, each with the position from which it
    does.
    """

    candidates: tuple[Candidate, ...]
    doubtful: tuple[Candidate, ...]
    named: tuple[tuple[str, float], ...]


@dataclass
class Spelling:
    """A surface as written, and the forms that it may stand for."""

    surface: str
    is_plural: bool
    forms: tuple[Form, ...]
    _verdicts: dict[tuple[object, ...], Verdict] = field(default_factory=dict)

    @cached_property
    def _shapes(self) -> tuple[Shape, ...]:
        return tuple({id(form.shape): form.shape for form in self.forms}.values())

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words that make a name doubtful if the note uses them in lower case."""
        return tuple({shape.as_word: None for shape in self._shapes if shape.as_word})

    @cached_property
    def may_open_sentence(self) -> bool:
        """Whether it matters that a sentence starts here."""
        return bool(self.words) or any(shape.lacks_capitals(self.surface) for shape in self._shapes)

    @cached_property
    def has_part(self) -> bool:
        """Whether it matters that another name directly precedes or follows."""
        return any(shape.is_part for shape in self._shapes)

    @cached_property
    def has_head_noun(self) -> bool:
        """Whether it matters that "of" follows."""
        return any(shape.is_head_noun for shape in self._shapes)

    @cached_property
    def may_be_titled(self) -> bool:
        """Whether a title before it would belong to the name."""
        return not self.is_plural and any(shape.is_person for shape in self._shapes)

    @cached_property
    def may_be_half(self) -> bool:
        """Whether it matters that a hyphen joins it to another name."""
        return not self.is_plural and any(shape.is_one_name for shape in self._shapes)

    @cached_property
    def stands_alone(self) -> bool:
        """Whether nothing in its context matters except a link."""
        return not (self.may_open_sentence or self.has_part or self.may_be_half)

    def judge(
        self,
        in_link: bool = False,
        opens_sentence: bool = False,
        is_beside_name: bool = False,
        is_half: bool = False,
        words: tuple[str, ...] = (),
    ) -> Verdict:
        """Return what the surface stands for in these `Circumstances`; cached."""
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
            if form.shape.needs_link and not here.in_link:
                continue
            is_word_here = here.opens_sentence and form.shape.as_word in here.words
            if here.is_beside_name and form.shape.is_part:
                continue
            if (form.shape.is_common or is_word_here) and not here.in_link:
                doubtful.append(self._candidate(form, here))
            elif not (here.opens_sentence and form.shape.lacks_capitals(self.surface)):
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
        if here.is_half and form.shape.is_one_name:
            reason = "part of a hyphenated name"
            score = name.weight * HYPHENATED
            return Candidate(name.entity, score, name.kind, name.form, name.known_from, (reason,))
        return form.candidate


def best(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the best candidate of each entity, by descending score.

    Among candidates of one entity, the one known earliest is the best, then the one with the
    highest score: a name learned late must not replace one that an earlier reader already knows.
    """
    chosen: dict[str, Candidate] = {}
    for candidate in candidates:
        known = chosen.get(candidate.entity)
        if known is None or _rank(candidate) < _rank(known):
            chosen[candidate.entity] = candidate
    return ranked(chosen.values())


def ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates of different entities in the order in which a mention lists them."""
    return tuple(sorted(candidates, key=lambda each: (-each.score, each.entity)))


def position(known_from: int | None) -> float:
    """Return a reading position as a number: infinity for None, which is never reached."""
    return inf if known_from is None else known_from


def _rank(candidate: Candidate) -> tuple[float, float]:
    return position(candidate.known_from), -candidate.score
