"""Find the forms of a lexicon in a folded text, at word boundaries and in the right case."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from writeros_entities import (
    Candidate,
    Folded,
    Lexicon,
    LexiconEntity,
    Name,
    fold,
    fold_form,
    is_boundary,
    is_unspaced,
    pieces,
)

from ..english import ARTICLES, COMMON_WORDS, PARTICLES
from .spellings import Form, Shape, Spelling, position

_WORD_START = re.compile(r"(?:(?<=[\s\-(])|^)[^\W\d_]")
_ES_PLURAL = re.compile(r"(?:[sxz]|[cs]h)$")
_LONGEST_ACRONYM = 5
_OWN = ("name", "alias")
_SMALL_WORDS = ARTICLES | PARTICLES
PERSON = "person"
_SHORTEST_SPOKEN = 3
_SHORTEST_LOWER = 3
"""Fewest letters of the words of a name that may be in lower case, unlike those of "City A"."""

_MOST_SPELLINGS = 100_000
"""How many spellings are cached: variants of names in capitals are unbounded."""


Hit: TypeAlias = tuple[int, int, Spelling]
"""The start and end of an occurrence in a folded text, and its spelling."""

_by_end = itemgetter(1, 0)


class Opening(NamedTuple):
    """The lengths of the forms that begin with a piece of text, and those of the forms of which it
    is the plural, each with its ending.
    """

    lengths: tuple[int, ...]
    plurals: tuple[tuple[int, str], ...]


@dataclass(slots=True)
class Spellings:
    """What has been learnt of a lexicon's names so far; it does not hold the lexicon.

    The opening of a piece with which no form begins is None, as is that of most.
    """

    openings: dict[str, Opening | None] = field(default_factory=dict)
    forms: dict[str, tuple[Form, ...]] = field(default_factory=dict)
    shapes: dict[tuple[str, str, bool, bool, bool], Shape] = field(default_factory=dict)
    known: dict[tuple[str, str, str], Spelling] = field(default_factory=dict)


class Gazetteer:
    """Finds the forms of a lexicon in texts; the requirements of a form's spelling are derived on
    first use.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        more_common_words: tuple[str, ...] = (),
        spellings: Spellings | None = None,
    ) -> None:
        self._lexicon = lexicon
        self._more_common = {fold_form(word) for word in more_common_words}
        self._spellings = spellings or Spellings()

    def find(self, text: Folded) -> list[Hit]:
        """Return all occurrences at word boundaries in the right case, also overlapping ones.

        They are in the order of their last characters, the longest first.
        """
        plain = text.plain
        found: list[Hit] = []
        for start, end, ending in self._places(text.folded):
            written = text.folded[start:end], plain[start:end], ending
            spelling = self._spellings.known.get(written) or self._spell(*written)
            if spelling.forms:
                found.append((start, end + len(ending), spelling))
        return found

    def _places(self, folded: str) -> list[tuple[int, int, str]]:
        """Return where forms may stand, each with the ending of the plural behind it."""
        places = []
        known = self._spellings.openings
        size = len(folded)
        for start, first_end in pieces(folded):
            first = folded[start:first_end]
            opening = known[first] if first in known else self._learn_opening(first)
            if opening is None:
                continue
            for stem, ending in opening.plurals:
                places.append((start, start + stem, ending))
            for length in opening.lengths:
                end = start + length
                if end > size:
                    break
                if is_boundary(folded, end):
                    if folded[end - 1] != " " and not _is_contracted(folded, end):
                        places.append((start, end, ""))
                elif end > first_end and (plural := _ending(folded, end)):
                    places.append((start, end, plural))
        places.sort(key=_by_end)
        return places

    def _learn_opening(self, piece: str) -> Opening | None:
        known = self._spellings.openings
        if len(known) >= _MOST_SPELLINGS:
            known.clear()
        lengths = tuple(self._lexicon.lengths(piece))
        plurals = tuple(
            (len(stem), ending)
            for ending in ("s", "es")
            if (stem := piece.removesuffix(ending)) not in ("", piece)
            and len(stem) in self._lexicon.lengths(stem)
        )
        known[piece] = Opening(lengths, plurals) if lengths or plurals else None
        return known[piece]

    def _spell(self, folded: str, surface: str, ending: str) -> Spelling:
        """Return the forms that a surface may spell, and cache them."""
        spellings = self._spellings
        forms = spellings.forms.get(folded)
        if len(spellings.known) >= _MOST_SPELLINGS:
            spellings.known.clear()
            spellings.forms.clear()
            spellings.shapes.clear()
        if forms is None:
            names = self._lexicon.named(folded)
            forms = tuple(self._form(name) for name in names if not self._is_of_another(name))
            spellings.forms[folded] = forms
        fitting = tuple(
            form
            for form in forms
            if form.shape.fits_case(surface) and ending in ("", form.shape.plural)
        )
        spelling = Spelling(surface, ending != "", fitting)
        spellings.known[folded, surface, ending] = spelling
        return spelling

    def _is_of_another(self, name: Name) -> bool:
        """Say whether a part of an entity's name is none by itself, as the name tells of another.

        If there is a Lise, "de Lise" is no short name of "Ami de Lise"; and if she is a person,
        no part of "Cuisinier de Lise" is one.
        """
        if name.kind != "derived":
            return False
        first, _, rest = name.form.partition(" ")
        if first.islower() and first in PARTICLES and self._others(rest, name):
            return True
        entity = self._lexicon.entities.get(name.entity)
        words = entity.name.split() if entity is not None else []
        return any(
            other.type == PERSON
            for at in range(2, len(words))
            if words[at - 1] in PARTICLES
            for other in self._others(" ".join(words[at:]), name)
        )

    def _others(self, form: str, name: Name) -> list[LexiconEntity]:
        """Return the other entities that have a form as their own name, known with another name."""
        known = self._lexicon.entities
        return [
            known[other.entity]
            for other in self._lexicon.named(fold_form(form))
            if other.kind in _OWN
            and other.entity != name.entity
            and other.entity in known
            and position(other.known_from) <= position(name.known_from)
        ]

    def _form(self, name: Name) -> Form:
        entity = self._lexicon.entities.get(name.entity)
        is_person = entity is not None and entity.type == PERSON
        is_thing = (
            entity is not None and not is_person and entity.status == "noted" and name.kind in _OWN
        )
        written = name.form, name.kind, name.exact, is_person, is_thing
        shapes = self._spellings.shapes
        shape = shapes.get(written)
        if shape is None:
            shape = shapes[written] = self._shape(*written)
        return Form(
            name,
            Candidate(name.entity, name.weight, name.kind, name.form, name.known_from),
            shape,
        )

    def _shape(self, form: str, kind: str, exact: bool, is_person: bool, is_thing: bool) -> Shape:
        plain = fold(form).plain.strip()
        words = plain.split(" ")
        any_case = kind == "surface_form" and not exact
        capitals = () if any_case else _capitals(plain, is_person=is_person)
        is_acronym = (
            plain.isupper()
            and 1 < len(plain) <= _LONGEST_ACRONYM
            and plain.isalpha()
            and not any_case
            and not (is_person and self._is_spoken(plain))
        )
        may_be_plural = not (is_acronym or exact or kind in ("link_text", "surface_form"))
        return Shape(
            plain,
            kind,
            exact,
            capitals,
            plural=_plural(plain, words, is_person=is_person) if may_be_plural else "",
            is_acronym=is_acronym,
            is_common=(
                len(words) == 1
                and bool(capitals)
                and not is_acronym
                and not exact
                and self._is_common(fold_form(plain))
            ),
            needs_link=not any(map(str.isalpha, plain))
            or (kind == "link_text" and (plain[:1].islower() or words[0].lower() in ARTICLES)),
            is_person=is_person,
            may_be_lower=is_thing and _are_several(words),
        )

    def _is_common(self, word: str) -> bool:
        return word in COMMON_WORDS or word in self._more_common

    def _is_spoken(self, acronym: str) -> bool:
        """Say whether a person's acronym is pronounced, and so may be written, as a name: ARIA,
        Aria.
        """
        return len(acronym) >= _SHORTEST_SPOKEN and not self._is_common(fold_form(acronym))


def _are_several(words: list[str]) -> bool:
    """Say whether a name has two words or more besides articles and the like."""
    named = [
        word for word in words if len(word) >= _SHORTEST_LOWER and word.lower() not in _SMALL_WORDS
    ]
    return len(named) > 1


def _plural(plain: str, words: list[str], *, is_person: bool) -> str:
    if (
        not words[-1][:1].isupper()
        or not plain[-1].isalpha()
        or (len(words) > 1 and is_person)
        or is_unspaced(plain[-1])
    ):
        return ""
    return "es" if _ES_PLURAL.search(plain) else "s"


def _ending(folded: str, end: int) -> str | None:
    """Return the plural ending between a form and the next boundary, or None if there is none."""
    for ending in ("s", "es"):
        if folded.startswith(ending, end) and is_boundary(folded, end + len(ending)):
            return ending
    return None


def _is_contracted(folded: str, end: int) -> bool:
    """Say whether a word ends in "'t": "can't" is not "can"."""
    return folded.startswith("'t", end) and is_boundary(folded, end + 2)


def _capitals(plain: str, *, is_person: bool = False) -> tuple[int, ...]:
    """Return the indexes of the letters that must be capitals; those of small words are exempt.

    For people, those after a hyphen are exempt too: "Mei-Ling" is also written "Mei-ling".
    """
    starts = [match.start() for match in _WORD_START.finditer(plain)]
    capital = [start for start in starts if plain[start].isupper()]
    significant = [
        start
        for start in capital
        if plain[start:].split(" ", 1)[0].lower() not in PARTICLES
        and not (is_person and capital[0] < start and plain[start - 1] == "-")
    ]
    if significant and capital[0] != starts[0]:
        return tuple(significant)
    return tuple(significant or capital)
