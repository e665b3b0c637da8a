"""Packs a prompt tier by tier: who it is, what binds them to others, where they are told of.

1. The primary source comes first: whole, or windowed where it does not fit.
2. Evidence of relations comes as the sentences that bear it out.
3. Mentions fill what is left, in the order of the strategy: whole while they fit, then windowed.

A window is the sentences around what a passage is there for, as many as fit; where not even one
does and the prompt is still empty, words around it. Of passages that say nearly the same, the first
stands for all. Each of several entities has its share; what one leaves over goes to the next. What
room there is at the end makes windows larger, to both sides and then to one: by sentences, and
where a tenth of the budget would still stay unused, by words; at last words of further passages
fill it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from writeros_entities import (
    PART_END,
    ContextBuilder,
    ContextPassage,
    ContextPiece,
    ContextTask,
    Span,
    hookimpl,
)

__version__ = "1"

LEAST_ROOM = 40
"""Tokens from which a window is worth its header; of a small budget, a share of it."""

LEAST_SHARE = 0.05

WELL_USED = 0.9
"""The part of a budget up to which sentences are cut to use it."""

MOST_MISSES = 8
"""Passages in a row of which nothing fits, after which no others are tried."""

Borders = Callable[[str], Sequence[int]]
"""Where a text may be cut."""

Sides = tuple[bool, bool]
"""Whether a window grows at its beginning, and at its end."""

BOTH: Sides = (True, True)
SIDES: tuple[Sides, ...] = (BOTH, (False, True), (True, False))

_WORD = re.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True)
class TierBuilder:
    """Packs tier by tier."""

    name: str = "tiers"

    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        """Return the pieces that fit, by entity, tier and rank."""
        packing = Packing(task)
        carried = 0.0
        shares = sorted(enumerate(task.shares), key=lambda one: -one[1])
        for entity, share in shares:
            allotted = carried + share * task.budget
            before = packing.spent
            packing.add_entity(entity, packing.spent + allotted)
            carried = allotted - (packing.spent - before)
        for entity, _ in shares:
            packing.add_entity(entity, task.budget)
        packing.grow()
        packing.fill()
        return packing.pieces()


@dataclass
class Packing:
    """Pieces chosen so far, and what they cost."""

    task: ContextTask
    spent: int = 0
    chosen: dict[int, ContextPiece] = field(default_factory=dict)
    """Pieces by the place of their passage in the task."""
    _places: dict[int, int] = field(default_factory=dict)
    """The place of the passage by which each chunk is there, by the chunk's id."""
    _groups: dict[int, int] = field(default_factory=dict)
    """The chunk that stands for each group."""
    _costs: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def add_entity(self, entity: int, limit: float) -> None:
        """Add what fits of one entity's passages until `limit` tokens are spent."""
        least = min(LEAST_ROOM, LEAST_SHARE * self.task.budget)
        misses = 0
        for place, passage in enumerate(self.task.passages):
            if passage.entity == entity:
                room = int(min(limit, self.task.budget)) - self.spent
                if self.chosen and (room <= least or misses >= MOST_MISSES):
                    return
                is_there = self._add(place, passage, room, by_words=not self.chosen)
                misses = 0 if is_there else misses + 1

    def grow(self) -> None:
        """Make windows larger while there is room, the first ones first."""
        self._grow(sentence_ends)
        if not self._is_well_used():
            self._grow(word_ends)

    def fill(self) -> None:
        """Add words of passages of which no sentence fits, until the budget is well used."""
        for place, passage in enumerate(self.task.passages):
            if self._is_well_used():
                return
            self._add(place, passage, self.task.budget - self.spent, by_words=True)

    def pieces(self) -> list[ContextPiece]:
        """Return the pieces in order; should they cost more together than one by one, the last
        ones smaller, or not at all.
        """
        pieces = [self.chosen[place] for place in sorted(self.chosen)]
        while pieces and (excess := self.task.measure(pieces) - self.task.budget) > 0:
            last = pieces.pop()
            windows = windows_around(last.passage, last.passage.spans[:1], sentence_ends)
            smaller = self._best(windows, self._cost(last) - excess)
            if smaller is not None:
                pieces.append(smaller)
        return pieces

    def _grow(self, borders: Borders) -> None:
        for place in sorted(self.chosen):
            for sides in SIDES:
                piece = self.chosen[place]
                if piece == piece.passage.whole():
                    break
                room = self.task.budget - self.spent + self._cost(piece)
                shown = Span(piece.start, piece.end)
                windows = windows_around(piece.passage, [shown], borders, sides)
                larger = self._best(windows, room)
                if larger is not None:
                    self._put(place, larger)

    def _is_well_used(self) -> bool:
        return self.spent >= WELL_USED * self.task.budget

    def _add(self, place: int, passage: ContextPassage, room: int, *, by_words: bool) -> bool:
        """Add what fits of a passage; return whether something does, or is there already."""
        chunk_id = passage.chunk.id
        if self._groups.get(passage.group, chunk_id) != chunk_id:
            return True
        known = self._places.get(chunk_id)
        if known is not None:
            self._complete(known, passage, room)
            return True
        piece = self._first(passage, room, by_words=by_words)
        if piece is None:
            return False
        self._groups[passage.group] = chunk_id
        self._places[chunk_id] = place
        self._put(place, piece)
        return True

    def _complete(self, place: int, passage: ContextPassage, room: int) -> None:
        """Show the whole chunk where its mentions are wanted and a window of it is there."""
        piece = self.chosen[place]
        whole = piece.passage.whole()
        if passage.tier != "relationships" and self._cost(whole) - self._cost(piece) <= room:
            self._put(place, whole)

    def _first(self, passage: ContextPassage, room: int, *, by_words: bool) -> ContextPiece | None:
        """Return what to show of a passage, if anything fits."""
        if passage.tier == "relationships":
            around = sentences_around(passage.text, passage.spans)
            evidence = ContextPiece(passage, around.start, around.end)
            if self._cost(evidence) <= room:
                return evidence
        elif self._cost(passage.whole()) <= room:
            return passage.whole()
        first = passage.spans[:1]
        window = self._best(windows_around(passage, first, sentence_ends), room)
        if window is None and by_words:
            return self._best(windows_around(passage, first, word_ends), room)
        return window

    def _best(self, windows: Sequence[ContextPiece], room: int) -> ContextPiece | None:
        """Return the last of ever larger windows that costs no more than there is room for."""
        low, high = 0, len(windows)
        while low < high:
            middle = (low + high) // 2
            if self._cost(windows[middle]) <= room:
                low = middle + 1
            else:
                high = middle
        return windows[low - 1] if low else None

    def _put(self, place: int, piece: ContextPiece) -> None:
        before = self.chosen.get(place)
        self.spent += self._cost(piece) - (0 if before is None else self._cost(before))
        self.chosen[place] = piece

    def _cost(self, piece: ContextPiece) -> int:
        key = (piece.passage.chunk.id, piece.start, piece.end)
        if key not in self._costs:
            self._costs[key] = self.task.measure([piece])
        return self._costs[key]


def windows_around(
    passage: ContextPassage, spans: Sequence[Span], borders: Borders, sides: Sides = BOTH
) -> list[ContextPiece]:
    """Return ever larger windows between borders: from those around the spans outwards, behind them
    first, in turns.
    """
    ends = sorted({0, *borders(passage.text), len(passage.text)})
    return list(_growing(passage, spans, ends, sides))


@lru_cache(maxsize=512)
def word_ends(text: str) -> tuple[int, ...]:
    """Return where words end, and the blanks behind them."""
    return tuple(word.end() for word in _WORD.finditer(text))


@lru_cache(maxsize=512)
def sentence_ends(text: str) -> tuple[int, ...]:
    """Return where sentences, paragraphs and lines of lists end."""
    return tuple(found.end() for found in PART_END.finditer(text))


def sentences_around(text: str, spans: Sequence[Span]) -> Span:
    """Return the sentences in which spans stand; without spans, the first."""
    borders = sorted({0, *sentence_ends(text), len(text)})
    first, last = _middle(borders, spans)
    return Span(borders[first], borders[last])


def _growing(
    passage: ContextPassage, spans: Sequence[Span], borders: Sequence[int], sides: Sides
) -> Iterator[ContextPiece]:
    first, last = _middle(borders, spans)
    yield ContextPiece(passage, borders[first], borders[last])
    before, behind = sides
    least, most = (0 if before else first), (len(borders) - 1 if behind else last)
    while first > least or last < most:
        if last < most:
            last += 1
            yield ContextPiece(passage, borders[first], borders[last])
        if first > least:
            first -= 1
            yield ContextPiece(passage, borders[first], borders[last])


def _middle(borders: Sequence[int], spans: Sequence[Span]) -> tuple[int, int]:
    """Return between which borders spans lie: the places of the nearest around them."""
    start = min(map(attrgetter("start"), spans), default=0)
    end = max(map(attrgetter("end"), spans), default=0)
    first = max(at for at, border in enumerate(borders[:-1]) if border <= start or at == 0)
    last = next((at for at, border in enumerate(borders) if border >= end and at > first), 0)
    return first, last or len(borders) - 1


@hookimpl
def register_context_builders() -> Iterable[ContextBuilder]:
    """Return the builder `tiers`."""
    return [TierBuilder()]
