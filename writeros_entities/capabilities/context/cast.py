"""The entities that a text names, disambiguated by the scene that the text belongs to."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from writeros_entities.story.extraction import extract
from writeros_entities.story.notes import find_note
from writeros_entities.story.resolution import ResolvedEntity, resolve_entities
from writeros_entities.vault.notes import plain_note

if TYPE_CHECKING:
    from writeros_entities.decision import Reading
    from writeros_entities.values import Candidate, Diagnostic
    from writeros_entities.view import View


@dataclass(frozen=True, slots=True)
class Rival:
    """Another entity that words of a text may name, how surely, and why."""

    asked: ResolvedEntity
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Met:
    """An entity that a text names: how often, by which surface forms, how surely, its rivals."""

    asked: ResolvedEntity
    mentions: int
    surfaces: tuple[str, ...]
    confidence: float
    rivals: tuple[Rival, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """The entities that a text names, most mentioned first, and the failures of plugins."""

    met: tuple[Met, ...]
    diagnostics: tuple[Diagnostic, ...]


def find_cast(view: View, text: str, scene: str | None) -> Cast:
    """Return the vault's entities that a text names.

    `scene` names a note whose properties help to disambiguate; by default it is the chapter at the
    view's reading position. Raises NotFoundError or AmbiguousNameError if `scene` names no note or
    several.
    """
    note = plain_note(text)
    setting = find_note(view, scene) if scene is not None else _chapter(view)
    if setting is not None:
        note = replace(note, frontmatter=setting.frontmatter or {})
    found = extract(view, note)
    by_key: dict[str, list[Reading]] = defaultdict(list)
    by_span: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for reading in found.readings:
        by_key[reading.candidate.entity].append(reading)
        by_span[reading.start, reading.end].append(reading.candidate)
    known = {one.key: one for one in resolve_entities(view, list(by_key), must_exist=False)}
    met = [_met(known, key, readings, by_span) for key, readings in by_key.items() if key in known]
    return Cast(tuple(sorted(met, key=lambda one: -one.mentions)), found.diagnostics)


def _met(
    known: dict[str, ResolvedEntity],
    key: str,
    readings: list[Reading],
    by_span: dict[tuple[int, int], list[Candidate]],
) -> Met:
    spans = {(reading.start, reading.end) for reading in readings}
    rivals: dict[str, Rival] = {}
    for other in (one for span in sorted(spans) for one in by_span[span]):
        if other.entity != key and other.entity in known:
            reason = "; ".join(other.reasons) or other.method
            rivals.setdefault(other.entity, Rival(known[other.entity], other.score, reason))
    return Met(
        known[key],
        len(spans),
        tuple(dict.fromkeys(reading.surface for reading in readings)),
        max(reading.candidate.score for reading in readings),
        tuple(rivals.values()),
    )


def _chapter(view: View) -> Any:
    """Return the manuscript note at the view's reading position, or None."""
    note = view.note
    if view.as_of is None:
        return None
    here = select(note).where(note.c.position == view.as_of, note.c.kind == "note")
    return view.one(here.order_by(note.c.path))
