"""Read a note's lines with a language's parser: sentences, and the words that make their clauses.

A fragment of a sheet has no subject: "Works at the Temple", "Daughter of Ruth". A parser reads it
right only after one, so it is read once more behind a name that the parser gives for this
(`placeholder`), with or without "is"; that name then stands for the missing subject.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from writeros_entities.errors import FAULTS, PluginError, describe_error
from writeros_entities.language.layout import LaidLine, read_layout
from writeros_entities.language.sentences import read_ends
from writeros_entities.language.spoken import spoken_spans
from writeros_entities.values.notes import Note, Span
from writeros_entities.values.pages import Line, Page, PageSentence, Word
from writeros_entities.vault.markdown.patterns import run_of

if TYPE_CHECKING:
    from writeros_entities.protocols import Language, Parser

LONGEST = 4_000
"""Most characters that are parsed at once; a sentence that is longer is no prose."""

_WORD = re.compile(r"[^\W_]++" + run_of(r"['’-][^\W_]++"))
_LETTER = re.compile(r"[^\W\d_]")
_POSSESSIVE = ("'s", "’s", "'S", "’S")
_ELIDED = re.compile(r"[^\W\d_]['’](?=\w)(?![A-ZÀ-Þ])")
"""Matches the start of a word with an apostrophe that is no name: "I'm", "D'abord"."""
_OPENERS = frozenset('.!?…:"“”«»„‘’—–(-')
_FINAL = frozenset(".!?…")
_ASKING = "\"'”’»)]* "


@dataclass(slots=True)
class _Part:
    """A part of a line that is parsed alone: from `start` to `end` of its text.

    `found` are its sentences, with offsets in the part.
    """

    line: LaidLine
    start: int
    end: int
    is_whole: bool
    text: str = field(init=False)
    names: list[tuple[int, int]] = field(init=False)
    found: Sequence[Sequence[Word]] = ()
    is_fragment: bool = False

    def __post_init__(self) -> None:
        self.text = self.line.text[self.start : self.end]
        self.names = []


def read_page(note: Note, language: Language | None, parser: Parser | None = None) -> Page:
    """Return the page of a note; without a parser its sentences have no words.

    `language` is None for a note in a language that no plugin knows; `parser` is the language's.

    Raises PluginError if the parser fails, or returns words that are not in its texts.
    """
    lines = read_layout(note)
    spoken = [_spoken(line) for line in lines]
    parts = [list(_parts(line, spans)) for line, spans in zip(lines, spoken, strict=True)]
    if parser is not None:
        all_parts = [part for of_line in parts for part in of_line]
        particles = language.words.particles if language else ()
        for part in all_parts:
            part.names = list(find_names(part.text, particles))
        _parse(parser, all_parts)
    read = _sentences if parser is None else _clauses
    return Page(
        language.code if language else "",
        tuple(
            _line(line, [one for part in of_line for one in read(part, spans)])
            for line, of_line, spans in zip(lines, parts, spoken, strict=True)
        ),
        has_clauses=parser is not None,
    )


def _line(laid: LaidLine, sentences: Sequence[PageSentence]) -> Line:
    start, end = laid.span(0, len(laid.text))
    value = None
    if laid.value is not None:
        begin = laid.place(laid.value)
        value = Span(begin, max(begin, end))
    return Line(
        laid.kind,
        start,
        end,
        laid.depth,
        laid.label,
        value,
        laid.header,
        laid.first,
        tuple(sentences),
    )


# -- Parts and speech ------------------------------------------------------------------------------


def _spoken(line: LaidLine) -> list[tuple[int, int]]:
    """Return the spans of direct speech in a line's text."""
    return spoken_spans(line.text) if line.kind in ("paragraph", "quote", "item") else []


def _parts(line: LaidLine, spoken: Sequence[tuple[int, int]]) -> Iterator[_Part]:
    """Yield what is parsed of a line: a label's value, or sentences apart from speeches.

    A speech stays with the words that say whose it is.
    """
    text, first = line.text, line.value or 0
    edges = [first, *_edges(text, spoken, first), len(text)]
    for start, end in pairwise(edges):
        for begin, stop in _pieces(text, start, end):
            while begin < stop and text[begin].isspace():
                begin += 1
            if stop - begin <= LONGEST and _LETTER.search(text, begin, stop):
                yield _Part(line, begin, stop, is_whole=not spoken)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield a part, or if it is too long to be parsed at once, its sentences by themselves."""
    ends = [start + one for one in read_ends(text[start:end])] if end - start > LONGEST else []
    yield from pairwise([start, *ends, end])


def _edges(text: str, spoken: Sequence[tuple[int, int]], first: int) -> Iterator[int]:
    """Yield where a speech begins behind the end of a sentence, or ends with one."""
    last = first
    for start, end in spoken:
        before, after = start - 1, end
        while before > last and text[before].isspace():
            before -= 1
        if before > last and (text[before] in _FINAL or before + 1 == last):
            yield (last := start)
        while after < len(text) and text[after].isspace():
            after += 1
        closed = text[end - 2 : end]
        is_closed = not _FINAL.isdisjoint(closed) and not closed[-1:].isalnum()
        if is_closed and end > last and after < len(text) and not text[after].islower():
            yield (last := end)


def find_names(text: str, particles: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield runs of words with capitals, which are names, or titles with names.

    `particles` may stand inside a name ("Ann of the Reeds").
    """
    run: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    for found in _WORD.finditer(text):
        start, end = found.span()
        if run and text[(waiting or run)[-1][1] : start] != " ":
            yield from _name(text, run)
            run, waiting = [], []
        if text[start].isupper() and not _ELIDED.match(text, start, end):
            if text.endswith(_POSSESSIVE, start, end) and end - start > 2:
                yield from _name(text, [*run, *waiting, (start, end - 2)])
                run, waiting = [], []
            else:
                run += [*waiting, (start, end)]
                waiting = []
        elif run and len(waiting) < 2 and text[start:end] in particles:
            waiting.append((start, end))
        elif run:
            yield from _name(text, run)
            run, waiting = [], []
    yield from _name(text, run)


def _name(text: str, run: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the name in a run of words: a sentence's first word may be none of it."""
    if not run:
        return
    before = run[0][0] - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    if before < 0 or text[before] in _OPENERS:
        run = run[1:]
        if not run or not text[run[0][0]].isupper():
            return
    if len(run) > 1:
        yield run[0][0], run[-1][1]


# -- Sentences -------------------------------------------------------------------------------------


def _sentences(part: _Part, spoken: Sequence[tuple[int, int]]) -> Iterator[PageSentence]:
    """Yield the sentences of a part that no parser has read."""
    start = 0
    for end in (*read_ends(part.text), len(part.text)):
        yield from _sentence(part, start, end, (), spoken)
        start = end


def _clauses(part: _Part, spoken: Sequence[tuple[int, int]]) -> Iterator[PageSentence]:
    """Yield the sentences of a part that a parser has read."""
    for words in part.found:
        if words:
            end = max(words[-1].end, 1)
            while end < len(part.text) and not part.text[end].isspace():
                end += 1
            yield from _sentence(part, words[0].start, end, words, spoken)


def _sentence(
    part: _Part, start: int, end: int, words: Sequence[Word], spoken: Sequence[tuple[int, int]]
) -> Iterator[PageSentence]:
    text = part.text[start:end].rstrip()
    if not text:
        return
    begin, finish = part.start + start, part.start + start + len(text)
    at = bisect_right(spoken, begin, key=lambda span: span[0]) - 1
    last = part.start + words[-1].end if words else finish
    first, final = part.line.span(begin, finish)
    yield PageSentence(
        first,
        final,
        tuple(_placed(word, part) for word in words),
        is_fragment=part.is_fragment,
        asks=text.rstrip(_ASKING).endswith("?"),
        is_speech=at >= 0 and last <= spoken[at][1],
    )


def _placed(word: Word, part: _Part) -> Word:
    """Return a word with offsets in the note."""
    if word.end <= word.start:
        place = part.line.place(part.start + word.start)
        return word._replace(start=place, end=place)
    start, end = part.line.span(part.start + word.start, part.start + word.end)
    return word._replace(start=start, end=end)


# -- Parsing ---------------------------------------------------------------------------------------


def _parse(parser: Parser, parts: Sequence[_Part]) -> None:
    """Parse parts, and the fragments among them once more behind a placeholder."""
    texts = [(part.text, part.names) for part in parts]
    for part, found in zip(parts, _parsed(parser, texts), strict=True):
        part.found = found
    waiting = [part for part in parts if part.is_whole and _may_be_fragment(part.found)]
    verbal = [part for part in waiting if _may_begin_with_verb(part, parser.finite_endings)]
    _complete(parser, verbal, f"{parser.placeholder} ", verbal=True)
    nominal = [part for part in waiting if not part.is_fragment]
    _complete(parser, nominal, f"{parser.placeholder} {parser.copula} ", verbal=False)


def _parsed(
    parser: Parser, texts: Sequence[tuple[str, Sequence[tuple[int, int]]]]
) -> list[Sequence[Sequence[Word]]]:
    """Return the sentences of texts, each text parsed once; raises PluginError for faults."""
    different = list(dict(texts).items())
    if not different:
        return []
    try:
        answers = list(
            parser.parse([text for text, _ in different], [names for _, names in different])
        )
        for (text, _), sentences in zip(different, answers, strict=True):
            _check(text, sentences)
    except FAULTS as error:
        raise PluginError(
            f"The parser {parser.identity!r} failed: {describe_error(error)}."
        ) from error
    of_text = {text: found for (text, _), found in zip(different, answers, strict=True)}
    return [of_text[text] for text, _ in texts]


def _check(text: str, sentences: Sequence[Sequence[Word]]) -> None:
    """Raise ValueError if words do not stand in their text, in order, or depend on none there."""
    last = 0
    for words in sentences:
        for word in words:
            if not (last <= word.start < word.end <= len(text) and 0 <= word.head < len(words)):
                raise ValueError(f"{word!r} is no word of {text[:80]!r}, or not in order")
            last = word.end


def _may_be_fragment(sentences: Sequence[Sequence[Word]]) -> bool:
    """Say whether a text is one sentence without a finite verb that has a subject."""
    if len(sentences) != 1:
        return False
    words = sentences[0]
    for word in words:
        if word.role in ("subject", "passive subject"):
            head = words[word.head]
            if head.role in ("auxiliary", "passive auxiliary"):
                head = words[head.head]
            if head.role in ("root", "conjunct") and head.kind in ("verb", "auxiliary"):
                return False
    return bool(words)


def _may_begin_with_verb(part: _Part, endings: Sequence[str]) -> bool:
    first = part.found[0][0]
    written = part.text[first.start : first.end].lower()
    return first.kind in ("verb", "auxiliary") or written.endswith(tuple(endings))


def _complete(parser: Parser, parts: Sequence[_Part], lead: str, *, verbal: bool) -> None:
    """Read fragments with words for their subject before them, and keep what then is a clause."""
    texts = []
    for part in parts:
        shifted = [(len(lead) + start, len(lead) + end) for start, end in part.names]
        texts.append((lead + _lowered(part), shifted))
    for part, sentences in zip(parts, _parsed(parser, texts), strict=True):
        if _has_subject(sentences, verbal=verbal):
            part.found = [[_behind(word, len(lead)) for word in sentences[0]]]
            part.is_fragment = True


def _lowered(part: _Part) -> str:
    """Return a fragment as it goes on behind a subject: in lower case, unless it is a name."""
    first = part.text[:1].lower()
    if len(first) != 1 or any(start == 0 for start, _ in part.names):
        return part.text
    return first + part.text[1:]


def _has_subject(sentences: Sequence[Sequence[Word]], *, verbal: bool) -> bool:
    """Say whether the first word is the subject, of the verb behind it or of "is".

    What is behind "is" and has a verb with its own subject is a clause without "is".
    """
    if not sentences or len(sentences[0]) < 2:
        return False
    words = sentences[0]
    at = words[0].head
    if words[0].role not in ("subject", "passive subject"):
        return False
    if not verbal:
        own = (one.head for one in words[1:] if one.role in ("subject", "passive subject"))
        return not any(words[one].role == "clause" and words[one].head == at for one in own)
    return at == 1 and words[1].kind == "verb" and words[1].form in ("past", "present", "future")


def _behind(word: Word, lead: int) -> Word:
    return word._replace(start=max(0, word.start - lead), end=max(0, word.end - lead))
