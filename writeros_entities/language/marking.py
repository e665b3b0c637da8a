"""Mark what a reader does not see of a note, its paragraphs, sentences and links.

stored = mark_note(note)       # bytes, kept as the note's page; `marks` reads them
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate, pairwise

from writeros_entities.language.marks import Marks, Spans, pack_marks
from writeros_entities.values import HIDDEN, MARK, UNSEEN, Note
from writeros_entities.vault.comments import cover_comments
from writeros_entities.vault.markdown.patterns import run_of
from writeros_entities.vault.properties.reading import property_starts
from writeros_entities.vault.sentences.ends import read_ends
from writeros_entities.vault.sentences.passages import links_in
from writeros_entities.vault.sentences.reading import read_paragraphs

_SEEN = re.compile(f"[^{HIDDEN}{MARK}]+")
_RUN = re.compile(f"{HIDDEN}+|{MARK}+")
_LINE_BREAK = re.compile(r"<br[^<>]*>", re.IGNORECASE)
_ALT = r"[^\[\]\n]|\[[^\[\]\n]*+\]"
_ADDRESS = r"[^()\n]|\([^()\n]*+\)"
_UNSEEN = re.compile(
    r"%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|!\[\[[^\[\]\n]*+\]\]"
    rf"|!\[{run_of(_ALT)}\]\({run_of(_ADDRESS)}\)"
    rf"|\[\^[^\s\[\]]+\]:?|\^(?=\[)|\^[A-Za-z0-9-]+[ \t]*\Z|`+|{UNSEEN}+",
    re.DOTALL,
)
_LINE_MARKS = re.compile(
    r"[ \t]*(?:>[ \t]*)*(?:#{1,6}(?:[ \t]+|\Z))?(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|\Z))*"
    r"(?:\[[^\[\]\n]\](?:[ \t]+|\Z))?(?:\[![^\]\n]*\][-+]?[ \t]*)?"
)
_DELIMITER_ROW = re.compile(r"[ \t>]*+\|?[ \t]*:?-[-:| \t]*\r?\Z")
_ROW = re.compile(r"[ \t>]*\|")


def mark_note(note: Note) -> bytes:
    """Return the marks of a note as they are stored."""
    links = _links(note)
    of_properties = [one for one in links if one[0] < note.body_start]
    unseen = [span for one in of_properties for span in (one[:2], one[2:])]
    hidden, spaces, bars = _unseen(note)
    return pack_marks(Marks([*unseen, *hidden], spaces, bars, *_sentences(note), links))


def _properties(note: Note) -> list[tuple[int, int]]:
    starts = list(property_starts(note.text[: note.body_start])) if note.body_start else []
    return list(pairwise([*starts, note.body_start]))


def _links(note: Note) -> list[tuple[int, int, int, int]]:
    """Return where the links of a note are, those in its properties first."""
    links = [
        (link.start + start, link.text_start + start, link.text_end + start, link.end + start)
        for start, end in _properties(note)
        for link in links_in(note.text[start:end])
    ]
    of_body = (link for link in note.links if link.start >= note.body_start)
    links += [(link.start, link.text_start, link.text_end, link.end) for link in of_body]
    return sorted(links)


def _unseen(note: Note) -> tuple[Spans, Spans, Spans]:
    """Return what a reader does not see of a note's body, line breaks, and bars between cells."""
    text = cover_comments(note)
    unseen: list[tuple[int, int]] = []
    spaces: list[tuple[int, int]] = []
    bars: list[tuple[int, int]] = []
    for run in _RUN.finditer(note.prose, note.body_start):
        start, end = run.span()
        if run[0][0] == MARK:
            unseen.append((start, end))
            continue
        line = text.rfind("\n", 0, start) + 1
        if line == start:
            marks = _LINE_MARKS.match(text, start, end)
            assert marks is not None, "it matches nothing at all"
            start = end if _is_delimiter_row(text[start:end]) else marks.end()
            unseen.append((line, start))
            if start == end:
                continue
        is_row = _ROW.match(text, line) is not None
        for hidden in _UNSEEN.finditer(text, start, end):
            is_break = _LINE_BREAK.fullmatch(hidden[0]) is not None
            (spaces if is_break else unseen).append(hidden.span())
            bars += _bars(text, start, hidden.start()) if is_row else ()
            start = hidden.end()
        bars += _bars(text, start, end) if is_row else ()
    return [one for one in unseen if one[0] < one[1]], spaces, bars


def _is_delimiter_row(hidden: str) -> bool:
    return "-" in hidden and _DELIMITER_ROW.match(hidden) is not None


def _bars(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return ((at, at + 1) for at in range(start, end) if text[at] == "|")


def _sentences(note: Note) -> tuple[Spans, list[tuple[int]]]:
    """Return a note's paragraphs, each property one of them, and where sentences end in them."""
    spans = _properties(note)
    spans += [(one.start, one.end) for one in read_paragraphs(note) if one.kind != "rule"]
    return spans, [(end,) for start, end in spans for end in _ends(note, start, end)]


def _ends(note: Note, start: int, end: int) -> Iterator[int]:
    """Yield where sentences end in a paragraph: behind the white space after them."""
    seen = note.text[start:end] if end <= note.body_start else note.prose[start:end]
    if HIDDEN not in seen and MARK not in seen:
        yield from (start + one for one in read_ends(seen) if one < len(seen))
        return
    pieces = [piece.span() for piece in _SEEN.finditer(seen)]
    places = list(accumulate((stop - begin for begin, stop in pieces), initial=0))
    shown = seen.replace(HIDDEN, "").replace(MARK, "")
    for one in read_ends(shown):
        if one < len(shown):
            at = bisect_left(places, one) - 1
            yield start + pieces[at][0] + one - places[at]
