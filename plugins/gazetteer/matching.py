"""Find the forms of a lexicon in a folded text, at word boundaries and in the right case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

import ahocorasick

from writeros_entities import Candidate, Lexicon, Name

from ..english import ARTICLES, COMMON_WORDS, PARTICLES
from .boundaries import is_boundary, is_unspaced
from .folding import Folded, fold, fold_form, fold_forms
from .links import LinkTargets
from .spellings import Form, Spelling

_WORD_START = re.compile(r"(?:(?<=[\s\-(])|^)[^\W\d_]")
_ES_PLURAL = re.compile(r"(?:[sxz]|[cs]h)$")
_LONGEST_ACRONYM = 5
_SHORTEST_SPOKEN = 3
_MOST_SPELLINGS = 100_000
"""How many spellings are cached: variants of names in capitals are unbounded."""


_ENDS_WORD = frozenset(("", *' .,;:!?)"\0'))
"""What follows most names and certainly ends a word; other characters are examined."""

Hit: TypeAlias = tuple[int, int, Spelling]
"""The start and end of an occurrence in a folded text, and its spelling."""


class Gazetteer:
    """An Aho-Corasick automaton over all forms of a lexicon.

    It is built at once; the requirements of a form's spelling are derived on first use. It does not
    hold the lexicon, so that it can be freed with it.
    """

    def __init__(self, lexicon: Lexicon, more_common_words: tuple[str, ...] = ()) -> None:
        self._names = lexicon.names
        self._entities = lexicon.entities
        self._common = COMMON_WORDS | {fold_form(word) for word in more_common_words}
        self._groups: list[list[Name]] = []
        self._forms: list[tuple[Form, ...] | None] = []
        self._spellings: dict[tuple[int, str, str], Spelling] = {}
        self._automaton = self._build()

    @cached_property
    def targets(self) -> LinkTargets:
        """The entities to which links can point."""
        return LinkTargets(self._names, self._entities)

    def find(self, text: Folded) -> Iterator[Hit]:
        """Yield all occurrences at word boundaries in the right case, also overlapping ones."""
        if self._automaton is None:
            return
        folded, plain = text.folded, text.plain
        for last, (length, group) in self._automaton.iter(folded):
            end = last + 1
            start = end - length
            if start and folded[start - 1] != " " and not is_boundary(folded, start):
                continue
            ending = "" if folded[end : end + 1] in _ENDS_WORD else _ending(folded, end)
            if ending is None:
                continue
            written = group, plain[start:end], ending
            spelling = self._spellings.get(written) or self._spell(*written)
            if spelling.forms:
                yield start, end + len(ending), spelling

    def _build(self) -> ahocorasick.Automaton | None:
        group_of: dict[str, int] = {}
        forms = fold_forms([name.form for name in self._names])
        for name, folded in zip(self._names, forms, strict=True):
            group = group_of.setdefault(folded, len(self._groups))
            if group == len(self._groups):
                self._groups.append([name])
            else:
                self._groups[group].append(name)
        self._forms = [None] * len(self._groups)
        automaton = ahocorasick.Automaton()
        for folded, group in group_of.items():
            if folded:
                automaton.add_word(folded, (len(folded), group))
        if not len(automaton):
            return None
        automaton.make_automaton()
        return automaton

    def _spell(self, group: int, surface: str, ending: str) -> Spelling:
        """Return the forms that a surface may spell, and cache them."""
        fitting = tuple(
            form
            for form in self._forms[group] or self._analyse(group)
            if form.fits_case(surface) and ending in ("", form.plural)
        )
        if len(self._spellings) >= _MOST_SPELLINGS:
            self._spellings.clear()
        spelling = Spelling(surface, ending != "", fitting)
        self._spellings[group, surface, ending] = spelling
        return spelling

    def _analyse(self, group: int) -> tuple[Form, ...]:
        forms = tuple(self._form(name) for name in self._groups[group])
        self._forms[group] = forms
        return forms

    def _form(self, name: Name) -> Form:
        plain = fold(name.form).plain.strip()
        words = plain.split(" ")
        any_case = name.kind == "surface_form" and not name.exact
        entity = self._entities.get(name.entity)
        is_person = entity is not None and entity.type == "person"
        capitals = () if any_case else _capitals(plain, is_person=is_person)
        is_acronym = (
            plain.isupper()
            and 1 < len(plain) <= _LONGEST_ACRONYM
            and plain.isalpha()
            and not any_case
            and not (is_person and self._is_spoken(plain))
        )
        return Form(
            name,
            Candidate(name.entity, name.weight, name.kind, name.form, name.known_from),
            plain,
            capitals,
            plural="" if is_acronym else _plural(name, plain, words, is_person=is_person),
            is_acronym=is_acronym,
            is_common=(
                len(words) == 1
                and bool(capitals)
                and not is_acronym
                and not name.exact
                and fold_form(plain) in self._common
            ),
            needs_link=name.kind == "link_text"
            and (plain[:1].islower() or words[0].lower() in ARTICLES),
            is_person=is_person,
        )

    def _is_spoken(self, acronym: str) -> bool:
        """Say whether a person's acronym is pronounced, and so may be written, as a name: ARIA,
        Aria.
        """
        return len(acronym) >= _SHORTEST_SPOKEN and fold_form(acronym) not in self._common


def _plural(name: Name, plain: str, words: list[str], *, is_person: bool) -> str:
    if (
        name.exact
        or name.kind in ("link_text", "surface_form")
        or not words[-1][:1].isupper()
        or not plain[-1].isalpha()
        or (len(words) > 1 and is_person)
        or is_unspaced(plain[-1])
    ):
        return ""
    return "es" if _ES_PLURAL.search(plain) else "s"


def _ending(folded: str, end: int) -> str | None:
    """Return the plural ending after a form, "" if it ends a word, or None if it does not."""
    if is_boundary(folded, end):
        is_contraction = folded.startswith("'t", end) and is_boundary(folded, end + 2)
        return None if is_contraction else ""
    for ending in ("s", "es"):
        if folded.startswith(ending, end) and is_boundary(folded, end + len(ending)):
            return ending
    return None


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
