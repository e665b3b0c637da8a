"""Pack what the vault says about the entities in a text into a prompt."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import Alternative, Answer, EntityRef
from writeros_entities.capabilities.context.build_context import make_context
from writeros_entities.capabilities.context.parts import (
    MOST_ENTITIES,
    ContextBuildResult,
    ContextRequest,
)
from writeros_entities.capabilities.parts import MOST_ALTERNATIVES
from writeros_entities.capabilities.vault.problems import ReportedProblem, as_warning
from writeros_entities.capability import NoteName, Response, capability

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.cast import Met
    from writeros_entities.view import View


MOST_FOUND, MOST_SURFACES = 50, 20
"""Most entities of a text to list, and most surface forms of each."""


class ContextForText(ContextRequest["TextContext"]):
    """A text, its scene, and how its context is packed."""

    text: Annotated[
        str, Field(min_length=1, max_length=1_000_000, description="The text; Markdown is read.")
    ]
    note: Annotated[
        NoteName | None,
        Field(
            description="The scene's note or chapter, whose properties say who is there; by "
            "default the chapter at `as_of`."
        ),
    ] = None
    max_entities: Annotated[
        int, Field(ge=1, le=MOST_ENTITIES, description="Most entities to include.")
    ] = 8


class MetEntity(Answer):
    """An entity in a text: how often it is mentioned, and by which surface forms."""

    entity: EntityRef
    mentions: int
    surfaces: list[str] = Field(description="Surface forms in the text (at most 20).")
    confidence: float
    alternatives: list[Alternative] = Field(description="Others that some of the words may name.")
    is_told_of: bool = Field(description="Its context is in the answer.")


class TextContext(Response):
    """The entities of a text, most mentioned first, and their context."""

    found: list[MetEntity]
    found_count: int
    context: ContextBuildResult
    diagnostics: list[ReportedProblem] = Field(
        default=[], description="Plugins that failed; results of others are included."
    )

    def as_text(self) -> str:
        """Return the context, ready for a prompt, and nothing else."""
        return self.context.as_text()


@capability(family="context", job="prepare to go on with a text", reads_unread=True)
def context_for_text(view: View, request: ContextForText) -> TextContext:
    """Find a text's entities, and pack what the vault says about them into a prompt.

    Ambiguous names are resolved by the scene: the cast and place in the properties of `note`, or of
    the chapter at `as_of`. If two entities fit equally well, both are included.
    """
    from writeros_entities.capabilities.context.cast import find_cast
    from writeros_entities.capabilities.context.wishes import read_wishes

    cast = find_cast(view, request.text, request.note)
    wishes = read_wishes(view)
    never = wishes.never()
    told_of = [one for one in cast.met if one.asked.key not in never][: request.max_entities]
    asked = [one.asked for one in told_of]
    listed = islice(cast.met, MOST_FOUND)
    return TextContext(
        found=[_met(one, is_told_of=one in told_of) for one in listed],
        found_count=len(cast.met),
        context=make_context(view, asked, request, wishes=wishes),
        diagnostics=[as_warning(each) for each in cast.diagnostics],
    )


def _met(one: Met, *, is_told_of: bool) -> MetEntity:
    return MetEntity(
        entity=EntityRef(**one.asked.reference()),
        mentions=one.mentions,
        surfaces=list(one.surfaces[:MOST_SURFACES]),
        confidence=one.confidence,
        alternatives=[
            Alternative(
                entity=EntityRef(**other.asked.reference()),
                confidence=other.confidence,
                reason=other.reason,
            )
            for other in one.rivals[:MOST_ALTERNATIVES]
        ],
        is_told_of=is_told_of,
    )
