"""The sentences of a note as its reader sees them, by what is stored of its page.

    for sentence in read_told(marks, text, start):
        text[sentence.start - start : sentence.end - start]

Formatting, comments and code are left out. A paragraph that is too long is several.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from writeros_entities.language.marks import ROW, UNTOLD, Marks, show
from writeros_entities.language.spoken import without_speech
from writeros_entities.values.pages import Shown

LONGEST_PARAGRAPH = 10_000
"""Most characters of a paragraph. Much is read of a paragraph once for each name in it, which
without an end would cost more than the text is long.
"""

_START = itemgetter(0)


@dataclass(frozen=True, slots=True)
class ToldSentence:
    """A sentence as seen: a part of what is `shown` of its paragraph, from the index `first` on.

    `start` and `end` are its span in the file, extended to whole links and bracketed fields at its
    ends. `narration` has blanks for speech. `follows_break` marks the first sentence after a rule
    (`---`) or other scene break.
    """

    text: str
    narration: str
    shown: Shown
    first: int
    start: int
    end: int
    paragraph: int
    is_row: bool
    follows_break: bool

    def place(self, offset: int) -> int:
        """Return the number of the sentence's characters before an offset of the file."""
        return min(max(self.shown.index(offset) - self.first, 0), len(self.text))

    def find(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a span of the file is in the sentence, or None if it is not in it."""
        if start < self.start or end > self.end:
            return None
        first, last = self.place(start), self.place(end)
        return (first, last) if first < last else None


def read_told(marks: Marks, text: str, origin: int) -> Iterator[ToldSentence]:
    """Yield the sentences of a note's text, which begins at `origin` in its file, in order.

    What is blank in the text, such as a section that its reader may not see, is passed over.
    """
    end = origin + len(text)
    paragraph = last = 0
    for (start, stop), (kind,) in zip(marks.paragraphs, marks.kinds, strict=False):
        start, stop = max(start, origin), min(stop, end)
        if kind == UNTOLD or start >= stop or text[start - origin : stop - origin].isspace():
            continue
        shown = show(text, origin, start, stop, marks)
        narration = _narration(shown, marks, start, stop)
        links = marks.links_near(start, stop)
        fields = _within(marks.fields, start, stop)
        opening = 0
        for first, behind in _cut(shown, marks, start, stop):
            if behind - opening > LONGEST_PARAGRAPH:
                opening = first
                paragraph += 1
            begin, finish = _whole(
                *(text, origin, links, fields, shown.offset(first), shown.behind(behind))
            )
            breaks = _within(marks.breaks, last, begin)
            yield ToldSentence(
                *(shown.text[first:behind], narration[first:behind], shown, first),
                *(begin, finish, paragraph, kind == ROW),
                any(text[one - origin : other - origin].strip() for one, other in breaks),
            )
            last = finish
        paragraph += 1


def _narration(shown: Shown, marks: Marks, start: int, stop: int) -> str:
    spoken = _within(marks.spoken, start, stop)
    if not spoken:
        return shown.text
    return without_speech(shown.text, [(shown.index(one), shown.index(end)) for one, end in spoken])


def _within(spans: Sequence[tuple[int, int]], start: int, end: int) -> Sequence[tuple[int, int]]:
    first = bisect_left(spans, start, key=_START)
    return spans[first : bisect_left(spans, end, first, key=_START)]


def _cut(shown: Shown, marks: Marks, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences in a paragraph, without surrounding whitespace."""
    ends = marks.ends[bisect_right(marks.ends, (start,)) : bisect_left(marks.ends, (stop,))]
    text = shown.text
    first = 0
    for last in (*(shown.index(end) for (end,) in ends), len(text)):
        part = text[first:last]
        if part.strip():
            yield first + len(part) - len(part.lstrip()), first + len(part.rstrip())
        first = last


def _whole(
    text: str,
    origin: int,
    links: Iterable[tuple[int, int, int, int]],
    fields: Iterable[tuple[int, int]],
    start: int,
    end: int,
) -> tuple[int, int]:
    """Extend a span to whole links and bracketed fields at its ends."""
    for first, *_, last in links:
        if first < start < last:
            start = first
        if first < end < last:
            end = last
    for _, last in fields:
        if start < last == end:
            end += text[end - origin : end - origin + 1] in ("]", ")")
    return start, end
