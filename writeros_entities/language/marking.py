"""Mark what a reader does not see of a note, its paragraphs, sentences and links.

stored = mark_note(note)       # bytes, kept as the note's page; `marks` reads them
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from writeros_entities.language.marks import ROW, TOLD, UNTOLD, Marks, pack_marks, show
from writeros_entities.language.sentences import CLOSING_MARKS, read_ends
from writeros_entities.language.spoken import script_labels, spoken_behind_label, spoken_spans
from writeros_entities.values import HIDDEN, MARK, UNSEEN, Block, BlockKind, Note
from writeros_entities.vault.comments import cover_comments
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.plain_links import links_in
from writeros_entities.vault.properties.reading import property_starts

_RUN = re.compile(f"{HIDDEN}+|{MARK}+")
_LINE_BREAK = re.compile(r"<br[^<>]*>", re.IGNORECASE)
_ALT = r"[^\[\]\n]|\[[^\[\]\n]*+\]"
_ADDRESS = r"[^()\n]|\([^()\n]*+\)"
_UNSEEN = re.compile(
    r"%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|!\[\[[^\[\]\n]*+\]\]"
    rf"|!\[{run_of(_ALT)}\]\({run_of(_ADDRESS)}\)"
    rf"|\[\^[^\s\[\]]+\]:?|\^(?=\[)|\^[A-Za-z0-9-]+[ \t]*\Z|`+|{UNSEEN}+",
    re.DOTALL,
)
_LINE_MARKS = re.compile(
    r"[ \t]*(?:>[ \t]*)*(?:#{1,6}(?:[ \t]+|\Z))?(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z))*"
    r"(?:\[[^\[\]\n]\](?:[ \t]+|\Z))?(?:\[![^\]\n]*\][-+]?[ \t]*)?"
)
_DELIMITER_ROW = re.compile(r"[ \t>]*+\|?[ \t]*:?-[-:| \t]*\r?\Z")
_LABELLED = re.compile(
    r"^[ \t>]*+(?:[-*+][ \t]++)?(?P<mark>\*\*|__)(?P<key>[^\W\d_][\w /-]{0,39})"
    r"(?::(?P=mark)|(?P=mark)[ \t]*+:(?!:))(?P<value>[^\n]*+)",
    re.MULTILINE,
)
"""Matches a line with a label in bold: `**Location**: the Old Mill`."""

_ROW = re.compile(r"[ \t>]*\|")


_TELLING = frozenset({"paragraph", "list", "quote", "callout", "table"})
"""Blocks whose paragraphs tell something, unlike headings and code."""

_ROWS = frozenset({"list", "table"})
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


def mark_note(note: Note) -> bytes:
    """Return the marks of a note as they are stored."""
    links = _links(note)
    of_properties = (one for one in links if one[0] < note.body_start)
    brackets = [span for one in of_properties for span in (one[:2], one[2:])]
    hidden = _unseen(note)
    hidden = replace(hidden, formatting=[*brackets, *hidden.formatting], links=links)
    keys: dict[str, int] = {}
    told = _told(note, hidden)
    labelled = list(_labelled(note))
    ids = [one.id for one in note.block_ids]
    marks = replace(
        told,
        headings=[(one.start, one.end) for one in note.headings],
        levels=[(one.level,) for one in note.headings],
        blocks=[(one.start, one.end) for one in note.block_ids],
        properties=[(one.start, one.end) for one in note.properties],
        property_lines=[(note.text.count("\n", 0, one.start) + 1,) for one in note.properties],
        fields=[(one.start, one.end) for one in note.fields],
        field_keys=[(keys.setdefault(one.key, len(keys)),) for one in note.fields],
        labelled=[span for _, span in labelled],
        label_keys=[(keys.setdefault(key, len(keys)),) for key, _ in labelled],
    )
    said = [one.key for one in note.properties]
    words = [one.text for one in note.headings]
    return pack_marks(replace(marks, texts=[*words, *ids, *said, *keys]))


def _labelled(note: Note) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the labels in bold that begin lines, and where what they say stands."""
    for line in _LABELLED.finditer(note.text, note.body_start):
        if note.prose[line.start("key")] != HIDDEN:
            yield line["key"], line.span("value")


def _properties(note: Note) -> list[tuple[int, int]]:
    starts = list(property_starts(note.text[: note.body_start])) if note.body_start else []
    return list(pairwise([*starts, note.body_start]))


def _links(note: Note) -> list[tuple[int, int, int, int]]:
    """Return where the links of a note are, those in its properties first."""
    links = [
        (link.start + start, link.text_start + start, link.text_end + start, link.end + start)
        for start, end in _properties(note)
        for link in links_in(note.text[start:end])
    ]
    of_body = (link for link in note.links if link.start >= note.body_start)
    links += [(link.start, link.text_start, link.text_end, link.end) for link in of_body]
    return sorted(links)


def _unseen(note: Note) -> Marks:
    """Return what a reader does not see of a note's body, line breaks, and bars between cells."""
    text = cover_comments(note)
    found = _Hidden()
    tables = [(one.start, one.end) for one in note.blocks if one.kind == "table"]
    for run in _RUN.finditer(note.prose, note.body_start):
        start, end = run.span()
        if run[0][0] == MARK:
            found.formatting.append((start, end))
            continue
        line = text.rfind("\n", 0, start) + 1
        if not text[line:start].strip(" \t"):
            marks = _LINE_MARKS.match(text, line, end)
            assert marks is not None, "it matches nothing at all"
            start = end if _is_delimiter_row(text[line:end]) else max(start, marks.end())
            found.unseen.append((line, start))
            if start == end:
                continue
        table = bisect_right(tables, (line, end)) - 1
        is_row = (table >= 0 and line < tables[table][1]) or _ROW.match(text, line) is not None
        for hidden in _UNSEEN.finditer(text, start, end):
            is_break = _LINE_BREAK.fullmatch(hidden[0]) is not None
            (found.spaces if is_break else found.unseen).append(hidden.span())
            found.add_apart(text, start, hidden.start(), is_row=is_row)
            start = hidden.end()
        found.add_apart(text, start, end, is_row=is_row)
    unseen = [one for one in found.unseen if one[0] < one[1]]
    return Marks(unseen, found.spaces, found.bars, formatting=found.formatting, apart=found.apart)


@dataclass
class _Hidden:
    """The tables of what is no prose, while they are made."""

    unseen: list[tuple[int, int]] = field(default_factory=list)
    spaces: list[tuple[int, int]] = field(default_factory=list)
    bars: list[tuple[int, int]] = field(default_factory=list)
    formatting: list[tuple[int, int]] = field(default_factory=list)
    apart: list[tuple[int, int]] = field(default_factory=list)

    def add_apart(self, text: str, start: int, end: int, *, is_row: bool) -> None:
        """Add what is seen, but no prose."""
        if start < end:
            self.apart.append((start, end))
        if is_row:
            self.bars += ((at, at + 1) for at in range(start, end) if text[at] == "|")


def _is_delimiter_row(hidden: str) -> bool:
    return "-" in hidden and _DELIMITER_ROW.match(hidden) is not None


def _told(note: Note, marks: Marks) -> Marks:
    """Return marks with the paragraphs, each property one of them, their sentences and speech."""
    paragraphs = _properties(note)
    kinds = [(UNTOLD,)] * len(paragraphs)
    ends = [(end,) for start, stop in paragraphs for end in _ends(note.text, start, stop)]
    breaks: list[tuple[int, int]] = []
    spoken: list[tuple[int, int]] = []
    labels = _labels_of(note)
    for kind, start, stop in _read_paragraphs(note, labels):
        if kind == "rule":
            breaks.append((start, stop))
            continue
        paragraphs.append((start, stop))
        kinds.append((ROW if kind in _ROWS else TOLD if kind in _TELLING else UNTOLD,))
        shown = show(note.text, 0, start, stop, marks)
        ends += ((shown.behind(one),) for one in read_ends(shown.text) if one < len(shown.text))
        if kind in _TELLING:
            spans = spoken_spans(shown.text, labels)
            spoken += ((shown.offset(one), shown.behind(last)) for one, last in spans)
    return replace(
        marks, paragraphs=paragraphs, ends=ends, kinds=kinds, breaks=breaks, spoken=spoken
    )


def _ends(text: str, start: int, stop: int) -> Iterator[int]:
    """Yield where sentences end in a property."""
    return (start + one for one in read_ends(text[start:stop]) if start + one < stop)


class _Paragraph(NamedTuple):
    """A paragraph, item, row or heading of a note; of the kind "rule" is what parts scenes."""

    kind: BlockKind
    start: int
    end: int


def _read_paragraphs(note: Note, labels: Collection[str]) -> Iterator[_Paragraph]:
    """Yield the paragraphs of a note's body in order; `labels` are those of `labels_of`."""
    by_line = _break_paragraphs(_broken_lines(note))
    for block in note.blocks:
        if _parts_scenes(note, block):
            yield _Paragraph("rule", block.start, block.end)
        elif block.kind in _TELLING or block.kind in _WHOLE:
            kind = "lines" if by_line and block.kind == "paragraph" else block.kind
            for start, end in _paragraphs(note, block, kind, labels):
                yield _Paragraph(block.kind, start, end)


def _labels_of(note: Note) -> frozenset[str]:
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
    note: Note, block: Block, kind: str, labels: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block's paragraphs: all of it, or its items, rows or lines."""
    first, end = block.start, block.end
    is_closed = False
    for line in _LINE.finditer(note.text, first, end):
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
