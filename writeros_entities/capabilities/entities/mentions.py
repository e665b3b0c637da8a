"""Find where an entity is mentioned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Alternative,
    EntityRef,
    Quote,
    empty_page,
    omitted,
    part_of,
)
from writeros_entities.capabilities.entities.parts import EntityName, entity_ref
from writeros_entities.capability import AsOf, Below, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


class FindMentions(Request["MentionList"]):
    """Which entity's mentions to find, and where."""

    entity: EntityName
    below: Below | None = None
    as_of: AsOf = None
    limit: Limit = 20
    offset: Offset = 0


class FoundMention(Quote):
    """A mention with its quote, and other entities that the span may name."""

    confidence: float
    method: str
    reason: str | None
    ambiguous: bool = Field(description="Another entity fits this span as well.")
    alternatives: list[Alternative]


class MentionList(Response):
    """A page of an entity's mentions, the manuscript in reading order first."""

    limited: ClassVar[str | None] = "mentions"

    entity: EntityRef
    mentions: list[FoundMention]
    total: int

    def as_text(self) -> str:
        """Return the mentions as quotes, by note."""
        if not self.mentions:
            nobody = f"{self.entity.name} is not mentioned."
            return empty_page(self.total, "mention", nobody)
        shown = part_of(len(self.mentions), self.total, "mention")
        head = f"{self.entity.name} ({self.entity.type}): {shown}"
        parts = [head]
        for path, group in groupby(self.mentions, key=lambda mention: mention.path):
            lines = []
            for mention in group:
                line = f"- line {mention.line}: {mention.marked()}"
                if mention.ambiguous:
                    others = ", ".join(item.entity.name for item in mention.alternatives)
                    line += f" *(or {others})*"
                lines.append(line)
            parts += [f"**{path}**", "\n".join(lines)]
        return "\n\n".join(parts) + omitted(len(self.mentions), self.total, "mention")


@capability(family="entities", job="find every place that names somebody or something")
def find_mentions(workspace: Workspace, request: FindMentions) -> MentionList:
    """Find where an entity is mentioned, with a quote, the place, and who else may be meant."""
    from writeros_entities.query.entities.finding import find_entity
    from writeros_entities.query.entities.listing import entities_by_id
    from writeros_entities.query.entities.mentions import find_mentions as select_mentions
    from writeros_entities.query.entities.mentions import find_rivals
    from writeros_entities.query.vault.notes import find_below
    from writeros_entities.store.lexicon import display_names

    with workspace.view(request.as_of) as view:
        entity = find_entity(view, workspace.plugins, request.entity)
        asked = request.below
        below = None if asked is None else find_below(view, workspace.plugins, asked)
        total, statement = select_mentions(view, entity.id, below=below)
        page = view.all(statement.limit(request.limit).offset(request.offset))
        present = [row for row in page if workspace.has_file(row.path)]
        rivals = find_rivals(view, present)
        others = {row.entity_id for found in rivals.values() for row in found}
        entities = entities_by_id(view, sorted(others))
        names = display_names(view, [entity.id, *others])
        mentions = [
            _found_mention(
                row,
                [
                    (entities[rival.entity_id], rival)
                    for rival in rivals[row.chunk_id, row.start, row.end]
                    if rival.entity_id != entity.id and rival.entity_id in entities
                ],
                names,
            )
            for row in present
        ]
    return MentionList(
        entity=entity_ref(entity, names), mentions=mentions, total=total - len(page) + len(present)
    )


def _found_mention(
    row: Any, rivals: Sequence[tuple[Any, Any]], names: dict[int, str]
) -> FoundMention:
    from writeros_entities.decision import MARGIN
    from writeros_entities.query.entities.mentions import quote
    from writeros_entities.vault.headings import heading_at

    passage = quote(row.text, row.chunk_start, row.line, row.start, row.end)
    alternatives = [
        Alternative(
            entity=entity_ref(entity, names),
            confidence=rival.confidence,
            reason=rival.reason or rival.method,
        )
        for entity, rival in rivals
    ]
    alternatives.sort(key=lambda item: (-item.confidence, item.entity.name, item.entity.id))
    return FoundMention(
        path=row.path,
        heading=heading_at(row.heading, row.sections, row.start - row.chunk_start),
        position=row.position,
        line=passage.line,
        column=passage.column,
        start=row.start,
        end=row.end,
        surface=passage.surface,
        text=passage.text,
        text_start=passage.text_start,
        text_end=passage.text_end,
        confidence=row.confidence,
        method=row.method,
        reason=row.reason,
        ambiguous=any(item.confidence > row.confidence - MARGIN for item in alternatives),
        alternatives=alternatives,
    )
