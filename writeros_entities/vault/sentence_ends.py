"""Where sentences end: the one rule by which passages are cut, windowed and quoted."""

from __future__ import annotations

import re

_SENTENCE = r"""
    (?<!\b[A-Z])(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bCapt)(?<!\bvs)
    [.!?…]+ ["'”’»)\]*_=~]* \s+ (?![a-z\s]) | [。！？]+ [」』”]*"""

SENTENCE_END = re.compile(_SENTENCE, re.VERBOSE)
"""Matches what ends a sentence, with the marks that close behind it and the space behind those."""

PART_END = re.compile(
    _SENTENCE + r"| \n\s*\n | \n (?=[ \t]*(?:[-*+>|]|\#{1,6}|\d+[.)])[ \t])", re.VERBOSE
)
"""Matches what ends a sentence, a paragraph, or a line of a list, a quotation or a table."""
