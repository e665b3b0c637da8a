"""Parse a note line by line: headings, paragraphs, lists, quotes, code, comments.

One pass over the lines, by the rules of CommonMark with Obsidian's additions (callouts, comments,
math, tables). A list or quote is one block, however deeply nested; its inner structure is tracked
only as far as needed to find its prose. The text of each paragraph is passed to the
`InlineScanner`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from writeros_entities.values import UNSEEN, Block, BlockKind, Callout, Diagnostic, Heading, Span
from writeros_entities.vault.markdown.fields import canonical_key
from writeros_entities.vault.markdown.inline import InlineScanner
from writeros_entities.vault.markdown.list_items import ItemStart, columns, item_start
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.markdown.plain_text import heading_text, seen_value
from writeros_entities.vault.markdown.prose import ProseMask
from writeros_entities.vault.markdown.regions import (
    CALLOUT,
    Line,
    OpenCallouts,
    Region,
    find_delimited,
    find_fence,
    find_indented_code,
)

_SPECIAL = frozenset(" \t\r\n>#`~-*_+=%$<|:[^0123456789")
_INDENT = re.compile(r"[ \t]*+")
_QUOTE_MARKS = re.compile(run_of(r"[ \t]*+>", least=1))
_ATX = re.compile(r"(#{1,6})(?:[ \t]++|\Z)")
_ATX_CLOSING = re.compile(r"(?:(?<![ \t])[ \t]++|\A)#++[ \t]*+\Z")
_SETEXT = re.compile(r"(?:=++|-++)[ \t]*+\Z")
_RULE = re.compile(r"([-*_])(?:[ \t]*+\1){2,}[ \t]*+\Z")
_FOOTNOTE = re.compile(r"\[\^[^\s\[\]]++\]:")
_REFERENCE = re.compile(
    r"\[[^\[\]^][^\[\]]*+\]:[ \t]*+(?:<[^<>]*+>|(?!<)\S++)"
    r"(?:[ \t]++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?[ \t]*+\Z"
)
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]++[ \t]*+\Z")


_DASHES = r"[ \t]*+:?+-++:?+[ \t]*+"
_FURTHER = run_of(rf"\|{_DASHES}")
_DELIMITER_ROW = re.compile(rf"\|?+{_DASHES}{_FURTHER}\|?+[ \t]*+\Z")
_PIPE = re.compile(r"(?:[^|\\]|\\.?)*+\|", re.DOTALL)

_LABEL = re.compile(r"[\s*_]*+([^\W\d_][\w '’/&-]{0,40}?)(?:\(e?s\))?[\s*_:]*+")
_NO_VALUE = re.compile(r"\s*+(?:`|!\[|[-–—?]*\s*\Z)")
"""Matches the start of a value that is a command or an image, and an empty value."""


@dataclass(slots=True)
class _Leaf:
    """A paragraph, the text of a list item, or a table, as long as further lines may belong to it.

    `start` is that of its first line, `text` of the text there, `last` of the text of its last
    line. `listed` says whether it belongs to an open list, `is_item` whether it begins an item.
    """

    start: int
    text: int
    last: int
    end: int
    listed: bool
    is_item: bool = False
    is_table: bool = False


class BlockScanner:
    """Parses the blocks of one text; the results are in its attributes."""

    def __init__(self, text: str, mask: ProseMask, inline: InlineScanner) -> None:
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.diagnostics: list[Diagnostic] = []
        self._callouts = OpenCallouts()
        self._text = text
        self._mask = mask
        self._inline = inline
        self._seen: dict[str, int] = {}
        # The block that is open, if any.
        self._kind: BlockKind | None = None
        self._start = self._end = 0
        self._list_indent = 0
        self._list_marker = ""
        self._empty_item = -1
        self._footnote = -1
        # The open leaf inside it, if any, and the number of quote marks before it, or else before
        # the line that was read last.
        self._leaf: _Leaf | None = None
        self._depth = 0

    @property
    def callouts(self) -> list[Callout]:
        """The callouts found, in order of their first lines."""
        return sorted(self._callouts.closed, key=lambda callout: callout.start)

    def scan(self, position: int) -> None:
        """Parse the text from `position`, the start of a line, to its end."""
        text, size = self._text, len(self._text)
        find = text.find
        while position < size:
            end = find("\n", position)
            if end == -1:
                end = size
            stop = end - 1 if end > position and text[end - 1] == "\r" else end
            is_plain = stop > position and text[position] not in _SPECIAL
            leaf = self._leaf
            if is_plain and leaf is not None and not leaf.is_table:
                leaf.last = position
                leaf.end = self._end = stop
                position = end + 1
            elif is_plain and self._kind is None and self._is_last_line(end):
                self._inline.scan(position, stop, block=(position, stop), line_fields=True)
                self.blocks.append(Block("paragraph", position, stop))
                position = end + 1
            elif stop == position and self._kind is None:
                position = end + 1
            else:
                position = self._read_line(position, stop, end + 1)
        self._close()

    def _is_last_line(self, end: int) -> bool:
        """Return whether a paragraph must end with the line that ends at `end`."""
        return end + 1 >= len(self._text) or self._text.startswith(("\n", "\r\n"), end + 1)

    # -- Containers ------------------------------------------------------------------------------

    def _read_line(self, start: int, stop: int, following: int) -> int:
        text = self._text
        content = self._skip_indent(start, stop)
        if content == stop:
            self._close_leaf()
            if self._kind != "list":
                self._close()
            elif self._end == self._empty_item:
                self._list_indent = sys.maxsize  # an empty item cannot continue after a blank line
            self._callouts.leave(0, self._end)
            return following
        width = columns(text[start:content])
        line = Line(start, content, stop, following, width)
        line.listed = self._kind == "list" and width >= self._list_indent
        if text[content] == ">" and (line.listed or width < 4):
            return self._read_quoted(line)
        return self._read_content(line)

    def _read_quoted(self, line: Line) -> int:
        text = self._text
        after = self._enter_quote(line)
        if not line.listed and self._kind not in ("quote", "callout"):
            self._open("quote", line.start)
            line.first = True
        elif line.depth > self._depth:
            self._close_leaf()
            line.first = True
        line.width = columns(text[after : line.content])
        marked, leaf, end = line.content, self._leaf, self._end
        if marked == line.stop:
            self._close_leaf()
            self._end = line.stop
            self._depth = line.depth
            following = line.following
        else:
            following = self._read_content(line)
            if leaf is not None and self._leaf is leaf and not leaf.is_table:
                self._mask.mark(line.start, marked)
                return following
        self._mask.hide(line.start, marked)
        self._callouts.leave(line.depth, end)
        return following

    def _enter_quote(self, line: Line) -> int:
        """Move the start of the line's content past its quote marks; return where they end."""
        text = self._text
        marks = _QUOTE_MARKS.match(text, line.content, line.stop)
        assert marks is not None
        line.depth += text.count(">", line.content, marks.end())
        after = marks.end() + (text[marks.end() : marks.end() + 1] == " ")
        line.content = self._skip_indent(after, line.stop)
        return after

    def _skip_indent(self, start: int, stop: int) -> int:
        indent = _INDENT.match(self._text, start, stop)
        return indent.end() if indent else stop

    # -- Lines -----------------------------------------------------------------------------------

    def _read_content(self, line: Line) -> int:
        following = None
        if line.top and line.width >= 4:
            following = self._indented(line)
        if following is None:
            following = self._marked(line)
        if following is None:
            following = self._rule_or_item(line)
        return self._text_line(line) if following is None else following

    def _indented(self, line: Line) -> int | None:
        """Read a line of indented code, or one that continues the text above."""
        if self._leaf is not None:
            return None if self._kind == "list" else self._text_line(line)
        if self.blocks and self.blocks[-1].start == self._footnote:
            self._footnote = line.start
            return self._text_line(line)
        return self._region(line, find_indented_code(self._text, line))

    def _marked(self, line: Line) -> int | None:
        """Read a block that its first character opens, or the line below a heading."""
        text, content = self._text, line.content
        match text[content]:
            case "#":
                heading = _ATX.match(text, content, line.stop)
                return None if heading is None else self._heading(line, heading)
            case "`" | "~":
                fence = find_fence(text, line, self._list_indent)
                return None if fence is None else self._region(line, fence)
            case "%" | "$" | "<":
                region = find_delimited(text, line, self._leaf is not None, self._seen)
                return None if region is None else self._region(line, region)
            case "[":
                return self._bracket(line)
            case char if char in "=-|:" and (above := self._paragraph_above(line)):
                return self._underline(line, above)
        return None

    def _rule_or_item(self, line: Line) -> int | None:
        text, content = self._text, line.content
        if text[content] in "-*_" and _RULE.match(text, content, line.stop):
            self._leaf_block(line, "rule", line.stop)
            self._mask.hide(content, line.stop)
            return line.following
        if text[content] in "-+*0123456789":
            item = item_start(text, content, line.stop, line.width)
            if item is not None and (item.interrupts or self._may_hold_item(line)):
                return self._item(line, item)
        return None

    def _paragraph_above(self, line: Line) -> _Leaf | None:
        """Return the open paragraph above this line, in the same container, or None."""
        leaf = self._leaf_around(line)
        return None if leaf is None or leaf.is_table else leaf

    def _leaf_around(self, line: Line) -> _Leaf | None:
        """Return the open leaf if it is in the same container as this line, or None."""
        leaf = self._leaf
        is_same = leaf is not None and line.depth == self._depth and line.listed == leaf.listed
        return leaf if is_same else None

    def _underline(self, line: Line, above: _Leaf) -> int | None:
        """Read a line that turns the one above into a heading or table head, if it is such."""
        text = self._text
        if text[line.content] in "=-" and _SETEXT.match(text, line.content, line.stop):
            return self._setext(line, above)
        head = max(above.last, above.text), above.end
        if _is_delimiter_row(text, head, (line.content, line.stop)):
            return self._open_table(line, above, head)
        return None

    def _may_hold_item(self, line: Line) -> bool:
        """Return whether a list item that cannot interrupt a paragraph may begin here."""
        above = self._paragraph_above(line)
        return above is None or above.is_item or (self._kind == "list" and line.top)

    def _item(self, line: Line, item: ItemStart) -> int:
        text, content = self._text, item.content
        self._close_leaf()
        self._callouts.leave(line.depth, self._end)
        if line.top:
            if self._kind != "list" or self._list_marker != item.kind:
                self._open("list", line.start)
            self._list_indent = item.indent
            self._list_marker = item.kind
        inner = Line(line.start, content, line.stop, line.following, 0, line.depth)
        inner.listed = self._kind == "list"
        if text[content : content + 1] == ">" and content < line.stop:
            self._enter_quote(inner)
            inner.first = True
            nested = item_start(text, inner.content, line.stop, 0)
            if nested is not None:
                inner.content = nested.content
        self._mask.hide(line.content, inner.content)
        self._end = line.stop
        self._depth = inner.depth
        if inner.content == line.stop:
            self._empty_item = line.stop if line.top else -1
            return line.following
        following = self._read_content(inner)
        if self._leaf is not None:
            self._leaf.is_item = True
        return following

    def _bracket(self, line: Line) -> int | None:
        text = self._text
        callout = CALLOUT.match(text, line.content, line.stop) if line.first else None
        if callout is not None:
            return self._callout(line, callout)
        footnote = _FOOTNOTE.match(text, line.content, line.stop)
        if footnote is not None:
            self._close_leaf()
            if line.top:
                self._open("paragraph", line.start)
                self._footnote = line.start
            self._mask.hide(line.content, footnote.end())
            line.content = footnote.end()
            return self._text_line(line)
        if self._leaf is None:
            reference = _REFERENCE.match(text, line.content, line.stop)
            if reference is not None:
                self._mask.hide(*reference.span())
                if UNSEEN in reference[0]:
                    self._inline.comments.append(Span(*reference.span()))
                line.content = reference.end()
                return self._text_line(line)
        return None

    def _callout(self, line: Line, match: re.Match[str]) -> int:
        if self._kind == "quote" and self._start == line.start:
            self._kind = "callout"
        self._callouts.leave(line.depth - 1, self._end)
        title = self._text[match.end() : line.stop].strip()
        self._callouts.enter(match, line.depth, line.start, title)
        self._mask.hide(line.content, match.end())
        self._inline.scan(match.end(), line.stop)
        self._end = line.stop
        self._depth = line.depth
        return line.following

    def _heading(self, line: Line, marks: re.Match[str]) -> int:
        self._leaf_block(line, "heading", line.stop)
        start, end = marks.end(), line.stop
        closing = _ATX_CLOSING.search(self._text[start:end])
        if closing is not None:
            end = start + closing.start()
            self._mask.hide(end, line.stop)
        self._mask.hide(line.content, start)
        self._inline.scan(start, end, block=(line.start, line.stop))
        if line.top:
            text = heading_text(self._text[start:end])
            self.headings.append(Heading(len(marks[1]), text, line.start, line.stop))
        return line.following

    def _setext(self, line: Line, above: _Leaf) -> int:
        self._leaf = None
        self._end = line.stop
        self._mask.hide(line.content, line.stop)
        self._inline.scan(above.text, above.end, block=(above.start, line.stop))
        if line.top:
            level = 1 if self._text[line.content] == "=" else 2
            text = heading_text(self._text[above.text : above.end])
            self.headings.append(Heading(level, text, above.start, line.stop))
            self._kind = "heading"
            self._close()
        return line.following

    # -- Tables and text -------------------------------------------------------------------------

    def _open_table(self, line: Line, above: _Leaf, head: tuple[int, int]) -> int:
        """Turn the open paragraph's last line, at `head`, into the head of a table."""
        text = self._text
        break_ = text.rfind("\n", above.start, head[0])
        if break_ == -1:
            self._leaf = None
        else:
            above.end = break_ - (text[break_ - 1] == "\r")
            self._close_leaf()
        if line.top:
            if break_ != -1:
                self._end = above.end
                self._open("paragraph", break_ + 1)
            self._kind = "table"
        self._table_row(*head, is_head=True)
        self._mask.hide(line.content, line.stop)
        self._end = line.stop
        begin = line.content
        self._leaf = _Leaf(line.start, begin, begin, line.stop, above.listed, is_table=True)
        self._depth = line.depth
        return line.following

    def _table_row(self, start: int, stop: int, *, is_head: bool = False) -> None:
        row = list(cells(self._text, start, stop))
        field = _field_of_row(self._text, row, is_head) if self._callouts.in_infobox() else None
        cursor = start
        for cell in row:
            self._mask.hide(cursor, cell[0])
            self._inline.scan(*cell, field=field if cell == row[-1] else None)
            cursor = cell[1]
        self._mask.hide(cursor, stop)

    def _text_line(self, line: Line) -> int:
        """Read a line of text: continue the open leaf, or start a paragraph."""
        leaf = self._leaf
        if leaf is not None and leaf.is_table and self._leaf_around(line):
            self._table_row(line.content, line.stop)
        elif leaf is not None and not leaf.is_table and line.depth <= self._depth:
            leaf.last, leaf.end = line.content, line.stop
        else:
            self._close_leaf()
            if line.top and not (self._kind == "paragraph" and self._start == line.start):
                self._open("paragraph", line.start)
            self._leaf = _Leaf(line.start, line.content, line.content, line.stop, line.listed)
            self._depth = line.depth
        self._end = line.stop
        return line.following

    def _close_leaf(self) -> None:
        leaf, self._leaf = self._leaf, None
        if leaf is None or leaf.is_table:
            return
        block = None if self._depth else (leaf.start, leaf.end)
        if self._kind == "paragraph" and self.blocks:
            alone = _BLOCK_ID.match(self._text, leaf.text, leaf.end)
            if alone is not None:
                block = self.blocks[-1].start, self.blocks[-1].end
        line_fields = not (leaf.listed or leaf.is_item)
        self._inline.scan(leaf.text, leaf.end, block=block, line_fields=line_fields)

    # -- Blocks ----------------------------------------------------------------------------------

    def _region(self, line: Line, region: Region) -> int:
        text = self._text
        self._close_leaf()
        if not region.closed and not self.diagnostics:
            number = text.count("\n", 0, line.start) + 1
            message = (
                f"The {region.kind} that begins on line {number} is not closed; all that follows, "
                "to the end of the note or quote, counts as part of it."
            )
            self.diagnostics.append(Diagnostic(f"unclosed-{region.kind}", message, number))
        self._inline.comments.extend(region.hide(text, line.content, self._mask))
        if region.end == region.stop:
            self._leaf_block(line, region.kind, region.end)
            return region.following
        if line.top:
            self._open("paragraph", line.start)
        line.content, line.stop, line.following = region.end, region.stop, region.following
        return self._text_line(line)

    def _leaf_block(self, line: Line, kind: BlockKind, end: int) -> None:
        """Close what is open; at the top level, add a block from the line's start to `end`."""
        self._close_leaf()
        if line.top:
            self._open(kind, line.start)
            self._end = end
            self._close()
        else:
            self._end = end
            self._depth = line.depth

    def _open(self, kind: BlockKind, start: int) -> None:
        self._close()
        self._kind, self._start, self._end = kind, start, start

    def _close(self) -> None:
        self._close_leaf()
        self._callouts.leave(-1, self._end)
        if self._kind is not None:
            self.blocks.append(Block(self._kind, self._start, self._end))
            self._kind = None
        self._depth = 0


def cells(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the cells of the row `[start, stop)`; an escaped pipe is text."""
    while start < stop and text[start] in " \t":
        start += 1
    if start < stop and text[start] == "|":
        start += 1
    while True:
        pipe = _PIPE.match(text, start, stop)
        if pipe is None:
            break
        yield start, pipe.end() - 1
        start = pipe.end()
    if text[start:stop].strip():
        yield start, stop


def _is_delimiter_row(text: str, head: tuple[int, int], row: tuple[int, int]) -> bool:
    """Return whether `row` is the delimiter row for the table head `head`, with as many cells.

    As in Obsidian, an empty head may have fewer: a single pipe is enough.
    """
    if text.find("|", *row) == -1 or text.find("|", *head) == -1:
        return False
    if _DELIMITER_ROW.match(text, *row) is None:
        return False
    if not text[slice(*head)].strip("| \t"):
        return True
    return sum(1 for _ in cells(text, *head)) == sum(1 for _ in cells(text, *row))


def _field_of_row(text: str, row: Sequence[tuple[int, int]], is_head: bool) -> str | None:
    """Return the key of a row of an infobox: `spouse` for `| **Spouse** | [[Ann]] |`, else None.

    A head usually has titles (`| Type | Stat |`), but is a row like the others if it has a label
    with emphasis, or a link.
    """
    if len(row) != 2:
        return None
    name, value = (seen_value(text[start:end]) for start, end in row)
    label = _LABEL.fullmatch(name)
    if label is None or _NO_VALUE.match(value):
        return None
    if is_head and name[: label.start(1)][-1:] not in ("*", "_") and "[[" not in value:
        return None
    return canonical_key(label[1])
