"""Parse a query into terms.

    read_query('who walks "salt road" har*')

returns `walks` with all its English inflections, a phrase, and a prefix; `who` is a stop word. Text
in a script without spaces is split into overlapping pieces. The only operators are quotes and a
star at the end of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from writeros_entities.language.inflections import STOP_WORDS, inflections
from writeros_entities.names import is_spaced_script
from writeros_entities.store.words import Term, words

MOST_TERMS = 32
"""How many terms of a query, from its start, are looked up."""

LEAST_BEGINNING = 2
"""The fewest letters in a prefix: a single letter begins too many words."""

SIGNS_OF_A_PIECE = 2
LETTERS_OF_A_PIECE = 4
"""Characters in a piece: in scripts whose characters are words or syllables, and in Thai and the
like.
"""

_PART = re.compile(r'"([^"]*)"?|“([^”]*)”?|[^\s"“”/\\|:;,!?()\[\]{}<>=+&…–—]+')
"""Matches a phrase in quotes, or a word including inner punctuation such as apostrophes."""

_FIRST_SIGN = "\u3040"


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term and how the query spells it."""

    shown: str
    term: Term

    @property
    def as_asked(self) -> Term:
        """The term without other forms of its word."""
        return Term(((self.shown,),)) if len(self.term.phrases) > 1 else self.term


def read_query(query: str) -> tuple[QueryTerm, ...]:
    """Return the terms of a query, in order, without repeats.

    Stop words (`the`, `who`) are left out, unless the query has nothing else.
    """
    found: dict[Term, str] = {}
    fallback: dict[Term, str] = {}
    for shown, term, is_telling in _terms(query):
        chosen = found if is_telling else fallback
        if len(chosen) < MOST_TERMS:
            chosen.setdefault(term, shown)
    return tuple(QueryTerm(shown, term) for term, shown in (found or fallback).items())


def without_names(terms: Sequence[QueryTerm], names: Iterable[str]) -> Sequence[QueryTerm]:
    """Return the terms that are not part of a name, or all of them if no others remain.

    Quoted phrases and prefixes are always kept: they ask for exact letters.
    """
    called = [frozenset(words(name)) for name in names]
    others = [one for one in terms if not any(_is_part(one, name) for name in called)]
    return others or terms


def _is_part(one: QueryTerm, name: frozenset[str]) -> bool:
    cut = words(one.shown)
    is_word = bool(cut) and not one.term.is_beginning and not one.shown.startswith('"')
    return is_word and name.issuperset(cut)


def _terms(query: str) -> Iterator[tuple[str, Term, bool]]:
    for part in _PART.finditer(query):
        quoted = part[1] if part[1] is not None else part[2]
        text = quoted if quoted is not None else part[0]
        if not is_spaced_script(text):
            yield from _pieces(text)
            continue
        cut = words(text)
        if not cut:
            continue
        if quoted is not None:
            yield f'"{" ".join(cut)}"', Term((cut,)), True
        elif part[0].endswith("*") and len(cut[-1]) >= LEAST_BEGINNING:
            yield f"{' '.join(cut)}*", Term((cut,), is_beginning=True), True
        elif len(cut) == 1:
            yield cut[0], Term(inflections(cut[0])), cut[0] not in STOP_WORDS
        else:
            yield from _compound(cut)


def _compound(cut: tuple[str, ...]) -> Iterator[tuple[str, Term, bool]]:
    """Yield the term of a word that has several tokens: `O'Dara's`, `half-light`, `Vane's`."""
    if cut[-1] in ("s", "t", "d", "ll", "re", "ve", "m"):
        cut = cut[:-1]
    if len(cut) == 1:
        yield cut[0], Term(inflections(cut[0])), cut[0] not in STOP_WORDS
    else:
        yield " ".join(cut), Term((cut,)), True


def _pieces(text: str) -> Iterator[tuple[str, Term, bool]]:
    for run in re.findall(r"[^\W_]+", text):
        size = SIGNS_OF_A_PIECE if run[0] >= _FIRST_SIGN else LETTERS_OF_A_PIECE
        for start in range(max(1, len(run) - size + 1)):
            piece = run[start : start + size]
            yield piece, Term(piece=piece), True
