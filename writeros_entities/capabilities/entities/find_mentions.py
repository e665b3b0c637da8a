"""Find where an entity is mentioned."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from writeros_entities.capabilities.answers import (
    EntityRef,
    Quote,
    empty_page,
    omitted,
    part_of,
)
from writeros_entities.capabilities.parts import (
    EntityName,
    entity_ref,
    find_alternatives,
)
from writeros_entities.capability import AsOf, Below, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.capabilities.answers import Alternative
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


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
            lines = [f"- line {mention.line}: {mention.marked()}" for mention in group]
            parts += [f"**{path}**", "\n".join(lines)]
        return "\n\n".join(parts) + omitted(len(self.mentions), self.total, "mention")


@capability(family="entities", job="find every place that names somebody or something")
def find_mentions(view: View, request: FindMentions) -> MentionList:
    """Find where an entity is mentioned, with a quote, the place, and who else may be meant."""
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.mentions import Naming
    from writeros_entities.story.mentions import find_mentions as select_mentions
    from writeros_entities.story.notes import find_below

    entity = find_entity(view, request.entity)
    asked = request.below
    below = None if asked is None else find_below(view, asked)
    page, total = select_mentions(view, entity.id, request.limit, request.offset, below=below)
    present = [row for row in page if view.has_file(row.path)]
    named = [Naming(row.chunk_id, row.start, row.end, entity.id) for row in present]
    others = find_alternatives(view, named)
    names = display_names(view, [entity.id])
    mentions = [
        _found_mention(row, others.get(one, [])) for row, one in zip(present, named, strict=True)
    ]
    return MentionList(
        entity=entity_ref(entity, names), mentions=mentions, total=total - len(page) + len(present)
    )


def _found_mention(row: Row, alternatives: list[Alternative]) -> FoundMention:
    from writeros_entities.language.marks import Part
    from writeros_entities.story.mentions import quote
    from writeros_entities.vault.headings import heading_at

    passage = quote(Part(row.text, row.chunk_start, row.marks), row.line, row.start, row.end)
    return FoundMention(
        path=row.path,
        heading=heading_at(row.heading, row.sections, row.start - row.chunk_start),
        position=row.position,
        line=passage.line,
        column=passage.column,
        start=row.start,
        end=row.end,
        surface=row.surface,
        text=passage.text,
        text_start=passage.text_start,
        text_end=passage.text_end,
        confidence=row.confidence,
        method=row.method,
        reason=row.reason,
        alternatives=alternatives,
    )
