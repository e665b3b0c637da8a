"""The links of texts that have no page: of properties, labels and values.

with_plain_links("Kin of [[Ada Reed|Ada]]")     # "Kin of Ada"
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities.vault.comments import cover_encoded
from writeros_entities.vault.markdown.link_syntax import WIKILINK, read_wikilink
from writeros_entities.vault.markdown.patterns import SHORTEST_ENCODED_LINE
from writeros_entities.vault.notes import MAX_LINKS, plain_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.values import Link, LinkKind, Note

_MAY_HIDE_LINKS = re.compile(
    r"[`$<\\\t]|%%|~~~|\{\{| {4}|\]\(|(?<!\])\]:|\[!|\[{3}|[-:][ \t]*\||\|[ \t]*[-:]"
)
"""Matches what may make `[[…]]` something else than a link (code, mathematics, a comment, HTML, a
placeholder, an escape, a table's row, a definition, a callout), and any link in Markdown's form.
"""

_MAY_BE_ENCODED = re.compile(rf"data:|\S{{{SHORTEST_ENCODED_LINE}}}")
"""Matches what encoded data has, such as a picture in the text."""


def with_plain_links(text: str) -> str:
    """Return a Markdown text with links replaced by their displayed words, and without embeds."""
    if "[[" not in text and "](" not in text:
        return cover_encoded(text) if _MAY_BE_ENCODED.search(text) else text
    if not _may_hide_links(text):
        return WIKILINK.sub(_words, text)
    text, links = _links(text)
    pieces = []
    cursor = 1
    for start, end in sorted(
        span
        for link in links
        for span in ((link.start, link.text_start), (link.text_end, link.end))
    ):
        if start >= cursor:
            pieces.append(text[cursor:start])
            cursor = end
    return "".join([*pieces, text[cursor:]])


def links_in(text: str) -> list[Link]:
    """Return the links of a Markdown text that is not a note's body."""
    return [
        replace(
            link,
            start=link.start - 1,
            text_start=link.text_start - 1,
            text_end=link.text_end - 1,
            end=link.end - 1,
        )
        for link in _links(text)[1]
    ]


def _links(text: str) -> tuple[str, Sequence[Link]]:
    """Return a text as `_parse` does, and its links. It is parsed only if it must be."""
    below = "\n" + text
    if "[[" not in text and "](" not in text:
        return cover_encoded(below), ()
    if _may_hide_links(text):
        note = _parse(text)
        return note.text, note.links
    links = (_read_link(below, found) for found in WIKILINK.finditer(below))
    return below, [link for link in links if link is not None]


def _may_hide_links(text: str) -> bool:
    return (
        _MAY_HIDE_LINKS.search(text) is not None
        or text.count("[[") > MAX_LINKS
        or _MAY_BE_ENCODED.search(text) is not None
    )


def _words(link: re.Match[str]) -> str:
    """Return the displayed words of a link, or its name; a search (`[[##x]]`) stays."""
    written, pipe, shown = link[1].partition("|")
    path, _, below = written.rstrip("\\" if pipe else "").partition("#")
    if not written.strip() or written.lstrip().startswith(("##", "^^")):
        return link[0]
    if link[0].startswith("!"):
        return ""
    if shown.strip():
        return shown.strip()
    if not path.strip():
        return "" if "^" in below else below.strip()
    name = path.rstrip().rpartition("/")[2]
    return (name[:-3] if name.lower().endswith(".md") else name).strip()


def _read_link(text: str, found: re.Match[str]) -> Link | None:
    kind: LinkKind = "embed" if found[0].startswith("!") else "wikilink"
    return read_wikilink(kind, text, *found.span(), found.start(1))


@lru_cache(maxsize=64)
def _parse(text: str) -> Note:
    return plain_note("\n" + text)  # hence the offsets by one in this module
