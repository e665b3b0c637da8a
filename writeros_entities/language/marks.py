"""What is stored of a note's page: what its reader does not see, paragraphs, sentences, links.

    part = Part(chunk.text, chunk.start, stored)       # when a question is answered
    part.around(mention.start, mention.end)            # the sentence, as a reader sees it

All are offsets in the file, so that the marks hold for its text with comments and without. Links
become their displayed words; emphasis, list and heading marks, comments, block ids and embeds are
left out; code, tags and URLs remain.
"""

from __future__ import annotations

import re
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from operator import itemgetter, sub
from typing import NamedTuple

from writeros_entities.language.tables import pack, unpack
from writeros_entities.values import UNSEEN

_SPACES = re.compile(r"\s+")

_REACHING = 2
"""How many links before a place may reach beyond it: those with a link in them."""

_BETWEEN_CELLS = " · "
_START, _END = itemgetter(0), itemgetter(1)

Spans = Sequence[tuple[int, int]]


class Marks(NamedTuple):
    """What a page says of a note's text; the tables are in order.

    A reader sees nothing of what is in `unseen`, a space for `spaces` and a dot for `bars`. `ends`
    has where sentences end inside of `paragraphs`, `links` where a link begins, where its words
    begin and end, and where it ends.
    """

    unseen: Spans = ()
    spaces: Spans = ()
    bars: Spans = ()
    paragraphs: Spans = ()
    ends: Sequence[tuple[int]] = ()
    links: Sequence[tuple[int, int, int, int]] = ()


def pack_marks(marks: Marks) -> bytes:
    """Return marks as they are stored."""
    return zlib.compress(pack([_steps(table) for table in marks]))


def _steps(table: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return each row as its distance from the row before, and of each number from the last."""
    ends = (0, *(one[-1] for one in table))
    return [(one[0] - end, *map(sub, one[1:], one)) for one, end in zip(table, ends, strict=False)]


@lru_cache(maxsize=64)
def unpack_marks(stored: bytes) -> Marks:
    """Return the marks that were stored."""
    tables, _ = unpack(zlib.decompress(stored))
    return Marks(*map(_sums, tables))  # type: ignore[arg-type]  # the tables of `pack_marks`


def _sums(table: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = []
    end = 0
    for gap, *steps in table:
        rows.append(tuple(accumulate((end + gap, *steps))))
        end = rows[-1][-1]
    return rows


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

    def seen(self, start: int, end: int) -> str:
        """Return what a reader sees of a span of the file, on one line."""
        marks = self._marks
        hidden = [
            *((one, "") for one in _within(marks.unseen, start, end)),
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
        for start, first, last, end in self._links(self.start, self.start + len(self.text)):
            if first < last:
                target = self._written(start, first) + self._written(last, end)
                yield target, first - self.start, last - self.start

    def _written(self, start: int, end: int) -> str:
        return self.text[max(0, start - self.start) : max(0, end - self.start)]

    def _links(self, start: int, end: int) -> Sequence[tuple[int, int, int, int]]:
        links = self._marks.links
        first = bisect_left(links, start, key=_START)
        return links[max(0, first - _REACHING) : bisect_left(links, end, key=_START)]

    def _without_links(self, text: str, start: int, blank: str) -> str:
        pieces = []
        cursor = 0
        links = self._links(start, start + len(text))
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
