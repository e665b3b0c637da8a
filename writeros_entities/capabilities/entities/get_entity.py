"""Show one entity in full."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Alternative,
    Answer,
    EntityRef,
    as_block_quote,
    counted,
    omitted,
    or_others,
    table,
)
from writeros_entities.capabilities.entities.moments import At, find_moment
from writeros_entities.capabilities.entities.stated import (
    StatedRelation,
    surest_of,
    to_stated_relations,
)
from writeros_entities.capabilities.parts import (
    MOST_ALTERNATIVES,
    EntityName,
    at_positions,
    entity_ref,
    entity_refs,
    plain_text,
    readable,
    shown_position,
    value_text,
)
from writeros_entities.capability import AsOf, Request, Response, capability
from writeros_entities.errors import NotFoundError
from writeros_entities.names import bare_name, fold_name, nearest_names, split_link

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.story.listing import Mentioning
    from writeros_entities.values import JSON
    from writeros_entities.view import View


_KINDS_OF_NAME = {
    "canonical_id": "{!r} is its canonical id",
    "alias": "{!r} is an alias of it",
    "derived": "{!r} is derived from its name",
    "link_text": "a link calls it {!r}",
    "path": "{!r} leads to its note",
    "part": "{!r} has these words",
}


MOST_CANDIDATES = 50
"""Most entities to list that share a name."""

MOST_TOPICS, MOST_NEAR = 10, 50
"""Most topics of its notes, and most entities near it, to list."""

MOST_PROPERTIES = 100
"""Most properties to list, and most values of each."""


class GetEntity(Request["EntityAnswer"]):
    """Which entity to show, and how much of it."""

    entity: EntityName
    relations: Annotated[
        int, Field(ge=0, le=500, description="How many stated relations to list at most.")
    ] = 20
    names: Annotated[
        int, Field(ge=0, le=500, description="How many names to list at most, by use.")
    ] = 50
    derived_names: Annotated[
        bool, Field(description="Also list names that follow by rule and stand nowhere.")
    ] = False
    notes: Annotated[
        int, Field(ge=0, le=500, description="How many notes to list at most, in reading order.")
    ] = 50
    max_relationship_degrees: Annotated[
        int, Field(ge=0, le=4, description="Also list what is at most so many relations away.")
    ] = 0
    min_strength: Annotated[
        float, Field(ge=0, le=1, description="Only by relations of at least this strength.")
    ] = 0.0
    at: At = None
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
    """An entity's note, and how it begins."""

    path: str
    heading: str
    line: int | None
    text: str | None


class NoteTopics(Answer):
    """What notes that mention an entity are about: in how many, and how surely at most."""

    name: str
    notes: int
    confidence: float


class NearEntity(EntityRef):
    """An entity some relations away; co-occurrence counts as one."""

    degree: int = Field(description="Relations between.")
    strength: float = Field(description="Product of their strengths, along the strongest way.")


class EntityMoment(Answer):
    """How an entity stands at a time of the story, as far as the reader has read."""

    story_date: str = Field(description="The time asked for.")
    age: str | None = Field(description="In years, by the date of birth in its note.")
    states: list[str] = Field(description="What it has become by then, in order: dead, …")
    last_note: str | None = Field(description="The chapter that shows it last by then.")

    def told(self) -> str:
        """Return it in one line."""
        parts = [f"aged {self.age}"] if self.age else []
        parts += self.states
        parts.append(f"last seen in {self.last_note}" if self.last_note else "not seen yet")
        return f"At {self.story_date}: {', '.join(parts)}."


class EntityDetail(EntityRef):
    """All that the index holds of an entity."""

    kind: str | None = Field(description="The writer's own word for its type, such as tavern.")
    canonical_id: str | None
    names: list[KnownName] = Field(description="The most used first.")
    name_count: int
    source: Source | None
    properties: dict[str, object] | None = Field(
        description=f"The first {MOST_PROPERTIES}, and as many values of each."
    )
    property_count: int
    mention_count: int
    note_count: int
    doubtful_count: int = Field(description="Mentions that may name another entity.")
    alternatives: list[Alternative] = Field(description="Whom those may name.")
    first_position: int | None
    last_position: int | None
    importance: float
    confidence: float | None = Field(description="Mean of its mentions.")
    topics: list[NoteTopics] = Field(description="Of the notes that mention it, at most ten.")
    near: list[NearEntity] = Field(
        description="What is near, if asked for (max_relationship_degrees); at most fifty."
    )
    near_count: int
    notes: list[NoteCount]
    relations: list[StatedRelation]
    relation_count: int
    moment: EntityMoment | None = Field(default=None, description="If asked for with `at`.")


class EntityAnswer(Response):
    """The entity or, if several have the name, the candidates with a reason for each."""

    entity: EntityDetail | None
    candidates: list[Alternative]
    candidate_count: int
    remark: str | None = Field(
        default=None, description="How the name was read, if no entity has it."
    )

    def as_text(self) -> str:
        """Return the entity as a short sheet, or the candidates as a list."""
        if self.entity is None:
            return self._candidates_as_text()
        entity = self.entity
        lines = [
            f"## {entity.name}",
            "",
            f"{entity.type}, {entity.status}, id {entity.id}. "
            f"{counted(entity.mention_count, 'mention')} in {counted(entity.note_count, 'note')}"
            f"{at_positions(entity.first_position, entity.last_position)}.",
        ]
        if entity.doubtful_count:
            lines[-1] += f" {counted(entity.doubtful_count, 'mention')} may name another entity"
            lines[-1] += f"{or_others(entity.alternatives, entity.name)}."
        if self.remark is not None:
            lines += ["", self.remark]
        if entity.moment is not None:
            lines += ["", entity.moment.told()]
        others = [
            f"{name.form} ({name.mentions})" for name in entity.names if name.form != entity.name
        ]
        if others:
            more = omitted(len(entity.names), entity.name_count, "name", "names")
            lines += ["", "Also called: " + ", ".join(others) + "." + more]
        properties = entity.properties or {}
        told = {key: text for key, own in properties.items() if (text := value_text(own).strip())}
        if told:
            shown = [f"- {key}: {text}" for key, text in told.items()]
            shown[-1] += omitted(len(properties), entity.property_count, "property", "see the note")
            lines += ["", *shown]
        if entity.relations:
            stated = [_line(relation) for relation in entity.relations]
            stated[-1] += omitted(len(stated), entity.relation_count, "relation", "relations")
            lines += ["", "Stated:", "", *stated]
        if entity.near:
            away = [(one.name, one.type, one.degree, f"{one.strength:.2f}") for one in entity.near]
            more = omitted(len(away), entity.near_count, "entity", "the entity's graph has them")
            lines += ["", table(["near", "type", "degree", "strength"], away) + more]
        if entity.source and entity.source.text:
            lines += ["", f"From {entity.source.path}:", "", as_block_quote(entity.source.text)]
        if entity.notes:
            rows = [(note.path, note.position, note.mentions) for note in entity.notes]
            more = omitted(len(rows), entity.note_count, "note", "notes")
            lines += ["", table(["note", "reading order", "mentions"], rows) + more]
        return "\n".join(lines)

    def _candidates_as_text(self) -> str:
        lines = [
            f"- {item.entity.name} ({item.entity.type}, id {item.entity.id}): {item.reason}"
            for item in self.candidates
        ]
        hint = "Ask for one of them by its full name or its id."
        more = omitted(len(lines), self.candidate_count, "entity", "list those of this name")
        head = self.remark or "Several entities have this name:"
        return "\n".join([head, "", *lines]) + f"{more}\n\n{hint}"


def _line(relation: StatedRelation) -> str:
    return f"- {relation.as_line()}"


@capability(family="entities", job="learn who or what somebody or something is")
def get_entity(view: View, request: GetEntity) -> EntityAnswer:
    """Show what the index holds on one entity: names, note, relations, counts by chapter.

    If several entities have the name, all are listed, likeliest first. A name that none of them has
    is read as in a text: `Captain Okafor` as Adaeze Okafor, or else as a part of a name: `JWT` as
    JWT Token.
    """
    from writeros_entities.store.lexicon import display_names
    from writeros_entities.story.finding import PART, find_matches, known_forms

    candidates = find_matches(view, request.entity)
    if not candidates:
        nearest = nearest_names(request.entity, known_forms(view))
        raise NotFoundError("entity", request.entity, nearest)
    listed = candidates[:MOST_CANDIDATES]
    names = display_names(view, [row.id for row in listed])
    if len(candidates) == 1:
        detail = _detail(view, candidates[0], names, request)
        remark = _remark(request.entity, candidates[0], detail.name)
        return EntityAnswer(entity=detail, candidates=[], candidate_count=1, remark=remark)
    alternatives = [
        Alternative(
            entity=entity_ref(row, names),
            confidence=row.weight,
            reason=_KINDS_OF_NAME.get(row.kind, "{!r} is its name").format(row.form),
        )
        for row in listed
    ]
    remark = None
    if listed[0].kind == PART:
        remark = f"No entity has the name {request.entity!r}; these have it in theirs:"
    return EntityAnswer(
        entity=None,
        candidates=alternatives,
        candidate_count=len(candidates),
        remark=remark,
    )


def _remark(asked: str, row: Row, name: str) -> str | None:
    """Return how a name that no entity has was read; None if the entity has the name."""
    from writeros_entities.story.finding import PART

    form = getattr(row, "form", asked)
    if getattr(row, "kind", None) == PART:
        return f"No entity has the name {asked!r}; {name} has it in its own."
    if fold_name(form) in (fold_name(asked), fold_name(bare_name(split_link(asked)[0]))):
        return None
    return f"No entity has the name {asked!r}; in a text, it means {name}."


def _detail(view: View, row: Row, names: dict[int, str], request: GetEntity) -> EntityDetail:
    from writeros_entities.store.importance import importance
    from writeros_entities.story.listing import (
        mentions_by_note,
        source_of,
        topics_in,
    )

    found = source_of(view, row)
    source = None
    if found is not None and view.has_file(found.path):
        text = readable(found.text) if found.text is not None else None
        source = Source(path=found.path, heading=found.heading or "", line=found.line, text=text)
    told = mentions_by_note(view, row.id)
    mentions = sum(note.mentions for note in told)
    positions = [note.position for note in told if note.position is not None]
    notes, gone = _present(view, told, request.notes)
    known = _names(view, row.id, derived=request.derived_names)
    properties = properties_of(view, row, found)
    relations, relation_count = _relations(view, row.id, request.relations)
    doubtful, alternatives = _doubts(view, row.id)
    near, near_count = _near(view, row.id, request)
    return EntityDetail(
        **entity_ref(row, names).model_dump(),
        kind=row.word,
        canonical_id=row.canonical_id,
        names=known[: request.names],
        name_count=len(known),
        source=source,
        properties=_cut(properties),
        property_count=len(properties),
        mention_count=mentions,
        note_count=len(told) - gone,
        doubtful_count=doubtful,
        alternatives=alternatives,
        first_position=min(positions, default=None),
        last_position=max(positions, default=None),
        importance=round(importance(mentions), 4),
        confidence=round(sum(one.confidence for one in told) / mentions, 4) if told else None,
        topics=[
            NoteTopics.of(topic)
            for topic in topics_in(view, [note.id for note in told], MOST_TOPICS)
        ],
        near=near,
        near_count=near_count,
        notes=[NoteCount.of(note) for note in notes],
        relations=relations,
        relation_count=relation_count,
        moment=_moment(view, row.id, properties, request.at),
    )


def _present(view: View, notes: Sequence[Mentioning], most: int) -> tuple[list[Mentioning], int]:
    """Return the first notes whose files still exist, and how many before them do not."""
    found: list[Mentioning] = []
    for number, note in enumerate(notes):
        if len(found) == most:
            return found, number - most
        if view.has_file(note.path):
            found.append(note)
    return found, len(notes) - len(found)


def _moment(
    view: View,
    entity_id: int,
    properties: Mapping[str, JSON],
    at: str | None,
) -> EntityMoment | None:
    """Return how an entity stands at a time of the story; None if none is asked for."""
    from sqlalchemy import select

    from writeros_entities.story.history import load_changes

    if at is None:
        return None
    moment = find_moment(view, at)
    changes = load_changes(view, [entity_id], ["status_changed"])
    states = [
        plain_text(one.new)
        for one in changes
        if one.new and one.position is not None and moment.has_come(one.path, one.start)
    ]
    chunk, note, mention = view.chunk, view.note, view.mention
    told = (
        select(note.c.path, mention.c.start)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .where(mention.c.entity_id == entity_id, note.c.position.is_not(None))
    )
    return EntityMoment(
        story_date=moment.shown,
        age=moment.age(properties),
        states=list(dict.fromkeys(states)),
        last_note=moment.last_of((row.path, row.start) for row in view.all(told)),
    )


def _names(view: View, entity_id: int, *, derived: bool) -> list[KnownName]:
    """Return the names of an entity, the most used first.

    Unless `derived`, those that stand nowhere in what is visible are left out: forms derived from
    a name, and those that only a knowledge base has.
    """
    from writeros_entities.store.words import OWN_NAMES
    from writeros_entities.story.listing import count_forms, names_of

    uses = count_forms(view, entity_id)
    names = [
        KnownName(
            form=name.form,
            kind=name.kind,
            visible_from=shown_position(name.visible_from),
            mentions=uses.get(name.form, 0),
        )
        for name in names_of(view, entity_id)
    ]
    if derived and view.as_of is None:
        known = {name.form: name for name in names}
        (named,) = view.naming.read(view.index, [entity_id])
        names = [
            known.get(one.form)
            or KnownName(form=one.form, kind=one.kind, visible_from=None, mentions=0)
            for one in sorted(named.names, key=lambda one: (-one.weight, one.form))
        ]
    listed = [name for name in names if derived or name.mentions or name.kind in OWN_NAMES]
    return sorted(listed, key=lambda name: -name.mentions)


def _doubts(view: View, entity_id: int) -> tuple[int, list[Alternative]]:
    """Return how many mentions of an entity may name another one, and whom, surest first."""
    from writeros_entities.story.mentions import doubts_of

    spans: dict[int, set[tuple[int, int, int]]] = defaultdict(set)
    surest: dict[int, float] = defaultdict(float)
    for row in doubts_of(view, entity_id):
        spans[row.entity_id].add((row.chunk_id, row.start, row.end))
        surest[row.entity_id] = max(surest[row.entity_id], row.confidence)
    refs = entity_refs(view, spans)
    alternatives = [
        Alternative(
            entity=ref,
            confidence=surest[other],
            reason=f"fits {counted(len(spans[other]), 'mention')} as well",
        )
        for other, ref in refs.items()
    ]
    alternatives.sort(key=lambda one: (-one.confidence, one.entity.name, one.entity.id))
    return len(set().union(*spans.values())), alternatives[:MOST_ALTERNATIVES]


def _near(view: View, entity_id: int, request: GetEntity) -> tuple[list[NearEntity], int]:
    """Return what is near an entity in the graph, by degree, then by descending strength; and how
    much that is.
    """
    if request.max_relationship_degrees == 0:
        return [], 0
    from writeros_entities.capabilities.graph.snapshots import load_graph, nodes_of
    from writeros_entities.graph.neighbourhood import find_neighbourhood

    snapshot = load_graph(view, view.plugins.ontology)
    found = find_neighbourhood(
        snapshot.network(),
        nodes_of(snapshot, [entity_id]),
        request.max_relationship_degrees,
        min_strength=request.min_strength,
    )
    ids = snapshot.nodes.ids[found.nodes].tolist()
    steps = zip(ids, found.hops.tolist(), found.strength.tolist(), strict=True)
    near = [(one, hops, strength) for one, hops, strength in steps if hops]
    refs = entity_refs(view, [one for one, *_ in near[:MOST_NEAR]])
    listed = [
        NearEntity(**refs[one].model_dump(), degree=hops, strength=round(strength, 4))
        for one, hops, strength in near[:MOST_NEAR]
    ]
    return listed, len(near)


def _relations(view: View, entity_id: int, most: int) -> tuple[list[StatedRelation], int]:
    """Return the surest stated relations of an entity, each with one piece of evidence, and how
    many there are.
    """
    from writeros_entities.story.asserted import load_relations

    found = load_relations(view, [entity_id])
    surest = surest_of(view, entity_id, found, most)
    sides = [(entity_id, relation) for relation in surest]
    return to_stated_relations(view, sides), len(found)


def properties_of(view: View, entity: Row, source: Row | None) -> dict[str, JSON]:
    """Return an entity's properties; under `as_of`, only those of a visible note's frontmatter.

    Inline fields are left out then, since their section may be visible later than the note, and
    properties that give names, since a reader may not have met them.
    """
    from writeros_entities.vault.titles import told_properties

    if view.as_of is None:
        return entity.properties or {}
    if source is None:
        return {}
    return told_properties(entity.name, source.frontmatter or {})


def _cut(properties: Mapping[str, JSON]) -> dict[str, object] | None:
    """Return the first properties, and the first values of each; None if there are none."""
    listed = islice(properties.items(), MOST_PROPERTIES)
    return {
        key: value[:MOST_PROPERTIES] if isinstance(value, list) else value for key, value in listed
    } or None
