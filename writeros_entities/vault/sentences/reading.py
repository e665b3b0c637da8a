"""The sentences of a Markdown text as its reader sees them, with their positions in the text.

    for sentence in read_sentences("[[Isolde Marrow|Isolde]] ran.\\n\\n---\\n\\nShe stopped."):
        text[sentence.start : sentence.end]

Formatting, comments and code are left out. List items and table rows are paragraphs of their own.
So are single lines, if the writer leaves no blank lines between paragraphs, or if lines begin with
the speaker's name as in a script. A paragraph that is too long is several.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple, TypeVar

from writeros_entities.values import HIDDEN, MARK, Block, BlockKind, InlineField, Link, Note
from writeros_entities.vault.notes import plain_note
from writeros_entities.vault.sentences.ends import read_ends
from writeros_entities.vault.sentences.line_breaks import break_paragraphs, ends_sentence
from writeros_entities.vault.sentences.scene_breaks import is_scene_break
from writeros_entities.vault.sentences.speech import (
    script_labels,
    spoken_behind_label,
    spoken_spans,
    without_speech,
)

_READ = frozenset({"paragraph", "list", "quote", "callout", "table"})
_WHOLE = frozenset({"heading", "code", "math", "html"})
_HAS_ITEMS = frozenset({"list", "quote", "callout"})
_MAY_BREAK = frozenset({"paragraph", "heading"})
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:\s|\Z)")
_ALONE = re.compile(r"[ \t>]*(?:#{1,6}[ \t]|\[!)")
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_CELLS = " | "
LONGEST_PARAGRAPH = 10_000
"""Most characters of a paragraph, for the same reason as those of a sentence."""

_SEEN = re.compile(f"[^{re.escape(HIDDEN)}{re.escape(MARK)}]+")
_SPACE = re.compile(r"\s")
_START = attrgetter("start")
_Found = TypeVar("_Found", Link, InlineField)


@dataclass(frozen=True, slots=True)
class ReaderSentence:
    """A sentence as seen, with the offset in the text of each of its characters.

    `start` and `end` are its span in the text, extended to whole links and bracketed fields at its
    ends. `narration` has blanks for speech. `follows_rule` marks the first sentence after a rule
    (`---`) or other scene break.
    """

    text: str
    narration: str
    offsets: tuple[int, ...]
    start: int
    end: int
    paragraph: int
    is_row: bool
    follows_rule: bool

    def place(self, offset: int) -> int:
        """Return the number of the sentence's characters before an offset of the text."""
        return bisect_left(self.offsets, offset)

    def find(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a span of the text is in the sentence, or None if it is not in it."""
        if start < self.start or end > self.end:
            return None
        first, last = bisect_left(self.offsets, start), bisect_left(self.offsets, end)
        return (first, last) if first < last else None


def read_sentences(text: str, note: Note | None = None) -> list[ReaderSentence]:
    """Return the sentences of a text, in order; `note`, if given, is `"\\n" + text` parsed."""
    note = note or plain_note("\n" + text)
    sentences: list[ReaderSentence] = []
    paragraph = 0
    after_rule = False
    labels = _labels(note)
    for kind, start, end in read_paragraphs(note):
        after_rule |= kind == "rule"
        if kind not in _READ:
            continue
        shown, offsets = _shown(note, start, end)
        links, fields = _between(note.links, start, end), _between(note.fields, start, end)
        narration = without_speech(shown, spoken_spans(shown, labels))
        opening = 0
        for first, last in _cut(shown):
            if last - opening > LONGEST_PARAGRAPH:
                opening = first
                paragraph += 1
            begin, finish = _whole(
                note.text, links, fields, offsets[first] + 1, offsets[last - 1] + 2
            )
            sentences.append(
                ReaderSentence(
                    shown[first:last],
                    narration[first:last],
                    tuple(offsets[first:last]),
                    begin - 1,
                    finish - 1,
                    paragraph,
                    kind in ("list", "table"),
                    after_rule,
                )
            )
            after_rule = False
        paragraph += 1
    return sentences


class Paragraph(NamedTuple):
    """A paragraph, item, row or heading of a note; of the kind "rule" is what parts scenes."""

    kind: BlockKind
    start: int
    end: int


def read_paragraphs(note: Note) -> Iterator[Paragraph]:
    """Yield the paragraphs of a note's body in order."""
    by_line = break_paragraphs(_broken_lines(note))
    labels = _labels(note)
    for block in note.blocks:
        if _parts_scenes(note, block):
            yield Paragraph("rule", block.start, block.end)
        elif block.kind in _READ or block.kind in _WHOLE:
            kind = "lines" if by_line and block.kind == "paragraph" else block.kind
            for start, end in _paragraphs(note, block.start, block.end, kind, labels):
                yield Paragraph(block.kind, start, end)


def _labels(note: Note) -> frozenset[str]:
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
        block.kind in _MAY_BREAK and is_scene_break(note.text[block.start : block.end])
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
            ends_sentence(line[0])
            if kind == "lines"
            else kind in _HAS_ITEMS and _ALONE.match(line[0]) is not None
        )
    if first < end:
        yield first, end


def _shown(note: Note, start: int, end: int) -> tuple[str, list[int]]:
    """Return the visible characters of a span, and the offset of each.

    Offsets refer to the text, which the note has after one line break.
    """
    text = ""
    offsets: list[int] = []
    is_apart = False
    last = start
    for run in _SEEN.finditer(note.prose, start, end):
        between = range(last, run.start()) if "|" in note.text[last : run.start()] else ()
        is_apart = is_apart or any(
            note.text[offset] == "|" and note.prose[offset] == HIDDEN for offset in between
        )
        first, last = run.span()
        piece = _SPACE.sub(" ", run[0])
        if is_apart and piece.strip():
            is_apart = False
            indent = len(piece) - len(piece.lstrip())
            text += piece[:indent]
            offsets += range(first - 1, first + indent - 1)
            first, piece = first + indent, piece[indent:]
            if text.strip():
                text += _CELLS
                offsets += [first - 1] * len(_CELLS)
        text += piece
        offsets += range(first - 1, last - 1)
    return text, offsets


def _between(found: Sequence[_Found], start: int, end: int) -> Sequence[_Found]:
    """Return the links or fields of a paragraph, and the last two before it: they may reach in."""
    first = bisect_left(found, start, key=_START)
    return found[max(0, first - 2) : bisect_left(found, end, first, key=_START)]


def _whole(
    text: str, links: Iterable[Link], fields: Iterable[InlineField], start: int, end: int
) -> tuple[int, int]:
    """Extend a span to whole links and bracketed fields at its ends."""
    for link in links:
        if link.start < start < link.end:
            start = link.start
        if link.start < end < link.end:
            end = link.end
    for one in fields:
        if start < one.end <= end:
            end += text[end : end + 1] in ("]", ")") and one.end == end
    return start, end


def _cut(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences in a paragraph, without surrounding whitespace."""
    first = 0
    for end in read_ends(text):
        yield from _trimmed(text, first, end)
        first = end
    yield from _trimmed(text, first, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
