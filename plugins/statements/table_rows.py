"""Read what a table's row says about the entity named in a cell: `| born in Vantry | Ann |`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from writeros_entities import HIDDEN, MARK, DecidedMention, Note, Ontology, Span

from .claims import Claim
from .grammar import as_clauses, read_gap

MOST_CELLS = 20

_CELL = re.compile(rf"[^{HIDDEN}\n]+")
_NAME = r"[^\W\da-z_][\w'’.-]*"
_NAMES = re.compile(rf"(?:the )?{_NAME}(?: (?:(?:of|the) )*{_NAME})*")


def read_rows(
    note: Note, mentions: Sequence[DecidedMention], ontology: Ontology
) -> Iterator[tuple[Claim, DecidedMention, DecidedMention]]:
    """Yield the claims of rows in which exactly one cell consists of a name."""
    starts = [mention.start for mention in mentions]
    for cells in _rows(note):
        own = [cell for cell in cells if _NAMES.fullmatch(_plain(note, cell))]
        if len(own) != 1:
            continue
        for who in _within(own[0], mentions, starts):
            if _plain(note, own[0]) != _plain(note, Span(who.start, who.end)):
                continue
            for cell in cells:
                for other in () if cell == own[0] else _within(cell, mentions, starts):
                    lead = note.prose[cell.start : other.start].replace(MARK, "").strip()
                    unnamed = replace(who, start=cell.start, end=cell.start)
                    for gap in as_clauses(f"{lead} ") if lead else ():
                        claim = read_gap(gap, unnamed, other, note.prose, ontology)
                        if claim is not None:
                            yield claim, who, other
                            break


def _rows(note: Note) -> Iterator[list[Span]]:
    """Yield the non-empty cells of each row of each table."""
    for block in note.blocks:
        if block.kind != "table":
            continue
        begin = block.start
        while begin < block.end:
            end = note.prose.find("\n", begin, block.end) + 1 or block.end
            cells = [Span(*found.span()) for found in _CELL.finditer(note.prose, begin, end)]
            with_words = [cell for cell in cells if _plain(note, cell)]
            if 1 < len(with_words) <= MOST_CELLS:
                yield with_words
            begin = end


def _within(
    cell: Span, mentions: Sequence[DecidedMention], starts: Sequence[int]
) -> Iterator[DecidedMention]:
    for place in range(bisect_left(starts, cell.start), len(mentions)):
        if mentions[place].start >= cell.end:
            break
        if mentions[place].end <= cell.end:
            yield mentions[place]


def _plain(note: Note, span: Span) -> str:
    return " ".join(note.prose[span.start : span.end].replace(MARK, "").split())
