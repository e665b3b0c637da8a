"""Headings without formatting."""

from __future__ import annotations

import re

from writeros_entities.values import UNSEEN
from writeros_entities.vault.markdown.link_syntax import WIKILINK
from writeros_entities.vault.markdown.patterns import COMMENTED, run_of

_MARKUP = re.compile(rf"[\\`*_=~\[\]<%^&!{UNSEEN}]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)")
_IN_HTML = run_of(r"[^-<]++|-(?!->)|<(?!!--)")
_IN_COMMAND = run_of(r"[^%<]++|%(?!>)|<(?!%)")
_UNSEEN = re.compile(
    rf"%%{COMMENTED}%%|<!--{_IN_HTML}-->|<%{_IN_COMMAND}%>|{UNSEEN}|</?[A-Za-z][^<>]*+>"
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
