"""Find the labels of a note's parts, which are not names even if capitalised.

    ## Overview                     a heading
    > [!infobox] Bio                the title of a callout
    | Type | Stat |                 the head of a table
    | **Ancestry** | Human |        the subject of a row, in bold
    **Pronouns:** she               a label in bold
    **[Quest received: The Ford]**  the words before the colon in a game's message

Speakers may be labelled in the same way (**Ann:** Come in!), but repeatedly.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from writeros_entities import Note

    from .names import FoundName

OF_A_SPEAKER: Final = 3
"""A bold label that occurs so often in a note may be a speaker."""

_LONGEST: Final = 60
_BOLD: Final = re.compile(
    rf"^[ \t>|]*+(?:[-+*] |\d+\. )?\*\*([^*\n|]{{1,{_LONGEST}}}?)(?:(:)\*\*|\*\*[ \t]*([:|]))",
    re.MULTILINE,
)
_MESSAGE: Final = re.compile(rf"^[ \t>*_-]*\[([^\[\]:|\n]{{1,{_LONGEST}}}):", re.MULTILINE)
_RULE: Final = re.compile(r"^[ \t>|:-]+$", re.MULTILINE)
"""Matches the line below the head of a table."""

_QUOTED: Final = re.compile(r"^[ \t>]*> #{1,6}[ \t][^\n]*", re.MULTILINE)
"""Matches a heading in a quote or a callout."""


class Labels:
    """The spans of a note's labels."""

    def __init__(self, note: Note) -> None:
        spans = list(_spans(note))
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def leave_out(self, found: list[FoundName], offset: int) -> list[FoundName]:
        """Return the names that are not in a label; the page of `found` begins at `offset`."""
        if not self._starts:
            return found
        return [name for name in found if not self._hold(offset + name.start)]

    def _hold(self, place: int) -> bool:
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]


def _spans(note: Note) -> Iterator[tuple[int, int]]:
    text = note.text
    for heading in note.headings:
        yield heading.start, heading.end
    for callout in note.callouts:
        yield callout.start, _end_of_line(text, callout.start)
    if "> #" in text:
        yield from (heading.span() for heading in _QUOTED.finditer(text))
    if "**" in text:
        yield from _bold(text)
    if text.count("[") > 2 * text.count("[["):  # more than wikilinks have
        yield from (message.span(1) for message in _MESSAGE.finditer(text))
    if "-|" in text or "- |" in text or "|-" in text or "| -" in text:
        for rule in _RULE.finditer(text):
            if "|" in rule[0] and "--" in rule[0]:
                end = text.rfind("\n", 0, rule.start() + 1)
                yield text.rfind("\n", 0, max(end, 0)) + 1, max(end, 0)


def _bold(text: str) -> Iterator[tuple[int, int]]:
    found = list(_BOLD.finditer(text))
    often = Counter(label[1] for label in found if label[3] != "|")
    for label in found:
        if label[3] == "|" or often[label[1]] < OF_A_SPEAKER:
            yield label.span(1)


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end == -1 else end
