"""The input of priority strategies and context builders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from writeros_entities.values.notes import Span


ContextTier = Literal["primary_source", "relationships", "mentions"]
"""Why a passage may enter a prompt: the sheet, evidence of a relation, or a mention."""


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk as priority strategies see it: figures, without its text.

    `usage_count` is what it says about the entity of the prompt: mentions of it, and pieces of
    evidence of its relations; `mentions` counts the former alone. `is_list` marks properties, and
    text that is mostly list items or rows of a table, except in the manuscript and the entity's own
    note.
    `changed_at` is when its file was saved, in seconds since 1970 (None under `as_of`, as it
    depends on later writing). `position` is its reading position, None outside the manuscript.
    `score` is its relevance to the query, in 0-1.
    """

    id: int
    tokens: int
    usage_count: int
    changed_at: float | None
    position: int | None
    score: float = 0.0
    mentions: int = 0
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class ContextPassage:
    """A chunk that may enter a prompt: its text, and why.

    `text` is the chunk's as stored, with `HIDDEN` for the author's comments; `spans` are offsets
    into it of what matters: mentions of the entity, or evidence of a relation. `entity` is the
    index of that entity among those requested. Passages of one `group` say nearly the same.
    """

    chunk: RankedChunk
    tier: ContextTier
    entity: int
    text: str
    spans: tuple[Span, ...]
    group: int

    def whole(self) -> ContextPiece:
        """Return the passage as a single piece."""
        return ContextPiece(self, 0, len(self.text))


@dataclass(frozen=True, slots=True)
class ContextPiece:
    """The part `[start, end)` of a passage's text, as it enters a prompt."""

    passage: ContextPassage
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ContextTask:
    """The input of a context builder.

    `passages` are in order: by entity, then by tier, best first. `shares` are the fractions of the
    budget for each entity; they sum to 1. `measure` returns the number of tokens of pieces rendered
    together, with their headers, by the requested counter.
    """

    passages: tuple[ContextPassage, ...]
    shares: tuple[float, ...]
    budget: int
    measure: Callable[[Sequence[ContextPiece]], int]
