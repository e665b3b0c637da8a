"""A context builder that packs a prompt by tiers: description, relations, mentions.

1. The primary source comes first: whole, or as a window if it does not fit.
2. Evidence of relations is shown as the sentences that contain it.
3. Mentions fill the rest in the order of the strategy: whole while they fit, then as windows.

A window is as many sentences as fit around the spans that matter in a passage; if not even one
sentence fits and the prompt is still empty, the words around them. Of near duplicates only the
first passage is used. Each entity has its share of the budget, and what it leaves unused goes to
the next. The remaining budget enlarges windows, first on both sides and then on either: by
sentences and, if more than a tenth of the budget would stay unused, by words; finally, further
passages are added by words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from writeros_entities import (
    ContextBuilder,
    ContextPassage,
    ContextPiece,
    ContextTask,
    Span,
    hookimpl,
    part_ends,
)

__version__ = "1"

LEAST_ROOM = 40
"""The least tokens for which a window is worth its header."""

LEAST_SHARE = 0.05
"""The same as a share of the budget, for small budgets."""

WELL_USED = 0.9
"""The share of the budget up to which sentences are split to fill it."""

MOST_MISSES = 8
"""How many passages in a row may fail to fit before no more are tried."""

Borders = Callable[[str], Sequence[int]]
"""Returns the offsets at which a text may be cut."""

Sides = tuple[bool, bool]
"""Whether a window grows at its start, and at its end."""

BOTH: Sides = (True, True)
SIDES: tuple[Sides, ...] = (BOTH, (False, True), (True, False))

_WORD = re.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True)
class TierBuilder:
    """Packs passages tier by tier."""

    name: str = "tiers"

    def pack(self, task: ContextTask) -> Sequence[ContextPiece]:
        """Return the pieces that fit, chosen by entity, tier and rank."""
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
    """The pieces chosen so far, and their cost in tokens."""

    task: ContextTask
    spent: int = 0
    chosen: dict[int, ContextPiece] = field(default_factory=dict)
    """Pieces by the index of their passage in the task."""
    _places: dict[int, int] = field(default_factory=dict)
    """The index of the passage that represents each chunk, by chunk id."""
    _groups: dict[int, int] = field(default_factory=dict)
    """The chunk that represents each group of near duplicates."""
    _costs: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def add_entity(self, entity: int, limit: float) -> None:
        """Add the passages of an entity that fit, until `limit` tokens are spent."""
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
        """Enlarge windows while there is room, in order."""
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
        """Return the pieces in order.

        If they cost more together than one by one, the last ones are shortened or dropped.
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
        """Add what fits of a passage; return whether anything does, or is there already."""
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
        """Show the whole chunk if its mentions are wanted and only a window of it is shown."""
        piece = self.chosen[place]
        whole = piece.passage.whole()
        if passage.tier != "relationships" and self._cost(whole) - self._cost(piece) <= room:
            self._put(place, whole)

    def _first(self, passage: ContextPassage, room: int, *, by_words: bool) -> ContextPiece | None:
        """Return the piece to show of a passage, or None if nothing fits."""
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
        """Return the largest window that costs at most `room`; `windows` are sorted by size."""
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
    """Return windows of increasing size around spans, cut at borders.

    The first is the smallest that contains the spans; the others grow alternately after and before
    it.
    """
    ends = sorted({0, *borders(passage.text), len(passage.text)})
    return list(_growing(passage, spans, ends, sides))


@lru_cache(maxsize=512)
def word_ends(text: str) -> tuple[int, ...]:
    """Return the ends of words, with the whitespace after them."""
    return tuple(word.end() for word in _WORD.finditer(text))


@lru_cache(maxsize=512)
def sentence_ends(text: str) -> tuple[int, ...]:
    """Return the ends of sentences, paragraphs and list items."""
    return tuple(part_ends(text))


def sentences_around(text: str, spans: Sequence[Span]) -> Span:
    """Return the sentences that contain the spans; the first one if there are no spans."""
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
    """Return the indexes of the borders that enclose the spans most tightly."""
    start = min(map(attrgetter("start"), spans), default=0)
    end = max(map(attrgetter("end"), spans), default=0)
    first = max(at for at, border in enumerate(borders[:-1]) if border <= start or at == 0)
    last = next((at for at, border in enumerate(borders) if border >= end and at > first), 0)
    return first, last or len(borders) - 1


@hookimpl
def register_context_builders() -> Iterable[ContextBuilder]:
    """Return the builder `tiers`."""
    return [TierBuilder()]
