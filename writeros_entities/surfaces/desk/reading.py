"""A note as Obsidian shows it, as HTML, with marks around the names in it.

    as_html(["# Tarn\n\nAnn came."], [[Mark(8, 11, "/entity?id=a", "m t-person", "Ann")]], link)

Marks are carried through the Markdown by characters that no note has: private ones, which are
replaced in the note itself. Then the HTML is sanitised, and they become links around text alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_BEGIN, _STOP, _DIGIT = "\ue000", "\ue001", 0xE010
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_MARK = re.compile("\ue000[\ue010-\ue019]+|\ue001")
_PART = re.compile("(<[^<>]*+>)|\ue000([\ue010-\ue019]+)|(\ue001)")
_WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]+\^[\w-]+$", re.MULTILINE)
_CALLOUT = re.compile(r"^((?:>[ \t]*)+)\[!([\w-]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*(.*)$", re.MULTILINE)
_TASK = re.compile(r"^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[(.)\](?=\s)", re.MULTILINE)
_HIGHLIGHT = re.compile(r"==(?=\S)([^=\n]+?)(?<=\S)==")
_ALLOWED = {
    *("a", "b", "blockquote", "br", "cite", "code", "dd", "del", "details", "div", "dl", "dt"),
    *("em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "kbd", "li", "mark", "ol", "p", "pre"),
    *("q", "s", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th"),
    *("thead", "tr", "u", "ul"),
}
_LINE = "data-line"
_LINE_SAID = re.compile(r'data-line="(\d+)"')
_LEADS_OUT = re.compile(r"[a-z][a-z0-9+.-]*:|/|#", re.IGNORECASE)


class Mark(NamedTuple):
    """A span of a text to mark: its offsets, where it leads, its class, and what it says."""

    start: int
    end: int
    href: str
    kind: str
    title: str


class Part(NamedTuple):
    """A passage: its text, the line of the file where it begins, and the marks in it."""

    text: str
    line: int
    marks: Sequence[Mark] = ()


def as_html(parts: Iterable[Part], link: Callable[[str], str]) -> Markup:
    """Return passages as HTML that is safe to show; `link` gives the address of a linked note.

    Its blocks have the ids `line-12`, its marks `name-1` and on.
    """
    marks: list[Mark] = []
    parser = _parser(link)
    tokens: list[Token] = []
    for part in parts:
        own = parser.parse(_prepared(_with_marks(part, marks)))
        for token in own:
            if token.map is not None and token.nesting >= 0:
                token.attrSet(_LINE, str(part.line + token.map[0]))
        tokens += own
    html = str(parser.renderer.render(tokens, parser.options, {}))
    clean = nh3.clean(
        html,
        tags=_ALLOWED,
        attributes={"*": {"dir", _LINE}, "a": {"href"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )
    seen: set[str] = set()

    def anchor(match: re.Match[str]) -> str:
        is_first = match[1] not in seen
        seen.add(match[1])
        return f'id="line-{match[1]}"' * is_first

    return Markup(_as_links(_LINE_SAID.sub(anchor, clean), marks))


def _with_marks(part: Part, marks: list[Mark]) -> str:
    pieces, cursor = [], 0
    for mark in sorted(part.marks, key=lambda one: (one.start, -one.end)):
        if mark.start < cursor:
            continue  # who else may be meant is said by the first
        number = "".join(chr(_DIGIT + int(digit)) for digit in str(len(marks)))
        marks.append(mark)
        pieces += [_plain(part.text[cursor : mark.start]), f"{_BEGIN}{number}"]
        pieces += [_plain(part.text[mark.start : mark.end]), _STOP]
        cursor = mark.end
    return "".join([*pieces, _plain(part.text[cursor:])])


def _plain(text: str) -> str:
    return _PRIVATE.sub("\ufffd", text)


def _prepared(text: str) -> str:
    text = _CALLOUT.sub(lambda found: f"{found[1]}**{found[3] or found[2].capitalize()}**", text)
    text = _TASK.sub(lambda found: f"{found[1]}{'☐' if found[2] == ' ' else '☑'}", text)
    return _BLOCK_ID.sub("", text)


def _parser(link: Callable[[str], str]) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": True, "breaks": True})
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.before("link", "wiki_link", _rule(_WIKI_LINK, partial(_wiki_link, link)))
    parser.inline.ruler.before("emphasis", "highlight", _rule(_HIGHLIGHT, _highlight))
    parser.core.ruler.push("addresses", _addresses(link))
    parser.add_render_rule("image", lambda *one: escape(one[1][one[2]].content))
    return parser


def _rule(
    pattern: re.Pattern[str], show: Callable[[StateInline, re.Match[str]], None]
) -> Callable[[StateInline, bool], bool]:
    """Return a rule that shows what a pattern matches in its own way."""

    def rule(state: StateInline, silent: bool) -> bool:
        found = pattern.match(state.src, state.pos)
        if found is not None:
            if not silent:
                show(state, found)
            state.pos = found.end()
        return found is not None

    return rule


def _highlight(state: StateInline, found: re.Match[str]) -> None:
    state.push("mark_open", "mark", 1)
    state.pending += found[1]
    state.push("mark_close", "mark", -1)


def _wiki_link(link: Callable[[str], str], state: StateInline, found: re.Match[str]) -> None:
    target, _, shown = found[2].partition("|")
    plain = _MARK.sub("", target).strip().rstrip("\\")
    said = shown or target.rstrip("\\")
    if _MARK.search(shown or target) or plain.startswith("#"):
        state.pending += said
        return
    # A mark that begins or ends in the part not shown is of no use.
    state.push("link_open", "a", 1).attrSet("href", link(plain))
    state.pending += f"↪ {said}" if found[1] else said
    state.push("link_close", "a", -1)


def _addresses(link: Callable[[str], str]) -> Callable[[Any], None]:
    """Let links to other notes lead to the desk."""

    def rule(state: Any) -> None:
        for block in state.tokens:
            for token in block.children or ():
                href = token.attrGet("href") if token.type == "link_open" else None
                if isinstance(href, str) and not _LEADS_OUT.match(href):
                    token.attrSet("href", link(_MARK.sub("", unquote(href)).removesuffix(".md")))

    return rule


def _as_links(html: str, marks: Sequence[Mark]) -> str:
    """Replace the characters of marks by links; one over several elements has a part in each."""
    inside: Mark | None = None
    in_link = 0
    pieces: list[str] = []
    cursor, numbers = 0, count(1)
    ids: dict[int, int] = {}

    def text(until: int) -> None:
        said = html[cursor:until]
        if inside is None or not said.strip() or in_link:
            pieces.append(said)
            return
        key = id(inside)
        own = "" if key in ids else f' id="name-{ids.setdefault(key, next(numbers))}"'
        title = f' title="{escape(inside.title)}"' if inside.title else ""
        href = f"{escape(inside.href)}#name-{ids[key]}"
        pieces.append(f'<a{own} class="{inside.kind}" href="{href}"{title}>{said}</a>')

    for found in _PART.finditer(html):
        text(found.start())
        cursor = found.end()
        tag, number, stop = found.groups()
        if tag:
            in_link += tag.startswith("<a ") - tag.startswith("</a")
            pieces.append(_MARK.sub("", tag))
        elif number:
            inside = marks[int("".join(str(ord(one) - _DIGIT) for one in number))]
        elif stop:
            inside = None
    text(len(html))
    return "".join(pieces)


def emphasised(excerpt: str) -> Markup:
    """Return an excerpt of a search as HTML: what is in `**` is bold, all else is text."""
    parts = excerpt.split("**")
    return Markup("").join(
        Markup("<b>{}</b>").format(part) if at % 2 and at + 1 < len(parts) else part
        for at, part in enumerate(parts)
    )
