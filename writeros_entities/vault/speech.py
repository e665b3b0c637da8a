"""What of a text is spoken: the spans between quotation marks.

    spoken_spans('"Sit," said Ann. "Here."')  ->  [(0, 6), (17, 24)]

Straight and curly marks are understood, double ones, single ones and guillemets. A speech that goes
on in the next paragraph opens there again without having been closed: it is spoken to its end.
"""

from __future__ import annotations

import re

_PAIRS = {"“": "”", "«": "»", "„": "“”", "‹": "›", "「": "」", "『": "』"}
_MARKS = re.compile('["“”«»„‹›「」『』]')
_SINGLE = re.compile(
    r"(?:(?<=\s)|(?<=\A)|(?<=[—–(-]))(?P<open>['‘])(?=\w|…)"
    r".{1,400}?[.,!?…—–](?P<close>['’])(?=\s|\Z|[—–)])",
    re.DOTALL,
)


def spoken_spans(paragraph: str) -> list[tuple[int, int]]:
    """Return where somebody speaks in one paragraph, marks included, in order."""
    spans: list[tuple[int, int]] = []
    opened = -1
    closing = ""
    for found in _MARKS.finditer(paragraph):
        mark = found[0]
        if opened != -1:
            if mark in closing:
                spans.append((opened, found.end()))
                opened = -1
        elif mark == '"':
            opened, closing = found.start(), '"'
        elif mark in _PAIRS:
            opened, closing = found.start(), _PAIRS[mark]
    if opened != -1:
        spans.append((opened, len(paragraph)))
    if spans:
        return spans
    return [found.span() for found in _SINGLE.finditer(paragraph)]


def without_speech(paragraph: str) -> str:
    """Return a paragraph with blanks where somebody speaks: offsets stay what they are."""
    for start, end in spoken_spans(paragraph):
        paragraph = paragraph[:start] + " " * (end - start) + paragraph[end:]
    return paragraph
