"""What is stored of a note's page: what its reader does not see, paragraphs, sentences, links.

    part = Part(chunk.text, chunk.start, stored)       # when a question is answered
    part.around(mention.start, mention.end)            # the sentence, as a reader sees it

All are offsets in the file, so that the marks hold for its text with comments and without. Links
become their displayed words; emphasis, list and heading marks, comments, block ids and embeds are
left out; code, tags and URLs remain.

Tables of small integers, with texts beside them, as bytes: for what is stored of a page.

unpack(pack([[(3, 9), (12, 15)], []], ["en"])) == ([[(3, 9), (12, 15)], []], ["en"])
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from operator import itemgetter, sub
from typing import Any, NamedTuple

from writeros_entities.values import UNSEEN, BlockId, Heading
from writeros_entities.values.pages import Shown

Table = Sequence[tuple[int, ...]]

_SIZES = (("b", 1 << 7), ("h", 1 << 15), ("i", 1 << 31))


def pack(tables: Sequence[Table], texts: Sequence[str] = ()) -> bytes:
    """Return tables and texts as bytes, by column, each number in as few as its column needs."""
    about: list[tuple[int, str]] = []
    columns: list[bytes] = []
    for table in tables:
        kinds = ""
        for column in zip(*table, strict=True):
            most = max(map(abs, column))
            kind = next(kind for kind, limit in _SIZES if most < limit)
            columns.append(_in_order(array(kind, column)).tobytes())
            kinds += kind
        about.append((len(table), kinds))
    head = json.dumps([about, texts], ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join([head, b"".join(columns)])


def unpack(packed: bytes) -> tuple[list[Table], list[str]]:
    """Return the tables and texts that were packed."""
    head, _, rest = packed.partition(b"\n")
    about, texts = json.loads(head)
    tables: list[Table] = []
    cursor = 0
    for length, kinds in about:
        columns: list[Sequence[int]] = []
        for kind in kinds:
            column = array(kind)
            end = cursor + length * column.itemsize
            column.frombytes(rest[cursor:end])
            cursor = end
            columns.append(_in_order(column))
        tables.append(list(zip(*columns, strict=True)))
    return tables, texts


def _in_order(numbers: array[int]) -> array[int]:
    """Return numbers with their bytes in the order in which they are stored."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


_SPACE = re.compile(r"\s")
_SPACES = re.compile(r"\s+")

_REACHING = 2
"""How many links before a place may reach beyond it: those with a link in them."""

_BETWEEN_CELLS = " · "
CELLS = " | "
"""What stands between the cells of a row, in a sentence made of it."""

UNTOLD, TOLD, ROW = range(3)
"""Kinds of paragraphs: properties, headings and code; what tells something; items and rows."""

_START, _END = itemgetter(0), itemgetter(1)

Spans = Sequence[tuple[int, int]]
Numbers = Sequence[tuple[int]]


class WrittenProperty(NamedTuple):
    """Where a property is written: its span, and its line."""

    start: int
    end: int
    line: int


@dataclass(frozen=True)
class Marks:
    """What a page says of a note's text; the tables are in order.

    A reader sees nothing of what is in `unseen` and `formatting`, a space for `spaces` and a dot
    for `bars`; what is in `apart` is seen, but no prose. `ends` has where sentences end inside of
    `paragraphs`, `kinds` what each of these is (`UNTOLD`, `TOLD`, `ROW`), `links` where a link
    begins, where its words begin and end, and where it ends. `breaks` part scenes, `spoken` is
    direct speech. `fields` are the values of inline fields, `labelled` what stands behind labels in
    bold. `texts` has the words of the headings, the ids of the `blocks`, the keys of
    the `properties`, and the keys to which `field_keys` and `label_keys` point.
    """

    unseen: Spans = ()
    spaces: Spans = ()
    bars: Spans = ()
    paragraphs: Spans = ()
    ends: Numbers = ()
    links: Sequence[tuple[int, int, int, int]] = ()
    formatting: Spans = ()
    apart: Spans = ()
    kinds: Numbers = ()
    breaks: Spans = ()
    spoken: Spans = ()
    headings: Spans = ()
    levels: Numbers = ()
    blocks: Spans = ()
    properties: Spans = ()
    property_lines: Numbers = ()
    fields: Spans = ()
    field_keys: Numbers = ()
    labelled: Spans = ()
    label_keys: Numbers = ()
    texts: Sequence[str] = ()

    @cached_property
    def hidden(self) -> Spans:
        """What is no prose, in order."""
        return sorted((*self.unseen, *self.spaces, *self.formatting, *self.apart))

    def found_headings(self) -> list[Heading]:
        """Return the headings."""
        return [
            Heading(level, words, start, end)
            for (start, end), (level,), words in zip(
                self.headings, self.levels, self.texts, strict=False
            )
        ]

    def found_blocks(self) -> list[BlockId]:
        """Return the blocks that have an id."""
        ids = self._texts(len(self.headings))
        return [BlockId(name, *span) for span, name in zip(self.blocks, ids, strict=False)]

    def links_near(self, start: int, end: int) -> Sequence[tuple[int, int, int, int]]:
        """Return the links that begin between two offsets, and those before that may reach in."""
        first = bisect_left(self.links, start, key=_START)
        return self.links[max(0, first - _REACHING) : bisect_left(self.links, end, key=_START)]

    def key(self, number: int) -> str:
        """Return the key with this number."""
        return self._texts(len(self.headings) + len(self.blocks) + len(self.properties))[number]

    def found_properties(self) -> Mapping[str, WrittenProperty]:
        """Return the properties by key."""
        keys = self._texts(len(self.headings) + len(self.blocks))
        return {
            key: WrittenProperty(*span, line)
            for span, (line,), key in zip(self.properties, self.property_lines, keys, strict=False)
        }

    def _texts(self, first: int) -> Sequence[str]:
        return self.texts[first:]


_TABLES = tuple(one.name for one in fields(Marks))[:-1]


def pack_marks(marks: Marks) -> bytes:
    """Return marks as they are stored."""
    tables = [_steps(getattr(marks, name)) for name in _TABLES]
    return zlib.compress(pack(tables, marks.texts))


def _steps(table: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return each row as its distance from the row before, and of each number from the last."""
    ends = (0, *(one[-1] for one in table))
    return [(one[0] - end, *map(sub, one[1:], one)) for one, end in zip(table, ends, strict=False)]


@lru_cache(maxsize=64)
def unpack_marks(stored: bytes) -> Marks:
    """Return the marks that were stored."""
    tables, texts = unpack(zlib.decompress(stored))
    found: dict[str, Any] = dict(zip(_TABLES, map(_sums, tables), strict=False))
    return Marks(**found, texts=texts)


def _sums(table: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    numbers = accumulate(chain.from_iterable(table))
    return list(zip(*[numbers] * len(table[0]), strict=True)) if table else []


def show(text: str, origin: int, start: int, end: int, marks: Marks) -> Shown:
    """Return the prose between two offsets of the file, of a text that begins at `origin` in it.

    The cells of a table are parted by bars.
    """
    if not _within(marks.hidden, start, end):
        whole = _SPACE.sub(" ", text[start - origin : end - origin])
        return Shown(whole, (0,), (start,), (len(whole),))
    shown: list[str] = []
    pieces: list[tuple[int, int, int]] = []
    length = 0
    has_text = is_apart = False
    last = start
    for first, stop in _seen(marks, start, end):
        run = _SPACE.sub(" ", text[first - origin : stop - origin])
        is_apart = is_apart or bool(last < first and _within(marks.bars, last, first))
        last = stop
        if is_apart and (words := run.lstrip()):
            is_apart = False
            if has_text:
                indent = len(run) - len(words)
                pieces += (length, first, indent), (length + indent, first + indent - 1, 1)
                shown += run[:indent], CELLS
                length += indent + len(CELLS)
                first, run = first + indent, words
        pieces.append((length, first, len(run)))
        shown.append(run)
        length += len(run)
        has_text = has_text or not run.isspace()
    found = [one for one in pieces if one[2]]
    return Shown("".join(shown), *([one[at] for one in found] for at in range(3)))


def _seen(marks: Marks, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of prose between two offsets of the file."""
    for first, stop in _within(marks.hidden, start, end):
        if start < first:
            yield start, first
        start = max(start, stop)
    if start < end:
        yield start, end


@dataclass(frozen=True, slots=True)
class Passage:
    """A span and the rest of its sentence, on one line."""

    before: str
    span: str
    after: str


@dataclass(frozen=True)
class Part:
    """A part of a note, such as a chunk: its text, its offset in the file, and the note's marks.

    Without marks, as before the first sync of a new version, its text is shown as it is written.
    """

    text: str
    start: int = 0
    stored: bytes | None = None

    @cached_property
    def _marks(self) -> Marks:
        return unpack_marks(self.stored) if self.stored else Marks()

    def around(self, start: int, end: int) -> Passage:
        """Return the span `[start, end)` of the file, with the sentence around it."""
        first, last = self._sentence(start, end)
        before = self.seen(first, start).lstrip(" ·")
        span = self.seen(start, end).strip()
        after = self.seen(end, last).rstrip(" ·")
        if not span:
            span = " ".join(self._written(start, end).replace(UNSEEN, "").split())
        return Passage(before, span, after)

    def prose(self, gap: str) -> str:
        """Return the text without what is no prose; `gap` is put where more than formatting was."""
        marks = self._marks
        pieces: list[str] = []
        last = self.start
        for start, end in _seen(marks, self.start, self.start + len(self.text)):
            apart = (_within(spans, last, start) for spans in (marks.unseen, marks.apart))
            pieces += gap if last < start and any(apart) else "", self._written(start, end)
            last = end
        return "".join(pieces)

    def seen(self, start: int, end: int) -> str:
        """Return what a reader sees of a span of the file, on one line."""
        marks = self._marks
        hidden = [
            *((one, "") for one in _within(marks.unseen, start, end)),
            *((one, "") for one in _within(marks.formatting, start, end)),
            *((one, " ") for one in _within(marks.spaces, start, end)),
            *((one, _BETWEEN_CELLS) for one in _within(marks.bars, start, end)),
        ]
        pieces = []
        cursor = start
        for (begin, stop), shown in sorted(hidden):
            pieces += [self._written(cursor, begin), shown]
            cursor = max(cursor, stop)
        pieces.append(self._written(cursor, end))
        return _SPACES.sub(" ", "".join(pieces).replace(UNSEEN, ""))

    def ends(self, start: int, end: int) -> list[int]:
        """Return where sentences and paragraphs end between two offsets of the text."""
        first, last = self.start + start, self.start + end
        ends, paragraphs = self._marks.ends, self._marks.paragraphs
        told = ends[bisect_right(ends, (first,)) : bisect_left(ends, (last,))]
        closed = paragraphs[bisect_right(paragraphs, first, key=_END) :]
        closed = closed[: bisect_left(closed, last, key=_END)]
        return sorted({at - self.start for *_, at in (*told, *closed)})

    def with_plain_links(self, text: str, start: int) -> str:
        """Return a piece of the text, from an offset of the file on, with links as their words."""
        return self._without_links(text, start, "")

    def with_blank_links(self, text: str) -> str:
        """Return the text, perhaps with blanks in it, with spaces for what is not seen of links."""
        return self._without_links(text, self.start, " ")

    def linked_words(self) -> Iterator[tuple[str, int, int]]:
        """Yield what is not seen of each link, and the span of its words in the text."""
        for start, first, last, end in self._marks.links_near(
            self.start, self.start + len(self.text)
        ):
            if first < last:
                target = self._written(start, first) + self._written(last, end)
                yield target, first - self.start, last - self.start

    def _written(self, start: int, end: int) -> str:
        return self.text[max(0, start - self.start) : max(0, end - self.start)]

    def _without_links(self, text: str, start: int, blank: str) -> str:
        pieces = []
        cursor = 0
        links = self._marks.links_near(start, start + len(text))
        for unseen in sorted(span for one in links for span in (one[:2], one[2:])):
            here, there = (min(max(at - start, cursor), len(text)) for at in unseen)
            pieces += [text[cursor:here], blank * (there - here)]
            cursor = there
        return "".join([*pieces, text[cursor:]])

    def _sentence(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the sentences in which a span begins and ends."""
        first, last = self.start, self.start + len(self.text)
        paragraphs, ends = self._marks.paragraphs, self._marks.ends
        at = bisect_right(paragraphs, start, key=_START) - 1
        if at >= 0 and start < paragraphs[at][1]:
            first, last = max(first, paragraphs[at][0]), min(last, max(end, paragraphs[at][1]))
        before, after = bisect_right(ends, (start,)), bisect_left(ends, (end,))
        first = max([first, *chain.from_iterable(ends[before - 1 : before] if before else ())])
        last = min([last, *chain.from_iterable(ends[after : after + 1])])
        return first, last


def _within(spans: Spans, start: int, end: int) -> Spans:
    """Return the spans of a table that have a part between two offsets."""
    first = bisect_right(spans, start, key=_END)
    return spans[first : bisect_left(spans, end, key=_START)]
