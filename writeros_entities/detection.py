"""From a note and a lexicon to mentions: detection by plugins, scoring by plugins, and a decision.

Which spans count, and whom they name, can depend on the reading position: a name that only a later
chapter connects with an entity must not change what an earlier reader is told. So the decision is
made at every position at which something becomes known, and comes out as intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from writeros_entities.values import Candidate, Mention

if TYPE_CHECKING:
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.values import Lexicon, Note, Score

MARGIN = 0.05
"""Candidates whose scores differ by less than this are equally good."""

SURE = 0.9
"""A sole candidate with at least this score needs no further evidence."""

LEAST = 0.3
"""A candidate with less than this score is none."""

_LATER = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Reading:
    """One candidate of one span, and the reading positions at which it is the answer.

    It holds from `visible_from` (None: only for one who sees the whole vault) until
    `visible_until` (None: for good). A rival that never wins has an empty interval.
    """

    start: int
    end: int
    surface: str
    candidate: Candidate
    visible_from: int | None
    visible_until: int | None

    @property
    def holds(self) -> bool:
        """Say whether this is the answer for one who sees the whole vault."""
        return self.visible_until is None


def detect_mentions(
    plugins: Plugins, note: Note, lexicon: Lexicon
) -> tuple[list[Mention], list[PluginFailure]]:
    """Return every span that detectors found, its candidates scored by all linkers.

    Spans may overlap; equal spans are one mention with all their candidates.
    """
    found, failures = plugins.gather("detect_entities", note=note, lexicon=lexicon)
    mentions = []
    for mention in _unite(found, lexicon):
        if _is_clear(mention):
            mentions.append(mention)
            continue
        scores, failed = plugins.gather(
            "link_mention",
            mention=mention,
            candidates=mention.candidates,
            note=note,
            lexicon=lexicon,
        )
        failures += failed
        mentions.append(_add_scores(mention, scores))
    return mentions, failures


def decide(mentions: Sequence[Mention], position: int | None) -> list[Reading]:
    """Decide which spans count and whom they name, at every reading position.

    `position` is the one from which the text itself may be seen. Where spans overlap, the longest
    wins, then the leftmost; of a span's candidates the best, and all that are as good.
    """
    readings: list[Reading] = []
    for cluster in _overlapping(mentions):
        readings += _decide_cluster(cluster, position)
    return readings


def _unite(found: Iterable[Mention], lexicon: Lexicon) -> list[Mention]:
    by_span: dict[tuple[int, int], dict[tuple[str, int | None], Candidate]] = {}
    surfaces: dict[tuple[int, int], str] = {}
    for mention in found:
        span = (mention.start, mention.end)
        surfaces[span] = mention.surface
        candidates = by_span.setdefault(span, {})
        for candidate in mention.candidates:
            key = (candidate.entity, candidate.known_from)
            earlier = candidates.get(key)
            if candidate.entity in lexicon.entities and (
                earlier is None or _preference(candidate) > _preference(earlier)
            ):
                candidates[key] = candidate
    return [
        Mention(start, end, surfaces[start, end], tuple(candidates.values()))
        for (start, end), candidates in sorted(by_span.items())
        if candidates
    ]


def _preference(candidate: Candidate) -> tuple[float, str]:
    return candidate.score, candidate.form


def _is_clear(mention: Mention) -> bool:
    return len(mention.candidates) == 1 and mention.candidates[0].score >= SURE


def _add_scores(mention: Mention, scores: Sequence[Score]) -> Mention:
    candidates = []
    for candidate in mention.candidates:
        own = [score for score in scores if score.entity == candidate.entity]
        total = candidate.score + sum(score.score for score in own)
        reasons = tuple(score.reason for score in own)
        if total >= LEAST:
            candidates.append(
                replace(
                    candidate,
                    score=round(min(1.0, max(0.0, total)), 4),
                    reasons=candidate.reasons + reasons,
                )
            )
    return replace(mention, candidates=tuple(candidates))


def _overlapping(mentions: Sequence[Mention]) -> Iterator[list[Mention]]:
    cluster: list[Mention] = []
    reach = -1
    for mention in sorted(mentions, key=lambda mention: (mention.start, mention.end)):
        if not mention.candidates:
            continue
        if cluster and mention.start >= reach:
            yield cluster
            cluster = []
        cluster.append(mention)
        reach = max(reach, mention.end) if len(cluster) > 1 else mention.end
    if cluster:
        yield cluster


def _decide_cluster(cluster: Sequence[Mention], position: int | None) -> Iterator[Reading]:
    if len(cluster) == 1 and len(cluster[0].candidates) == 1:
        mention = cluster[0]
        candidate = mention.candidates[0]
        since = _shown(_since(candidate, position))
        yield Reading(mention.start, mention.end, mention.surface, candidate, since, None)
        return
    steps = sorted(
        {_since(candidate, position) for mention in cluster for candidate in mention.candidates}
    )
    winners = [_winners(cluster, step, position) for step in steps]
    for index, mention in enumerate(cluster):
        if not any(
            (index, rank) in won for won in winners for rank in range(len(mention.candidates))
        ):
            continue
        best = _best_by_entity(mention.candidates, _LATER, position)
        for rank, candidate in enumerate(mention.candidates):
            wins = [(index, rank) in won for won in winners]
            if any(wins):
                yield from _intervals(mention, candidate, steps, wins)
            elif not _wins_otherwise(mention, index, candidate, winners) and (
                best[candidate.entity] == rank
            ):
                since = _since(candidate, position)
                yield _reading(mention, candidate, since, since)


def _wins_otherwise(
    mention: Mention, index: int, candidate: Candidate, winners: Sequence[set[tuple[int, int]]]
) -> bool:
    """Say whether the same entity wins this span by another of its names."""
    ranks = [
        rank for rank, other in enumerate(mention.candidates) if other.entity == candidate.entity
    ]
    return any((index, rank) in won for won in winners for rank in ranks)


def _winners(cluster: Sequence[Mention], step: int, position: int | None) -> set[tuple[int, int]]:
    """Return the (mention, candidate) indexes that are the answer at one reading position."""
    won: set[tuple[int, int]] = set()
    covered: list[tuple[int, int]] = []
    order = sorted(
        range(len(cluster)),
        key=lambda index: (cluster[index].start - cluster[index].end, cluster[index].start),
    )
    for index in order:
        mention = cluster[index]
        best = _best_by_entity(mention.candidates, step, position)
        if not best or any(start < mention.end and mention.start < end for start, end in covered):
            continue
        covered.append((mention.start, mention.end))
        top = max(mention.candidates[rank].score for rank in best.values())
        won |= {
            (index, rank) for rank in best.values() if mention.candidates[rank].score > top - MARGIN
        }
    return won


def _best_by_entity(
    candidates: Sequence[Candidate], step: int, position: int | None
) -> dict[str, int]:
    best: dict[str, int] = {}
    for rank, candidate in enumerate(candidates):
        if _since(candidate, position) <= step:
            rival = best.get(candidate.entity)
            if rival is None or _preference(candidate) > _preference(candidates[rival]):
                best[candidate.entity] = rank
    return best


def _intervals(
    mention: Mention, candidate: Candidate, steps: Sequence[int], wins: Sequence[bool]
) -> Iterator[Reading]:
    begun: int | None = None
    for step, won in zip(steps, wins, strict=True):
        if won and begun is None:
            begun = step
        elif not won and begun is not None:
            yield _reading(mention, candidate, begun, step)
            begun = None
    if begun is not None:
        yield _reading(mention, candidate, begun, None)


def _reading(mention: Mention, candidate: Candidate, since: int, until: int | None) -> Reading:
    return Reading(mention.start, mention.end, mention.surface, candidate, _shown(since), until)


def _since(candidate: Candidate, position: int | None) -> int:
    if position is None or candidate.known_from is None:
        return _LATER
    return max(position, candidate.known_from)


def _shown(since: int) -> int | None:
    return None if since == _LATER else since
