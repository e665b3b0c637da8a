"""The entities family: who and what is in a text, who there is, where each is mentioned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic.alias_generators import to_snake

from writeros_entities.capabilities.answers import (
    Alternative,
    Answer,
    EntityRef,
    Quote,
    as_block_quote,
    counted,
    omitted,
    table,
)
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.store.view import View
    from writeros_entities.workspace import Workspace

EntityName = Annotated[
    str, Field(min_length=1, max_length=300, description="A name, an alias or an id of an entity.")
]
Types = Annotated[
    tuple[str, ...], Field(description="Only entities of these types (person, place, …).")
]
Status = Literal["noted", "linked", "known", "suggested"]


def _snake(values: Any) -> Any:
    if isinstance(values, str):
        values = [values]
    return tuple(to_snake(value) for value in values)


class ExtractEntities(Request):
    """A text to look for entities in."""

    text: Annotated[
        str, Field(min_length=1, max_length=1_000_000, description="The text; Markdown is read.")
    ]
    include_unknown: Annotated[
        bool, Field(description="Include proper names that nothing in the vault knows.")
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
    ambiguous: bool = Field(description="Another entity fits this span as well.")


class ExtractedEntities(Response):
    """Every mention in a text, in order; spans that two entities fit are listed once for each."""

    entities: list[EntityLink]
    by_type: dict[str, list[EntityLink]] | None
    total_count: int

    def as_text(self) -> str:
        """Return the mentions as a table."""
        if not self.entities:
            return "No entities found."
        rows = (
            (
                link.surface_form,
                link.name + (" (?)" if link.ambiguous else ""),
                link.entity_type,
                link.status,
                f"{link.confidence:.2f}",
            )
            for link in self.entities
        )
        text = table(["found", "entity", "type", "status", "confidence"], rows)
        return text + omitted(len(self.entities), self.total_count, "mention", "limit")


@capability(family="entities")
def extract_entities(workspace: Workspace, request: ExtractEntities) -> ExtractedEntities:
    """Find who and what is mentioned in a text, linked to the vault's entities.

    Names of notes, aliases, link texts, partial names and the knowledge bases' names are found;
    with `include_unknown` also proper names that nothing knows yet.
    """
    from writeros_entities.query.extraction import extract
    from writeros_entities.store.lexicon import display_names_by_key

    with workspace.view(request.as_of) as view:
        found = extract(
            workspace.plugins,
            workspace.lexicon(view),
            request.text,
            include_unknown=request.include_unknown,
        )
        names = display_names_by_key(view, {reading.candidate.entity for reading in found.readings})
    spans = [(reading.start, reading.end) for reading in found.readings]
    links = []
    for reading in found.readings[: request.limit]:
        entity = found.entities[reading.candidate.entity]
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
                ambiguous=spans.count((reading.start, reading.end)) > 1,
            )
        )
    by_type: dict[str, list[EntityLink]] | None = None
    if request.group_by_type:
        by_type = {}
        for link in links:
            by_type.setdefault(link.entity_type, []).append(link)
    return ExtractedEntities(entities=links, by_type=by_type, total_count=len(found.readings))


class ListEntities(Request):
    """Which entities to list."""

    types: Types = ()
    statuses: Annotated[
        tuple[Status, ...],
        Field(description="Only these: noted, linked, known or suggested."),
    ] = ()
    containing: Annotated[
        str | None, Field(description="Only entities with this text in one of their names.")
    ] = None
    order: Annotated[
        Literal["mentions", "name", "first"],
        Field(description="By number of mentions, by name, or by first appearance."),
    ] = "mentions"
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0

    _types = field_validator("types", mode="before")(_snake)


class ListedEntity(EntityRef):
    """An entity with its counts."""

    mention_count: int
    note_count: int
    first_position: int | None
    last_position: int | None


class EntityList(Response):
    """A page of entities, and how many there are."""

    entities: list[ListedEntity]
    total: int

    def as_text(self) -> str:
        """Return the entities as a table."""
        if not self.entities:
            return "No entities."
        names = [entity.name for entity in self.entities]
        rows = [
            (
                entity.name if names.count(entity.name) == 1 else f"{entity.name} ({entity.id})",
                entity.type,
                entity.status,
                entity.mention_count,
                entity.note_count,
                _range(entity.first_position, entity.last_position),
            )
            for entity in self.entities
        ]
        headers = ["entity", "type", "status", "mentions", "notes", "positions"]
        return table(headers, rows) + omitted(len(self.entities), self.total, "entity")


@capability(family="entities")
def list_entities(workspace: Workspace, request: ListEntities) -> EntityList:
    """List the people, places, factions and things of the vault, most mentioned first.

    Besides entities with a note: targets of links that have no note yet (`linked`), names that the
    notes repeat without one (`suggested`), and entities of a knowledge base (`known`).
    """
    from writeros_entities.query.entities import list_entities as select_entities
    from writeros_entities.store.lexicon import display_names

    with workspace.view(request.as_of) as view:
        found = select_entities(
            view,
            types=request.types,
            statuses=request.statuses,
            containing=request.containing,
            order=request.order,
        )
        page = found[request.offset : request.offset + request.limit]
        names = display_names(view, [row.id for row in page])
        listed = [
            ListedEntity(
                **_ref(row, names).model_dump(),
                mention_count=row.mentions,
                note_count=row.notes,
                first_position=row.first,
                last_position=row.last,
            )
            for row in page
        ]
    return EntityList(entities=listed, total=len(found))


class GetEntity(Request):
    """Which entity to tell of."""

    entity: EntityName
    as_of: AsOf = None


class KnownName(Answer):
    """One name of an entity; `visible_from` is where the manuscript first uses it."""

    form: str
    kind: str
    visible_from: int | None
    mentions: int = Field(description="How many mentions use this form.")


class NoteCount(Answer):
    """How often one note mentions an entity."""

    path: str
    title: str
    position: int | None
    mentions: int


class Source(Answer):
    """The note that an entity stands on, and how it begins."""

    path: str
    heading: str
    line: int | None
    text: str | None


class EntityDetail(EntityRef):
    """All that the index holds of an entity."""

    canonical_id: str | None
    names: list[KnownName]
    source: Source | None
    properties: dict[str, Any] | None
    mention_count: int
    note_count: int
    first_position: int | None
    last_position: int | None
    importance: float
    notes: list[NoteCount]


class EntityAnswer(Response):
    """The entity, or, where several have the name, the candidates with what speaks for each."""

    entity: EntityDetail | None
    candidates: list[Alternative]

    def as_text(self) -> str:
        """Return the entity as a short sheet, or the candidates as a list."""
        if self.entity is None:
            lines = [
                f"- {item.entity.name} ({item.entity.type}, id {item.entity.id}): {item.reason}"
                for item in self.candidates
            ]
            hint = "Ask for one of them by its full name or its id."
            return "\n".join(["Several entities have this name:", "", *lines, "", hint])
        entity = self.entity
        lines = [
            f"## {entity.name}",
            "",
            f"{entity.type}, {entity.status}, id {entity.id}. "
            f"{counted(entity.mention_count, 'mention')} in {counted(entity.note_count, 'note')}"
            f"{_at_positions(entity.first_position, entity.last_position)}.",
        ]
        others = [
            f"{name.form} ({name.mentions})"
            for name in entity.names
            if name.form != entity.name and (name.mentions or name.kind == "alias")
        ]
        if others:
            lines += ["", "Also called: " + ", ".join(others) + "."]
        if entity.properties:
            lines += ["", *(f"- {key}: {_value(own)}" for key, own in entity.properties.items())]
        if entity.source and entity.source.text:
            lines += ["", f"From {entity.source.path}:", "", as_block_quote(entity.source.text)]
        if entity.notes:
            rows = [(note.path, note.position, note.mentions) for note in entity.notes]
            lines += ["", table(["note", "position", "mentions"], rows)]
        return "\n".join(lines)


@capability(family="entities")
def get_entity(workspace: Workspace, request: GetEntity) -> EntityAnswer:
    """Tell what the index holds of one entity: names, note, properties, counts by chapter.

    A name that several entities have is answered with all of them, likeliest first.
    """
    from writeros_entities.errors import NotFoundError
    from writeros_entities.names import nearest_names
    from writeros_entities.query.entities import find_candidates, known_forms
    from writeros_entities.store.lexicon import display_names

    with workspace.view(request.as_of) as view:
        candidates = find_candidates(view, request.entity)
        if not candidates:
            nearest = nearest_names(request.entity, known_forms(view))
            raise NotFoundError("entity", request.entity, nearest)
        names = display_names(view, [row.id for row in candidates])
        if len(candidates) == 1:
            detail = _detail(workspace, view, candidates[0], names)
            return EntityAnswer(entity=detail, candidates=[])
        alternatives = [
            Alternative(
                entity=_ref(row, names),
                confidence=row.weight,
                reason=_KINDS_OF_NAME.get(row.kind, "{!r} is its name").format(row.form),
            )
            for row in candidates
        ]
        return EntityAnswer(entity=None, candidates=alternatives)


_KINDS_OF_NAME = {
    "alias": "{!r} is an alias of it",
    "derived": "{!r} is derived from its name",
    "link_text": "a link calls it {!r}",
}


class FindMentions(Request):
    """Whose mentions to find, and where."""

    entity: EntityName
    below: Annotated[
        str | None, Field(description="Only in this note or folder, by its path in the vault.")
    ] = None
    as_of: AsOf = None
    limit: Limit = 20
    offset: Offset = 0


class FoundMention(Quote):
    """A mention with its proof, and whom else the span may name."""

    confidence: float
    method: str
    reason: str | None
    ambiguous: bool = Field(description="Another entity fits this span as well.")
    alternatives: list[Alternative]


class MentionList(Response):
    """A page of an entity's mentions, the manuscript in reading order first."""

    entity: EntityRef
    mentions: list[FoundMention]
    total: int

    def as_text(self) -> str:
        """Return the mentions as quotes, by note."""
        if not self.mentions:
            return f"{self.entity.name} is not mentioned."
        head = f"{self.entity.name} ({self.entity.type}): {counted(self.total, 'mention')}"
        parts = [head]
        for path, group in groupby(self.mentions, key=lambda mention: mention.path):
            lines = []
            for mention in group:
                line = f"- line {mention.line}: {mention.marked()}"
                if mention.ambiguous:
                    others = ", ".join(item.entity.name for item in mention.alternatives)
                    line += f" *(or {others})*"
                lines.append(line)
            parts += [f"**{path}**", "\n".join(lines)]
        return "\n\n".join(parts) + omitted(len(self.mentions), self.total, "mention")


@capability(family="entities")
def find_mentions(workspace: Workspace, request: FindMentions) -> MentionList:
    """Find where an entity is mentioned, each with a quote, its place, and who else it may be."""
    from writeros_entities.query.entities import find_entity
    from writeros_entities.query.mentions import find_mentions as select_mentions
    from writeros_entities.query.mentions import find_rivals
    from writeros_entities.query.search import entities_by_id
    from writeros_entities.store.lexicon import display_names

    with workspace.view(request.as_of) as view:
        entity = find_entity(view, request.entity)
        total, statement = select_mentions(view, entity.id, below=request.below)
        page = view.all(statement.limit(request.limit).offset(request.offset))
        present = [row for row in page if workspace.has_file(row.path)]
        rivals = find_rivals(view, present)
        others = {row.entity_id for found in rivals.values() for row in found}
        entities = entities_by_id(view, sorted(others))
        names = display_names(view, [entity.id, *others])
        mentions = [
            _found_mention(
                row,
                [
                    (entities[rival.entity_id], rival)
                    for rival in rivals[row.chunk_id, row.start, row.end]
                    if rival.entity_id != entity.id and rival.entity_id in entities
                ],
                names,
                view,
            )
            for row in present
        ]
    return MentionList(
        entity=_ref(entity, names), mentions=mentions, total=total - len(page) + len(present)
    )


class SearchByEntities(Request):
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
    include_content: Annotated[bool, Field(description="Include the passages' text.")] = False
    boost_exact_match: Annotated[
        float,
        Field(ge=1, le=5, description="Factor for passages that use the name as it was asked for."),
    ] = 1.3
    as_of: AsOf = None

    _types = field_validator("entity_types", mode="before")(_snake)


class Passage(Answer):
    """A chunk that mentions entities asked for."""

    path: str
    heading: str
    position: int | None
    ordinal: int = Field(description="The how-manieth chunk of its note, from 0.")
    line: int
    start: int
    end: int
    score: float
    e11_similarity: float | None = Field(
        description="Cosine of entity vectors; null as long as there are none."
    )
    entity_overlap: float = Field(description="Jaccard overlap of the entity sets.")
    matched_entities: list[EntityRef]
    excerpt: str = Field(description="The sentence that speaks of them, as a reader sees it.")
    content: str | None

    def as_text(self, asked: Sequence[EntityRef]) -> str:
        """Return the passage as one Markdown list item, with who is in it unless all are."""
        item = f"- {self.path}:{self.line} ({self.score:.2f})"
        if len(self.matched_entities) < len(asked):
            item += f" — {', '.join(entity.name for entity in self.matched_entities)}"
        if self.content:
            return f"{item}\n\n{as_block_quote(self.content)}"
        return f"{item} — {self.excerpt}"


class PassageList(Response):
    """Passages, best first."""

    results: list[Passage]
    detected_query_entities: list[EntityRef]
    unknown: list[str] = Field(description="Names asked for that nothing is known by.")
    total_candidates: int
    total: int

    def as_text(self) -> str:
        """Return the passages as a list."""
        parts = [passage.as_text(self.detected_query_entities) for passage in self.results]
        separator = "\n\n" if any(passage.content for passage in self.results) else "\n"
        text = separator.join(parts) or "No passages."
        if self.unknown:
            text += f"\n\nUnknown: {', '.join(self.unknown)}."
        return text + omitted(len(self.results), self.total, "passage", "top_k")


@capability(family="entities")
def search_by_entities(workspace: Workspace, request: SearchByEntities) -> PassageList:
    """Find passages that mention any, or all, of some entities, best first.

    The score is 0.7 × similarity + 0.3 × overlap of the entity sets, times the boost where a
    passage uses the name as it was asked for. Without vectors, the share of the names asked for
    that a passage mentions stands for the similarity.
    """
    from writeros_entities.errors import NotFoundError
    from writeros_entities.names import fold_name, nearest_names
    from writeros_entities.query import search
    from writeros_entities.query.entities import find_candidates, known_forms, names_of
    from writeros_entities.store.lexicon import display_names

    with workspace.view(request.as_of) as view:
        wanted: list[set[int]] = []
        exact_forms: dict[int, set[str]] = {}
        meant: dict[int, Any] = {}
        unknown = []
        for name in request.entities:
            candidates = [
                row
                for row in find_candidates(view, name)
                if not request.entity_types or row.type in request.entity_types
            ]
            if not candidates:
                unknown.append(name)
                continue
            wanted.append({row.id for row in candidates})
            for row in candidates:
                meant[row.id] = row
                exact_forms[row.id] = {
                    known.form
                    for known in names_of(view, row.id)
                    if fold_name(known.form) == fold_name(name) or name == row.key
                }
        if not wanted:
            nearest = nearest_names(request.entities[0], known_forms(view))
            raise NotFoundError("entity", request.entities[0], nearest)
        hits, looked_at = search.search_by_entities(
            view,
            wanted,
            search.exact_chunks(view, exact_forms),
            match_all=request.match_mode == "all",
            boost=request.boost_exact_match,
            min_score=request.min_score,
        )
        places = search.chunk_places(view, [hit.chunk_id for hit in hits[: request.top_k]])
        excerpts = search.excerpts(view, hits[: request.top_k], places)
        names = display_names(view, meant)
        results = []
        for hit in hits[: request.top_k]:
            place = places[hit.chunk_id]
            if workspace.has_file(place.path):
                results.append(
                    Passage(
                        path=place.path,
                        heading=place.heading,
                        position=place.position,
                        ordinal=place.ordinal,
                        line=place.line,
                        start=place.start,
                        end=place.end,
                        score=hit.score,
                        e11_similarity=None,
                        entity_overlap=hit.overlap,
                        matched_entities=[_ref(meant[item], names) for item in hit.matched],
                        excerpt=excerpts[hit.chunk_id],
                        content=_readable(place.text) if request.include_content else None,
                    )
                )
    return PassageList(
        results=results,
        detected_query_entities=[_ref(row, names) for row in meant.values()],
        unknown=unknown,
        total_candidates=looked_at,
        total=len(hits),
    )


def _ref(row: Any, names: dict[int, str]) -> EntityRef:
    return EntityRef(id=row.key, name=names.get(row.id, row.name), type=row.type, status=row.status)


def _detail(workspace: Workspace, view: View, row: Any, names: dict[int, str]) -> EntityDetail:
    from writeros_entities.query.entities import (
        count_forms,
        count_mentions,
        mentions_by_note,
        names_of,
        source_of,
    )
    from writeros_entities.store.importance import importance

    counts = count_mentions(view, [row.id]).get(row.id)
    uses = count_forms(view, row.id)
    found = source_of(view, row)
    source = None
    if found is not None and workspace.has_file(found.path):
        text = _readable(found.text) if found.text is not None else None
        source = Source(path=found.path, heading=found.heading or "", line=found.line, text=text)
    notes = [
        NoteCount(path=note.path, title=note.title, position=note.position, mentions=note.mentions)
        for note in mentions_by_note(view, row.id)
        if workspace.has_file(note.path)
    ]
    return EntityDetail(
        **_ref(row, names).model_dump(),
        canonical_id=row.canonical_id,
        names=[
            KnownName(
                form=name.form,
                kind=name.kind,
                visible_from=_shown(name.visible_from),
                mentions=uses.get(name.form, 0),
            )
            for name in names_of(view, row.id)
        ],
        source=source,
        properties=_properties(view, row, found),
        mention_count=counts.mentions if counts else 0,
        note_count=counts.notes if counts else 0,
        first_position=counts.first if counts else None,
        last_position=counts.last if counts else None,
        importance=round(importance(counts.mentions), 4) if counts else 0.0,
        notes=notes,
    )


def _properties(view: View, entity: Any, source: Any) -> dict[str, Any] | None:
    """Return an entity's properties; under `as_of` only those of a note that may be seen.

    Inline fields stand in sections, which may be visible later than their note: they are left out.
    """
    from writeros_entities.properties import join_properties

    if view.as_of is None:
        return entity.properties or None
    if source is None:
        return None
    return join_properties(source.frontmatter or {}, {}) or None


def _found_mention(
    row: Any, rivals: Sequence[tuple[Any, Any]], names: dict[int, str], view: View
) -> FoundMention:
    from writeros_entities.decision import MARGIN
    from writeros_entities.query.mentions import quote

    passage = quote(row.text, row.chunk_start, row.line, row.start, row.end)
    alternatives = [
        Alternative(
            entity=_ref(entity, names),
            confidence=rival.confidence,
            reason=rival.reason or rival.method,
        )
        for entity, rival in rivals
    ]
    return FoundMention(
        path=row.path,
        heading=row.heading,
        position=row.position,
        line=passage.line,
        column=passage.column,
        start=row.start,
        end=row.end,
        surface=passage.surface,
        text=passage.text,
        text_start=passage.text_start,
        text_end=passage.text_end,
        confidence=row.confidence,
        method=row.method,
        reason=row.reason,
        ambiguous=any(item.confidence > row.confidence - MARGIN for item in alternatives),
        alternatives=alternatives,
    )


def _readable(text: str) -> str:
    from writeros_entities.query.mentions import without_comments

    return without_comments(text)


def _shown(position: int | None) -> int | None:
    from writeros_entities.values import ALWAYS

    return None if position == ALWAYS else position


def _range(first: int | None, last: int | None) -> str:
    if first is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"


def _at_positions(first: int | None, last: int | None) -> str:
    if first is None:
        return ""
    return f", position {first}" if first == last else f", positions {_range(first, last)}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_value(item) for item in value)
    return _plain(value) if isinstance(value, str) else str(value)


def _plain(text: str) -> str:
    from writeros_entities.vault.passages import with_plain_links

    return with_plain_links(text)
