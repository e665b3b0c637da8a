"""Headings without formatting."""

from __future__ import annotations

import re

from writeros_entities.vault.markdown.link_syntax import WIKILINK
from writeros_entities.vault.markdown.patterns import COMMENTED

_MARKUP = re.compile(r"[\\`*_=~\[\]<%^&!]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)")
_UNSEEN = re.compile(
    rf"%%{COMMENTED}%%|</?[A-Za-z][^<>]*+>"
    r"|[ \t]\^[A-Za-z0-9-]++[ \t]*+\Z|\[\^[^\s\[\]]++\]"
)
_MARKS = re.compile(r"\*++|(?<![^\W_])_++|(?<!_)_++(?![^\W_])|==|~~|`++|\\(?=[!-/:-@\[-`{-~])")


def heading_text(written: str) -> str:
    """Return a heading as a reader sees it."""
    if _MARKUP.search(written):
        written = WIKILINK.sub(_shown, written)
        written = _MARKDOWN_LINK.sub(r"\1", written)
        written = _UNSEEN.sub("", written)
        written = _MARKS.sub("", written)
    return " ".join(written.split())


def _shown(link: re.Match[str]) -> str:
    target, _, display = link[1].partition("|")
    return display or target.rstrip("\\")
