"""Search for passages."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    as_block_quote,
    empty_page,
    omitted,
)
from writeros_entities.capabilities.parts import (
    MOST_MENTIONED,
    EveryPassage,
    MentionedEntity,
    WithinPositions,
    entity_ref,
    mentioned_in,
    more_here,
    names_told,
    readable,
    to_snake_case,
    types_meant,
)
from writeros_entities.capability import AsOf, Below, Limit, Offset, Response, capability
from writeros_entities.errors import ModelError
from writeros_entities.values import ThreadKind

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.excerpts import Excerpt
    from writeros_entities.capabilities.search.ranking import Filter, Hit
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.view import View


MOST_NAMED = 20
"""Most entities of a query to list."""


class Search(WithinPositions["SearchResults"]):
    """What to search for, where, and how."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=10_000,
            description='Words, a question or a name; "a phrase"; begin* for a prefix.',
        ),
    ]
    mode: Annotated[
        Literal["hybrid", "text", "vector"],
        Field(description="By words, names and meaning; or by words or meaning alone."),
    ] = "hybrid"
    below: Below | None = None
    note_types: Annotated[
        tuple[str, ...], Field(description="Only in notes of these types (person, place, …).")
    ] = ()
    mentioning: Annotated[
        tuple[str, ...],
        Field(max_length=20, description="Only passages that mention all of these entities."),
    ] = ()
    open_threads: Annotated[
        bool, Field(description="Only to-dos, questions and placeholders; * for all.")
    ] = False
    entity_boost: Annotated[
        float, Field(ge=0, le=5, description="Factor for the names in the query.")
    ] = 1.0
    every_passage: EveryPassage = False
    include_content: Annotated[bool, Field(description="Include the passages' text.")] = False
    trace: Annotated[bool, Field(description="Explain the rank of each passage.")] = False
    as_of: AsOf = None
    limit: Limit = 10
    offset: Offset = 0

    _types = field_validator("note_types")(to_snake_case)


class ChannelTrace(Answer):
    """How one channel ranks a passage."""

    channel: str = Field(description="text, vector, names or entities.")
    rank: int | None = Field(description="Its rank there; null beyond the best 200.")
    score: float
    share: float = Field(description="What it adds to the passage's score.")
    reasons: list[str]

    def as_text(self) -> str:
        """Return the trace as a nested Markdown list item."""
        rank = f"rank {self.rank}" if self.rank else "no rank"
        return f"  - {self.channel}: {rank}, adds {self.share:.2f} ({', '.join(self.reasons)})"


class FoundPassage(Answer):
    """A chunk that was found."""

    path: str
    title: str
    heading: str
    position: int | None = Field(description="Reading position of the note.")
    ordinal: int = Field(
        description="Number of the chunk in its note, from 0; negative in its properties."
    )
    line: int = Field(description="Line of the excerpt's match.")
    start: int = Field(description="Offset of the chunk in the file.")
    end: int
    score: float
    is_exact: bool = Field(description="The query is the name or an alias of its note.")
    excerpt: str = Field(description="What matches best, in words (bold) or else in meaning.")
    mentioned_entities: list[MentionedEntity] = Field(description="At most 20.")
    mentioned_count: int
    thread: ThreadKind | None = Field(
        default=None, description="The kind of open thread it is (open_threads)."
    )
    more_here: int = Field(description="Passages of the note that are not listed (every_passage).")
    content: str | None
    trace: list[ChannelTrace] | None

    def as_text(self) -> str:
        """Return the passage as one Markdown list item."""
        names = names_told(self.mentioned_entities)
        kind = f"{self.thread}: " if self.thread else ""
        item = f"- {self.path}:{self.line} ({self.score:.2f}{names}) — {kind}{self.excerpt}"
        item += more_here(self.more_here)
        if self.content:
            item += f"\n\n{as_block_quote(self.content)}\n"
        return "\n".join([item, *(one.as_text() for one in self.trace or ())])


class SearchResults(Response):
    """A page of passages, best first, and how many there are."""

    limited: ClassVar[str | None] = "passages"

    passages: list[FoundPassage] = Field(description="The best of each note, unless every_passage.")
    named_entities: list[EntityRef] = Field(description="Entities named in the query (at most 20).")
    named_count: int
    total: int = Field(description="Of notes, or with every_passage of passages.")
    remark: str | None = Field(description="What is missing, usually vectors.")

    def as_text(self) -> str:
        """Return the passages as a list."""
        text = empty_page(self.total, "result", "No passages.")
        if self.passages:
            text = "\n".join(passage.as_text() for passage in self.passages)
            text += omitted(len(self.passages), self.total, "result")
        return f"{text}\n\n{self.remark}" if self.remark else text


@capability(family="search", job="find passages by what they say")
def search(view: View, request: Search) -> SearchResults:
    """Search the vault's text by words, by meaning and by the names in the query, best first.

    Each note is listed once, with its best passage, unless `every_passage` is set. A query that is
    a note's name or alias brings that note first.

    `trace` gives, for each passage, its rank and score by full text, by vectors, by names, and by
    the entities in the results, with reasons.
    """
    from writeros_entities.capabilities.search.excerpts import surfaces_by_chunk, text_excerpt
    from writeros_entities.capabilities.search.near_words import nearest_sentences
    from writeros_entities.capabilities.search.ranking import search as find_chunks
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.passages import chunk_places

    if request.open_threads:
        return _search_threads(view, request)
    vectors = None
    if request.mode != "text":
        from writeros_entities.capabilities.search.vectors import embed_query

        vectors = embed_query(view, request.query)
        if vectors.query is None and request.mode == "vector":
            trouble = vectors.remark or view.embedding_trouble()
            raise ModelError(trouble or "There are no vectors.")
    found = find_chunks(
        view,
        request.query,
        mode=request.mode,
        vector=vectors.query if vectors else None,
        entity_boost=request.entity_boost,
        only=_filter(view, request),
        page=slice(request.offset, request.offset + request.limit),
        by_note=not request.every_passage,
    )
    places = chunk_places(view, [hit.chunk_id for hit in found.hits])
    shown = [
        hit
        for hit in found.hits
        if hit.chunk_id in places and view.has_file(places[hit.chunk_id].path)
    ]
    entities = {one.entity.id: one.entity for one in found.named.entities}
    names = display_names(view, entities)
    surfaces = surfaces_by_chunk(view, [hit.chunk_id for hit in shown], entities, places)
    nearest = nearest_sentences(view, vectors.query if vectors else None, places)
    mentioned = mentioned_in(view, {hit.chunk_id: places[hit.chunk_id] for hit in shown}, names)
    return SearchResults(
        passages=[
            _passage(
                hit,
                places[hit.chunk_id],
                text_excerpt(
                    places[hit.chunk_id],
                    found.terms,
                    surfaces[hit.chunk_id],
                    nearest.get(hit.chunk_id),
                ),
                mentioned.get(hit.chunk_id, []),
                request,
            )
            for hit in shown
        ],
        named_entities=[entity_ref(row, names) for row in islice(entities.values(), MOST_NAMED)],
        named_count=len(entities),
        total=found.total - len(found.hits) + len(shown),
        remark=vectors.remark if vectors else None,
    )


def _search_threads(view: View, request: Search) -> SearchResults:
    """Return the open threads with words of the query, each by itself."""
    from writeros_entities.capabilities.search.excerpts import with_terms_marked
    from writeros_entities.capabilities.search.query_terms import read_query
    from writeros_entities.capabilities.search.threads import list_threads, named_in, rank_threads

    only, terms = _filter(view, request), read_query(request.query)
    ranked = rank_threads(list_threads(view, only.note_ids), terms)
    found = [(one, score) for one, score in ranked if view.has_file(one.path)]
    if only.mentioning:
        named = named_in(view, [one for one, _ in found])
        asked = set(only.mentioning)
        found = [
            one
            for one, entities in zip(found, named, strict=True)
            if asked <= {entity.id for entity in entities}
        ]
    shown = found[request.offset : request.offset + request.limit]
    named = named_in(view, [one for one, _ in shown])
    return SearchResults(
        passages=[
            FoundPassage(
                path=one.path,
                title=one.title,
                heading=one.heading,
                position=one.position,
                ordinal=one.ordinal or 0,
                line=one.line,
                start=one.start,
                end=one.end,
                score=round(score, 4),
                is_exact=False,
                excerpt=with_terms_marked(one.text, terms),
                mentioned_entities=[
                    MentionedEntity(**entity.reference(), mentions=1, alternatives=[])
                    for entity in entities[:MOST_MENTIONED]
                ],
                mentioned_count=len(entities),
                thread=one.kind,
                more_here=0,
                content=one.text if request.include_content else None,
                trace=[] if request.trace else None,
            )
            for (one, score), entities in zip(shown, named, strict=True)
        ],
        named_entities=[],
        named_count=0,
        total=len(found),
        remark=None,
    )


def _filter(view: View, request: Search) -> Filter:
    from writeros_entities.capabilities.search.ranking import Filter
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.notes import find_below
    from writeros_entities.story.passages import notes_below, notes_between, notes_of_types

    among = [notes_between(view, request.from_position, request.to_position)]
    if request.below is not None:
        among.append(notes_below(view, find_below(view, request.below)))
    if request.note_types:
        among.append(notes_of_types(view, types_meant(view, request.note_types)))
    sets = [notes for notes in among if notes is not None]
    notes = set.intersection(*sets) if sets else None
    return Filter(notes, [find_entity(view, name).id for name in request.mentioning])


def _passage(
    hit: Hit,
    place: ChunkPlace,
    excerpt: Excerpt,
    mentioned: list[MentionedEntity],
    request: Search,
) -> FoundPassage:
    return FoundPassage(
        path=place.path,
        title=place.title,
        heading=excerpt.heading,
        position=place.position,
        ordinal=place.ordinal,
        line=excerpt.line,
        start=place.start,
        end=place.end,
        score=hit.score,
        is_exact=hit.is_exact,
        excerpt=excerpt.marked(),
        mentioned_entities=mentioned[:MOST_MENTIONED],
        mentioned_count=len(mentioned),
        more_here=hit.more_here,
        content=readable(place.text) if request.include_content else None,
        trace=[ChannelTrace.of(one) for one in hit.channel_scores] if request.trace else None,
    )
