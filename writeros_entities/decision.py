"""Decide which mentions count and which entities they name, at every reading position.

A name that only a later chapter connects with an entity must not change what an earlier reader
sees. So the decision is made separately at every position at which something becomes known, and
returned as intervals of positions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from writeros_entities.detection import is_clear
from writeros_entities.values import ALWAYS, LARGEST_POSITION

if TYPE_CHECKING:
    from writeros_entities.detection import Weighed, WeighedMention
    from writeros_entities.values import Candidate, Mention

    Spanned = TypeVar("Spanned", Mention, WeighedMention)

MARGIN = 0.05
"""Candidates whose ranks differ by less than this are equally good."""

CLOSE = 0.1
"""A candidate that is ahead of another by less than this is too doubtful for a statement."""

_UNSEEN = LARGEST_POSITION
"""The position of a reader who sees the whole vault."""


class Reading(NamedTuple):
    """One candidate of one span, and the reading positions at which it is the answer.

    It holds from `visible_from` (None: only for readers of the whole vault) up to but excluding
    `visible_until` (None: without end). A rival that never wins has an empty interval.
    """

    start: int
    end: int
    surface: str
    candidate: Candidate
    visible_from: int | None
    visible_until: int | None

    @property
    def holds(self) -> bool:
        """Whether this is the answer for a reader who sees the whole vault."""
        return self.visible_until is None

    @property
    def has_lost(self) -> bool:
        """Whether this is the answer for no reader."""
        since = _UNSEEN if self.visible_from is None else self.visible_from
        return self.visible_until == since


@dataclass(frozen=True, slots=True, eq=False)
class _Option:
    """A candidate of a span, compared by identity.

    It is known from the position `since` on, and has rivals from `rivalled_from` on.
    """

    span: tuple[int, int]
    surface: str
    weighed: Weighed
    since: int
    rivalled_from: int

    @property
    def entity(self) -> str:
        return self.weighed.candidate.entity

    def candidate_at(self, position: int) -> Candidate:
        """Return the candidate as a reader knows it at a position."""
        alone = self.weighed.alone
        return self.weighed.candidate if alone is None or position >= self.rivalled_from else alone

    def reading(self, since: int, until: int | None) -> Reading:
        shown = None if since == _UNSEEN else since
        return Reading(*self.span, self.surface, self.candidate_at(since), shown, until)


def contenders(mentions: Sequence[Mention]) -> list[Mention]:
    """Drop mentions that hold at no reading position, so that they need not be weighed.

    These are mentions overlapped by a longer, unambiguous one that nothing longer overlaps and that
    is known at least as early: "Darcy" in "Fitzwilliam Darcy".
    """
    contending: list[Mention] = []
    for cluster in _overlapping(mentions):
        contending += cluster if len(cluster) == 1 else _not_outdone(cluster)
    return contending


def _not_outdone(cluster: Sequence[Mention]) -> Sequence[Mention]:
    longest = min(cluster, key=lambda mention: (mention.start - mention.end, mention.start))
    if not is_clear(longest):
        return cluster
    since = _since(longest.candidates[0], ALWAYS)
    return [
        mention
        for mention in cluster
        if mention is longest
        or mention.end <= longest.start
        or longest.end <= mention.start
        or any(_since(candidate, ALWAYS) < since for candidate in mention.candidates)
    ]


def decide(mentions: Sequence[WeighedMention], position: int | None) -> list[Reading]:
    """Decide which spans count and which entities they name, at every reading position.

    `position` is the one from which the text itself is visible. Among overlapping spans the longest
    wins, then the leftmost; within a span, the best candidate and all that are equally good.
    """
    readings: list[Reading] = []
    for cluster in _overlapping(mentions):
        if len(cluster) == 1 and _is_sole(cluster[0].candidates):
            readings.append(_sole_reading(cluster[0], position))
        else:
            readings += _decide(_options(cluster, position))
    return readings


def close_rivals(
    readings: Iterable[Reading], mentions: Sequence[WeighedMention]
) -> Iterator[Reading]:
    """Yield the readings that lost by less than `CLOSE`, as if they held.

    The winner is still the best answer to who is named, but nothing may rest on it.
    """
    lost = [reading for reading in readings if reading.has_lost]
    if not lost:
        return
    ranks: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for mention in mentions:
        best = ranks[mention.start, mention.end]
        for one in mention.candidates:
            entity = one.candidate.entity
            best[entity] = max(one.rank, best.get(entity, one.rank))
    for reading in lost:
        best = ranks[reading.start, reading.end]
        if best[reading.candidate.entity] > max(best.values()) - CLOSE:
            yield reading._replace(visible_until=None)


def _is_sole(candidates: Sequence[Weighed]) -> bool:
    return len(candidates) == 1 and candidates[0].alone is None


def _sole_reading(mention: WeighedMention, position: int | None) -> Reading:
    """Return the result of `_decide` for a sole candidate: it holds from where it is known."""
    candidate = mention.candidates[0].candidate
    since = _since(candidate, position)
    shown = None if since == _UNSEEN else since
    return Reading(mention.start, mention.end, mention.surface, candidate, shown, None)


def _overlapping(mentions: Sequence[Spanned]) -> Iterator[list[Spanned]]:
    cluster: list[Spanned] = []
    reach = -1
    for mention in sorted(mentions, key=attrgetter("start", "end")):
        if cluster and mention.start >= reach:
            yield cluster
            cluster = []
        cluster.append(mention)
        reach = max(reach, mention.end)
    if cluster:
        yield cluster


def _options(cluster: Sequence[WeighedMention], position: int | None) -> list[_Option]:
    return [
        _Option(
            (mention.start, mention.end),
            mention.surface,
            weighed,
            since := _since(weighed.candidate, position),
            max(since, weighed.rivalled_from),
        )
        for mention in cluster
        for weighed in mention.candidates
    ]


def _since(candidate: Candidate, position: int | None) -> int:
    if position is None or candidate.known_from is None:
        return _UNSEEN
    return max(position, candidate.known_from)


def _decide(options: Sequence[_Option]) -> Iterator[Reading]:
    steps = sorted({at for option in options for at in (option.since, option.rivalled_from)})
    winners = [_winners([option for option in options if option.since <= step]) for step in steps]
    won = {option for at_step in winners for option in at_step}
    for option in options:
        if option in won:
            yield from _intervals(option, steps, [option in at_step for at_step in winners])
    for option in _rivals(options, won):
        yield option.reading(option.since, option.since)


def _winners(known: Sequence[_Option]) -> set[_Option]:
    """Return the options that hold among those known at one position."""
    by_span: dict[tuple[int, int], dict[str, _Option]] = {}
    for option in known:
        best = by_span.setdefault(option.span, {})
        rival = best.get(option.entity)
        if rival is None or option.weighed.rank > rival.weighed.rank:
            best[option.entity] = option
    won: set[_Option] = set()
    starts: list[int] = []
    ends: list[int] = []
    for span in sorted(by_span, key=lambda span: (span[0] - span[1], span[0])):
        at = bisect_left(starts, span[1])
        if at and ends[at - 1] > span[0]:
            continue
        starts.insert(at, span[0])
        ends.insert(at, span[1])
        options = _of_the_story(by_span[span].values())
        top = max(option.weighed.rank for option in options)
        won |= {option for option in options if option.weighed.rank > top - MARGIN}
    return won


def _of_the_story(options: Collection[_Option]) -> Collection[_Option]:
    """Leave out what a knowledge base calls so, if the story has somebody of just that name."""
    if not any(option.weighed.candidate.method == "name" for option in options):
        return options
    return [one for one in options if one.weighed.candidate.method != "surface_form"]


def _intervals(option: _Option, steps: Sequence[int], wins: Sequence[bool]) -> Iterator[Reading]:
    begun: int | None = None
    for step, is_winner in zip(steps, wins, strict=True):
        if begun is not None and not (
            is_winner and option.candidate_at(step) is option.candidate_at(begun)
        ):
            yield option.reading(begun, step)
            begun = None
        if is_winner and begun is None:
            begun = step
    if begun is not None:
        yield option.reading(begun, None)


def _rivals(options: Sequence[_Option], won: set[_Option]) -> Iterator[_Option]:
    """Yield, for each span that won, the best option of each entity that never won there."""
    spans = {option.span for option in won}
    named = {(option.span, option.entity) for option in won}
    best: dict[tuple[tuple[int, int], str], _Option] = {}
    for option in options:
        key = option.span, option.entity
        if option.span not in spans or key in named:
            continue
        if key not in best or option.weighed.rank > best[key].weighed.rank:
            best[key] = option
    yield from best.values()
