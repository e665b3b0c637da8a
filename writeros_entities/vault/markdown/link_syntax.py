"""Parse single links: target, heading, block and displayed text."""

from __future__ import annotations

import re
from urllib.parse import unquote

from writeros_entities.names import storable
from writeros_entities.values import UNSEEN, Link, LinkKind
from writeros_entities.vault.markdown.patterns import run_of

_BETWEEN_BRACKETS = run_of(r"[^\[\]\n]++|\[(?!\[)|\](?!\])", least=1)
WIKILINK = re.compile(rf"!?\[\[({_BETWEEN_BRACKETS})\]\]")
"""A wikilink or embed; group 1 is the text between its brackets."""

_PLAIN = r"[^\s()\\]|\\."
_IN_PARENTHESES = rf"\({run_of(_PLAIN)}\)"
_BARE = run_of(rf"{_PLAIN}|{_IN_PARENTHESES}")
DESTINATION = re.compile(
    rf"""\([ \t]*+
    (?:<(?P<angled>[^<>\n]*+)>|(?P<bare>{_BARE}))
    (?:\s++(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?
    [ \t]*+\)""",
    re.VERBOSE,
)
"""The `(destination "title")` of a Markdown link."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_SIZE = re.compile(r"\s*\d+(?:x\d+)?\s*")
_VIEW_OPTION = re.compile(r"(?:page|height|t|selection|rect|color|annotation)=")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def read_wikilink(
    kind: LinkKind, text: str, start: int, end: int, body: int, field: str | None = None
) -> Link | None:
    """Parse the wikilink at `[start, end)` whose content is at `[body, end - 2)`.

    Returns None for `[[]]`, and for the searches `[[##heading]]` and `[[^^block]]`.
    """
    content = text[body : end - 2]
    written, pipe, shown = content.partition("|")
    length = len(written)
    written = written.rstrip("\\") if pipe else written
    target, heading, block = _split_target(written)
    if not target and not heading and not block:
        return None
    if written.lstrip().startswith(("##", "^^")):
        return None
    display: str | None = shown.strip() or None
    if kind == "embed" and display:
        display = _without_size(display)
    if kind in ("embed", "frontmatter"):
        text_start = text_end = start
    elif display:
        text_start = body + length + 1
        text_end = end - 2
    else:
        text_start, text_end = _name_span(written, body)
    while text_start < text_end and text[text_start].isspace():
        text_start += 1
    while text_start < text_end and text[text_end - 1].isspace():
        text_end -= 1
    return Link(
        kind,
        text[start:end],
        target,
        start,
        end,
        heading,
        block,
        display,
        text_start,
        text_end,
        field,
    )


def read_markdown_link(
    text: str, start: int, label: int, close: int, end: int, destination: str, field: str | None
) -> Link | None:
    """Parse the Markdown link at `[start, end)` whose label is at `[label, close)`.

    Returns None for an external link (`https:`, `mailto:`, `obsidian:`) or one without a target.
    """
    destination = _ESCAPE.sub(r"\1", destination)
    if is_external(destination):
        return None
    path, mark, rest = (storable(unquote(part)) for part in destination.partition("#"))
    target, heading, block = _split_target(path + mark + rest, len(path))
    if not target and not heading and not block:
        return None
    display: str | None = text[label:close].strip() or None
    if text[start] == "!":
        display = _without_size(display) if display else None
        kind: LinkKind = "embed"
        label = close = start
    else:
        kind = "markdown"
    return Link(
        kind, text[start:end], target, start, end, heading, block, display, label, close, field
    )


def _without_size(display: str) -> str | None:
    """Return an embed's displayed text without the image size at its end."""
    words, _, size = display.rpartition("|")
    return words.rstrip("\\ ") or None if _SIZE.fullmatch(size) else display


def is_external(destination: str) -> bool:
    """Return whether the destination of a Markdown link is outside the vault, or covered data."""
    return _SCHEME.match(destination) is not None or destination.startswith(("//", UNSEEN))


def _split_target(written: str, position: int | None = None) -> tuple[str, str | None, str | None]:
    """Split at the first `#`, at `position` if given, into path, heading and block."""
    if position is None:
        position = written.find("#")
        if position == -1:
            return written.replace("\xa0", " ").strip(), None, None
    target = written[:position].replace("\xa0", " ").strip()
    subpath = written[position + 1 :].strip()
    if subpath.startswith("^"):
        return target, None, subpath[1:].strip() or None
    if _VIEW_OPTION.match(subpath):
        return target, None, None
    return target, subpath or None, None


def _name_span(written: str, offset: int) -> tuple[int, int]:
    """Return the span of the linked note's name; without a name, that of the heading."""
    path, mark, subpath = written.partition("#")
    if not path.strip():
        start = len(path) + len(mark)
        return (offset, offset) if "^" in subpath else (offset + start, offset + len(written))
    path = path.rstrip()
    start = path.rfind("/") + 1
    end = len(path) - 3 if path[start:].lower().endswith(".md") else len(path)
    return offset + start, offset + end
