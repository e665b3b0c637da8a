"""Headings without formatting, and values without what readers do not see."""

from __future__ import annotations

import re

from writeros_entities.values import UNSEEN
from writeros_entities.vault.markdown.link_syntax import WIKILINK
from writeros_entities.vault.markdown.patterns import (
    COMMENT,
    ENCODED,
    SHORTEST_ENCODED_LINE,
    run_of,
)

_MARKUP = re.compile(rf"[\\`*_=~\[\]<%^&!{UNSEEN}]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)")
_IN_COMMAND = run_of(r"[^%<]++|%(?!>)|<(?!%)")
_UNSEEN = re.compile(
    rf"{COMMENT.pattern}|<%{_IN_COMMAND}%>|</?[A-Za-z][^<>]*+>"
    r"|[ \t]\^[A-Za-z0-9-]++[ \t]*+\Z|\[\^[^\s\[\]]++\]"
)
_BLANKS = re.compile(r"(?<! ) {2,}")
_MARKS = re.compile(r"\*++|(?<![^\W_])_++|(?<!_)_++(?![^\W_])|==|~~|`++|\\(?=[!-/:-@\[-`{-~])")


def heading_text(written: str) -> str:
    """Return a heading as a reader sees it."""
    if _MARKUP.search(written):
        written = WIKILINK.sub(_shown, written)
        written = _MARKDOWN_LINK.sub(r"\1", written)
        written = _UNSEEN.sub("", written)
        written = _MARKS.sub("", written)
    return " ".join(written.split())


def seen_value(written: str) -> str:
    """Return a value, a label or a name without comments and encoded data."""
    if "%%" in written or "<!--" in written or UNSEEN in written:
        written = _BLANKS.sub(" ", COMMENT.sub("", written))
    return ENCODED.sub("", written) if may_be_encoded(written) else written


def may_be_encoded(text: str) -> bool:
    """Return whether a text may hold encoded data; quick, as nearly no text does."""
    return "data:" in text or max(map(len, text.split()), default=0) >= SHORTEST_ENCODED_LINE


def _shown(link: re.Match[str]) -> str:
    target, _, display = link[1].partition("|")
    return display or target.rstrip("\\")
