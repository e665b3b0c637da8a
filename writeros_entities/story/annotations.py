"""Annotations of chunks: mentions, with the other entities that each may name, and links."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import select

from writeros_entities.names import fold_name
from writeros_entities.store.columns import is_one_of
from writeros_entities.store.scope import Scope, prepared

if TYPE_CHECKING:
    from sqlalchemy import Subquery

    from writeros_entities.store.rows import Query, Statement
    from writeros_entities.view import View


class NameAnnotation(NamedTuple):
    """A span of a chunk in the file, the entity it names or may name, and what found it."""

    chunk_id: int
    start: int
    end: int
    entity: str
    method: str


class LinkAnnotation(NamedTuple):
    """A link of a note: its span in the file, and the path of the note to which it leads."""

    note_id: int
    start: int
    end: int
    path: str


class _Written(NamedTuple):
    """A folded name that the writer gave to an entity."""

    form_key: str
    key: str


T = TypeVar("T", NameAnnotation, LinkAnnotation)

_START = attrgetter("start")


@dataclass(frozen=True)
class Annotations:
    """The visible mentions, by chunk, and links, by note.

    `rivals` has the entities that a span, given by (chunk id, start, end), may name. `written` has
    (folded form, entity) for the names and aliases that the writer gave.
    """

    names: Mapping[int, Sequence[NameAnnotation]]
    rivals: Mapping[tuple[int, int, int], Sequence[str]]
    links: Mapping[int, Sequence[LinkAnnotation]]
    written: Collection[tuple[str, str]]

    def of_note(self, note_id: int, chunk_ids: Iterable[int]) -> Annotations:
        """Return the annotations of one note, given its chunks: equal if a reader sees the same."""
        names = {one: self.names[one] for one in chunk_ids if one in self.names}
        rivals = {
            span: same
            for chunk_id, marks in names.items()
            for mark in marks
            if len(same := self.rivals.get(span := (chunk_id, mark.start, mark.end), ())) > 1
        }
        bearers = {key for same in rivals.values() for key in same}
        written = {(form, key) for key in bearers for form in self._forms.get(key, ())}
        return Annotations(names, rivals, {note_id: self.links.get(note_id, ())}, written)

    @cached_property
    def _forms(self) -> Mapping[str, Sequence[str]]:
        """The forms that the writer gave, by entity."""
        forms: dict[str, list[str]] = defaultdict(list)
        for form, key in self.written:
            forms[key].append(form)
        return forms

    def names_between(self, chunk_id: int, start: int, end: int) -> Iterator[NameAnnotation]:
        """Yield the mentions of a chunk that begin between two offsets of the file."""
        return _between(self.names.get(chunk_id, ()), start, end)

    def links_between(self, note_id: int, start: int, end: int) -> Iterator[LinkAnnotation]:
        """Yield the links of a note that begin between two offsets of the file."""
        return _between(self.links.get(note_id, ()), start, end)

    def rivals_of(self, chunk_id: int, mark: NameAnnotation, surface: str) -> tuple[str, ...]:
        """Return the entities other than the mark's that its span may name.

        If the writer gave the form to the mark's entity, only entities to which she gave it too.
        """
        same = self.rivals.get((chunk_id, mark.start, mark.end), ())
        form = fold_name(surface)
        is_written = (form, mark.entity) in self.written
        return tuple(
            key
            for key in dict.fromkeys(same)
            if key != mark.entity and not (is_written and (form, key) not in self.written)
        )


def load_annotations(view: View, note_ids: Sequence[int] | None) -> Annotations:
    """Load the annotations of all notes, or of those given."""
    of_some = note_ids is not None
    given = {} if note_ids is None else {"note_ids": note_ids}
    names: dict[int, list[NameAnnotation]] = defaultdict(list)
    for one in view.fetch(NameAnnotation, _mentions(view, of_some=of_some), **given):
        names[one.chunk_id].append(one)
    rivals: dict[tuple[int, int, int], list[str]] = defaultdict(list)
    for one in view.fetch(NameAnnotation, _rivalling(view, of_some=of_some), **given):
        rivals[one.chunk_id, one.start, one.end].append(one.entity)
    links: dict[int, list[LinkAnnotation]] = defaultdict(list)
    for link in view.fetch(LinkAnnotation, _links(view, of_some=of_some), **given):
        links[link.note_id].append(link)
    bearers = None
    if of_some:
        bearers = {key for keys in rivals.values() if len(keys) > 1 for key in keys}
    return Annotations(names, rivals, links, _load_written(view, bearers))


def _named(scope: Scope, table: Subquery, *, of_some: bool) -> Statement:
    """Return a statement for mentions or candidates, in order."""
    entity, chunk = scope.entity, scope.chunk
    statement = (
        select(table.c.chunk_id, table.c.start, table.c.end)
        .add_columns(entity.c.key.label("entity"), table.c.method)
        .join(entity, entity.c.id == table.c.entity_id)
        .order_by(table.c.chunk_id, table.c.start, table.c.end, entity.c.id)
    )
    if of_some:
        statement = statement.join(chunk, chunk.c.id == table.c.chunk_id)
        statement = statement.where(is_one_of(chunk.c.note_id, "note_ids"))
    return statement


@prepared
def _mentions(scope: Scope, *, of_some: bool) -> Query:
    return _named(scope, scope.mention, of_some=of_some)


@prepared
def _rivalling(scope: Scope, *, of_some: bool) -> Query:
    """Return a statement for the candidates that are not alone in their span."""
    one, other = scope.candidate, scope.candidate.alias("other")
    same = (one.c[name] == other.c[name] for name in ("chunk_id", "start", "end"))
    rival = select(other.c.entity_id).where(*same, other.c.entity_id != one.c.entity_id)
    return _named(scope, one, of_some=of_some).where(rival.exists())


@prepared
def _links(scope: Scope, *, of_some: bool) -> Statement:
    link, note = scope.link, scope.note
    statement = (
        select(link.c.note_id, link.c.start, link.c.end, note.c.path)
        .join(note, note.c.id == link.c.target_note_id)
        .order_by(link.c.start, link.c.ordinal)
    )
    return statement.where(is_one_of(link.c.note_id, "note_ids")) if of_some else statement


def _load_written(view: View, bearers: Collection[str] | None) -> set[_Written]:
    """Return the written names and aliases of all entities, or of those given."""
    if bearers is None:
        return set(view.fetch(_Written, _written(view, of_some=False)))
    if not bearers:
        return set()
    return set(view.fetch(_Written, _written(view, of_some=True), keys=sorted(bearers)))


@prepared
def _written(scope: Scope, *, of_some: bool) -> Statement:
    alias, entity = scope.alias, scope.entity
    statement = (
        select(alias.c.form_key, entity.c.key)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(alias.c.kind.in_(("name", "alias")))
    )
    return statement.where(is_one_of(entity.c.key, "keys")) if of_some else statement


def _between(annotations: Sequence[T], start: int, end: int) -> Iterator[T]:
    """Yield the annotations, which are sorted, that begin between two offsets."""
    for mark in annotations[bisect_left(annotations, start, key=_START) :]:
        if mark.start >= end:
            return
        yield mark
