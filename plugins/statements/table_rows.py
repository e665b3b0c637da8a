"""Read what a table's rows say about the entities named in them.

| born in Vantry | Ann |     about the one whose name fills a cell
| Home | Vantry |            in a sheet, about its subject
| Ann | sister |             in the sheet of a person, likewise
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from writeros_entities import HIDDEN, MARK, DecidedMention, Note, Ontology, Span

from .claims import Claim
from .grammar import as_clauses, read_gap

MOST_CELLS = 20
LONGEST_ROW = 2_000
"""Most characters of a row whose names are looked at, each with all the words around it."""

_CELL = re.compile(rf"[^{HIDDEN}\n]+")
_NAME = r"[^\W\da-z_][\w'’.-]*"
_NAMES = re.compile(rf"(?:the )?{_NAME}(?: (?:(?:of|the) )*{_NAME})*")
LISTED = re.compile(
    r"(?:the )?(?:[^\W\da-z_][\w'’-]*(?: [^\W\da-z_][\w'’-]*)*(?:,| and|, and) )*(?:the )?"
)
"""Matches the names before one in a list: "Ann, Bob and the "."""
_ASIDE = re.compile(r"(?<!\s)\s*[,;(]")


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


def read_row_of_sheet(
    note: Note, subject: DecidedMention, other: DecidedMention, ontology: Ontology
) -> Claim | None:
    """Return the claim of a row of two cells, one with a word, the other with names."""
    prose = note.prose
    begin = prose.rfind("\n", 0, other.start) + 1
    end = prose.find("\n", other.end, begin + LONGEST_ROW)
    if end == -1 and len(prose) > begin + LONGEST_ROW:
        return None
    found = _CELL.finditer(prose, begin, len(prose) if end == -1 else end)
    cells = [span for span in (Span(*cell.span()) for cell in found) if _plain(note, span)]
    if len(cells) != 2:
        return None
    first, second = cells
    if other.start >= second.start:
        before = _plain(note, Span(second.start, other.start))
        word = _plain(note, first).rstrip(":") if LISTED.fullmatch(f"{before} ".lstrip()) else ""
    elif subject.type == "person" and _plain(note, Span(other.start, other.end)) == _plain(
        note, first
    ):
        word = _ASIDE.split(_plain(note, second), maxsplit=1)[0]
    else:
        return None
    reading = ontology.read_key(word, subject.type, other.type) if word else None
    if reading is None or reading.kind not in ontology.kinds:
        return None
    if not ontology.fits(reading, subject.type, other.type, strictly=True):
        return None
    rule = f"row: {word.lower()}"
    return Claim(reading.kind, rule, first.start, second.end, is_inverse=reading.is_inverse)


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
            if end - begin <= LONGEST_ROW and 1 < len(with_words) <= MOST_CELLS:
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
