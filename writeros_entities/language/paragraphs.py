"""The paragraphs of a note, and what parts its scenes.

    [one.kind for one in read_paragraphs(note)]        # "paragraph", "rule", "list", …

List items and table rows are paragraphs of their own. So are single lines, if the writer leaves no
blank lines between paragraphs, or if lines begin with the speaker's name as in a script. A single
line break is a space in Markdown, but Obsidian shows it: lines wrapped at a fixed width break
anywhere within sentences, lines that a writer ends with Enter hardly ever do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from writeros_entities.language.sentences import CLOSING_MARKS
from writeros_entities.language.spoken import script_labels, spoken_behind_label
from writeros_entities.values import Block, BlockKind, Note

TELLING = frozenset({"paragraph", "list", "quote", "callout", "table"})
"""Blocks whose paragraphs tell something, unlike headings and code."""

ROWS = frozenset({"list", "table"})
_WHOLE = frozenset({"heading", "code", "math", "html"})
_HAS_ITEMS = frozenset({"list", "quote", "callout"})
_MAY_BREAK = frozenset({"paragraph", "heading"})
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
_ALONE = re.compile(r"[ \t>]*(?:#{1,6}[ \t]|\[!)")
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")

ORNAMENT = r"(?:\#|⁂|(?:\\\*[ \t]*+){3,})"
"""A pattern for the content of a scene break that is no Markdown rule: `#`, `⁂`, `\\* \\* \\*`."""

_ORNAMENT_ALONE = re.compile(rf"\s*{ORNAMENT}\s*\Z")
_WIDEST = 120
"""Lines longer than this are not wrapped at a fixed width."""

_MOST = 2 / 3
"""Least share of breaks at the end of a sentence, if they are the writer's own."""

_CLOSED = re.compile(rf"[.!?…:—–-][{CLOSING_MARKS})\]*_~=\\]*\s*\Z")


class Paragraph(NamedTuple):
    """A paragraph, item, row or heading of a note; of the kind "rule" is what parts scenes."""

    kind: BlockKind
    start: int
    end: int


def read_paragraphs(note: Note, labels: Collection[str]) -> Iterator[Paragraph]:
    """Yield the paragraphs of a note's body in order; `labels` are those of `labels_of`."""
    by_line = _break_paragraphs(_broken_lines(note))
    for block in note.blocks:
        if _parts_scenes(note, block):
            yield Paragraph("rule", block.start, block.end)
        elif block.kind in TELLING or block.kind in _WHOLE:
            kind = "lines" if by_line and block.kind == "paragraph" else block.kind
            for start, end in _paragraphs(note, block.start, block.end, kind, labels):
                yield Paragraph(block.kind, start, end)


def labels_of(note: Note) -> frozenset[str]:
    """Return the labels of speakers, if the note is a script."""
    return frozenset[str]().union(*map(script_labels, _lines_of_scenes(note)))


def _broken_lines(note: Note) -> Iterator[str]:
    """Yield all lines of each paragraph but its last."""
    for block in note.blocks:
        if block.kind == "paragraph":
            yield from note.text[block.start : block.end].rstrip().split("\n")[:-1]


def _lines_of_scenes(note: Note) -> Iterator[list[str]]:
    """Yield the lines of paragraphs, grouped between headings and scene breaks."""
    lines: list[str] = []
    for block in note.blocks:
        if block.kind == "heading" or _parts_scenes(note, block):
            yield lines
            lines = []
        elif block.kind == "paragraph":
            lines += note.text[block.start : block.end].rstrip().split("\n")
    yield lines


def _parts_scenes(note: Note, block: Block) -> bool:
    """Return whether a block is a rule (`---`) or other scene break."""
    return block.kind == "rule" or (
        block.kind in _MAY_BREAK
        and _ORNAMENT_ALONE.match(note.text[block.start : block.end]) is not None
    )


def _paragraphs(
    note: Note, start: int, end: int, kind: str, labels: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block's paragraphs: all of it, or its items, rows or lines."""
    first = start
    is_closed = False
    for line in _LINE.finditer(note.text, start, end):
        if line.start() == line.end():
            break
        begins = (
            kind == "table"
            or is_closed
            or (kind in _HAS_ITEMS and (_ITEM.match(line[0]) or _ALONE.match(line[0])))
            or (labels and spoken_behind_label(line[0], labels))
        )
        is_blank = not line[0].strip(" \t>\r\n")
        if (begins or is_blank) and line.start() > first:
            yield first, line.start()
            first = line.start()
        is_closed = (
            _ends_sentence(line[0])
            if kind == "lines"
            else kind in _HAS_ITEMS and _ALONE.match(line[0]) is not None
        )
    if first < end:
        yield first, end


def _break_paragraphs(lines: Iterable[str]) -> bool:
    """Return whether the breaks after these lines, all of one text, end paragraphs."""
    broken = list(lines)
    closed = sum(map(_ends_sentence, broken))
    return closed > 0 and (
        closed > _MOST * len(broken) or any(len(line) > _WIDEST for line in broken)
    )


def _ends_sentence(line: str) -> bool:
    """Return whether a line ends like a sentence or a speech."""
    return _CLOSED.search(line) is not None
