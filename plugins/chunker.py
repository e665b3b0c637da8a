"""A chunker that splits notes at headings and blocks, into chunks of a size that fits a prompt.

A chunk is a run of whole blocks below one heading, or below several with little text. It ends
before a heading of the first two levels, unless it is still too small, and before a block that
would carry it further beyond the target than it is now short of it. A heading stays with what
follows it. Only a block that exceeds the limit by itself is split: tables, lists, quotes and code
between lines, a paragraph between sentences, a sentence between words, a word between characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from writeros_entities import (
    Chunker,
    ChunkSpan,
    Note,
    Settings,
    TokenCounter,
    hookimpl,
    sentence_ends,
)

__version__ = "1"

_MAJOR_LEVEL = 2
_BIG_ENOUGH = 0.5
"""The share of the target from which a section is not joined to the next one."""
_SCRAP = 0.25
"""The share of the target below which a chunk is not closed as long as there is room."""

BYTE_ORDER_MARK = "\ufeff"

_BLANK_LINES = re.compile(r"(?:[^\S\n]*(?:\r?\n|\Z))+|" + BYTE_ORDER_MARK)
_LINE_END = re.compile(r"\n+")
_LAST_SPACE = re.compile(r"\s\S*\Z")
_LONGEST_CLUSTER = 64
"""The most characters in a cluster of a letter and its combining marks that is kept whole."""
_LINEWISE = frozenset({"table", "code", "list", "quote", "callout", "math", "html", "comment"})


class _Piece(NamedTuple):
    """A span that is not split any further; `level` is 0 unless it is a heading."""

    start: int
    end: int
    tokens: int
    level: int = 0


class _Section(NamedTuple):
    """The tokens of a heading with its first block, and with all text up to the next heading."""

    lead: int
    total: int


@dataclass(frozen=True, slots=True)
class HeadingChunker:
    """Splits notes at headings, paragraphs and other blocks."""

    target: int
    limit: int
    name: str = "headings"

    @property
    def identity(self) -> str:
        """Name, version and parameters."""
        return f"{self.name}/{__version__} target={self.target} limit={self.limit}"

    def chunk(self, note: Note, counter: TokenCounter) -> Sequence[ChunkSpan]:
        """Split the note's body.

        The `headings` of a chunk are those above its first text.
        """
        groups = self._groups(self._pieces(note, counter))
        paths = _HeadingPaths(note)
        return [
            ChunkSpan(start, end, tokens, paths.above(_first_text(group)))
            for group, start, end, tokens in self._measured(note.text, groups, counter)
        ]

    def _pieces(self, note: Note, counter: TokenCounter) -> list[_Piece]:
        """Return the note's blocks, with those beyond the limit split."""
        blocks = list(_blocks(note))
        starts = [start for _, start, _, _ in blocks] + [len(note.text)]
        counts = counter.count([note.text[start:end] for start, end in pairwise(starts)])
        pieces: list[_Piece] = []
        for (kind, start, end, level), tokens in zip(blocks, counts, strict=True):
            if tokens <= self.limit:
                pieces.append(_Piece(start, end, tokens, level))
            else:
                cutter = _Cutter(note.text, counter, self.limit)
                pieces += cutter.cut(start, end, linewise=kind in _LINEWISE)
        return pieces

    def _groups(self, pieces: Sequence[_Piece]) -> list[list[_Piece]]:
        """Group pieces into chunks."""
        groups: list[list[_Piece]] = []
        size = 0
        for piece, section in zip(pieces, _sections(pieces), strict=True):
            if not groups or self._closes(groups[-1], size, piece, section):
                groups.append([])
                size = 0
            groups[-1].append(piece)
            size += piece.tokens
        if len(groups) > 1 and size < self.target * _SCRAP and not _is_major(groups[-1][0]):
            before = sum(piece.tokens for piece in groups[-2])
            if before + size <= self.limit:
                groups[-2:] = [groups[-2] + groups[-1]]
        return groups

    def _closes(
        self, group: Sequence[_Piece], size: int, piece: _Piece, section: _Section | None
    ) -> bool:
        """Say whether a chunk of `size` tokens ends before `piece`, which may open a section."""
        if size + (section.lead if section else piece.tokens) > self.limit:
            return not group[-1].level or size + piece.tokens > self.limit
        if group[-1].level or size < self.target * _SCRAP:
            return False
        if section is not None:
            is_big_enough = _is_major(piece) and size >= self.target * _BIG_ENOUGH
            return is_big_enough or size + section.total > self.target
        return size + piece.tokens - self.target > self.target - size

    def _measured(
        self, text: str, groups: Sequence[list[_Piece]], counter: TokenCounter
    ) -> list[tuple[list[_Piece], int, int, int]]:
        """Return groups with span and tokens; a group that turns out too large as a whole is
        halved.
        """
        spans = [_trimmed(text, group[0].start, group[-1].end) for group in groups]
        counts = counter.count([text[start:end] for start, end in spans])
        measured = []
        for group, (start, end), tokens in zip(groups, spans, counts, strict=True):
            if tokens > self.limit and len(group) > 1:
                half = len(group) // 2
                measured += self._measured(text, [group[:half], group[half:]], counter)
            elif start < end:
                measured.append((group, start, end, tokens))
        return measured


def _blocks(note: Note) -> Iterator[tuple[str, int, int, int]]:
    """Yield kind, start, end and heading level of each block and of the text between blocks."""
    text = note.text
    for kind, start, end, level in _parts(note):
        if not text[start:end].isspace():
            start, end = _trimmed(text, start, end)
            if start < end:
                yield kind, start, end, level


def _parts(note: Note) -> Iterator[tuple[str, int, int, int]]:
    levels = {heading.start: heading.level for heading in note.headings}
    done = note.body_start
    for block in note.blocks:
        kind, start, end = block.kind, block.start, block.end
        if kind == "frontmatter" or end <= done:
            continue
        if start > done:
            yield "paragraph", done, start, 0
        yield kind, max(done, start), end, levels.get(start, 1) if kind == "heading" else 0
        done = end
    yield "paragraph", done, len(note.text), 0


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without blank lines around it; the first line keeps its indentation."""
    while start < end and (text[start].isspace() or text[start] == BYTE_ORDER_MARK):
        blank = _BLANK_LINES.match(text, start, end)
        if blank is None:
            break
        start = blank.end()
    return start, start + len(text[start:end].rstrip())


def _sections(pieces: Sequence[_Piece]) -> list[_Section | None]:
    """Return the section that each heading opens, and None for other pieces.

    Consecutive headings without text between them open one section together.
    """
    sections: list[_Section | None] = [None] * len(pieces)
    lead = total = 0
    for index in range(len(pieces) - 1, -1, -1):
        piece = pieces[index]
        if piece.level:
            lead += piece.tokens
            total += piece.tokens
            sections[index] = _Section(lead, total)
        else:
            lead = piece.tokens
            is_last = index + 1 == len(pieces) or pieces[index + 1].level
            total = piece.tokens if is_last else total + piece.tokens
    return sections


def _is_major(piece: _Piece) -> bool:
    return 0 < piece.level <= _MAJOR_LEVEL


def _first_text(group: Sequence[_Piece]) -> int:
    return next((piece.start for piece in group if not piece.level), group[-1].start)


class _HeadingPaths:
    """The headings above an offset; must be queried in ascending order."""

    def __init__(self, note: Note) -> None:
        self._headings = note.headings
        self._next = 0
        self._open: list[tuple[int, str]] = []

    def above(self, offset: int) -> tuple[str, ...]:
        while self._next < len(self._headings) and self._headings[self._next].start <= offset:
            heading = self._headings[self._next]
            while self._open and self._open[-1][0] >= heading.level:
                self._open.pop()
            self._open.append((heading.level, heading.text))
            self._next += 1
        return tuple(text for _, text in self._open)


def _line_ends(text: str, start: int, end: int) -> Iterator[int]:
    return (found.end() for found in _LINE_END.finditer(text, start, end))


Ends = Callable[[str, int, int], Iterator[int]]
"""Yields where parts of a text end between two offsets."""


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Splits a span that is too large for a chunk, at the best places available."""

    text: str
    counter: TokenCounter
    limit: int

    def cut(self, start: int, end: int, *, linewise: bool) -> list[_Piece]:
        """Split a span by lines or sentences, and parts that are still too large more finely."""
        first, second = (_line_ends, sentence_ends) if linewise else (sentence_ends, _line_ends)
        return self._cut_at(start, end, [first, second])

    def _cut_at(self, start: int, end: int, ends: Sequence[Ends]) -> list[_Piece]:
        if not ends:
            return list(self._cut_between_words(start, end))
        parts = [
            part
            for part in self._split(start, end, ends[0])
            if not self.text[slice(*part)].isspace()
        ]
        counts = self.counter.count([self.text[first:last] for first, last in parts])
        pieces: list[_Piece] = []
        for (first, last), tokens in zip(parts, counts, strict=True):
            if tokens <= self.limit:
                pieces.append(_Piece(first, last, tokens))
            else:
                pieces += self._cut_at(first, last, ends[1:])
        return pieces

    def _split(self, start: int, end: int, ends: Ends) -> Iterator[tuple[int, int]]:
        for found in ends(self.text, start, end):
            if found < end:
                yield start, found
                start = found
        yield start, end

    def _cut_between_words(self, start: int, end: int) -> Iterator[_Piece]:
        """Yield parts that are as large as possible, ending at whitespace if there is any."""
        length = max(1, self.limit * 3)
        while start < end:
            stop, tokens = self._fit(start, end, length)
            if not self.text[start:stop].isspace():
                yield _Piece(start, stop, tokens)
            start = stop

    def _fit(self, start: int, end: int, length: int) -> tuple[int, int]:
        while True:
            stop = min(end, start + length)
            if stop < end:
                stop = self._step_back(start, stop)
            (tokens,) = self.counter.count([self.text[start:stop]])
            if tokens <= self.limit or stop - start == 1:
                return stop, tokens
            length = max(1, min(stop - start - 1, (stop - start) * self.limit // tokens))

    def _step_back(self, start: int, stop: int) -> int:
        """Return the end of the last word before `stop`; about `stop` if there is no space."""
        space = _LAST_SPACE.search(self.text, start + 1, stop + 1)
        if space and space.start() > start and self.text[start : space.start()].strip():
            return min(space.start() + 1, stop)
        for back in range(stop, max(start, stop - _LONGEST_CLUSTER), -1):
            if not unicodedata.combining(self.text[back]):
                return back
        return stop


@hookimpl
def register_chunkers(settings: Settings) -> Iterable[Chunker]:
    """Return the chunker `headings`, with the sizes from the settings."""
    return [HeadingChunker(settings.chunk_target, settings.chunk_limit)]
