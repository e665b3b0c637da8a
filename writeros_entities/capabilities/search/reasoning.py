"""Answer a question over the graph: its entities, the paths between them, and passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import AliasChoices, Field

from writeros_entities.capabilities.answers import Answer, EntityRef, as_block_quote, omitted
from writeros_entities.capabilities.entities.parts import (
    SIMILARITY_THRESHOLD,
    SimilarityThreshold,
    readable,
)
from writeros_entities.capabilities.graph.parts import references
from writeros_entities.capabilities.graph.paths import FoundPath, to_found_paths
from writeros_entities.capability import AsOf, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.query.reasoning.passages import Reasoned
    from writeros_entities.query.reasoning.question_entities import QuestionEntity
    from writeros_entities.query.reasoning.walking import Walked
    from writeros_entities.query.search.channels import QueryVector
    from writeros_entities.query.search.excerpts import Excerpt
    from writeros_entities.query.search.query_terms import QueryTerm
    from writeros_entities.query.vault.places import ChunkPlace
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace


class ReasonOverEntities(Request):
    """A question, and how far to search for its answer."""

    query: Annotated[str, Field(min_length=1, max_length=10_000, description="The question.")]
    max_hops: Annotated[
        int,
        Field(
            ge=1,
            le=4,
            description="Relations in a path.",
            validation_alias=AliasChoices("maxHops", "maxEntityHops"),
        ),
    ] = 2
    min_relationship_strength: Annotated[
        float, Field(ge=0, le=1, description="Of each relation.")
    ] = 0.5
    max_entities: Annotated[
        int,
        Field(
            ge=1,
            le=200,
            description="Passages found via entities.",
            validation_alias=AliasChoices("maxEntities", "maxReasoningEntities"),
        ),
    ] = 20
    query_entity_extraction: Annotated[
        bool, Field(description="Look for entities in the question.")
    ] = True
    similarity_threshold: SimilarityThreshold = SIMILARITY_THRESHOLD
    max_query_entities: Annotated[
        int, Field(ge=1, le=50, description="Entities taken from the question.")
    ] = 10
    entity_reasoning_weight: Annotated[
        float, Field(ge=0, le=1, description="How much entities on paths raise a passage.")
    ] = 0.3
    include_content: Annotated[bool, Field(description="Include the passages' text.")] = False
    as_of: AsOf = None
    top_k: Annotated[int, Field(ge=1, le=50, description="Passages to return at most.")] = 10


class QueryEntity(Answer):
    """An entity that the question names."""

    entity: EntityRef
    surface_form: str
    method: str = Field(description="detected, contained in a name, or similar to one.")
    confidence: float


class Carrier(Answer):
    """What a passage shares with another one that led to it."""

    name: str
    kind: str = Field(description="entity, note (its title), name or phrase.")
    share: float = Field(description="Of the passage's walk_score.")
    path: str = Field(description="The note it led from.")


class ReasonedPassage(Answer):
    """A passage, and why it was found."""

    path: str
    heading: str
    position: int | None
    line: int = Field(description="Line of the excerpt's match.")
    start: int = Field(description="Offset of the chunk in the file.")
    end: int
    score: float = Field(description="walk_score, raised by entity_score.")
    walk_score: float = Field(
        description="How strongly what is found and named leads here; 1 for the best."
    )
    base_score: float = Field(description="Of `search`, 1 for its best; 0 if not found by it.")
    entity_score: float = Field(description="Importance × strength of the path.")
    mentioned_entities: list[EntityRef] = Field(description="Those of the paths.")
    carried_by: list[Carrier] = Field(description="What led here, by weight.")
    reasoning_type: str = Field(description="entity_path, search, both, or walk.")
    excerpt: str
    content: str | None


class ReasonedAnswer(Response):
    """Entities of the question, paths between them, and passages, each the best first."""

    query_entities: list[QueryEntity]
    paths: list[FoundPath]
    total_paths: int
    results: list[ReasonedPassage]
    total: int
    remark: str | None = Field(description="What is missing, usually vectors.")

    def as_text(self) -> str:
        """Return the entities, the paths as explanations, and the passages."""
        parts = []
        if self.query_entities:
            named = ", ".join(
                f"{one.entity.name} ({one.surface_form})"
                if one.surface_form != one.entity.name
                else one.entity.name
                for one in self.query_entities
            )
            parts.append(f"Asked about: {named}.")
        else:
            parts.append("The question names no entity.")
        if self.paths:
            parts.append("\n".join(f"- {path.explanation}" for path in self.paths))
        parts += ["\n".join(_passage_text(passage) for passage in self.results) or "No passages."]
        parts[-1] += omitted(len(self.results), self.total, "passage", "top_k")
        return "\n\n".join([*parts, self.remark] if self.remark else parts)


def _passage_text(passage: ReasonedPassage) -> str:
    why = [", ".join(entity.name for entity in passage.mentioned_entities)]
    why += [f"by {one.name} from {one.path}" for one in passage.carried_by if one.share > MOSTLY]
    reasons = "".join(f"; {one}" for one in why if one)
    item = f"- {passage.path}:{passage.line} ({passage.score:.2f}{reasons})"
    if passage.content:
        return f"{item}\n\n{as_block_quote(passage.content)}\n"
    return f"{item} — {passage.excerpt}"


MOSTLY = 0.5
"""Least share of a passage's walk score for a carrier to be named in the text."""

PATHS_TOLD = 5
"""Number of paths to show, of at most 50 that are used."""

SEARCHED = 50
"""Number of search results from which walks start."""

WALKED = 100
"""Most passages reached by walks to rank."""


@capability(family="search")
def reason_over_entities(workspace: Workspace, request: ReasonOverEntities) -> ReasonedAnswer:
    """Answer a question over several hops: its entities, their connections, and passages.

    Names are found as in any text, or else as a part of a name or by similarity. From the results
    of `search` and the notes that are named, shared names and phrases lead to further passages,
    linked or not; those that mention entities on the paths are raised by importance × strength.
    """
    from writeros_entities.capabilities.search.vectors import embed_query
    from writeros_entities.query.graph.snapshots import load_graph, nodes_of
    from writeros_entities.query.reasoning import passages, walking
    from writeros_entities.query.reasoning.question_entities import find_question_entities
    from writeros_entities.query.search.ranking import search as find_chunks

    with workspace.view(request.as_of) as view:
        snapshot = load_graph(view, workspace.plugins.ontology)
        most = request.max_query_entities if request.query_entity_extraction else 0
        meant = find_question_entities(
            workspace, view, request.query, most, request.similarity_threshold
        )
        asked = [node for one in meant for node in nodes_of(snapshot, [one.entity_id])]
        seeds = sorted(asked)
        paths = passages.connect(
            snapshot,
            seeds,
            hops=request.max_hops,
            min_strength=request.min_relationship_strength,
            most=request.max_entities,
        )
        mentioning = passages.find_mentioning(
            view,
            snapshot,
            passages.score_entities(snapshot, seeds, paths),
            request.max_entities,
        )
        vectors = embed_query(workspace, view, request.query)
        searched = find_chunks(
            view,
            workspace.plugins,
            request.query,
            vector=vectors.query,
            page=slice(0, SEARCHED),
        )
        scores = {hit.chunk_id: hit.score for hit in searched.hits}
        walked = walking.walk_from(
            view,
            scores or mentioning.scores,
            walking.notes_named(view, searched.named.notes, meant),
        )
        ranked = passages.rank_chunks(
            view, walked.scores(WALKED), scores, mentioning, request.entity_reasoning_weight
        )
        return ReasonedAnswer(
            query_entities=_query_entities(view, snapshot, meant),
            paths=to_found_paths(
                workspace, view, snapshot, [path.seen_from(asked) for path in paths[:PATHS_TOLD]], 1
            ),
            total_paths=len(paths),
            results=_passages(
                workspace,
                view,
                snapshot,
                ranked[: request.top_k],
                walked,
                _Question(searched.terms, vectors.query),
                include_content=request.include_content,
            ),
            total=len(ranked),
            remark=vectors.remark,
        )


class _Question(NamedTuple):
    """The terms of a question, and its vector, if there are vectors."""

    terms: Sequence[QueryTerm]
    vector: QueryVector | None


def _query_entities(
    view: View, snapshot: Snapshot, meant: Sequence[QuestionEntity]
) -> list[QueryEntity]:
    index = snapshot.nodes.index
    known = [(one, index[one.entity_id]) for one in meant if one.entity_id in index]
    named = references(view, snapshot, [node for _, node in known])
    return [
        QueryEntity(
            entity=named[node],
            surface_form=one.surface,
            method=one.method,
            confidence=one.confidence,
        )
        for one, node in known
    ]


def _passages(
    workspace: Workspace,
    view: View,
    snapshot: Snapshot,
    ranked: Sequence[Reasoned],
    walked: Walked,
    question: _Question,
    *,
    include_content: bool,
) -> list[ReasonedPassage]:
    from writeros_entities.query.vault.places import chunk_places

    carriers = walked.carriers(view, [one.chunk_id for one in ranked])
    origins = {carrier.chunk_id for found in carriers.values() for carrier in found}
    places = chunk_places(view, sorted(origins.union(one.chunk_id for one in ranked)))
    excerpts = _excerpts(view, snapshot, ranked, question, places)
    named = references(view, snapshot, sorted({node for one in ranked for node in one.nodes}))
    return [
        ReasonedPassage(
            path=place.path,
            heading=excerpts[one.chunk_id].heading,
            position=place.position,
            line=excerpts[one.chunk_id].line,
            start=place.start,
            end=place.end,
            score=round(one.score, 4),
            walk_score=round(one.walk_score, 4),
            base_score=round(one.base_score, 4),
            entity_score=round(one.entity_score, 4),
            mentioned_entities=[named[node] for node in one.nodes],
            carried_by=[
                Carrier(
                    name=carrier.name,
                    kind=carrier.kind,
                    share=carrier.share,
                    path=places[carrier.chunk_id].path,
                )
                for carrier in carriers[one.chunk_id]
            ],
            reasoning_type=_reason(one),
            excerpt=excerpts[one.chunk_id].text,
            content=readable(place.text) if include_content else None,
        )
        for one, place in ((one, places[one.chunk_id]) for one in ranked)
        if workspace.has_file(place.path)
    ]


def _excerpts(
    view: View,
    snapshot: Snapshot,
    ranked: Sequence[Reasoned],
    question: _Question,
    places: Mapping[int, ChunkPlace],
) -> dict[int, Excerpt]:
    """Return excerpts about the entities of each passage, else about the question."""
    from writeros_entities.query.search.excerpts import entity_excerpts, text_excerpt
    from writeros_entities.query.search.nearest_sentences import nearest_sentences

    entities = {
        one.chunk_id: {int(snapshot.nodes.ids[node]) for node in one.nodes}
        for one in ranked
        if one.nodes
    }
    found = entity_excerpts(view, entities, places)
    others = {one.chunk_id: places[one.chunk_id] for one in ranked if one.chunk_id not in found}
    nearest = nearest_sentences(view, question.vector, others)
    for chunk_id, place in others.items():
        sentences = nearest.get(chunk_id)
        found[chunk_id] = text_excerpt(place, question.terms, nearest=sentences)
    return found


def _reason(one: Reasoned) -> str:
    if one.base_score and one.entity_score:
        return "both"
    if one.entity_score:
        return "entity_path"
    return "search" if one.base_score else "walk"
