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
    found = list(turns)
    at = 0
    while at < len(turns):
        end = at
        while end < len(turns) and _is_open(turns[end], paragraphs[end]):
            end += 1
        between = _alternate(turns, at, end)
        pair = {*between, *(turn.speaker for turn in turns[at - 1 : at])}
        if any({*one.addressed} - pair for one in paragraphs[at:end]):
            between = []
        if len(between) % 2 and _names_other(paragraphs[max(0, at - CLOSE) : at], pair):
            between = []
        for number, speaker in enumerate(between, at):
            if not paragraphs[number].speaks_of(speaker):
                found[number] = Turn((speaker,) * len(paragraphs[number].spans), "turn")
        at = max(end, at + 1)
    return found


def _is_open(turn: Turn, paragraph: Paragraph) -> bool:
    """Say whether a paragraph is nothing but the words of one unknown person."""
    return turn.rule is None and paragraph.is_pure and len(paragraph.runs) == 1


def _names_other(paragraphs: Sequence[Paragraph], pair: Collection[str | None]) -> bool:
    """Say whether the narration of some paragraphs names a person outside the pair."""
    return any(
        not name.is_spoken and name.person not in pair for one in paragraphs for name in one.names
    )


def _alternate(turns: Sequence[Turn], start: int, end: int) -> list[str]:
    """Return the speakers of the turns in `[start, end)`, or [] if they are uncertain.

    The speakers before and after must be known. If they differ, the number of turns between is
    even. If they are the same, it is odd, and the other speaker must speak directly before or after
    these two. A third speaker nearby makes the turns uncertain.
    """
    count = end - start
    if not 0 < count <= LONGEST_GAP or start == 0 or end == len(turns):
        return []
    before, behind = turns[start - 1].speaker, turns[end].speaker
    if not before or not behind or count % 2 == (before != behind):
        return []
    around = {turns[at].speaker for at in (start - 2, end + 1) if 0 <= at < len(turns)}
    others = around - {before, None}
    other = behind if before != behind else next(iter(others), None)
    near = _nearest(turns[: start - 1][::-1]) | _nearest(turns[end + 1 :])
    if not other or (others | near) - {before, other, None}:
        return []
    return [other if at % 2 == 0 else before for at in range(count)]


def _nearest(turns: Sequence[Turn]) -> set[str | None]:
    """Return the speakers of the nearest turn within `REACH` paragraphs that has a known one."""
    return next(({*turn.speakers} for turn in turns[:REACH] if turn.rule), set())
