"""Find the entities in a text."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Alternative,
    Answer,
    EntityRef,
    omitted,
    or_others,
    table,
)
from writeros_entities.capabilities.parts import MOST_ALTERNATIVES
from writeros_entities.capabilities.vault.problems import ReportedProblem, as_warning
from writeros_entities.capability import AsOf, Limit, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.decision import Reading
    from writeros_entities.view import View


class ExtractEntities(Request["ExtractedEntities"]):
    """A text to look for entities in."""

    text: Annotated[
        str, Field(min_length=1, max_length=1_000_000, description="The text; Markdown is read.")
    ]
    include_unknown: Annotated[
        bool, Field(description="Include proper names that are not in the vault.")
    ] = True
    group_by_type: Annotated[bool, Field(description="Also list the entities by type.")] = False
    as_of: AsOf = None
    limit: Limit = 200


class EntityLink(Answer):
    """One mention in a text, linked to the entity it names."""

    surface_form: str
    canonical_id: str
    entity_type: str
    name: str
    status: str
    start: int
    end: int
    confidence: float
    method: str
    alternatives: list[Alternative] = Field(description="Others that fit the span as well.")


class ExtractedEntities(Response):
    """All mentions in a text, in order; a span that two entities fit is listed once for each."""

    entities: list[EntityLink]
    by_type: dict[str, list[EntityLink]] | None
    total_count: int
    diagnostics: list[ReportedProblem] = Field(
        default=[], description="Plugins that failed; results of others are included."
    )

    def shortened(self, most: int) -> Self:
        """Return the answer with fewer mentions."""
        links = self.entities[:most]
        by_type = None if self.by_type is None else _by_type(links)
        return self.model_copy(update={"entities": links, "by_type": by_type})

    def as_text(self) -> str:
        """Return the mentions as a table."""
        return "\n\n".join([self._found(), *(trouble.as_text() for trouble in self.diagnostics)])

    def _found(self) -> str:
        if not self.entities:
            return "No entities found."
        rows = (
            (
                link.surface_form,
                link.name + or_others(link.alternatives, link.name),
                link.entity_type,
                link.status,
                f"{link.confidence:.2f}",
            )
            for link in self.entities
        )
        text = table(["found", "entity", "type", "status", "confidence"], rows)
        return text + omitted(len(self.entities), self.total_count, "mention", "limit")


@capability(family="entities", offered=False, reads_unread=True)
def extract_entities(view: View, request: ExtractEntities) -> ExtractedEntities:
    """Find who and what is mentioned in a text, linked to the vault's entities.

    Names of notes, aliases, link texts, partial names and the knowledge bases' names are found;
    with `include_unknown` also proper names not in the vault.
    """
    from writeros_entities.store.lexicon import display_names_by_key
    from writeros_entities.story.extraction import extract

    found = extract(view, request.text, include_unknown=request.include_unknown)
    names = display_names_by_key(view, {reading.candidate.entity for reading in found.readings})
    fitting: dict[tuple[int, int], list[Reading]] = defaultdict(list)
    for reading in found.readings:
        fitting[reading.start, reading.end].append(reading)

    def alternative(reading: Reading) -> Alternative:
        entity, candidate = found.entities[reading.candidate.entity], reading.candidate
        name = names.get(entity.id, entity.name)
        return Alternative(
            entity=EntityRef(id=entity.id, name=name, type=entity.type, status=entity.status),
            confidence=candidate.score,
            reason="; ".join(candidate.reasons) or candidate.method,
        )

    links = []
    for reading in found.readings[: request.limit]:
        entity = found.entities[reading.candidate.entity]
        here = fitting[reading.start, reading.end]
        others = [one for one in here if one.candidate.entity != entity.id]
        links.append(
            EntityLink(
                surface_form=reading.surface,
                canonical_id=entity.id,
                entity_type=entity.type,
                name=names.get(entity.id, entity.name),
                status=entity.status,
                start=reading.start,
                end=reading.end,
                confidence=reading.candidate.score,
                method=reading.candidate.method,
                alternatives=[alternative(one) for one in others[:MOST_ALTERNATIVES]],
            )
        )
    return ExtractedEntities(
        entities=links,
        by_type=_by_type(links) if request.group_by_type else None,
        total_count=len(found.readings),
        diagnostics=[as_warning(each) for each in found.diagnostics],
    )


def _by_type(links: list[EntityLink]) -> dict[str, list[EntityLink]]:
    found: dict[str, list[EntityLink]] = {}
    for link in links:
        found.setdefault(link.entity_type, []).append(link)
    return found
