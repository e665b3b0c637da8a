"""What priority strategies rank, and what context builders pack into a prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from writeros_entities.values.notes import Span


ContextTier = Literal["primary_source", "relationships", "mentions"]


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk as priority strategies see it: numbers, and no text.

    `usage_count` is how much the vault rests on it: mentions of any entity in it, and pieces of
    evidence. `changed_at` is when its file was saved, in seconds since 1970 (None under `as_of`,
    since that tells of later writing). `position` is its place in reading order, None outside the
    manuscript. `score` is its relevance to the query, in 0-1; `mentions` are those of the entity
    that the prompt is about.
    """

    id: int
    tokens: int
    usage_count: int
    changed_at: float | None
    position: int | None
    score: float = 0.0
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class ContextPassage:
    """A chunk that may enter a prompt: its text, and what it is there for.

    `text` is the chunk's as stored, with `HIDDEN` for the author's comments; `spans` are offsets
    into it of what it is there for: mentions of the entity, or evidence of a relation. `entity` is
    the place of that entity among those asked for. Passages of one `group` say nearly the same.
    """

    chunk: RankedChunk
    tier: ContextTier
    entity: int
    text: str
    spans: tuple[Span, ...]
    group: int

    def whole(self) -> ContextPiece:
        """Return all of the passage."""
        return ContextPiece(self, 0, len(self.text))


@dataclass(frozen=True, slots=True)
class ContextPiece:
    """The part `[start, end)` of a passage's text, as it enters a prompt."""

    passage: ContextPassage
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ContextTask:
    """What a context builder is given.

    `passages` come in order: entity by entity, tier by tier, best first. `shares` say which part of
    the budget each entity deserves; they sum to 1. `measure` counts the tokens of pieces as they
    would be rendered together, with their headers, by the counter that was asked for.
    """

    passages: tuple[ContextPassage, ...]
    shares: tuple[float, ...]
    budget: int
    measure: Callable[[Sequence[ContextPiece]], int]
