"""Find the open threads that a writer notes beside her story, and set them aside from it.

- [ ] Tell why the well is dry      TODO: name the ferryman      [question:: Who lit the fire?]
Age: TBD                            {{weather}}                  a list under "Open questions"

    words = ThreadWords(language.words.threads for language in languages)
    threads = find_threads(note, words)
    note = set_aside(note, threads)       # in a note that tells the story: nobody reads them there

A to-do that is ticked off is no thread. What stands indented below an open one belongs to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from writeros_entities.names import fold_name
from writeros_entities.values import HIDDEN, UNSEEN, WrittenThread
from writeros_entities.vault.markdown.list_items import columns
from writeros_entities.vault.markdown.plain_text import heading_text

if TYPE_CHECKING:
    from writeros_entities.values import Block, Note, ThreadKind

Part = TypeVar("Part")

LONGEST = 500
"""Most characters of a thread's text."""

_OPEN_BOXES: Mapping[str, ThreadKind] = {
    " ": "to-do",
    "/": "to-do",
    ">": "to-do",
    "<": "to-do",
    "?": "question",
}
"""The marks of to-dos that are not done, as themes show them: also begun, put off, scheduled."""

_QUOTED = r"[ \t>]*+"
_ITEM = re.compile(rf"({_QUOTED})(?:[-+*]|\d{{1,9}}[.)])[ \t]++(?:\[([^\[\]\n])\](?:[ \t]++|\Z))?")
_OPEN_BOX = re.compile(rf"\[[{re.escape(''.join(_OPEN_BOXES))}]\]")
_MARKERS = re.compile(rf"^{_ITEM.pattern}", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]*+\}\}")
_LAYOUT = re.compile(r"[ \t>*_~=#/%!\\\[(<{-]*+(?:\d{1,9}[.)][ \t]++)?[ \t*_~=#/%!\[(<{-]*+\Z")
"""What may stand before a mark that begins a line: quote and list marks, formatting, brackets."""

_CLOSING = {"(": ")", "[": "]"}
_LETTER = re.compile(r"[^\r\n]")
_LISTED = ("list", "quote", "callout")
_WITH_MARKS = (*_LISTED, "paragraph", "table", "html")


class ThreadWords:
    """The words that mark open threads, of several languages at once; the first one wins."""

    def __init__(self, tables: Iterable[Mapping[str, str]]) -> None:
        self._kinds: dict[str, ThreadKind] = {}
        for table in tables:
            for word, kind in table.items():
                self._kinds.setdefault(word, "question" if kind == "question" else "to-do")

    def kind_of(self, written: str) -> ThreadKind | None:
        """Return the kind of thread that a heading or a field's key announces."""
        word = fold_name(written).strip(" :")
        return self._kinds.get(word) or self._kinds.get(word.replace("-", " "))

    @cached_property
    def _marks(self) -> Sequence[str]:
        """The words of to-dos as they mark one in a text: in capitals, the longest first."""
        found = {word.upper() for word, kind in self._kinds.items() if kind == "to-do"}
        return sorted(found, key=lambda mark: (-len(mark), mark))

    @cached_property
    def _shortest(self) -> Sequence[str]:
        """The marks without those that contain another, those in ASCII last."""
        marks = self._marks
        own = [one for one in marks if not any(two in one for two in marks if two != one)]
        return sorted(own, key=str.isascii)

    def may_mark(self, text: str) -> bool:
        """Say whether a text has the letters of a mark; quick, as most texts do not."""
        first = sum(not one.isascii() for one in self._shortest) if text.isascii() else 0
        return any(mark in text for mark in self._shortest[first:])

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Matches a mark, and the colon behind it."""
        words = "|".join(map(re.escape, self._marks))
        return re.compile(rf"(?<!\w)({words})(?!\w)[*_~]*+(\s?[:：])?")


def find_threads(note: Note, words: ThreadWords) -> tuple[WrittenThread, ...]:
    """Return the open threads of a note, in order; none is inside another."""
    found = sorted(_Reader(note, words).read(), key=lambda one: (one.start, -one.end))
    kept: list[WrittenThread] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def set_aside(note: Note, threads: Sequence[WrittenThread]) -> Note:
    """Return a note in which threads are covered: nothing in them is text, a link or a field."""
    starts, ends = [one.start for one in threads], [one.end for one in threads]

    def outside(parts: Iterable[Part]) -> tuple[Part, ...]:
        return tuple(part for part in parts if not _is_inside(part, starts, ends))

    return replace(
        note,
        text=_cover(note.text, threads, UNSEEN),
        prose=_cover(note.prose, threads, HIDDEN),
        links=outside(note.links),
        tags=outside(note.tags),
        fields=outside(note.fields),
        block_ids=outside(note.block_ids),
    )


def _cover(text: str, threads: Iterable[WrittenThread], cover: str) -> str:
    """Return a text with threads, except their line ends, replaced by a character."""
    pieces = []
    cursor = 0
    for one in threads:
        pieces += [text[cursor : one.start], _LETTER.sub(cover, text[one.start : one.end])]
        cursor = one.end
    return "".join([*pieces, text[cursor:]])


def _is_inside(part: object, starts: Sequence[int], ends: Sequence[int]) -> bool:
    start, end = getattr(part, "start", 0), getattr(part, "end", 0)
    place = bisect_right(starts, start) - 1
    return place >= 0 and end <= ends[place] and start < end


class _Reader:
    """Reads the threads of one note."""

    def __init__(self, note: Note, words: ThreadWords) -> None:
        self._note = note
        self._words = words
        self._text = note.text

    def read(self) -> Iterator[WrittenThread]:
        text = self._text
        announced = self._announced()
        if announced or _OPEN_BOX.search(text) is not None:
            for block in self._blocks(_LISTED):
                yield from self._items(block, announced)
        if self._words.may_mark(text):
            for block in self._blocks(_WITH_MARKS):
                yield from self._marked("to-do", block.start, block.end)
            for comment in self._note.comments:
                yield from self._marked("comment", comment.start, comment.end)
        if "{{" in text:
            for block in self._blocks(_WITH_MARKS):
                yield from self._placeholders(block)
        for field in self._note.fields:
            kind = self._words.kind_of(field.key)
            if kind is not None and field.value.strip():
                yield self._thread(kind, *self._field(field.start, field.end), field.value)

    def _blocks(self, kinds: Sequence[str]) -> Iterator[Block]:
        return (block for block in self._note.blocks if block.kind in kinds)

    def _announced(self) -> list[tuple[int, int, ThreadKind]]:
        """Return the sections whose headings say that they list threads."""
        found = []
        headings = self._note.headings
        for at, heading in enumerate(headings):
            kind = self._words.kind_of(heading.text)
            if kind is not None:
                later = (one.start for one in headings[at + 1 :] if one.level <= heading.level)
                found.append((heading.end, next(later, len(self._text)), kind))
        return found

    def _items(
        self, block: Block, announced: Sequence[tuple[int, int, ThreadKind]]
    ) -> Iterator[WrittenThread]:
        section = (kind for start, end, kind in announced if start <= block.start < end)
        listed = next(section, None)
        lines = list(self._lines(block.start, block.end))
        items = [_ITEM.match(self._text, *line) for line in lines]
        for at, item in enumerate(items):
            kind = self._kind(item, listed)
            if item is None or kind is None:
                continue
            last = at
            while last + 1 < len(lines) and self._belongs(lines[last + 1], items[last + 1], item):
                last += 1
            end = lines[last][1]
            yield self._thread(kind, lines[at][0], end, self._text[item.end() : end])

    def _kind(self, item: re.Match[str] | None, listed: ThreadKind | None) -> ThreadKind | None:
        if item is None or item[2] is None:
            return listed if item is not None else None
        box = _OPEN_BOXES.get(item[2])
        return None if box is None else "question" if "question" in (box, listed) else "to-do"

    def _belongs(
        self, line: tuple[int, int], inner: re.Match[str] | None, item: re.Match[str]
    ) -> bool:
        """Say whether a line belongs to the item before it, and is no to-do of its own."""
        written = self._text[line[0] : line[1]]
        indent = written[: len(written) - len(written.lstrip(" \t>"))]
        is_deeper = columns(indent) > columns(item[1])
        return is_deeper and (inner is None or inner[2] is None)

    def _marked(self, kind: ThreadKind, start: int, end: int) -> Iterator[WrittenThread]:
        for first, last in self._lines(start, end):
            for mark in self._words.pattern.finditer(self._text, first, last):
                span = self._meant(mark, first, last)
                if span is not None and (kind == "comment" or self._is_shown(mark.start())):
                    told = self._text[mark.end() : span[1]].strip(" ])")
                    yield self._thread(kind, *span, told or self._text[first:last])
                    break

    def _is_shown(self, place: int) -> bool:
        """Say whether a reader sees a mark, or the tag that it is."""
        is_tag = any(tag.start == place - 1 for tag in self._note.tags)
        return is_tag or self._note.prose[place] != HIDDEN

    def _meant(self, mark: re.Match[str], first: int, last: int) -> tuple[int, int] | None:
        """Return the span of a to-do that a mark begins, or None if it is a word like others.

        It begins its line or a bracket, or has a colon behind it, or is the value of a label.
        """
        text = self._text
        before, behind = text[first : mark.start()], text[mark.end() : last]
        opening = before.rstrip(" \t*_~")[-1:]
        if opening in _CLOSING:
            closing = text.find(_CLOSING[opening], mark.end(), last)
            start = first + before.rindex(opening)
            return start, last if closing == -1 else closing + 1
        begins = _LAYOUT.match(text, first, mark.start()) is not None
        if mark[2] or (begins and _is_capital(mark[1]) and not _is_capital(_first_word(behind))):
            return mark.start(), last
        is_value = bool(opening) and opening in (":", "：", "|") and not behind.strip(" \t*_~.?…|")
        return (mark.start(), mark.end()) if is_value else None

    def _placeholders(self, block: Block) -> Iterator[WrittenThread]:
        for first, last in self._lines(block.start, block.end):
            for one in _PLACEHOLDER.finditer(self._text, first, last):
                if self._note.prose[one.start()] == HIDDEN:
                    yield self._thread("placeholder", *one.span(), self._text[first:last])

    def _field(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of a field, given that of its value."""
        line = self._text.rfind("\n", 0, start) + 1
        opening = {"]": "[", ")": "("}.get(self._text[end : end + 1], "")
        bracket = self._text.rfind(opening, line, start) if opening else -1
        return (bracket, end + 1) if bracket != -1 else (line, end)

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the spans of the lines in a block, without their ends."""
        while start < end:
            stop = self._text.find("\n", start, end)
            stop = end if stop == -1 else stop
            yield start, stop - self._text.endswith("\r", start, stop)
            start = stop + 1

    def _thread(self, kind: ThreadKind, start: int, end: int, written: str) -> WrittenThread:
        told = " ".join(heading_text(_MARKERS.sub("", written)).split()).strip(" :-–—/%#>")
        return WrittenThread(kind, (told or " ".join(written.split()))[:LONGEST], start, end)


def _first_word(text: str) -> str:
    return next(iter(text.split()), "")


def _is_capital(word: str) -> bool:
    """Say whether a word is written in capitals, of which its script has some."""
    return word.isupper() and len(word) > 1
