"""What the context family shares: the parameters of a context, and its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef
from writeros_entities.capability import AnswerT, AsOf, Request, Response
from writeros_entities.values import ContextTier

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.assembling import Built
    from writeros_entities.values import ContextPiece

MOST_TOKENS = 200_000
DEFAULT_TOKENS = 4000
MOST_ENTITIES = 20


class ContextRequest(Request[AnswerT]):
    """The parameters common to all requests for a context."""

    max_tokens: Annotated[
        int, Field(ge=1, le=MOST_TOKENS, description="Tokens that the context never exceeds.")
    ] = DEFAULT_TOKENS
    query: Annotated[
        str | None,
        Field(max_length=10_000, description="What the prompt is about, for relevance."),
    ] = None
    strategy: Annotated[
        str | None,
        Field(
            description="usage, recency, narrative, relevance, or a plugin's; by default relevance "
            "with a query, else usage."
        ),
    ] = None
    include: Annotated[
        tuple[ContextTier, ...], Field(min_length=1, description="Tiers to take passages from.")
    ] = ("primary_source", "relationships", "mentions")
    token_counter: Annotated[
        str | None, Field(description="Token counter; default from the settings.")
    ] = None
    builder: Annotated[
        str | None, Field(description="Context builder; default from the settings.")
    ] = None
    as_of: AsOf = None


class ContextChunk(Answer):
    """A passage of a context: its place in the file, its text, and why it is included.

    `text` is as a reader sees it, without the author's comments; offsets are into the file.
    """

    path: str
    heading: str
    position: int | None
    line: int
    start: int
    end: int
    text: str
    tokens: int = Field(description="Including the line with its place.")
    tier: ContextTier
    why: str
    is_cut: bool = Field(description="A window of its chunk, not all of it.")


class OmittedChunks(Answer):
    """Chunks that are not in a context, and why."""

    reason: str = Field(description="budget, or near_duplicate: another says nearly the same.")
    chunks: int
    tokens: int


class NextChunk(Answer):
    """A passage that a larger budget would add or show more of."""

    path: str
    heading: str
    line: int
    tokens: int
    tier: ContextTier
    why: str


class ContextBuildResult(Response):
    """A context: passages in order of priority, and what was left out.

    Its text is ready for a prompt, and is what `total_tokens` counts.
    """

    entities: list[EntityRef]
    chunks: list[ContextChunk]
    chunks_by_source: dict[ContextTier, int]
    total_tokens: int
    max_tokens: int
    budget_utilized: float = Field(description="total_tokens / max_tokens.")
    strategy: str
    omitted: list[OmittedChunks]
    next: list[NextChunk] = Field(description="What 500 more tokens would add.")
    remark: str | None = Field(description="What is missing, usually vectors.")

    def as_text(self) -> str:
        """Return only the passages, each below a line with its note and line number."""
        from writeros_entities.capabilities.context.prompt import block, joined

        return joined([block(chunk.path, chunk.line, chunk.text) for chunk in self.chunks])


def context_chunk(built: Built, piece: ContextPiece, why: str) -> ContextChunk:
    """Return a piece as part of an answer."""
    from writeros_entities.capabilities.context.prompt import bounds
    from writeros_entities.vault.headings import heading_at

    chunk = built.texts[piece.passage.chunk.id]
    line, text = built.prompt.shown(piece)
    start, end = bounds(piece)
    return ContextChunk(
        path=chunk.path,
        heading=heading_at(chunk.heading, chunk.sections, start),
        position=chunk.position,
        line=line,
        start=chunk.start + start,
        end=chunk.start + end,
        text=text,
        tokens=built.prompt.measure([piece]),
        tier=piece.passage.tier,
        why=why,
        is_cut=built.prompt.is_cut(piece),
    )


def next_chunk(built: Built, piece: ContextPiece, why: str) -> NextChunk:
    """Return a piece that a larger budget would add."""
    from writeros_entities.capabilities.context.prompt import bounds
    from writeros_entities.vault.headings import heading_at

    chunk = built.texts[piece.passage.chunk.id]
    return NextChunk(
        path=chunk.path,
        heading=heading_at(chunk.heading, chunk.sections, bounds(piece)[0]),
        line=built.prompt.shown(piece)[0],
        tokens=built.prompt.measure([piece]),
        tier=piece.passage.tier,
        why=why,
    )
