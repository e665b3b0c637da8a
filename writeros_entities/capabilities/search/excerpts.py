"""Excerpts: what of a chunk has most to do with a query, with its terms marked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from writeros_entities.language.marks import Part
from writeros_entities.store.words import words
from writeros_entities.story.mentions import Passage, mentions_in, quote
from writeros_entities.values import UNSEEN
from writeros_entities.vault.comments import blank_comments
from writeros_entities.vault.headings import heading_at
from writeros_entities.vault.properties.reading import read_property

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.store.words import Term
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View

WIDTH = 200
"""The most characters from the first to the last match of an excerpt."""

LONGEST = 300
"""The most characters of an excerpt of several sentences."""

ENOUGH = 2
"""How many different terms say by themselves what a passage has to do with a query."""

_WORD = re.compile(r"[^\W_]+")
_NOTHING = rf"[\s{UNSEEN}]*"
_NEXT_HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
_HEADING = re.compile(rf"\A{_NOTHING}(?:#{{1,6}} [^\n]*(?:\n|\Z){_NOTHING})*")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage as a reader sees it: the spans of matches in it, its place in the file, and the
    headings above it.
    """

    text: str
    marks: tuple[tuple[int, int], ...]
    line: int
    column: int
    heading: str

    def marked(self) -> str:
        """Return the passage with its matches in bold."""
        pieces = []
        cursor = 0
        for start, end in self.marks:
            pieces += [self.text[cursor:start], "**", self.text[start:end], "**"]
            cursor = end
        return "".join([*pieces, self.text[cursor:]])


@dataclass(frozen=True, slots=True)
class _Match:
    start: int
    end: int
    what: object


def text_excerpt(
    place: ChunkPlace,
    terms: Sequence[QueryTerm],
    names: Collection[str] = (),
    nearest: tuple[int, int] | None = None,
) -> Excerpt:
    """Return the passage of a chunk in which the most different terms and names occur together.

    If none occurs, it is the words of a link whose target has one; failing that, the sentences
    `nearest` in meaning, by their span in the chunk's text, or else the beginning of the chunk. The
    nearest sentences are also better than one term alone of a query of several.
    """
    shown = blank_comments(place.text)
    if "](" in shown or "[[" in shown:
        shown = place.part.with_blank_links(shown)
    matches = _matches(shown, terms, names) or _leading_to(place.part, terms, names)
    number, start, end = _best_span(shown, matches)
    if nearest is not None and number < min(ENOUGH, len(terms)):
        start, end = _shortened(place.part, shown, *nearest)
        passage = _passage(place, start, end)
        text = passage.text[passage.text_start : passage.text_end]
    else:
        passage = _passage(place, start, end)
        text = passage.text
    marks = _united(_matches(text, terms, names))
    heading = heading_at(place.heading, place.sections, start)
    return Excerpt(text, marks, passage.line, passage.column, heading)


def matched_terms(text: str, terms: Sequence[QueryTerm]) -> int:
    """Return how many of the terms a text has."""
    return len({match.what for match in _matches(text, terms, ())})


def with_terms_marked(text: str, terms: Sequence[QueryTerm]) -> str:
    """Return a text with the terms in it in bold."""
    return Excerpt(text, _united(_matches(text, terms, ())), 0, 0, "").marked()


def _passage(place: ChunkPlace, start: int, end: int) -> Passage:
    """Return the passage around a span of a chunk; among properties, its property."""
    span = place.start + start, place.start + end
    if place.ordinal >= 0:
        return quote(place.part, place.line, *span)
    first, told = read_property(place.text, start, end)
    line = place.line + place.text.count("\n", 0, first)
    return quote(Part(told, place.start + first, place.marks), line, *span)


def _shortened(part: Part, text: str, start: int, end: int) -> tuple[int, int]:
    """Return as many of the sentences in a span as are not too long together, or the first.

    `text` is that of the part, as it is searched.

    They are between two headings: behind those that the span begins with, if any.
    """
    heading = _HEADING.match(text[start:end])
    begin = start + (heading.end() if heading else 0)
    following = _NEXT_HEADING.search(text, begin, end)
    stop = following.start() if following else end
    if begin >= stop:
        return start, end
    ends = [*part.ends(begin, stop), stop]
    last = max((at for at in ends if at - begin <= LONGEST), default=ends[0])
    return begin, begin + len(text[begin:last].rstrip())


def _best_span(text: str, matches: Sequence[_Match]) -> tuple[int, int, int]:
    """Return how many different matches are close together, and their span.

    Without any, the span is the beginning of the text below its headings.
    """
    if not matches:
        heading = _HEADING.match(text)
        begins = heading.end() if heading and heading.end() < len(text) else 0
        return 0, begins, min(begins + 1, len(text))
    best = (0, 0, 0)
    for at, first in enumerate(matches):
        seen: set[object] = set()
        for last in matches[at:]:
            if last.end - first.start > WIDTH or "\n" in text[first.start : last.end]:
                break
            seen.add(last.what)
            best = max(best, (len(seen), -first.start, last.end - first.start))
    number, start = best[0], -best[1]
    return number, start, start + best[2]


def _matches(text: str, terms: Sequence[QueryTerm], names: Collection[str]) -> list[_Match]:
    """Return the occurrences of terms and names in a text, in order."""
    found = [match for name in names for match in _literal(text, name)]
    wanted = [term.term for term in terms]
    found += [match for term in wanted if term.piece for match in _literal(text, term.piece)]
    phrases = [term for term in wanted if not term.piece]
    if phrases:
        cut = [
            (word, place.start(), place.end())
            for place in _WORD.finditer(text)
            for word in words(place[0])
        ]
        for term in phrases:
            found += _phrases(cut, term)
    return sorted(found, key=lambda match: (match.start, match.end))


def _leading_to(part: Part, terms: Sequence[QueryTerm], names: Collection[str]) -> list[_Match]:
    """Return the words of the links whose targets contain terms or names."""
    return [
        _Match(start, end, target)
        for target, start, end in part.linked_words()
        if _matches(target, terms, names)
    ]


def _literal(text: str, piece: str) -> Iterator[_Match]:
    for place in re.finditer(re.escape(piece), text):
        yield _Match(place.start(), place.end(), piece)


def _phrases(cut: Sequence[tuple[str, int, int]], term: Term) -> Iterator[_Match]:
    firsts = {phrase[0] for phrase in term.phrases}
    for at, (word, start, _) in enumerate(cut):
        if word not in firsts and not term.is_beginning:
            continue
        for phrase in term.phrases:
            part = cut[at : at + len(phrase)]
            spelt = tuple(one[0] for one in part)
            if spelt == phrase or (
                term.is_beginning
                and len(spelt) == len(phrase)
                and spelt[:-1] == phrase[:-1]
                and spelt[-1].startswith(phrase[-1])
            ):
                yield _Match(start, part[-1][2], term)
                break


def _united(matches: Sequence[_Match]) -> tuple[tuple[int, int], ...]:
    """Return the spans of matches in order, overlapping ones merged."""
    spans: list[tuple[int, int]] = []
    for match in matches:
        if spans and match.start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], match.end))
        else:
            spans.append((match.start, match.end))
    return tuple(spans)


def surfaces_by_chunk(
    view: View,
    chunk_ids: Collection[int],
    entity_ids: Collection[int],
    places: Mapping[int, ChunkPlace],
) -> dict[int, set[str]]:
    """Return, by chunk, the surface forms by which it mentions any of these entities."""
    found: dict[int, set[str]] = {chunk_id: set() for chunk_id in chunk_ids}
    for row in mentions_in(view, chunk_ids):
        if row.entity_id in entity_ids:
            place = places[row.chunk_id]
            found[row.chunk_id].add(place.text[row.start - place.start : row.end - place.start])
    return found


def entity_excerpts(
    view: View, entities: Mapping[int, Collection[int]], places: Mapping[int, ChunkPlace]
) -> dict[int, Excerpt]:
    """Return, by chunk, the sentence in which its entities are closest together.

    Chunks that only state something about them, as properties do, are left out.
    """
    spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for row in mentions_in(view, entities):
        if row.entity_id in entities[row.chunk_id]:
            spans[row.chunk_id].append((row.entity_id, row.start, row.end))
    found = {}
    for chunk_id, mentions in spans.items():
        place = places[chunk_id]
        start, end = _closest_pair(mentions, place)
        passage = quote(place.part, place.line, start, end)
        heading = heading_at(place.heading, place.sections, start - place.start)
        found[chunk_id] = Excerpt(passage.text, (), passage.line, passage.column, heading)
    return found


def _closest_pair(mentions: Sequence[tuple[int, int, int]], place: ChunkPlace) -> tuple[int, int]:
    """Return the shortest span in one paragraph between two entities, or else the first mention."""
    pairs = [
        (after[2] - before[1], before[1], after[2])
        for before, after in pairwise(mentions)
        if before[0] != after[0]
        and "\n" not in place.text[before[1] - place.start : after[2] - place.start]
    ]
    return min(pairs)[1:] if pairs else mentions[0][1:]
