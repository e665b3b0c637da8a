"""What the capabilities about entities share: parameters, references, and words for positions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import AliasChoices, Field, model_validator
from pydantic.alias_generators import to_snake

from writeros_entities.capabilities.answers import Alternative, EntityRef, Quote, or_others
from writeros_entities.capability import AnswerT, Request
from writeros_entities.errors import NotFoundError
from writeros_entities.names import nearest_or_all
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row
    from writeros_entities.story.mentions import Naming
    from writeros_entities.story.passages import ChunkPlace
    from writeros_entities.story.proofs import PlacedQuote
    from writeros_entities.view import View

KeyT = TypeVar("KeyT", bound=Hashable)

EntityName = Annotated[
    str, Field(min_length=1, max_length=300, description="An entity's name, alias or id.")
]
TheEntity = Annotated[EntityName, Field(validation_alias=AliasChoices("entity", "entityName"))]
MOST_ALTERNATIVES = 10
"""Most other entities to list that a mention may name."""

SIMILARITY_THRESHOLD = 0.8
SimilarityThreshold = Annotated[
    float,
    Field(ge=0.5, le=1, description="Least likeness of a misspelt name."),
]
EveryPassage = Annotated[bool, Field(description="Every passage, not only the best of each note.")]
Types = Annotated[tuple[str, ...], Field(description="Only these types (person, place, …).")]


def to_snake_case(values: tuple[str, ...]) -> tuple[str, ...]:
    """Convert names to snake_case, so that `ProgrammingLanguage` is accepted too."""
    return tuple(map(to_snake, values))


def types_meant(view: View, asked: Sequence[str], further: Collection[str] = ()) -> tuple[str, ...]:
    """Return the types that words mean: `person` for `people` or `characters`.

    Known types are those that plugins declare, those of visible entities, and `further` ones.
    Raises NotFoundError, with the nearest known types, for any other.
    """
    if not asked:
        return ()
    from sqlalchemy import select

    from writeros_entities.sync.drafting.type_words import TypeWords

    known = view.plugins.entity_types
    words = TypeWords(known.values(), view.plugins.words)
    found = []
    for word in asked:
        if word in known:
            found.append(word)
            continue
        told = view.all(select(view.entity.c.type, view.entity.c.word).distinct())
        own = {one for row in told for one in (row.type, row.word) if one} | {*further}
        meant = word if word in own else words.by_word(word) or words.by_folder(word)
        if meant is None:
            near = nearest_or_all(word, {*own, *known}, own or known)
            raise NotFoundError("entity type", word, near)
        found.append(meant)
    return tuple(found)


def entity_ref(row: Row, names: Mapping[int, str]) -> EntityRef:
    """Return the reference to an entity for an answer."""
    return EntityRef(id=row.key, name=names.get(row.id, row.name), type=row.type, status=row.status)


def entity_refs(view: View, entity_ids: Iterable[int]) -> dict[int, EntityRef]:
    """Return the references to some entities, by id."""
    from writeros_entities.store.lexicon import shown_entities

    return {
        row_id: EntityRef(id=one.key, name=one.name, type=one.type, status=one.status)
        for row_id, one in shown_entities(view, entity_ids).items()
    }


def find_alternatives(view: View, named: Iterable[Naming]) -> dict[Naming, list[Alternative]]:
    """Return who else may be meant where an entity is said to be named, the surest ten.

    Only what is in doubt has an entry. Every answer that shows a mention tells it by these, and by
    `or_others` in its text.
    """
    from writeros_entities.story.mentions import find_doubts

    doubts = find_doubts(view, named)
    refs = entity_refs(view, {row.entity_id for rows in doubts.values() for row in rows})
    return {
        one: sorted(
            (
                Alternative(
                    entity=refs[row.entity_id],
                    confidence=row.confidence,
                    reason=row.reason or row.method,
                )
                for row in rows
                if row.entity_id in refs
            ),
            key=lambda other: (-other.confidence, other.entity.name, other.entity.id),
        )[:MOST_ALTERNATIVES]
        for one, rows in doubts.items()
    }


def told_quotes(view: View, found: Mapping[KeyT, Sequence[PlacedQuote]]) -> dict[KeyT, list[Quote]]:
    """Return quotes for an answer, by the keys given, each with who else may be meant in it.

    Quotes of notes whose file is gone are left out.
    """
    here = {
        key: [one for one in quotes if view.has_file(one.path)] for key, quotes in found.items()
    }
    named = chain.from_iterable(one.named for one in chain.from_iterable(here.values()))
    doubts = find_alternatives(view, named)
    return {
        key: [
            quote.model_copy(update={"alternatives": others})
            if (others := _each_once(one.named, doubts))
            else quote
            for one, quote in zip(quotes, map(Quote.of, quotes), strict=True)
        ]
        for key, quotes in here.items()
    }


def _each_once(
    named: Iterable[Naming], doubts: Mapping[Naming, list[Alternative]]
) -> list[Alternative]:
    """Return who else may be meant by any of some names, each once."""
    others = chain.from_iterable(doubts.get(one, ()) for one in named)
    return list({other.entity.id: other for other in others}.values())[:MOST_ALTERNATIVES]


class WithinPositions(Request[AnswerT]):
    """The part of the manuscript in which to look, from one place in reading order to another."""

    from_position: Annotated[
        int | None, Field(description="Only from this place in reading order on.")
    ] = None
    to_position: Annotated[
        int | None, Field(description="Only up to this place in reading order.")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read_time_range(cls, data: object) -> object:
        """Take `timeRange: {start: 3, end: 7}` for the two positions."""
        if not isinstance(data, Mapping):
            return data
        read = dict(data)
        given = read.pop("timeRange", None) or read.pop("time_range", None)
        if given is None:
            return read
        if not isinstance(given, Mapping) or given.keys() - {"start", "end"}:
            raise ValueError("timeRange has a `start` and an `end`, places in reading order")
        return {"from_position": given.get("start"), "to_position": given.get("end"), **read}


class NamedEntity(EntityRef):
    """An entity that a passage names, and who else may be meant there."""

    alternatives: list[Alternative] = Field(description="Who may be meant instead.")

    def told(self) -> str:
        """Return its name, and who else may be meant: `Ann *(or Bo)*`."""
        return self.name + or_others(self.alternatives, self.name)


class MentionedEntity(NamedEntity):
    """An entity that a passage mentions: how often, and who else may be meant there."""

    mentions: int


MOST_MENTIONED, MOST_TOLD = 20, 3
"""Most entities to list for one passage: in data, and in text."""


def mentioned_in(
    view: View, places: Mapping[int, ChunkPlace], first: Collection[int]
) -> dict[int, list[MentionedEntity]]:
    """Return the entities that passages mention, by chunk: `first` these, then by mentions."""
    from writeros_entities.story.mentions import Naming, mentions_in

    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for row in mentions_in(view, places):
        counts[row.chunk_id][row.entity_id] += 1
    order = {one: at for at, one in enumerate(first)}
    listed = {
        chunk_id: sorted(found, key=lambda one: (order.get(one, len(order)), -found[one]))
        for chunk_id, found in counts.items()
    }
    named = {
        (chunk_id, one): Naming(chunk_id, places[chunk_id].start, places[chunk_id].end, one)
        for chunk_id, found in listed.items()
        for one in found
    }
    doubts = find_alternatives(view, named.values())
    refs = entity_refs(view, {one for found in listed.values() for one in found})
    return {
        chunk_id: [
            MentionedEntity(
                **refs[one].model_dump(),
                mentions=counts[chunk_id][one],
                alternatives=doubts.get(named[chunk_id, one], []),
            )
            for one in found
        ]
        for chunk_id, found in listed.items()
    }


def names_told(mentioned: Sequence[MentionedEntity]) -> str:
    """Return the first entities of a passage for its line: `; Ann *(or Bo)*, Cy`, or nothing."""
    return f"; {names}" if (names := ", ".join(one.told() for one in mentioned[:MOST_TOLD])) else ""


def more_here(number: int) -> str:
    """Return how many more passages of a note were found: ` *(and 3 more here)*`, or nothing."""
    return f" *(and {number} more here)*" if number else ""


def readable(text: str) -> str:
    """Return a text without the author's comments."""
    from writeros_entities.vault.comments import without_comments

    return without_comments(text)


def shown_position(position: int | None) -> int | None:
    """Return a position for an answer: None for what is visible from the first page."""
    return None if position == ALWAYS else position


def position_range(first: int | None, last: int | None) -> str:
    """Return "3" or "3–7", or "" without positions."""
    if first is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"


def at_positions(first: int | None, last: int | None) -> str:
    """Return the positions as the end of a sentence: ", places 3–7 in reading order"."""
    if first is None:
        return ""
    noun = "place" if first == last else "places"
    return f", {noun} {position_range(first, last)} in reading order"


def value_text(value: object) -> str:
    """Return a property's value as plain text."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {value_text(item)}" for key, item in value.items())
    if isinstance(value, list):
        between = "; " if any(isinstance(item, Mapping) for item in value) else ", "
        return between.join(map(value_text, value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else plain_text(str(value))


def plain_text(text: str) -> str:
    """Return a text with links replaced by their displayed words."""
    from writeros_entities.vault.plain_links import with_plain_links

    return with_plain_links(text)
