"""Attribute untagged turns to two speakers who alternate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from writeros_entities.query.speech.turns import Turn

if TYPE_CHECKING:
    from writeros_entities.query.speech.paragraphs import Paragraph

LONGEST_GAP = 6
"""The most untagged turns in a row that the tagged turns around them can decide."""

REACH = 3
"""How many paragraphs away a third speaker makes the alternation uncertain."""

CLOSE = 3
"""How far before the turns, in paragraphs, a third person's name makes an odd run uncertain."""


def with_alternating(turns: Sequence[Turn], paragraphs: Sequence[Paragraph]) -> list[Turn]:
    """Return the turns of paragraphs, with speakers filled in where two people alternate."""
    speakers = [turn.speaker or None for turn in turns]
    found = list(turns)
    at = 0
    while at < len(turns):
        end = at
        while end < len(turns) and paragraphs[end].is_pure and turns[end].rule is None:
            end += 1
        between = _alternate(speakers, at, end)
        pair = {*between, *speakers[at - 1 : at]}
        if any({*one.addressed} - pair for one in paragraphs[at:end]):
            between = []
        if len(between) % 2 and _names_other(paragraphs[max(0, at - CLOSE) : at], pair):
            between = []
        for number, speaker in enumerate(between, at):
            if not paragraphs[number].speaks_of(speaker):
                found[number] = Turn((speaker,) * len(paragraphs[number].spans), "turn")
        at = max(end, at + 1)
    return found


def _names_other(paragraphs: Sequence[Paragraph], pair: Collection[str | None]) -> bool:
    """Say whether the narration of some paragraphs names a person outside the pair."""
    return any(
        not name.is_spoken and name.person not in pair for one in paragraphs for name in one.names
    )


def _alternate(speakers: Sequence[str | None], start: int, end: int) -> list[str]:
    """Return the speakers of the turns in `[start, end)`, or [] if they are uncertain.

    The speakers before and after must be known. If they differ, the number of turns between is
    even. If they are the same, it is odd, and the other speaker must speak directly before or after
    these two. A third speaker nearby makes the turns uncertain.
    """
    count = end - start
    if not 0 < count <= LONGEST_GAP or start == 0 or end == len(speakers):
        return []
    before, behind = speakers[start - 1], speakers[end]
    if before is None or behind is None or count % 2 == (before != behind):
        return []
    around = {speakers[at] for at in (start - 2, end + 1) if 0 <= at < len(speakers)}
    others = around - {before, None}
    other = behind if before != behind else next(iter(others), None)
    near = {_nearest(speakers[: start - 1][::-1]), _nearest(speakers[end + 1 :])}
    if other is None or (others | near) - {before, other, None}:
        return []
    return [other if at % 2 == 0 else before for at in range(count)]


def _nearest(speakers: Sequence[str | None]) -> str | None:
    """Return the nearest known speaker within `REACH` paragraphs."""
    return next((one for one in speakers[:REACH] if one is not None), None)
