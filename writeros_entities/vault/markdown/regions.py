"""Find the ends of code, comments, math, HTML and template commands that span whole lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from writeros_entities.values import UNSEEN, Callout, Span
from writeros_entities.vault.markdown.list_items import columns
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.markdown.prose import ProseMask

_FENCE = re.compile(r"(`{3,}+)(?=[^`]*+\Z)|(~{3,}+)")
_LANGUAGE = re.compile(r"[ \t]*+([\w-]++)")
_COMMANDS = frozenset(
    {
        *("base", "dataview", "dataviewjs", "datacore", "datacorejs", "datacorejsx", "query"),
        *("tasks", "tracker", "chart", "button", "meta-bind", "meta-bind-button"),
        *("meta-bind-embed", "meta-bind-js-view", "js-engine", "leaflet", "ob-timeline"),
        *("ob-timelines", "timeline-vis", "breadcrumbs", "table-of-contents", "toc"),
        *("folder-overview", "gallery", "img-gallery", "compressed-json"),
    }
)
"""Languages of code by which a plugin is told what to draw: a query, a button, a map."""
_QUOTE_MARKS = re.compile(run_of(r"[ \t]*+>"))
_INDENT = re.compile(r"[ \t]*+")
_LEAVES_QUOTE = re.compile(r"\n(?![ \t]*+>)")
_BLANK_LINE = re.compile(r"\n[ \t]*+\r?(?:\n|\Z)")
_LINE_END = re.compile(r"\r?\n|\r?\Z")
_RAW_HTML = re.compile(
    r"<(?:(?P<element>(?:script|pre|style|textarea)(?=[\s>]|\Z))|(?P<instruction>\?)"
    r"|(?P<data>!\[CDATA\[)|(?P<declaration>![A-Za-z]))",
    re.IGNORECASE,
)
_RAW_HTML_END = {
    "element": re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    "instruction": re.compile(r"\?>"),
    "data": re.compile(r"\]\]>"),
    "declaration": re.compile(r">"),
}
_BLOCK_HTML = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd"
    r"|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]"
    r"|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup"
    r"|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)"
    r"(?=[ \t>]|/>|\r?\Z)",
    re.IGNORECASE,
)
_ATTRIBUTES = run_of(
    r"[ \t]++[A-Za-z_:][^\s\"'=<>`]*+(?:[ \t]*+=[ \t]*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?"
)
_LONE_TAG = re.compile(
    rf"<(?:[A-Za-z][A-Za-z0-9-]*+{_ATTRIBUTES}[ \t]*+/?"
    r"|/[A-Za-z][A-Za-z0-9-]*+[ \t]*+)>[ \t]*+\Z"
)
_HTML_MARKUP = re.compile(r"<!--|<[^<>]*+>|&#?[A-Za-z0-9]{1,31};")


@dataclass(slots=True)
class Line:
    """A line, the start of its content, and its container.

    `width` is its indentation in columns, `depth` the number of quote marks before its content,
    `listed` whether it belongs to an open list, `first` whether it begins a quote.
    """

    start: int
    content: int
    stop: int
    following: int
    width: int
    depth: int = 0
    listed: bool = False
    first: bool = False

    @property
    def top(self) -> bool:
        """Whether the line is outside all containers."""
        return not (self.depth or self.listed)


@dataclass(frozen=True, slots=True)
class Region:
    """A range of lines, hidden up to `end`; what follows on its last line is text.

    In `plain` HTML, only tags and entities are hidden; any other region is hidden entirely. A
    `command` to a plugin is unseen, as a comment is.
    """

    kind: Literal["code", "comment", "math", "html"]
    end: int
    stop: int
    following: int
    closed: bool = True
    plain: bool = False
    command: bool = False

    def hide(self, text: str, start: int, mask: ProseMask) -> Iterator[Span]:
        """Hide the region, from `start` on, in the mask; yield the spans readers do not see."""
        if not self.plain:
            mask.hide(start, self.end)
            if self.kind == "comment" or self.command:
                yield Span(start, self.end)
            return
        while (markup := _HTML_MARKUP.search(text, start, self.end)) is not None:
            start = markup.end()
            if markup[0] == "<!--":
                closing = text.find("-->", start, self.end)
                start = self.end if closing == -1 else closing + 3
                yield Span(markup.start(), start)
            elif UNSEEN in markup[0]:
                yield Span(*markup.span())
            mask.hide(markup.start(), start)


def find_fence(text: str, line: Line, list_indent: int) -> Region | None:
    """Return the fenced code that begins on `line`, or None."""
    opening = _FENCE.match(text, line.content, line.stop)
    if opening is None:
        return None
    language = _LANGUAGE.match(text, opening.end(), line.stop)
    command = language is not None and language[1].lower() in _COMMANDS
    if line.top:
        closing = _closing_fence(opening[0][0], len(opening[0])).search(text, line.stop)
        if closing is None:
            return _to_line_end(text, "code", len(text), closed=False)
        return replace(_to_line_end(text, "code", closing.end()), command=command)
    position, end = line.following, line.stop
    while position < len(text):
        start, stop, following = _line_at(text, position)
        content = _content(text, start, stop)
        width = columns(text[start:content])
        if line.listed and content < stop and width < list_indent:
            break
        depth = 0
        if line.depth:
            marks = _QUOTE_MARKS.match(text, start, stop)
            content = _content(text, marks.end() if marks else start, stop)
            depth = text.count(">", start, content)
            if depth < line.depth:
                break
        end, position = stop, following
        written = text[content:stop].rstrip()
        closes = len(written) >= len(opening[0]) and not written.strip(opening[0][0])
        if closes and depth == line.depth:
            break
    return Region("code", end, end, position, command=command)


def find_indented_code(text: str, line: Line) -> Region:
    """Return the indented code that begins on `line`, up to the next line with less indentation."""
    position, end, following = line.following, line.stop, line.following
    while position < len(text):
        start, stop, position = _line_at(text, position)
        content = _content(text, start, stop)
        if content < stop:
            if columns(text[start:content]) < 4:
                break
            end, following = stop, position
    return Region("code", end, end, following)


def find_delimited(
    text: str, line: Line, in_paragraph: bool, seen: dict[str, int]
) -> Region | None:
    """Return the comment, math, template command or HTML that begins on `line`, or None.

    Also None if it ends on the same line with text beside it: the inline scan then handles it.
    `seen` caches the next position of each delimiter, so that no text is searched twice.
    """
    start = line.content
    if text.startswith("%%", start):
        return _find_closing(text, line, "comment", "%%", "%%", in_paragraph, seen)
    if text.startswith("$$", start):
        return _find_closing(text, line, "math", "$$", "$$", in_paragraph, seen)
    if text.startswith("<%", start):
        return _find_closing(text, line, "code", "<%", "%>", in_paragraph, seen)
    if text.startswith("<!--", start):
        return _find_closing(text, line, "comment", "<!--", "-->", in_paragraph, seen)
    if text[start] == "<" and line.top:
        return _find_html(text, line, in_paragraph)
    return None


def _find_closing(
    text: str,
    line: Line,
    kind: Literal["code", "comment", "math"],
    opening: str,
    closing: str,
    in_paragraph: bool,
    seen: dict[str, int],
) -> Region | None:
    limit = len(text)
    after = line.content + len(opening)
    if seen.get(closing, 0) < after:
        found = text.find(closing, after)
        seen[closing] = limit if found == -1 else found
    found = seen[closing]
    if line.depth:
        if seen.get(">", 0) < line.stop:
            leaving = _LEAVES_QUOTE.search(text, line.stop)
            seen[">"] = limit if leaving is None else leaving.start()
        limit = seen[">"]
    if found >= limit:
        return _to_line_end(text, kind, limit, closed=False) if kind == "comment" else None
    end = found + len(closing)
    if end <= line.stop and (in_paragraph or text[end : line.stop].strip()):
        return None
    region = replace(_to_line_end(text, kind, end), command=opening == "<%")
    if text[end : region.stop].strip():
        return replace(region, end=end)
    return region


def _find_html(text: str, line: Line, in_paragraph: bool) -> Region | None:
    raw = _RAW_HTML.match(text, line.content, line.stop)
    if raw is not None and raw.lastgroup is not None:
        closing = _RAW_HTML_END[raw.lastgroup].search(text, raw.end())
        if closing is None:
            return _to_line_end(text, "html", len(text), closed=False)
        return _to_line_end(text, "html", closing.end())
    if _BLOCK_HTML.match(text, line.content, line.stop) is None and (
        in_paragraph or _LONE_TAG.match(text, line.content, line.stop) is None
    ):
        return None
    blank = _BLANK_LINE.search(text, line.content)
    region = _to_line_end(text, "html", len(text) if blank is None else blank.start())
    return Region("html", region.end, region.stop, region.following, plain=True)


def _to_line_end(
    text: str, kind: Literal["code", "comment", "math", "html"], end: int, *, closed: bool = True
) -> Region:
    if end == len(text):
        stop = len(text.removesuffix("\n").removesuffix("\r")) if text[-1:] == "\n" else end
        return Region(kind, stop, stop, end, closed)
    line_end = _LINE_END.search(text, end - 1 if text[end - 1] == "\r" else end)
    assert line_end is not None
    return Region(kind, line_end.start(), line_end.start(), line_end.end(), closed)


@lru_cache(maxsize=32)
def _closing_fence(mark: str, length: int) -> re.Pattern[str]:
    return re.compile(rf"\n {{0,3}}{mark}{{{length},}}+[ \t]*+(?=\r?(?:\n|\Z))")


def _line_at(text: str, start: int) -> tuple[int, int, int]:
    end = text.find("\n", start)
    end = len(text) if end == -1 else end
    stop = end - 1 if end > start and text[end - 1] == "\r" else end
    return start, stop, end + 1


def _content(text: str, start: int, stop: int) -> int:
    indent = _INDENT.match(text, start, stop)
    return indent.end() if indent else start


CALLOUT = re.compile(r"\[!([^\[\]\n]++)\]([+-]?)[ \t]*+")
"""The start of a callout's first line: type (with `|` metadata) and fold mark."""


@dataclass(slots=True)
class _Open:
    depth: int
    start: int
    type: str
    title: str
    fold: str


class OpenCallouts:
    """The callouts open during a scan, innermost last; `closed` has those that have ended."""

    def __init__(self) -> None:
        self.closed: list[Callout] = []
        self._open: list[_Open] = []

    def enter(self, match: re.Match[str], depth: int, start: int, title: str) -> None:
        """Open the callout whose first line, at `start`, matched `CALLOUT`."""
        kind = match[1].partition("|")[0].strip().lower()
        self._open.append(_Open(depth, start, kind, title, match[2]))

    def in_infobox(self) -> bool:
        """Say whether the innermost open callout is an infobox, the facts about one subject."""
        return bool(self._open) and self._open[-1].type == "infobox"

    def leave(self, depth: int, end: int) -> None:
        """Close, at `end`, all callouts nested deeper than `depth` quote marks."""
        while self._open and self._open[-1].depth > depth:
            callout = self._open.pop()
            fold = callout.fold
            self.closed.append(
                Callout(
                    callout.type,
                    callout.title,
                    "+" if fold == "+" else "-" if fold == "-" else "",
                    callout.start,
                    end,
                )
            )
