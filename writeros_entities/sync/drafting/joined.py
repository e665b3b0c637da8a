"""Merge what several plugins return for one note."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from writeros_entities.names import MAX_NAME, fold_name, storable

if TYPE_CHECKING:
    from writeros_entities.values import ProposedName, Topic


def join_proposals(proposals: Iterable[ProposedName]) -> dict[str, ProposedName]:
    """Merge proposals of the same name: highest count and confidence, lowest number needed.

    What says that the note has a section of this name wins over its uses in the same note.
    """
    joined: dict[str, ProposedName] = {}
    for proposal in proposals:
        key = fold_name(proposal.name)
        if key:
            joined[key] = _join(joined[key], proposal) if key in joined else proposal
    return joined


def _join(one: ProposedName, other: ProposedName) -> ProposedName:
    if one.heading or other.heading:
        return one if one.heading else other
    surer, less_sure = (other, one) if other.confidence > one.confidence else (one, other)
    typed = surer if surer.type else less_sure
    return replace(
        surer,
        heading=one.heading if other.heading is None else other.heading,
        type=typed.type,
        type_confidence=typed.type_confidence,
        count=max(one.count, other.count),
        needed=min(one.needed, other.needed),
    )


def join_topics(found: Iterable[Topic]) -> dict[str, Topic]:
    """Merge topics of the same name, keeping the spelling with the highest confidence.

    Empty and overlong names are dropped; confidence is clamped to 0-1.
    """
    joined: dict[str, Topic] = {}
    for topic in found:
        name = storable(topic.name.strip())
        key = fold_name(name)
        sure = min(1.0, max(0.0, topic.confidence))
        if (
            0 < len(name) <= MAX_NAME
            and key
            and (key not in joined or joined[key].confidence < sure)
        ):
            joined[key] = replace(topic, name=name, confidence=sure)
    return joined
