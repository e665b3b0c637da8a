"""Find mentions in a note by a lexicon, and weigh their candidates, by plugins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.answers import check_span
from writeros_entities.values import ALWAYS, LARGEST_POSITION, Candidate, Mention

if TYPE_CHECKING:
    from writeros_entities.lexicon import Lexicon
    from writeros_entities.plugins import PluginFailure, Plugins
    from writeros_entities.values import Note, Score

SURE = 0.9
"""A sole candidate with at least this score needs no further evidence."""

OWN_NAME = 0.85
"""The score, before evidence, from which the span is a name of the entity's own."""

LEAST = 0.3
"""Candidates with a lower score are dropped."""


class Weighed(NamedTuple):
    """A candidate with the scores of all linkers; a tuple for speed, as there is one per name read.

    `rank` orders the candidates of a span: an entity whose own name it is comes before those that
    only may be called so, unless the evidence is against it; then the sum of all scores decides.

    Up to the position `rivalled_from`, an earlier reader knows no other candidate: to them it is
    `alone`, as it would be if there were no other.
    """

    candidate: Candidate
    rank: float
    alone: Candidate | None = None
    rivalled_from: int = ALWAYS


class WeighedMention(NamedTuple):
    """A span and its weighed candidates."""

    start: int
    end: int
    surface: str
    candidates: tuple[Weighed, ...]


def detect_mentions(
    plugins: Plugins, note: Note, lexicon: Lexicon
) -> tuple[list[WeighedMention], list[PluginFailure]]:
    """Return the spans that detectors find, with their candidates scored by all linkers.

    Spans may overlap; equal spans are merged to one mention with all their candidates.
    """
    found, failures = find_mentions(plugins, note, lexicon)
    weighed, failed = weigh_mentions(plugins, note, lexicon, found)
    return weighed, failures + failed


def find_mentions(
    plugins: Plugins, note: Note, lexicon: Lexicon
) -> tuple[list[Mention], list[PluginFailure]]:
    """Return the spans that detectors find, sorted by start, then by end."""
    length, known = len(note.text), lexicon.entities

    def check(found: list[Mention]) -> None:
        for mention in found:
            if not 0 <= mention.start < mention.end <= length:
                check_span(mention.start, mention.end, note)
            for candidate in mention.candidates:
                if candidate.entity not in known:
                    raise ValueError(f"{candidate.entity!r} is not an entity of the lexicon")

    found, failures = plugins.gather("detect_entities", check, note=note, lexicon=lexicon)
    return list(_unite(found)), failures


def weigh_mentions(
    plugins: Plugins, note: Note, lexicon: Lexicon, mentions: Iterable[Mention]
) -> tuple[list[WeighedMention], list[PluginFailure]]:
    """Have all linkers score the candidates of mentions, except of unambiguous ones."""
    weighed = []
    failures: list[PluginFailure] = []
    for mention in mentions:
        if is_clear(mention):
            weighed.append(_weigh_clear(mention))
            continue
        found: list[Weighed | None] = []
        for candidates in _rounds(mention.candidates):
            scores, failed = plugins.gather(
                "link_mention", mention=mention, candidates=candidates, note=note, lexicon=lexicon
            )
            failures += failed
            found += [_weigh(candidate, scores, mention) for candidate in candidates]
        chosen = tuple([one for one in found if one is not None])
        weighed.append(WeighedMention(mention.start, mention.end, mention.surface, chosen))
    return weighed, failures


def _rounds(candidates: tuple[Candidate, ...]) -> list[tuple[Candidate, ...]]:
    """Split candidates into groups without repeated entities: scores name only the entity."""
    if len({candidate.entity for candidate in candidates}) == len(candidates):
        return [candidates]
    rounds: list[dict[str, Candidate]] = []
    for candidate in candidates:
        free = next((each for each in rounds if candidate.entity not in each), None)
        if free is None:
            rounds.append(free := {})
        free[candidate.entity] = candidate
    return [tuple(each.values()) for each in rounds]


def _unite(found: list[Mention]) -> Iterator[Mention]:
    found.sort(key=_span)
    for (start, end), mentions in groupby(found, _span):
        one, *others = mentions
        candidates = one.candidates
        for other in others:
            candidates += other.candidates
        chosen = _choose(candidates)
        if chosen is one.candidates:
            yield one
        elif chosen:
            yield Mention(start, end, others[-1].surface if others else one.surface, chosen)


def _choose(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the best candidate for each entity and position from which it is known."""
    if len(candidates) == 1:
        return candidates
    chosen: dict[tuple[str, int | None], Candidate] = {}
    for candidate in candidates:
        key = (candidate.entity, candidate.known_from)
        earlier = chosen.get(key)
        if earlier is None or _preference(candidate) > _preference(earlier):
            chosen[key] = candidate
    return tuple(chosen.values())


_span = attrgetter("start", "end")


def _preference(candidate: Candidate) -> tuple[float, str]:
    return candidate.score, candidate.form


def is_clear(mention: Mention) -> bool:
    """Say whether a mention has a single candidate that needs no further evidence."""
    return len(mention.candidates) == 1 and mention.candidates[0].score >= SURE


def _weigh_clear(mention: Mention) -> WeighedMention:
    """Weigh a mention with one sure candidate, as most have."""
    (candidate,) = mention.candidates
    weighed = Weighed(_unweighed(candidate), candidate.score + 1.0)
    return WeighedMention(mention.start, mention.end, mention.surface, (weighed,))


def _unweighed(candidate: Candidate) -> Candidate:
    """Return a candidate whose score is its confidence."""
    score = candidate.score
    if score != 1.0 and score != (confidence := round(min(1.0, score), 4)):
        return replace(candidate, score=confidence)
    return candidate


def _weigh(candidate: Candidate, scores: Sequence[Score], mention: Mention) -> Weighed | None:
    """Add up the scores of a candidate; None if the sum is below `LEAST`."""
    own = [score for score in scores if score.entity == candidate.entity]
    total = candidate.score + sum(score.score for score in own)
    if total < LEAST:
        return None
    rank = total + 1.0 if min(candidate.score, total) >= OWN_NAME else total
    confidence = round(min(1.0, total), 4)
    if not own and confidence == candidate.score:
        return Weighed(candidate, rank)
    reasons = candidate.reasons + tuple(score.reason for score in own)
    weighed = Weighed(replace(candidate, score=confidence, reasons=reasons), rank)
    if candidate.score < SURE:
        return weighed
    rivals = [_known_from(each) for each in mention.candidates if each is not candidate]
    if min(rivals, default=ALWAYS) <= _known_from(candidate):
        return weighed
    return weighed._replace(alone=_unweighed(candidate), rivalled_from=min(rivals))


def _known_from(candidate: Candidate) -> int:
    return LARGEST_POSITION if candidate.known_from is None else candidate.known_from
