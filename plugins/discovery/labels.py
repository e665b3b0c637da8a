"""Find the labels of a note's parts, which are not names even if capitalised.

    ## Overview                     a heading
    > [!infobox] Bio                the title of a callout
    | Type | Stat |                 the head of a table
    | **Ancestry** | Human |        the subject of a row, in bold
    **Pronouns:** she               a label in bold
    *Plugin Version: 3*             a label without bold, if all its words have capitals
    **[Quest received: The Ford]**  the words before the colon in a game's message

Speakers may be labelled in the same way (**Ann:** Come in!), but repeatedly. Neither is what stands
behind some labels, or in a link:

    **Player:** Ann                 nobody in the story
    [[03 The Long Night]]           a title, unless the name is all of it
    [[map of the vale.pdf]]         a file
    | Odile |                       all of a cell: a value that a table may have for anything
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ..languages import LANGUAGES
from .uses import is_word
from .words import FUNCTION_WORDS

if TYPE_CHECKING:
    from writeros_entities import Link, Note

    from .names import FoundName

OF_A_SPEAKER: Final = 3
"""A bold label that occurs so often in a note may be a speaker."""

_LONGEST: Final = 60
_BOLD: Final = re.compile(
    rf"^[ \t>|]*+(?:[-+*] |\d+\. )?_?\*\*([^*\n|]{{1,{_LONGEST}}}?)(?:(:)\*\*|\*\*_?[ \t]*([:|]))",
    re.MULTILINE,
)
_MESSAGE: Final = re.compile(rf"^[ \t>*_-]*\[([^\[\]:|\n]{{1,{_LONGEST}}}):", re.MULTILINE)
_PLAIN: Final = re.compile(
    rf"^[ \t>*_-]*+(?:<[^<>\n]{{1,{_LONGEST}}}+>){{0,4}}[*_]*+"
    rf"([^\W\d_a-z][^:\n|.!?\[]{{0,{_LONGEST}}}+):",
    re.MULTILINE,
)
"""Matches a label without bold, behind marks and tags at the start of a line."""

_VALUE: Final = re.compile(
    rf"^[^\w\n]*+([^\W\d_][^:|\n]{{1,{_LONGEST}}}+)[:|]([^\n]++)$", re.MULTILINE
)
"""Matches a label and its value, on a line or in a row."""

_CELL: Final = re.compile(rf"(?<=\|)[^|\n]{{1,{_LONGEST}}}+(?=\|)")
_FEW: Final = 3
"""Most words of a value, and of a name in a label without bold."""

_MARKS: Final = " \t*_|:"
_ROW: Final = re.compile(r"^[ \t>]*+\|[^\n]*", re.MULTILINE)
_FILE: Final = re.compile(r"\.(?!md\Z)[a-z][a-z0-9]{1,4}\Z", re.IGNORECASE)
_RULE: Final = re.compile(r"^[ \t>|:-]+$", re.MULTILINE)
"""Matches the line below the head of a table."""

_QUOTED: Final = re.compile(r"^[ \t>]*> #{1,6}[ \t][^\n]*", re.MULTILINE)
"""Matches a heading in a quote or a callout."""


class _Spans:
    """Spans of a text, among which a place is found."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def hold(self, place: int) -> bool:
        """Say whether a place is in one of the spans."""
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._ends[before]


class Labels:
    """The spans of a note's labels, and of what else its capitals do not make a name."""

    def __init__(self, note: Note) -> None:
        self._labels = _Spans(_spans(note))
        self._cells = _Spans(_cells(note.text))
        links = [link for link in note.links if link.text_start < link.text_end]
        self._links = sorted(links, key=attrgetter("text_start"))
        self._link_starts = [link.text_start for link in self._links]
        self._text = note.text

    def leave_out(
        self, found: Iterable[FoundName], offset: int, *, linked: bool = True
    ) -> list[FoundName]:
        """Return the names that are not in a label; the page of `found` begins at `offset`.

        Those that fill a cell are kept if the page has them elsewhere too; those that fill a link,
        if they may be `linked`.
        """
        kept = [
            name
            for name in found
            if not self._labels.hold(offset + name.start)
            and not (self._is_part(name, offset) if linked else self._link_of(name, offset))
        ]
        told = {name.text for name in kept if not self._cells.hold(offset + name.start)}
        return [name for name in kept if name.text in told]

    def _link_of(self, name: FoundName, offset: int) -> Link | None:
        """Return the link in whose text a name stands."""
        before = bisect_right(self._link_starts, offset + name.start) - 1
        link = self._links[before] if before >= 0 else None
        return link if link is not None and offset + name.end <= link.text_end else None

    def _is_part(self, name: FoundName, offset: int) -> bool:
        """Say whether a name is only part of a link's text, or names what the link calls otherwise.

        So does any in a link to a file that is no note.
        """
        link = self._link_of(name, offset)
        if link is None:
            return False
        if link.display is not None or _FILE.search(link.target):
            return True
        shown = self._text[link.text_start : link.text_end].strip()
        first, _, rest = shown.partition(" ")
        return name.text != (rest if rest and first.casefold() in _leading() else shown)


def _spans(note: Note) -> Iterator[tuple[int, int]]:
    text = note.text
    for heading in note.headings:
        yield heading.start, heading.end
    for callout in note.callouts:
        yield callout.start, _end_of_line(text, callout.start)
    if "> #" in text:
        yield from (heading.span() for heading in _QUOTED.finditer(text))
    yield from _labels(text)
    if text.count("[") > 2 * text.count("[["):  # more than wikilinks have
        yield from (message.span(1) for message in _MESSAGE.finditer(text))
    if "-|" in text or "- |" in text or "|-" in text or "| -" in text:
        for rule in _RULE.finditer(text):
            if "|" in rule[0] and "--" in rule[0]:
                end = text.rfind("\n", 0, rule.start() + 1)
                yield text.rfind("\n", 0, max(end, 0)) + 1, max(end, 0)
    for value in _VALUE.finditer(text):
        if value[1].strip(_MARKS).casefold() in _players() or _is_word_alone(value[2]):
            yield value.span(2)


def _labels(text: str) -> Iterator[tuple[int, int]]:
    bold = list(_BOLD.finditer(text)) if "**" in text else []
    plain = [
        label for label in _PLAIN.finditer(text) if "**" not in label[0] and _is_title(label[1])
    ]
    often = Counter(label[1] for label in (*bold, *plain) if label[0][-1] != "|")
    for label in (*bold, *plain):
        if label[0][-1] == "|" or often[label[1]] < OF_A_SPEAKER:
            yield label.span(1)


def _cells(text: str) -> Iterator[tuple[int, int]]:
    """Yield the cells that hold no more than a few words with capitals."""
    for row in _ROW.finditer(text) if "|" in text else ():
        for cell in _CELL.finditer(text, *row.span()):
            shown = cell[0].strip(_MARKS)
            if shown[:1].isupper() and _is_title(shown):
                yield cell.span()


def _is_title(text: str) -> bool:
    """Say whether a few words have capitals, but for those that no title has with one."""
    words = text.split()
    return len(words) <= _FEW and all(
        word[0].isupper() or not word[0].isalpha() or word in FUNCTION_WORDS or len(word) < _FEW
        for word in words
    )


def _is_word_alone(value: str) -> bool:
    """Say whether a value is nothing but a common word or two: "Age: Young Adult"."""
    words = value.strip(_MARKS).split()
    return 0 < len(words) < _FEW and all(is_word(word.lower()) for word in words)


@lru_cache(maxsize=1)
def _players() -> frozenset[str]:
    return frozenset().union(*(language.words.players for language in LANGUAGES))


@lru_cache(maxsize=1)
def _leading() -> frozenset[str]:
    return frozenset().union(*(language.words.leading for language in LANGUAGES))


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end == -1 else end
