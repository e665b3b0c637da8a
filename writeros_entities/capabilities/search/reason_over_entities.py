"""Answer a question over the graph: its entities, the paths between them, and passages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import Answer, EntityRef, as_block_quote, omitted
from writeros_entities.capabilities.graph.find_paths import FoundPath, to_found_paths
from writeros_entities.capabilities.graph.parts import (
    LEAST_STRENGTH,
    Hops,
    Kinds,
    MaxPaths,
    MinImportance,
    MinStrength,
    TotalPaths,
    kinds_meant,
    omitted_paths,
    references,
    selection_of,
    to_kinds,
)
from writeros_entities.capabilities.parts import (
    SIMILARITY_THRESHOLD,
    NamedEntity,
    SimilarityThreshold,
    find_alternatives,
    readable,
)
from writeros_entities.capability import AsOf, Request, Response, also_called, capability

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.answering import Reasoned
    from writeros_entities.capabilities.search.excerpts import Excerpt
    from writeros_entities.capabilities.search.query_terms import QueryTerm
    from writeros_entities.capabilities.search.question_entities import QuestionEntity
    from writeros_entities.capabilities.search.vectors import QueryVector
    from writeros_entities.capabilities.search.walking import Walked
    from writeros_entities.graph.paths import Path
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View


class ReasonOverEntities(Request["ReasonedAnswer"]):
    """A question, and how far to search for its answer."""

    query: Annotated[str, Field(min_length=1, max_length=10_000, description="The question.")]
    max_hops: Hops = 2
    min_relationship_strength: MinStrength = LEAST_STRENGTH
    min_entity_importance: MinImportance = 0
    kinds: Kinds = ()
    max_paths: MaxPaths = 20
    max_entities: Annotated[
        int,
        Field(
            ge=1,
            le=200,
            description="Passages found via entities.",
            validation_alias=also_called("max_entities", "max_reasoning_entities"),
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

    _kinds = field_validator("kinds")(to_kinds)


class QueryEntity(Answer):
    """An entity that the question names."""

    entity: EntityRef
    surface_form: str
    method: str = Field(description="detected, contained in a name, or similar to one.")
    confidence: float
    importance: float = Field(description="From frequency and centrality, in 0-1.")
    degree: int = Field(description="How many entities it is connected with.")


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
    score: float = Field(description="walk_score, raised by entity_score if several are named.")
    walk_score: float = Field(
        description="How strongly what is found and named leads here; 1 for the best."
    )
    base_score: float = Field(description="Of `search`, 1 for its best; 0 if not found by it.")
    entity_score: float = Field(description="Importance × strength of the path.")
    mentioned_entities: list[NamedEntity] = Field(description="Those of the paths.")
    carried_by: list[Carrier] = Field(description="What led here, by weight.")
    reasoning_type: str = Field(description="entity_path, search, both, or walk.")
    excerpt: str
    content: str | None


class ReasonedAnswer(Response):
    """Entities of the question, paths between them, and passages, each the best first."""

    query_entities: list[QueryEntity]
    paths: list[FoundPath]
    total_paths: TotalPaths
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
            told = "\n".join(f"- {path.as_text()}" for path in self.paths)
            parts.append(told + omitted_paths(len(self.paths), self.total_paths))
        parts += ["\n".join(_passage_text(passage) for passage in self.results) or "No passages."]
        parts[-1] += omitted(len(self.results), self.total, "passage", "top_k")
        return "\n\n".join([*parts, self.remark] if self.remark else parts)


def _passage_text(passage: ReasonedPassage) -> str:
    why = [", ".join(entity.told() for entity in passage.mentioned_entities)]
    why += [f"by {one.name} from {one.path}" for one in passage.carried_by if one.share > MOSTLY]
    reasons = "".join(f"; {one}" for one in why if one)
    item = f"- {passage.path}:{passage.line} ({passage.score:.2f}{reasons})"
    if passage.content:
        return f"{item}\n\n{as_block_quote(passage.content)}\n"
    return f"{item} — {passage.excerpt}"


MOSTLY = 0.5
"""Least share of a passage's walk score for a carrier to be named in the text."""

SEARCHED = 50
"""Number of search results from which walks start."""

WALKED = 100
"""Most passages reached by walks to rank."""


@capability(family="search", job="learn how several are connected")
def reason_over_entities(view: View, request: ReasonOverEntities) -> ReasonedAnswer:
    """Answer a question over several hops: its entities, their connections, and passages.

    Names are found as in any text, or else as a part of a name or by similarity.

    From the passages that prove the paths between them, the results of `search` and the notes that
    are named, shared names and phrases lead to further passages, linked or not; entities on the
    paths raise them by importance × strength.

    The least strength of a relation is low by default, so that people who share three scenes have
    a path: in seven vaults with chapters these are 466 pairs, of which 20 in 100 had one at 0.5.
    As the strongest paths come first, the weak ones only follow.
    """
    from writeros_entities.capabilities.graph.snapshots import load_graph, nodes_of
    from writeros_entities.capabilities.search import answering, walking
    from writeros_entities.capabilities.search.question_entities import find_question_entities
    from writeros_entities.capabilities.search.ranking import search as find_chunks
    from writeros_entities.capabilities.search.vectors import embed_query

    snapshot = load_graph(view, view.plugins.ontology)
    most = request.max_query_entities if request.query_entity_extraction else 0
    meant = find_question_entities(view, request.query, most, request.similarity_threshold)
    asked = [node for one in meant for node in nodes_of(snapshot, [one.entity_id])]
    seeds = sorted(asked)
    selection = selection_of(
        kinds=kinds_meant(view, snapshot, request.kinds),
        min_strength=request.min_relationship_strength,
        min_importance=request.min_entity_importance,
    )
    paths = answering.connect(
        snapshot, seeds, selection, hops=request.max_hops, most=request.max_entities
    )
    scores_of = answering.score_entities(snapshot, seeds, paths)
    mentioning = answering.find_mentioning(view, snapshot, scores_of, request.max_entities)
    vectors = embed_query(view, request.query)
    searched = find_chunks(
        view,
        request.query,
        vector=vectors.query,
        page=slice(0, SEARCHED),
    )
    scores = {hit.chunk_id: hit.score for hit in searched.hits}
    walked = walking.walk_from(
        view,
        scores or {chunk: mentioning.scores[chunk] for chunk in mentioning.shared},
        walking.notes_named(view, searched.named.notes, meant),
        answering.find_proofs(
            view, snapshot, _between_names(snapshot, meant, paths), mentioning, scores
        ),
    )
    weight = request.entity_reasoning_weight if len(seeds) > 1 else 0.0
    ranked = answering.rank_chunks(view, walked.scores(WALKED), scores, mentioning, weight)
    return ReasonedAnswer(
        query_entities=_query_entities(view, snapshot, meant),
        paths=to_found_paths(
            view,
            snapshot,
            [path.seen_from(asked) for path in paths[: request.max_paths]],
            1,
        ),
        total_paths=len(paths),
        results=_passages(
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


def _between_names(
    snapshot: Snapshot, meant: Sequence[QuestionEntity], paths: Sequence[Path]
) -> list[Path]:
    """Return the strongest path between each two entities that different words name exactly."""
    surface_of = {
        snapshot.nodes.index.get(one.entity_id): one.surface
        for one in meant
        if one.method == "detected"
    }
    strongest: dict[tuple[int, int], Path] = {}
    for path in paths:
        ends = path.nodes[0], path.nodes[-1]
        one, other = (surface_of.get(end) for end in ends)
        if one and other and one != other:
            strongest.setdefault(ends, path)
    return list(strongest.values())


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
    network = snapshot.network()
    return [
        QueryEntity(
            entity=named[node],
            surface_form=one.surface,
            method=one.method,
            confidence=one.confidence,
            importance=round(float(snapshot.importance[node]), 4),
            degree=network.degree(node),
        )
        for one, node in known
    ]


def _passages(
    view: View,
    snapshot: Snapshot,
    ranked: Sequence[Reasoned],
    walked: Walked,
    question: _Question,
    *,
    include_content: bool,
) -> list[ReasonedPassage]:
    from writeros_entities.story.mentions import Naming
    from writeros_entities.story.passages import chunk_places

    carriers = walked.carriers(view, [one.chunk_id for one in ranked])
    origins = {carrier.chunk_id for found in carriers.values() for carrier in found}
    places = chunk_places(view, sorted(origins.union(one.chunk_id for one in ranked)))
    excerpts = _excerpts(view, snapshot, ranked, question, places)
    named = references(view, snapshot, sorted({node for one in ranked for node in one.nodes}))
    mentioned = {
        (one.chunk_id, node): Naming(
            *(one.chunk_id, places[one.chunk_id].start, places[one.chunk_id].end),
            int(snapshot.nodes.ids[node]),
        )
        for one in ranked
        for node in one.nodes
    }
    doubts = find_alternatives(view, mentioned.values())
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
            entity_score=float(f"{one.entity_score:.4g}"),  # of a long path small, but never 0
            mentioned_entities=[
                NamedEntity(
                    **named[node].model_dump(),
                    alternatives=doubts.get(mentioned[one.chunk_id, node], []),
                )
                for node in one.nodes
            ],
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
        if view.has_file(place.path)
    ]


def _excerpts(
    view: View,
    snapshot: Snapshot,
    ranked: Sequence[Reasoned],
    question: _Question,
    places: Mapping[int, ChunkPlace],
) -> dict[int, Excerpt]:
    """Return excerpts about the entities of each passage, else about the question."""
    from writeros_entities.capabilities.search.excerpts import entity_excerpts, text_excerpt
    from writeros_entities.capabilities.search.near_words import nearest_sentences

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
