"""Passages of a note as its reader sees them, without Markdown.

    passage = read_passage(text, start, end)
    passage.before + passage.span + passage.after

Links become their displayed words; emphasis, list and heading marks, comments, block ids and embeds
are removed; code, tags and URLs remain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities.values import HIDDEN, MARK, UNSEEN
from writeros_entities.vault.comments import cover_encoded, without_comments
from writeros_entities.vault.markdown.link_syntax import WIKILINK, read_wikilink
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.markdown.plain_text import may_be_encoded
from writeros_entities.vault.notes import MAX_LINKS, plain_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from writeros_entities.values import Link, LinkKind, Note

_LINE_BREAK = re.compile(r"<br[^<>]*>", re.IGNORECASE)
_RUN = re.compile(f"{HIDDEN}+|{MARK}+|[^{HIDDEN}{MARK}]+")
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
_BARS = re.compile(r"(?<![ \t])[ \t]*\|[ \t]*")
_DELIMITER_ROW = re.compile(r"[ \t>]*+\|?[ \t]*:?-[-:| \t]*\r?\Z")
_BLANK = re.compile(r"[ \t>]*\r?\Z")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t\r]|\Z)")
_ROW = re.compile(r"[ \t>]*\|")
_ALONE = re.compile(r"[ \t>]*(?:#{1,6}[ \t]|\[!|\|)")
_SPACES = re.compile(r"\s+")

_MAY_HIDE_LINKS = re.compile(
    r"[`$<\\\t]|%%|~~~|\{\{| {4}|\]\(|(?<!\])\]:|\[!|\[{3}|[-:][ \t]*\||\|[ \t]*[-:]"
)
"""Matches what may make `[[…]]` something else than a link (code, mathematics, a comment, HTML, a
placeholder, an escape, a table's row, a definition, a callout), and any link in Markdown's form.
"""


@dataclass(frozen=True, slots=True)
class ReaderPassage:
    """A span and the rest of its paragraph, list item or table row, on one line."""

    before: str
    span: str
    after: str


def read_passage(text: str, start: int, end: int) -> ReaderPassage:
    """Return the span `[start, end)` of a Markdown text, with the paragraph around it."""
    note = _parse(text)
    first, last = _bounds(note, start + 1, end + 1)
    before = _SPACES.sub(" ", _shown(note, first, start + 1)).lstrip(" ·")
    span = _SPACES.sub(" ", _shown(note, start + 1, end + 1)).strip()
    after = _SPACES.sub(" ", _shown(note, end + 1, last)).rstrip(" ·")
    if not span:
        span = _SPACES.sub(" ", without_comments(text[start:end])).strip()
    return ReaderPassage(before, span, after)


def with_plain_links(text: str) -> str:
    """Return a Markdown text with links replaced by their displayed words, and without embeds."""
    return _without_links(text, "")


def with_blank_links(text: str) -> str:
    """Return a Markdown text with spaces for the invisible parts of links."""
    return _without_links(text, " ")


def _without_links(text: str, blank: str) -> str:
    text, links = _links(text)
    pieces = []
    cursor = 1
    for start, end in sorted(
        span
        for link in links
        for span in ((link.start, link.text_start), (link.text_end, link.end))
    ):
        if start >= cursor:
            pieces += [text[cursor:start], blank * (end - start)]
            cursor = end
    return "".join([*pieces, text[cursor:]])


def linked_words(text: str) -> list[tuple[str, int, int]]:
    """Return (target, start, end) for each link of a Markdown text, by its shown words."""
    return [
        (link.target, link.text_start - 1, link.text_end - 1)
        for link in _links(text)[1]
        if link.text_start < link.text_end
    ]


def _links(text: str) -> tuple[str, Sequence[Link]]:
    """Return a text as `_parse` does, and its links. It is parsed only if it must be."""
    below = "\n" + text
    if "[[" not in text and "](" not in text:
        return cover_encoded(below), ()
    if _MAY_HIDE_LINKS.search(text) or text.count("[[") > MAX_LINKS or may_be_encoded(text):
        note = _parse(text)
        return note.text, note.links
    links = (_read_link(below, found) for found in WIKILINK.finditer(below))
    return below, [link for link in links if link is not None]


def _read_link(text: str, found: re.Match[str]) -> Link | None:
    kind: LinkKind = "embed" if found[0].startswith("!") else "wikilink"
    return read_wikilink(kind, text, *found.span(), found.start(1))


@lru_cache(maxsize=64)
def _parse(text: str) -> Note:
    return plain_note("\n" + text)  # hence the offsets by one in this module


def _bounds(note: Note, start: int, end: int) -> tuple[int, int]:
    """Return the span of the paragraph, list item or table row that contains `[start, end)`."""
    text = note.text
    block = next((one for one in note.blocks if one.start <= start < one.end), None)
    lowest, highest = (block.start, block.end) if block else (0, len(text))
    first = max(text.rfind("\n", 0, start) + 1, lowest)
    while first > lowest and not _begins(text[first : _line_end(text, first)]):
        above = text.rfind("\n", 0, first - 1) + 1
        if _ends(text[above : first - 1]):
            break
        first = max(above, lowest)
    last = min(_line_end(text, end), highest)
    alone = _ALONE.match(text[text.rfind("\n", 0, end) + 1 : last])
    while not alone and last < highest:
        below = text[last + 1 : _line_end(text, last + 1)]
        if _begins(below) or _BLANK.match(below):
            break
        last = min(_line_end(text, last + 1), highest)
    return first, last


def _begins(line: str) -> bool:
    return bool(_ITEM.match(line) or _ALONE.match(line))


def _ends(line: str) -> bool:
    return bool(_BLANK.match(line) or _ALONE.match(line))


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end == -1 else end


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start <= end:
        stop = min(_line_end(text, start), end)
        yield start, stop
        start = stop + 1


def _shown(note: Note, start: int, end: int) -> str:
    text = note.text
    pieces = []
    for line_start, line_end in _lines(text, start, end):
        begins_line = text[line_start - 1 : line_start] in ("", "\n")
        line = text[line_start:line_end]
        if begins_line and _DELIMITER_ROW.match(line) and "-" in line:
            continue
        is_row = _ROW.match(text, text.rfind("\n", 0, line_start) + 1) is not None
        for run in _RUN.finditer(note.prose, line_start, line_end):
            piece = text[run.start() : run.end()]
            if run[0][0] == MARK:
                continue
            if run[0][0] == HIDDEN:
                if begins_line and run.start() == line_start:
                    marks = _LINE_MARKS.match(piece)
                    piece = piece[marks.end() if marks else 0 :]
                piece = _UNSEEN.sub("", _LINE_BREAK.sub(" ", piece))
                if is_row:
                    piece = _BARS.sub(" · ", piece)
            pieces.append(piece)
        pieces.append("\n" if line_end < end else "")
    return "".join(pieces)
