"""Find passages that mention given entities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    as_block_quote,
    omitted,
)
from writeros_entities.capabilities.parts import (
    MOST_MENTIONED,
    SIMILARITY_THRESHOLD,
    EveryPassage,
    MentionedEntity,
    SimilarityThreshold,
    Types,
    WithinPositions,
    entity_refs,
    mentioned_in,
    more_here,
    names_told,
    readable,
    to_snake_case,
    types_meant,
)
from writeros_entities.capability import AsOf, Response, capability
from writeros_entities.errors import NotFoundError
from writeros_entities.names import fold_name, nearest_names

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View


MOST_DETECTED = 50
"""Most entities to list that the given names can mean."""


class SearchByEntities(WithinPositions["PassageList"]):
    """Which entities to search for, and how to rank."""

    entities: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=50, description="Names or ids of entities."),
    ]
    entity_types: Types = ()
    match_mode: Annotated[
        Literal["any", "all"], Field(description="Passages with any, or with all, of them.")
    ] = "any"
    top_k: Annotated[int, Field(ge=1, le=50, description="How many to return at most.")] = 10
    min_score: Annotated[
        float, Field(ge=0, le=1, description="Leave out passages that score less.")
    ] = 0.2
    similarity_threshold: SimilarityThreshold = SIMILARITY_THRESHOLD
    min_entity_importance: Annotated[
        float, Field(ge=0, le=1, description="Leave out entities that are less important.")
    ] = 0.0
    every_passage: EveryPassage = False
    include_content: Annotated[bool, Field(description="Include the passages' text.")] = False
    boost_exact_match: Annotated[
        float,
        Field(ge=1, le=5, description="Factor for passages that use the name exactly as given."),
    ] = 1.3
    as_of: AsOf = None

    _types = field_validator("entity_types")(to_snake_case)


class Passage(Answer):
    """A chunk that mentions some of the entities."""

    path: str
    heading: str
    position: int | None
    ordinal: int = Field(
        description="Number of the chunk in its note, from 0; negative in its properties."
    )
    line: int = Field(description="Line of the excerpt's match.")
    start: int = Field(description="Offset of the chunk in the file.")
    end: int
    score: float
    e11_similarity: float | None = Field(
        description="Mean cosine of the nearest entity to each name; null without vectors."
    )
    entity_overlap: float = Field(description="Jaccard overlap of the entity sets.")
    matched_entities: list[MentionedEntity] = Field(description="At most 20.")
    matched_count: int
    excerpt: str = Field(description="The sentence that speaks of them, as a reader sees it.")
    more_here: int = Field(description="Passages of the note that are not listed (every_passage).")
    content: str | None

    def as_text(self, asked: int) -> str:
        """Return a Markdown list item.

        It names the entities unless all `asked` are there beyond doubt.
        """
        is_doubtful = any(one.alternatives for one in self.matched_entities)
        is_told = is_doubtful or self.matched_count < asked
        names = names_told(self.matched_entities) if is_told else ""
        item = f"- {self.path}:{self.line} ({self.score:.2f}{names})"
        if self.content:
            return f"{item}{more_here(self.more_here)}\n\n{as_block_quote(self.content)}"
        return f"{item} — {self.excerpt}{more_here(self.more_here)}"


class AskedEntity(EntityRef):
    """An entity that a name given means, and how."""

    surface_form: str = Field(description="The name as given.")
    method: Literal["named", "contained", "similar"] = Field(
        description="It has the name, has it in its name, or has one like it."
    )
    importance: float
    degree: int = Field(description="Entities that stated relations connect it with.")


class PassageList(Response):
    """Passages, best first."""

    results: list[Passage] = Field(description="The best of each note, unless every_passage.")
    detected_query_entities: list[AskedEntity] = Field(description="At most 50.")
    detected_count: int
    unknown: list[str] = Field(description="Names that no entity has.")
    total_candidates: int = Field(description="Passages that mention any of the entities.")
    total: int = Field(description="Of notes, or with every_passage of passages.")

    def as_text(self) -> str:
        """Return the passages as a list."""
        parts = [passage.as_text(self.detected_count) for passage in self.results]
        separator = "\n\n" if any(passage.content for passage in self.results) else "\n"
        text = separator.join(parts) or "No passages."
        if self.unknown:
            text += f"\n\nUnknown: {', '.join(self.unknown)}."
        return text + omitted(len(self.results), self.total, "result", "top_k")


@capability(family="entities", offered=False)
def search_by_entities(view: View, request: SearchByEntities) -> PassageList:
    """Find passages that mention any, or all, of some entities, best first.

    Each note is listed once, with its best passage. With vectors, entities near in meaning count
    too.

    The score is 0.7 × similarity + 0.3 × overlap of the entity sets, times the boost if a passage
    uses the name exactly as given. The similarity is that of the nearest entity of the passage to
    each name, by their vectors; without vectors, an entity is similar only to itself.
    """
    from writeros_entities.capabilities.search.by_entities import Ranking
    from writeros_entities.capabilities.search.by_entities import search_by_entities as find_chunks
    from writeros_entities.capabilities.search.excerpts import entity_excerpts
    from writeros_entities.story.entity_vectors import entity_vectors
    from writeros_entities.story.finding import known_forms
    from writeros_entities.story.passages import chunk_places, notes_between

    embedder = view.embedder()
    types = types_meant(view, request.entity_types)
    asked = [_meanings(view, name, types, request) for name in request.entities]
    wanted = [meanings for meanings in asked if meanings]
    if not wanted:
        nearest = nearest_names(request.entities[0], known_forms(view))
        raise NotFoundError("entity", request.entities[0], nearest)
    least = request.min_entity_importance
    if least:
        wanted = [_important(view, meanings, least) for meanings in wanted]
        wanted = [meanings for meanings in wanted if meanings]
    meant: dict[int, _Meaning] = {}
    for one in chain.from_iterable(wanted):
        meant.setdefault(one.row.id, one)
    vectors = entity_vectors(view, embedder.identity if embedder else None)
    found = find_chunks(
        view,
        [{one.row.id: one.forms for one in meanings} for meanings in wanted],
        vectors,
        Ranking(
            match_all=request.match_mode == "all",
            boost=request.boost_exact_match,
            min_score=request.min_score,
            limit=request.top_k,
            by_note=not request.every_passage,
            note_ids=notes_between(view, request.from_position, request.to_position),
        ),
    )
    places = chunk_places(view, [hit.chunk_id for hit in found.hits])
    shown = [hit for hit in found.hits if view.has_file(places[hit.chunk_id].path)]
    excerpts = entity_excerpts(view, {hit.chunk_id: hit.matched for hit in shown}, places)
    detected = _detected(view, list(islice(meant.values(), MOST_DETECTED)))
    mentioned = mentioned_in(view, {hit.chunk_id: places[hit.chunk_id] for hit in shown}, meant)
    results = [
        Passage(
            path=place.path,
            heading=excerpt.heading,
            position=place.position,
            ordinal=place.ordinal,
            line=excerpt.line,
            start=place.start,
            end=place.end,
            score=hit.score,
            e11_similarity=hit.similarity if vectors.rows else None,
            entity_overlap=hit.overlap,
            matched_entities=mentioned[hit.chunk_id][: min(len(hit.matched), MOST_MENTIONED)],
            matched_count=len(hit.matched),
            excerpt=excerpt.text,
            more_here=hit.more_here,
            content=readable(place.text) if request.include_content else None,
        )
        for hit in shown
        for place, excerpt in ((places[hit.chunk_id], excerpts[hit.chunk_id]),)
    ]
    return PassageList(
        results=results,
        detected_query_entities=detected,
        detected_count=len(meant),
        unknown=[name for name, one in zip(request.entities, asked, strict=True) if not one],
        total_candidates=found.candidates,
        total=found.total,
    )


def _important(view: View, meanings: Sequence[_Meaning], least: float) -> list[_Meaning]:
    """Return those of some entities that are important enough."""
    from writeros_entities.store.importance import importance
    from writeros_entities.story.listing import count_mentions

    counts = count_mentions(view, [one.row.id for one in meanings])
    mentions = {one: found.mentions for one, found in counts.items()}
    return [one for one in meanings if importance(mentions.get(one.row.id, 0)) >= least]


def _detected(view: View, meant: Sequence[_Meaning]) -> list[AskedEntity]:
    from writeros_entities.store.importance import importance
    from writeros_entities.story.asserted import load_relations
    from writeros_entities.story.listing import count_mentions

    ids = [one.row.id for one in meant]
    refs, counts = entity_refs(view, ids), count_mentions(view, ids)
    related: dict[int, set[int]] = defaultdict(set)
    for relation in load_relations(view, ids):
        related[relation.source_id].add(relation.target_id)
        related[relation.target_id].add(relation.source_id)
    mentions = {one: counts[one].mentions if one in counts else 0 for one in ids}
    return [
        AskedEntity(
            **refs[one.row.id].model_dump(),
            surface_form=one.asked,
            method=one.method,
            importance=round(importance(mentions[one.row.id]), 4),
            degree=len(related[one.row.id]),
        )
        for one in meant
    ]


class _Meaning(NamedTuple):
    """An entity that a name can mean, how, and its forms that equal the name as given."""

    row: Row
    asked: str
    method: Literal["named", "contained", "similar"]
    forms: set[str]


def _meanings(
    view: View,
    name: str,
    types: Sequence[str],
    request: SearchByEntities,
) -> list[_Meaning]:
    from writeros_entities.story.finding import PART, find_matches, find_similar
    from writeros_entities.story.listing import names_of

    method: Literal["named", "contained", "similar"] = "named"
    rows = find_matches(view, name)
    if not rows:
        near = find_similar(view, name, request.similarity_threshold)
        method, rows = "similar", near.rows if near is not None else []
    elif getattr(rows[0], "kind", None) == PART:
        method = "contained"
    return [
        _Meaning(
            row,
            name,
            method,
            {
                known.form
                for known in names_of(view, row.id)
                if fold_name(known.form) == fold_name(name) or name == row.key
            },
        )
        for row in rows
        if not types or row.type in types
    ]
