"""Pack what the vault says about some entities into a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import EntityRef, counted
from writeros_entities.capabilities.context.parts import (
    MOST_ENTITIES,
    ContextBuildResult,
    ContextRequest,
    OmittedChunks,
    context_chunk,
    next_chunk,
)
from writeros_entities.capability import capability

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.assembling import Built
    from writeros_entities.capabilities.context.tiers import Entry
    from writeros_entities.capabilities.context.wishes import Wishes
    from writeros_entities.ontology import Ontology
    from writeros_entities.protocols import PriorityStrategy
    from writeros_entities.story.resolution import ResolvedEntity
    from writeros_entities.view import View

DIGITS = 4


class BuildContext(ContextRequest["ContextBuildResult"]):
    """The entities of a context, and how it is packed."""

    entities: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=MOST_ENTITIES, description="Names or ids of entities."),
    ]


@capability(family="context", job="gather what is written about some entities")
def build_context(view: View, request: BuildContext) -> ContextBuildResult:
    """Pack what the vault says about some entities into a prompt of limited length.

    First the primary source, then the evidence of up to ten relations, then mentions by strategy.

    A passage that does not fit is cut to a window around its mentions; near duplicates are dropped.
    A note can wish to be in every prompt, in none, or in those about others (`context: always`,
    `never`, `with [[Hope]]`), and for a part of the budget (`context_share: 20%`).
    """
    return answer(view, request)


def answer(
    view: View, request: BuildContext, strategy: PriorityStrategy | None = None
) -> ContextBuildResult:
    """Return the requested context, ranked by the given strategy instead of a named one.

    Results are cached until the index changes or a file is gone, except with a given strategy,
    which may not give the same result again.
    """
    from writeros_entities.store.cache import LRUCache
    from writeros_entities.story.resolution import resolve_entities

    if strategy is not None:
        asked = resolve_entities(view, request.entities)
        return make_context(view, asked, request, strategy)
    recent = view.cache.get(view.revision, "contexts", LRUCache)
    key = (request, view.as_of, view.vector_revision)
    known: ContextBuildResult | None = recent.get(key)
    if known is not None and all(view.has_file(one.path) for one in known.chunks):
        return _copy(known)
    made = make_context(view, resolve_entities(view, request.entities), request)
    recent.put(key, made)
    return _copy(made)


def _copy(result: ContextBuildResult) -> ContextBuildResult:
    """Return a result with its own lists, so that a caller cannot change the cached one."""
    lists = {name: copy(value) for name, value in result if isinstance(value, list | dict)}
    return result.model_copy(update=lists)


def make_context(
    view: View,
    asked: Sequence[ResolvedEntity],
    request: ContextRequest,
    strategy: PriorityStrategy | None = None,
    wishes: Wishes | None = None,
) -> ContextBuildResult:
    """Build a context about entities that have been looked up."""
    from writeros_entities.capabilities.context.assembling import Recipe
    from writeros_entities.capabilities.context.assembling import build_context as build
    from writeros_entities.capabilities.context.wishes import read_wishes, with_wished

    plugins, settings = view.plugins, view.settings
    wishes = wishes or read_wishes(view)
    asked = with_wished(view, asked, wishes, MOST_ENTITIES)
    named = request.strategy or ("relevance" if request.query else "usage")
    ranking = strategy or plugins.choose("register_priority_strategies", named)
    relevance = _Relevance(view, request.query)
    embedder = view.embedder()
    built = build(
        view,
        asked,
        Recipe(
            strategy=ranking,
            builder=plugins.choose(
                "register_context_builders", request.builder or settings.context_builder
            ),
            counter=plugins.token_counter(request.token_counter or settings.token_counter),
            tiers=request.include,
            score=relevance.score,
            model=embedder.identity if embedder else None,
            is_there=view.has_file,
            wishes=wishes,
        ),
        max_tokens=request.max_tokens,
    )
    explain = _Reasons(asked, plugins.ontology, has_query=bool(request.query))
    total = built.prompt.measure(built.pieces)
    tiers = [piece.passage.tier for piece in built.pieces]
    return ContextBuildResult(
        entities=[EntityRef(**one.reference()) for one in asked],
        chunks=[context_chunk(built, piece, explain(built.entry(piece))) for piece in built.pieces],
        chunks_by_source={tier: tiers.count(tier) for tier in request.include},
        total_tokens=total,
        max_tokens=request.max_tokens,
        budget_utilized=round(total / request.max_tokens, DIGITS),
        strategy=ranking.name,
        omitted=_omitted(built),
        next=[next_chunk(built, piece, explain(built.entry(piece))) for piece in built.further],
        remark=relevance.remark,
    )


class _Relevance:
    """The relevance of chunks to a query, if there is one."""

    def __init__(self, view: View, query: str | None) -> None:
        self._view, self._query = view, query
        self.remark: str | None = None

    def score(self, chunk_ids: Sequence[int]) -> Mapping[int, float]:
        """Return the relevance of chunks, in 0-1; empty without a query."""
        if not self._query or not chunk_ids:
            return {}
        from writeros_entities.capabilities.search.ranking import score_chunks
        from writeros_entities.capabilities.search.vectors import embed_query

        vectors = embed_query(self._view, self._query)
        self.remark = vectors.remark
        return score_chunks(self._view, self._query, chunk_ids, vectors.query)


class _Reasons:
    """Explains in words why passages are in a context."""

    def __init__(
        self, asked: Sequence[ResolvedEntity], ontology: Ontology, *, has_query: bool
    ) -> None:
        self._asked = asked
        self._ontology, self._has_query = ontology, has_query

    def __call__(self, entry: Entry) -> str:
        """Return why an entry is in the context."""
        name = self._asked[entry.entity].name
        if entry.tier == "primary_source":
            return f"{_part(entry)} of {name}" if entry.is_own else f"introduces {name}"
        if entry.tier == "relationships":
            return "; ".join(
                f"{name} {self._ontology.describe(one.kind, is_inverse=one.is_inverse)} {one.other}"
                if one.other
                else f"{name}: {one.kind.replace('_', ' ')}"
                for one in entry.evidence
            )
        if entry.chunk.mentions:
            why = f"{counted(entry.chunk.mentions, 'mention')} of {name}"
        else:
            why = f"{_part(entry)} of {name}" if entry.is_own else f"beside a mention of {name}"
        return f"{why}, relevance {entry.chunk.score:.2f}" if self._has_query else why


def _part(entry: Entry) -> str:
    return "the properties" if entry.is_properties else "the note"


def _omitted(built: Built) -> list[OmittedChunks]:
    reasons = {"budget": built.left_out, "near_duplicate": built.duplicates}
    return [
        OmittedChunks(reason=reason, chunks=len(tokens), tokens=sum(tokens))
        for reason, tokens in reasons.items()
        if tokens
    ]
