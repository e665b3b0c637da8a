"""A page with its clauses as it is stored: without the words of the note, which are at hand.

stored = pack_page(page, note.text)
unpack_page(stored, note.text) == page
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator, Sequence
from itertools import islice, starmap
from typing import NamedTuple, TypeVar, get_args

from writeros_entities.language.marks import Table, pack, unpack
from writeros_entities.values.notes import Span
from writeros_entities.values.pages import (
    Line,
    LineKind,
    Page,
    PageSentence,
    Word,
    WordClass,
    WordForm,
    WordRole,
)

Key = TypeVar("Key")

_FILTERS = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0}]
"""Columns of small numbers, in which what a byte is does not depend on the one before."""

_KNOWN = 0
"""Stands for the reading that the word had before."""

_LINES: tuple[LineKind, ...] = get_args(LineKind)
_CLASSES: tuple[WordClass, ...] = get_args(WordClass)
_ROLES: tuple[WordRole, ...] = get_args(WordRole)
_FORMS: tuple[WordForm, ...] = get_args(WordForm)
_WORD = re.compile(r"\w+(?:[’'-]\w+)*")

VERSION = "3"
"""Increased whenever pages of the same text are read, or stored, in another way."""


def pack_page(page: Page, text: str) -> bytes:
    """Return a page as it is stored, given the text of its note."""
    names: _Numbers[str] = _Numbers()
    cases: _Numbers[str] = _Numbers()
    readings: _Numbers[_Reading] = _Numbers()
    lines, sentences, words = [], [], []
    known: dict[str, _Reading] = {}
    last = spoken = 0
    for line in page.lines:
        value = line.value or Span(line.end, line.end)
        lines.append(
            (
                *(line.start - last, line.end - line.start, _LINES.index(line.kind), line.depth),
                *(names[line.label], names[line.header], line.first, len(line.sentences)),
                *(line.value is not None, value.start - line.start, value.end - value.start),
            )
        )
        last = line.end
        for one in line.sentences:
            flags = one.is_fragment | one.asks << 1 | one.is_speech << 2
            sentences.append((one.start - line.start, one.end - one.start, flags, len(one.words)))
            for at, word in enumerate(one.words):
                start, end = _next(text, spoken)
                written = text[word.start : word.end].lower()
                drop, ending = _ending(written, word.lemma)
                kind, form = _CLASSES.index(word.kind), _FORMS.index(word.form)
                reading = _Reading(kind, form, drop, names[ending])
                is_known = known.get(written) == reading
                number = _KNOWN if is_known else readings[reading] + 1
                role = _ROLES.index(word.role)
                case = cases[word.case]
                words.append(
                    (word.start - start, word.end - end, word.head - at, role, case, number)
                )
                known[written] = reading
                spoken = word.end
    texts = [page.language, str(len(cases)), *cases, *names]
    packed = pack((lines, sentences, list(readings), words), texts)
    return lzma.compress(packed, lzma.FORMAT_RAW, filters=_FILTERS)


class _Reading(NamedTuple):
    """What a word is said to be, in numbers; it is often the same as where it stood before."""

    kind: int
    form: int
    drop: int
    ending: int


class _Numbers(dict[Key, int]):
    """Numbers what it is asked for, in that order."""

    def __missing__(self, key: Key) -> int:
        return self.setdefault(key, len(self))


def _next(text: str, start: int) -> tuple[int, int]:
    """Return where the next word of a text is, by its letters alone."""
    found = _WORD.search(text, start)
    return found.span() if found else (start, start)


def _ending(written: str, lemma: str) -> tuple[int, str]:
    """Return how many letters of a word its lemma drops, and what it adds."""
    same = next(
        (at for at, pair in enumerate(zip(written, lemma, strict=False)) if pair[0] != pair[1]),
        min(len(written), len(lemma)),
    )
    return len(written) - same, lemma[same:]


def unpack_page(stored: bytes, text: str) -> Page:
    """Return a page that was stored with its clauses, given the text of its note."""
    (lines, sentences, readings, words), (language, number, *names) = unpack(
        lzma.decompress(stored, lzma.FORMAT_RAW, filters=_FILTERS)
    )
    cases, names = names[: int(number)], names[int(number) :]
    read_words = _words(words, list(starmap(_Reading, readings)), cases, names, text)
    read = iter(sentences)
    found = []
    last = 0
    for gap, length, kind, depth, label, header, first, count, has_value, value, size in lines:
        start = last + gap
        last = start + length
        span = Span(start + value, start + value + size) if has_value else None
        told = tuple(
            PageSentence(
                start + begin,
                start + begin + long,
                tuple(
                    word._replace(head=at + word.head)
                    for at, word in enumerate(islice(read_words, number))
                ),
                bool(flags & 1),
                bool(flags & 2),
                bool(flags & 4),
            )
            for begin, long, flags, number in islice(read, count)
        )
        titled = names[label], span, names[header]
        found.append(Line(_LINES[kind], start, last, depth, *titled, first, told))
    return Page(language, tuple(found), has_clauses=True)


def _words(
    table: Table,
    readings: Sequence[_Reading],
    cases: Sequence[str],
    names: Sequence[str],
    text: str,
) -> Iterator[Word]:
    """Yield words; for a head, each has how far it is from the word."""
    known: dict[str, _Reading] = {}
    last = 0
    for to_start, to_end, head, role, case, number in table:
        start, end = _next(text, last)
        start, last = start + to_start, end + to_end
        written = text[start:last].lower()
        one = known[written] if number == _KNOWN else readings[number - 1]
        known[written] = one
        lemma = written[: len(written) - one.drop] + names[one.ending]
        kind, form = _CLASSES[one.kind], _FORMS[one.form]
        yield Word(start, last, lemma, kind, _ROLES[role], head, cases[case], form)
