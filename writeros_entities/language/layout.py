"""Cut a note into the lines that a reader sees: paragraphs, list items, headings, cells.

    for line in read_layout(note):
        line.text, line.offsets     # what a reader sees, and where each character stands

Formatting, links' targets, code and comments are no part of a line's text. A paragraph is one line
unless its writer has broken it by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from writeros_entities.values.notes import HIDDEN, MARK, Block, Note
from writeros_entities.values.pages import LineKind
from writeros_entities.vault.markdown.blocks import cells

_MARKER = re.compile(
    r"(?P<indent>[ \t]*+)(?P<quote>(?:>[ \t]?)*+)(?P<more>[ \t]*+)"
    r"(?:(?P<item>[-+*]|\d{1,9}[.)])[ \t]++(?:\[[^\[\]\n]\][ \t]++)?)?"
)
_CALLOUT = re.compile(r"\[![^\]\n]*+\][-+]?[ \t]*+")
_HEADING = re.compile(r"[ \t]*+#{1,6}[ \t]*+")
_FIRST = re.compile(r"[\w\"'“”«»„‘’(—–…¿¡]")
_CLOSED = re.compile(r"[.!?…:;,—–-][\"'”’»)\]]*+\s*\Z")
_WRAPPED = 50
_WIDEST = 100
"""A line of a paragraph shorter or longer than these no editor wrapped: its writer ended it."""

LABEL_WORDS = 5
_LABEL = re.compile(
    r"(?P<label>[^\W\d_](?:[\w'’/&().-]|[ \t](?=\S)){0,48}?)[ \t]*"
    r"(?P<sign>：|::?(?!\S*/)|[ \t][—–][ \t]|[ \t]-{1,2}[ \t]|[ \t]=[ \t])[ \t]*"
)


@dataclass(slots=True)
class LaidLine:
    """A line with its visible text; `offsets[i]` is where character i of `text` stands.

    `label` is what says what follows, `value` where in the text that begins; it is None if there is
    no label.
    """

    kind: LineKind
    text: str
    offsets: Sequence[int]
    depth: int = 0
    label: str = ""
    value: int | None = None
    header: str = ""
    first: int = -1

    def place(self, index: int) -> int:
        """Return the offset in the note of a place between two characters of the text."""
        return self.offsets[index] if index < len(self.offsets) else self.offsets[-1] + 1

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the note of a span of the text that is not empty."""
        return self.offsets[start], self.offsets[end - 1] + 1


class _Source(NamedTuple):
    """A note, the levels of its headings by where they start, and where its fields' values do."""

    text: str
    prose: str
    levels: Mapping[int, int]
    values: Set[int]


def read_layout(note: Note) -> list[LaidLine]:
    """Return the lines of a note's body that have text, in order."""
    lines: list[LaidLine] = []
    levels = {one.start: one.level for one in note.headings}
    source = _Source(note.text, note.prose, levels, {one.start for one in note.fields})
    for block in note.blocks:
        match block.kind:
            case "heading":
                lines += _heading(source, block)
            case "table":
                lines += _cells(source, block, len(lines))
            case "paragraph" | "list" | "quote" | "callout":
                lines += _flow(source, block)
    return lines


def _heading(source: _Source, block: Block) -> Iterator[LaidLine]:
    level = source.levels.get(block.start, 1)
    marker = _HEADING.match(source.prose, block.start, block.end)
    start = marker.end() if marker else block.start
    end = source.prose.find("\n", start, block.end)
    yield from _line(source, "heading", [(start, block.end if end == -1 else end)], level)


def _flow(source: _Source, block: Block) -> Iterator[LaidLine]:
    """Yield the lines of a paragraph, a list or a quote."""
    prose = source.prose
    kind: LineKind = "quote" if block.kind in ("quote", "callout") else "paragraph"
    waiting: list[tuple[int, int]] = []
    depth = 0
    current = kind
    rows = list(_written(prose, block.start, block.end))
    width = max(end - start for start, end in rows)
    for start, end in rows:
        marker = _MARKER.match(source.text, start, end)
        assert marker is not None
        begin = marker.end()
        callout = _CALLOUT.match(source.text, begin, end)
        begin = callout.end() if callout else begin
        is_item = marker["item"] is not None
        if waiting and (
            is_item or callout or not _goes_on(prose, waiting[-1], (begin, end), width)
        ):
            yield from _line(source, current, waiting, depth)
            waiting = []
        if is_item:
            indent = len((marker["indent"] + marker["more"]).expandtabs(4))
            current, depth = "item", indent
        elif not waiting and current == "item" and not marker["indent"]:
            current, depth = kind, 0
        if prose[begin:end].strip(f" \t{HIDDEN}{MARK}"):
            waiting.append((begin, end))
        elif waiting:
            yield from _line(source, current, waiting, depth)
            waiting = []
    if waiting:
        yield from _line(source, current, waiting, depth)


def _goes_on(prose: str, before: tuple[int, int], after: tuple[int, int], width: int) -> bool:
    """Say whether a line of the file goes on in the next, as when an editor wraps lines.

    `width` is that of the widest line around: an editor does not wrap where a word would fit in.
    """
    written = _visible(prose[slice(*before)]).strip(" \t")
    following = _visible(prose[slice(*after)]).lstrip(" \t")
    if _LABEL.match(following):
        return False
    if following[:1].islower():
        return len(written) >= _WRAPPED or not _CLOSED.search(written)
    if not _WRAPPED <= len(written) <= _WIDEST or _CLOSED.search(written):
        return False
    return before[1] - before[0] + len(following.partition(" ")[0]) >= width


def _visible(prose: str) -> str:
    return prose.replace(HIDDEN, "").replace(MARK, "")


def _written(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = prose.find("\n", start, end)
        stop = end if stop == -1 else stop
        yield start, stop
        start = stop + 1


def _cells(source: _Source, block: Block, number: int) -> Iterator[LaidLine]:
    """Yield the cells of a table; each knows the head of its column and the first in its row."""
    heads: list[str] = []
    rows = list(_written(source.prose, block.start, block.end))
    for at, (start, end) in enumerate(rows):
        if at == 1:
            continue  # the delimiter row
        texts = [list(_line(source, "cell", [cell], 0)) for cell in cells(source.text, start, end)]
        if at == 0:
            heads = [one[0].text if one else "" for one in texts]
            continue
        first = -1
        for column, found in enumerate(texts):
            for line in found:
                line.header = heads[column] if column < len(heads) else ""
                line.first = first
                first = number if first == -1 else first
                number += 1
                yield line


def _line(
    source: _Source, kind: LineKind, spans: Sequence[tuple[int, int]], depth: int
) -> Iterator[LaidLine]:
    """Yield the visible text of some spans as one line, unless it is empty."""
    prose = source.prose
    offsets: list[int] = []
    for start, end in spans:
        if offsets:
            offsets.append(start - 1)  # the line feed, read as a space
        offsets += [at for at in range(start, end) if prose[at] not in (HIDDEN, MARK)]
    text = "".join([" " if prose[at] in "\n\t" else prose[at] for at in offsets])
    first = _FIRST.search(text)
    if first is None:
        return
    begin = first.start()
    stripped = text[begin:].rstrip()
    offsets = offsets[begin : begin + len(stripped)]
    line = LaidLine(kind, stripped, offsets, depth)
    key = _key(source, spans[0][0], offsets[0])
    if key:
        line.label, line.value = key, 0
    else:
        _mark_label(line, prose)
    yield line


def _key(source: _Source, start: int, first: int) -> str:
    """Return the key of a Dataview field (`Owner:: X`), which is hidden before its value, or ""."""
    key, sign, rest = source.text[start:first].partition("::")
    value = start + len(key) + len(sign) + len(rest) - len(rest.lstrip())
    return key.strip(" \t*_~=([") if sign and value in source.values else ""


def _is_brief(text: str) -> bool:
    """Say whether a line is none of sentences: "Home – Vantry", not "He came – and went."."""
    return len(text) <= _WRAPPED and not _CLOSED.search(text)


def _mark_label(line: LaidLine, prose: str) -> None:
    """Find the label at the start of a line: `Father: Aldo`, `**Wife** – Ruth`, `Owner:: X`."""
    found = _LABEL.match(line.text)
    if found is None or len(found["label"].split()) > LABEL_WORDS:
        return
    is_colon = found["sign"][0] in ":："
    starts_bold = prose[line.offsets[0] - 1 : line.offsets[0]] == MARK
    label = prose[line.offsets[0] : line.offsets[found.end("label") - 1]]
    is_item = line.kind in ("item", "heading") and MARK not in label  # else it is a clause
    is_apart = is_colon or starts_bold or is_item or _is_brief(line.text)
    if not is_apart or (not is_colon and found.end() == len(line.text)):
        return
    line.label, line.value = found["label"], found.end()
