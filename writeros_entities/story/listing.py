"""List and count entities, and read what the index has on each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import BigInteger, Integer, and_, bindparam, cast, func, literal, or_, select

from writeros_entities.names import fold_name
from writeros_entities.store.columns import in_own_text, is_at, is_one_of
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query, Statement, batches
from writeros_entities.store.scope import WHOLE, Scope, prepared
from writeros_entities.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from writeros_entities.arrays import Integers
    from writeros_entities.store.rows import Row

Order: TypeAlias = Literal["mentions", "name", "first"]
"""By number of mentions, by name, or by first appearance."""

_NOWHERE = -(2**63)
"""Stands for no reading position."""


def count_forms(view: View, entity_id: int) -> dict[str, int]:
    """Return the number of mentions of an entity, by form."""
    return view.lookup(_count_forms(view), entity_id=entity_id)


@prepared
def _count_forms(scope: Scope) -> Query:
    mention = scope.mention
    return (
        select(mention.c.form, func.count())
        .where(mention.c.entity_id == bindparam("entity_id"))
        .group_by(mention.c.form)
    )


def count_mentions(view: View, entity_ids: Sequence[int]) -> dict[int, Row]:
    """Return the number of mentions and notes, the first and last position, and the mean
    confidence, by entity.
    """
    found = view.all_among(_select_counts(view.scope), view.mention.c.entity_id, entity_ids)
    return {row.entity_id: row for row in found}


@dataclass(frozen=True, slots=True)
class CountedEntity:
    """An entity, its visible mentions, the notes that have them, and its first and last position.

    `row` has its `id`, `key`, `canonical_id`, `name`, `type` and `status`.
    """

    row: Row
    mentions: int
    notes: int
    first: int | None
    last: int | None


def list_entities(
    view: View,
    *,
    types: Sequence[str] = (),
    statuses: Sequence[str] = (),
    containing: str | None = None,
    order: Order = "mentions",
    limit: int | None = None,
    offset: int = 0,
) -> tuple[list[CountedEntity], int]:
    """Return a page of the entities, sorted by `order`, and how many there are.

    An entity with neither a note nor a mention is left out: nothing in the vault is about it.
    `containing` is searched for in every visible name. Entities are sorted by the names that are
    shown; those that tie otherwise, by the paths of their notes.

    The whole vault's are stored in the order of their mentions and of their names. In the order of
    appearance, and as of a position, all are counted and sorted, once until the index changes.
    """
    alias, like = view.alias, None
    if containing:
        part = alias.c.form_key.contains(fold_name(containing), autoescape=True)
        like = select(alias.c.entity_id).where(part)
    if view.as_of is not None or order == "first":
        listing = view.kept(("entities", order), lambda: _Listing.read(view, order))
        named = None if like is None else view.scalars(like.distinct())
        return listing.page(view, listing.places(types, statuses, named), limit, offset)
    entity, note = view.entity, view.note
    conditions = [or_(entity.c.mention_count > 0, entity.c.status == "noted")]
    if types:
        conditions.append(or_(entity.c.type.in_(types), entity.c.word.in_(types)))
    if statuses:
        conditions.append(entity.c.status.in_(statuses))
    if like is not None:
        conditions.append(entity.c.id.in_(like))
    first = entity.c.mention_count.desc() if order == "mentions" else entity.c.name_key
    found = view.all(
        select(entity)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(*conditions)
        .order_by(first, entity.c.name, func.coalesce(note.c.path, ""), entity.c.key)
        .limit(limit)
        .offset(offset)
    )

    def count() -> int:
        return int(view.scalar(select(func.count()).select_from(entity).where(*conditions)))

    return [
        CountedEntity(row, row.mention_count, row.note_count, row.first_position, row.last_position)
        for row in found
    ], view.kept(("number of entities", *types, "", *statuses), count) if like is None else count()


class _Counted(NamedTuple):
    """What an entity is sorted by."""

    id: int
    type: str
    status: str
    word: str
    path: str | None
    key: str
    mentions: int
    notes: int
    first: int | None
    last: int | None


@dataclass(frozen=True, eq=False, slots=True)
class _Listing:
    """All entities of a view in one order: 30 bytes each, so that it can be kept.

    `counts` has their mentions and notes, `positions` the first and last one, `_NOWHERE` for none;
    `codes` their place in `kinds`, which has each triple of type, status and word.
    """

    ids: Integers
    counts: NDArray[np.int32]
    positions: NDArray[np.int64]
    codes: NDArray[np.int16]
    kinds: Sequence[tuple[str, str, str]]

    @classmethod
    def read(cls, view: View, order: Order) -> _Listing:
        """Count and sort the entities of a view."""
        import numpy as np

        found = view.fetch(_Counted, _counted(view))
        shown = dict(_shown_names(view, [one.id for one in found]))

        def place(one: _Counted) -> tuple[Any, ...]:
            by_name = shown.get(one.id, ""), one.path or "", one.key
            if order == "name":
                return fold_name(by_name[0]), *by_name
            if order == "first":
                return one.first is None, one.first or 0, -one.mentions, *by_name
            return -one.mentions, *by_name

        found.sort(key=place)
        kinds = sorted({(one.type, one.status, one.word) for one in found})
        codes = {kind: code for code, kind in enumerate(kinds)}
        positions = [
            [_NOWHERE if at is None else at for at in (one.first, one.last)] for one in found
        ]
        return cls(
            np.array([one.id for one in found], np.int64),
            np.array([(one.mentions, one.notes) for one in found], np.int32).reshape(-1, 2),
            np.array(positions, np.int64).reshape(-1, 2),
            np.array([codes[one.type, one.status, one.word] for one in found], np.int16),
            kinds,
        )

    def places(
        self, types: Sequence[str], statuses: Sequence[str], named: Sequence[int] | None
    ) -> Integers:
        """Return the places of those of some types and statuses, and among those `named`."""
        import numpy as np

        wanted = [
            code
            for code, (type_name, status, word) in enumerate(self.kinds)
            if (not types or type_name in types or word in types)
            and (not statuses or status in statuses)
        ]
        chosen = np.isin(self.codes, wanted)
        if named is not None:
            chosen &= np.isin(self.ids, np.array(named, np.int64))
        return np.flatnonzero(chosen)

    def page(
        self, view: View, places: Integers, limit: int | None, offset: int
    ) -> tuple[list[CountedEntity], int]:
        """Return the entities at a page of places, and the number of places."""
        page = places[offset:] if limit is None else places[offset : offset + limit]
        ids = self.ids[page].tolist()
        rows = entities_by_id(view, ids)
        counts, positions = self.counts[page].tolist(), self.positions[page].tolist()
        return [
            CountedEntity(rows[one], *number, *(None if at == _NOWHERE else at for at in met))
            for one, number, met in zip(ids, counts, positions, strict=True)
        ], len(places)


def _shown_names(view: View, ids: Sequence[int]) -> Iterator[tuple[int, str]]:
    for batch in batches(ids, 10_000):
        yield from display_names(view, batch).items()


@prepared
def _counted(scope: Scope) -> Query:
    """Select all entities with what they are sorted by; see `list_entities`."""
    entity, note = scope.entity, scope.note
    word = func.coalesce(entity.c.word, "").label("word")
    told = entity.c.id, entity.c.type, entity.c.status, word, note.c.path, entity.c.key
    statement = select(*told).outerjoin(note, note.c.id == entity.c.note_id)
    if scope is WHOLE:
        return statement.add_columns(
            entity.c.mention_count.label("mentions"),
            entity.c.note_count.label("notes"),
            entity.c.first_position.label("first"),
            entity.c.last_position.label("last"),
        ).where(or_(entity.c.mention_count > 0, entity.c.status == "noted"))
    counts = _select_counts(scope).subquery("counts")
    return statement.add_columns(
        counts.c.mentions, counts.c.notes, counts.c.first, counts.c.last
    ).join(counts, counts.c.entity_id == entity.c.id)


class Mentioning(NamedTuple):
    """A note that mentions an entity: how often, and the sum of its mentions' `confidence`."""

    id: int
    path: str
    title: str
    position: int | None
    mentions: int
    confidence: float


def mentions_by_note(view: View, entity_id: int, *, below: str | None = None) -> list[Mentioning]:
    """Return the notes that mention an entity: the manuscript first, in order.

    `below` restricts them to one note or folder.
    """
    statement = _by_note(view)
    if below is not None:
        statement = statement.where(is_at(view.note.c.path, below))
    return view.fetch(Mentioning, statement, entity_id=entity_id)


@prepared
def _by_note(scope: Scope) -> Statement:
    """Count in each chunk, then in each note, and join last: there are many mentions to a note."""
    mention, chunk, note = scope.mention, scope.chunk, scope.note
    number, confidence = func.count().label("mentions"), func.sum(mention.c.confidence)
    here = (
        select(mention.c.chunk_id, number, confidence.label("confidence"))
        .where(mention.c.entity_id == bindparam("entity_id"))
        .group_by(mention.c.chunk_id)
        .subquery()
    )
    told = (
        select(
            chunk.c.note_id,
            cast(func.sum(here.c.mentions), BigInteger).label("mentions"),
            func.sum(here.c.confidence).label("confidence"),
        )
        .join(chunk, chunk.c.id == here.c.chunk_id)
        .group_by(chunk.c.note_id)
        .subquery()
    )
    return (
        select(note.c.id, note.c.path, note.c.title, note.c.position)
        .add_columns(told.c.mentions, told.c.confidence)
        .join(told, told.c.note_id == note.c.id)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path)
    )


def notes_that_mention(view: View, entity_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the paths of the notes that mention each entity: the manuscript first, in order."""
    found: dict[int, list[str]] = defaultdict(list)
    asked = sorted(set(entity_ids))
    for row in view.all(_that_mention(view), entity_ids=asked) if asked else ():
        found[row.entity_id].append(row.path)
    return found


@prepared
def _that_mention(scope: Scope) -> Query:
    mention, chunk, note = scope.mention, scope.chunk, scope.note
    told = (
        select(mention.c.entity_id, chunk.c.note_id)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .where(is_one_of(mention.c.entity_id, "entity_ids"))
        .distinct()
        .subquery()
    )
    return (
        select(told.c.entity_id, note.c.path)
        .join(note, note.c.id == told.c.note_id)
        .order_by(note.c.position.is_(None), note.c.position, note.c.path)
    )


def topics_in(view: View, note_ids: Sequence[int], most: int) -> Sequence[Row]:
    """Return the first topics of some notes, those of most notes first.

    Each has its number of `notes`, and the greatest `confidence` among them.
    """
    return view.all(_topics_in(view), note_ids=note_ids, most=most) if note_ids else []


@prepared
def _topics_in(scope: Scope) -> Query:
    topic = scope.topic
    number, confidence = func.count().label("notes"), func.max(topic.c.confidence)
    return (
        select(topic.c.name, number, confidence.label("confidence"))
        .where(is_one_of(topic.c.note_id, "note_ids"))
        .group_by(topic.c.name)
        .order_by(number.desc(), confidence.desc(), topic.c.name)
        .limit(bindparam("most", type_=Integer))
    )


def names_of(view: View, entity_id: int) -> list[Row]:
    """Return the visible names of an entity, by descending weight."""
    return list(view.all(_names_of(view), entity_id=entity_id))


@prepared
def _names_of(scope: Scope) -> Query:
    alias = scope.alias
    return (
        select(alias.c.form, alias.c.kind, alias.c.visible_from)
        .where(alias.c.entity_id == bindparam("entity_id"))
        .order_by(alias.c.weight.desc(), alias.c.form)
    )


def source_of(view: View, entity: Row) -> Any:
    """Return the note about an entity with its first chunk, or None if there is none.

    For one that a section is about, it is the first chunk with a part of the section.
    """
    if entity.note_id is None:
        return None
    if entity.heading is None:
        return view.one(_source(view), note_id=entity.note_id)
    return view.one(_section(view), entity_id=entity.id)


@prepared
def _source(scope: Scope) -> Query:
    note, chunk = scope.note, scope.chunk
    return (
        select(note.c.path, note.c.frontmatter, chunk.c.text, chunk.c.heading, chunk.c.line)
        .outerjoin(chunk, and_(chunk.c.note_id == note.c.id, chunk.c.ordinal == 0))
        .where(note.c.id == bindparam("note_id"))
    )


@prepared
def _section(scope: Scope) -> Query:
    note, chunk, entity = scope.note, scope.chunk, scope.entity
    return (
        select(note.c.path, literal(None).label("frontmatter"), chunk.c.text)
        .add_columns(entity.c.heading, chunk.c.line)
        .join(entity, entity.c.note_id == note.c.id)
        .outerjoin(chunk, in_own_text(entity, chunk))
        .where(entity.c.id == bindparam("entity_id"))
        .order_by(chunk.c.ordinal)
        .limit(1)
    )


def property_sheets(view: View, note_ids: Iterable[int]) -> dict[int, Row]:
    """Return the path, the properties and their first line of notes with visible properties."""
    note, chunk = view.note, view.chunk
    statement = (
        select(note.c.id, note.c.path, note.c.frontmatter, chunk.c.line)
        .join(chunk, chunk.c.note_id == note.c.id)
        .where(chunk.c.ordinal < 0)
        .order_by(chunk.c.line.desc())
    )
    return {row.id: row for row in view.all_among(statement, note.c.id, note_ids)}


def _select_counts(scope: Scope) -> Statement:
    mention, chunk, note = scope.mention, scope.chunk, scope.note
    return (
        select(
            mention.c.entity_id,
            func.count().label("mentions"),
            func.count(chunk.c.note_id.distinct()).label("notes"),
            func.min(note.c.position).label("first"),
            func.max(note.c.position).label("last"),
            func.avg(mention.c.confidence).label("confidence"),
        )
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
        .group_by(mention.c.entity_id)
    )


def chapters_before(view: View, entity_ids: Sequence[int], position: int) -> dict[int, Row]:
    """Return the `first` and the `last` position before one at which entities are mentioned."""
    statement = _select_counts(view.scope).where(view.note.c.position < position)
    found = view.all_among(statement, view.mention.c.entity_id, entity_ids)
    return {row.entity_id: row for row in found}


def entities_by_id(view: View, entity_ids: Iterable[int]) -> dict[int, Row]:
    """Return entity rows by id."""
    asked = sorted(set(entity_ids))
    return {row.id: row for row in view.all(_by_id(view), entity_ids=asked)} if asked else {}


@prepared
def _by_id(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity).where(is_one_of(entity.c.id, "entity_ids"))
