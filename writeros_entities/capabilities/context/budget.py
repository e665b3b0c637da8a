"""Fit a scene's brief into a token budget.

Each section has a share of what the head leaves: cast, pairs, others whose notes wish it, open
threads, what is noted for later, voices. What one section does not need goes to the others. Within
the cast, all members are named first; then each gets one more detail in turn: sheet, its
properties, last appearance, relation, change, and so on.
All lines stand in one order, whatever the budget, which takes as many of the first as fit: so a
greater budget never gives less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING

from writeros_entities.capabilities.context.brief_parts import (
    BriefPart,
    CastMember,
    OmittedPart,
    SceneBrief,
    write_also,
    write_brief,
    write_details,
    write_head,
    write_member,
    write_noted,
    write_pair,
    write_thread,
    write_voice,
)

if TYPE_CHECKING:
    from writeros_entities.protocols import TokenCounter

SHARES = (
    *(("cast", 0.5), ("pairs", 0.2), ("also", 0.15)),
    *(("threads", 0.12), ("noted", 0.12), ("voices", 0.18)),
)
"""The sections, each with its share of the budget in relation to the others."""

DIGITS = 4


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of a brief that may be left out.

    `owner` is the index of its member, or of the item itself, in the section's list; `number` is
    the index among the owner's items of this part.
    """

    part: BriefPart
    owner: int
    number: int
    text: str

    @property
    def key(self) -> tuple[str, int, int]:
        """Identifies the unit within its brief."""
        return self.part, self.owner, self.number


def fit_brief(whole: SceneBrief, counter: TokenCounter, max_tokens: int) -> SceneBrief:
    """Return as much of a brief as the budget allows, with a count of what was left out."""
    sections = _sections(whole)
    units = [unit for section in sections for unit in section]
    head, *costs = counter.count([write_head(whole), *(f"\n{unit.text}\n" for unit in units)])
    cost = {unit.key: int(price) for unit, price in zip(units, costs, strict=True)}
    chosen = _first(_in_turn(sections, cost), cost, max_tokens - int(head))
    while True:
        brief = _keep(whole, chosen, units)
        tokens = int(counter.count([write_brief(brief)])[0])
        if tokens <= max_tokens or not chosen:
            break
        chosen = chosen[:-1]
    fits = tokens <= max_tokens
    return brief.model_copy(
        update={
            "total_tokens": tokens if fits else 0,
            "budget_utilized": round(tokens / max_tokens, DIGITS) if fits else 0.0,
        }
    )


def _in_turn(
    sections: Sequence[Sequence[Unit]], cost: Mapping[tuple[str, int, int], int]
) -> list[Unit]:
    """Return all units such that each section gets its share of any number of tokens.

    A unit stands where its section's tokens up to it, divided by the section's share, have their
    place among those of the other sections (weighted fair queueing).
    """
    placed = []
    for at, ((_, share), section) in enumerate(zip(SHARES, sections, strict=True)):
        used = 0
        for number, unit in enumerate(section):
            used += cost[unit.key]
            placed.append((used / share, at, number, unit))
    return [unit for *_, unit in sorted(placed, key=lambda one: one[:3])]


def _first(
    units: Sequence[Unit], cost: Mapping[tuple[str, int, int], int], room: int
) -> list[Unit]:
    """Return as many of the first units as there is room for."""
    costs = accumulate(cost[unit.key] for unit in units)
    return [unit for unit, used in zip(units, costs, strict=True) if used <= room]


def _sections(whole: SceneBrief) -> list[list[Unit]]:
    cast = [Unit("cast", at, 0, write_member(one)) for at, one in enumerate(whole.cast)]
    details = [list(_details(at, one)) for at, one in enumerate(whole.cast)]
    in_turn = [unit for row in zip_longest(*details) for unit in row if unit is not None]
    return [
        cast + in_turn,
        [Unit("pairs", at, 0, write_pair(one)) for at, one in enumerate(whole.pairs)],
        [Unit("also", at, 0, write_also(one)) for at, one in enumerate(whole.also)],
        [Unit("threads", at, 0, write_thread(one)) for at, one in enumerate(whole.threads)],
        [Unit("noted", at, 0, write_noted(one)) for at, one in enumerate(whole.noted)],
        [Unit("voices", at, 0, write_voice(one)) for at, one in enumerate(whole.voices)],
    ]


def _details(owner: int, member: CastMember) -> Iterator[Unit]:
    """Yield the lines of a member: behind others relations and changes in turn, then the voice."""
    units = [Unit(part, owner, at, text) for part, at, text in write_details(member)]
    relations = [one for one in units if one.part == "relations"]
    changes = [one for one in units if one.part == "changes"]
    yield from (one for one in units if one.part not in ("relations", "changes", "speaks"))
    in_turn = zip_longest(relations, changes)
    yield from (one for pair in in_turn for one in pair if one is not None)
    yield from (one for one in units if one.part == "speaks")


def _keep(whole: SceneBrief, chosen: Sequence[Unit], units: Sequence[Unit]) -> SceneBrief:
    """Return a brief with only the chosen units, and the number of omitted ones."""
    kept = {unit.key for unit in chosen}
    left_out = Counter(unit.part for unit in units if unit.key not in kept)
    cast = [
        member.model_copy(
            update={
                **{
                    part: getattr(member, part) if (part, at, 0) in kept else None
                    for part in ("summary", "facts", "looks", "last_seen", "speaks")
                },
                **{
                    part: _those(getattr(member, part), part, at, kept)
                    for part in ("gains", "relations", "changes")
                },
            }
        )
        for at, member in enumerate(whole.cast)
        if ("cast", at, 0) in kept
    ]
    omitted = [
        OmittedPart(part=part, number=number, reason="budget") for part, number in left_out.items()
    ]
    return whole.model_copy(
        update={
            "cast": cast,
            "pairs": [one for at, one in enumerate(whole.pairs) if ("pairs", at, 0) in kept],
            "also": [one for at, one in enumerate(whole.also) if ("also", at, 0) in kept],
            "threads": [one for at, one in enumerate(whole.threads) if ("threads", at, 0) in kept],
            "noted": [one for at, one in enumerate(whole.noted) if ("noted", at, 0) in kept],
            "voices": [one for at, one in enumerate(whole.voices) if ("voices", at, 0) in kept],
            "omitted": [*whole.omitted, *omitted],
        }
    )


def _those(
    items: Sequence[object], part: str, owner: int, kept: set[tuple[str, int, int]]
) -> list[object]:
    return [one for at, one in enumerate(items) if (part, owner, at) in kept]
