"""Analyse how present an entity is along the manuscript, and when it changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    counted,
    empty_page,
    omitted,
    table,
)
from writeros_entities.capabilities.parts import (
    at_positions,
    entity_ref,
    plain_text,
    position_range,
)
from writeros_entities.capabilities.time.parts import EntityInTime
from writeros_entities.capability import AsOf, Limit, Offset, Response, capability

if TYPE_CHECKING:
    from writeros_entities.story.history import ChangeRow, ChapterRow
    from writeros_entities.view import View


class AnalyzeEntityEvolution(EntityInTime["EntityEvolution"]):
    """Which entity to analyse, and over which part of the manuscript."""

    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class ChapterPresence(Answer):
    """An entity in one chapter; `share` is the chapter's share of its mentions."""

    position: int
    path: str
    title: str
    mentions: int
    share: float
    names: list[str] = Field(description="Names used here, the most frequent first.")
    changes: list[str] = Field(description="Kinds of change that a reader learns of here.")


class Absence(Answer):
    """A part of the manuscript without the entity, from first to last position."""

    first: int
    last: int


class EntityEvolution(Response):
    """A page of chapters, and totals over the whole part that was asked for."""

    limited: ClassVar[str | None] = "chapters"

    entity: EntityRef
    chapters: list[ChapterPresence]
    total: int
    mention_count: int
    first_position: int | None
    last_position: int | None
    peak_position: int | None = Field(description="Where it is mentioned most often.")
    absences: list[Absence]
    status: str | None = Field(
        description="Its status, as last told; without `as_of`, else as notes outside the "
        "manuscript state it."
    )
    is_planned: bool = Field(False, description="Whether only a plan states that status.")
    changes_by_kind: dict[str, int]

    def as_text(self) -> str:
        """Return a summary and a table of chapters."""
        if not self.chapters:
            nowhere = f"{self.entity.name} is in none of the chapters asked for."
            return empty_page(self.total, "chapter", nowhere)
        where = at_positions(self.first_position, self.last_position)
        parts = [
            f"{self.entity.name} ({self.entity.type}): {counted(self.mention_count, 'mention')} in "
            f"{counted(self.total, 'chapter')}{where}, most at {self.peak_position}."
        ]
        if self.status:
            planned = " (planned)" if self.is_planned else ""
            parts.append(f"Status: {plain_text(self.status)}{planned}.")
        if self.absences:
            gaps = ", ".join(position_range(gap.first, gap.last) for gap in self.absences)
            parts.append(f"Absent: {gaps}.")
        rows = [
            (
                *(chapter.position, chapter.title, chapter.mentions),
                *(", ".join(chapter.names), ", ".join(_WORDS[kind] for kind in chapter.changes)),
            )
            for chapter in self.chapters
        ]
        headers = ["reading order", "chapter", "mentions", "names", "changes"]
        text = "\n\n".join([" ".join(parts), table(headers, rows)])
        return text + omitted(len(self.chapters), self.total, "chapter")


_WORDS = {
    "first_appearance": "first appears",
    "alias_added": "new name",
    "relationship_added": "new relation",
    "relationship_ended": "relation ends",
    "status_changed": "new status",
    "property_added": "new property",
    "description_updated": "more is told",
}
"""The kinds of change in a writer's words."""


@capability(family="time", offered=False)
def analyze_entity_evolution(view: View, request: AnalyzeEntityEvolution) -> EntityEvolution:
    """Analyse an entity over time: mentions and names by chapter, changes, absences, status."""
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.history import (
        absences,
        load_changes,
        load_chapters,
        load_untold_statuses,
        positions_of,
    )

    entity = find_entity(view, request.entity)
    names = display_names(view, [entity.id])
    chapters = [
        chapter
        for chapter in load_chapters(view, entity.id)
        if view.has_file(chapter.path) and request.covers(chapter.position)
    ]
    changes = [
        change
        for change in load_changes(view, [entity.id])
        if view.has_file(change.path) and request.covers(change.since)
    ]
    statuses = [change.new for change in changes if change.kind == "status_changed"]
    untold = []
    if not statuses and request.as_of is None and request.to_position is None:
        untold = [
            one
            for one in load_untold_statuses(view, view.plugins.ontology, entity.id)
            if view.has_file(one.path)
        ]
    stretch = [place for place in positions_of(view) if request.covers(place)]
    mentions = sum(chapter.mentions for chapter in chapters)
    peak = max(chapters, key=lambda chapter: (chapter.mentions, -chapter.position), default=None)
    page = chapters[request.offset : request.offset + request.limit]
    known = sorted(untold, key=lambda one: one.is_planned)
    present = {chapter.position for chapter in chapters}
    return EntityEvolution(
        entity=entity_ref(entity, names),
        chapters=_presences(page, changes, mentions),
        total=len(chapters),
        mention_count=mentions,
        first_position=min(present, default=None),
        last_position=max(present, default=None),
        peak_position=peak.position if peak else None,
        absences=[Absence(first=first, last=last) for first, last in absences(stretch, present)],
        status=statuses[-1] if statuses else known[0].status if known else None,
        is_planned=bool(known) and known[0].is_planned,
        changes_by_kind=dict(sorted(Counter(change.kind for change in changes).items())),
    )


def _presences(
    chapters: list[ChapterRow], changes: list[ChangeRow], mentions: int
) -> list[ChapterPresence]:
    by_position: dict[int | None, list[str]] = defaultdict(list)
    for change in changes:
        by_position[change.since].append(change.kind)
    return [
        ChapterPresence(
            position=chapter.position,
            path=chapter.path,
            title=chapter.title,
            mentions=chapter.mentions,
            share=round(chapter.mentions / mentions, 4),
            names=list(chapter.names),
            changes=list(dict.fromkeys(by_position[chapter.position])),
        )
        for chapter in chapters
    ]
