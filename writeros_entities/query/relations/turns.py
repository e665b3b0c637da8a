"""When relations are over, as intervals of reading positions, as of a view's own.

A relation is over from where the text says so, or replaces it by another, until it begins again. A
relation of which the vault states only that it is over, without any position, is over throughout.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy import Select, case, func, select

from writeros_entities.query.relations.asserted import ASSERTED, Edge
from writeros_entities.store import rows
from writeros_entities.store.lists import is_one_of
from writeros_entities.store.scope import VAULT_ID, Scope, prepared
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from writeros_entities.graph.intervals import Intervals
    from writeros_entities.store.view import View

T = TypeVar("T")


class _Turn(NamedTuple):
    """Where a relation begins, again or for the first time, or ends."""

    entity_id: int
    other_id: int
    kind: str
    previous: str | None
    new: str | None
    visible_from: int
    ordinal: int


def load_intervals(
    view: View, entity_ids: Collection[int] | None = None
) -> Mapping[Edge, Intervals]:
    """Return the intervals in which relations are over: of all entities, or with these as sources.

    Relations that never end are left out.
    """
    over: dict[Edge, list[tuple[int, int | None]]] = {
        edge: [] for edge in _read(view, Edge, _ended, entity_ids)
    }
    turns: dict[Edge, list[tuple[int, int, bool]]] = defaultdict(list)
    for row in _read(view, _Turn, _turns, {edge.source_id for edge in over}):
        is_over = row.kind == "relationship_ended"
        edge = Edge(row.entity_id, row.other_id, str(row.previous if is_over else row.new))
        turns[edge].append((row.visible_from, row.ordinal, is_over))
    for edge, intervals in over.items():
        for position, _, is_over in sorted(turns[edge]):
            if is_over:
                intervals.append((position, None))
            elif intervals and intervals[-1][1] is None:
                intervals[-1] = (intervals[-1][0], position)
    if view.as_of is None:
        for edge in _read(view, Edge, _never_begun, entity_ids):
            over.setdefault(edge, [(ALWAYS, None)])
    return {edge: tuple(intervals) for edge, intervals in over.items()}


def _read(
    view: View,
    kind: type[T],
    select_: Callable[[View, bool], Select[Any]],
    sources: Collection[int] | None,
) -> Iterator[T]:
    """Yield the rows of a statement for all entities, or for relations with these as sources."""
    if sources is None:
        yield from view.fetch(kind, select_(view, False))
    elif sources:
        yield from view.fetch(kind, select_(view, True), sources=sorted(sources))


def _among(source: ColumnElement[int], of_some: bool) -> list[ColumnElement[bool]]:
    return [is_one_of(source, "sources")] if of_some else []


@prepared
def _ended(scope: Scope, of_some: bool) -> Select[Any]:
    change = scope.entity_change.c
    return (
        select(
            change.entity_id.label("source_id"),
            change.other_id.label("target_id"),
            change.previous.label("kind"),
        )
        .where(change.kind == "relationship_ended", *_among(change.entity_id, of_some))
        .distinct()
    )


@prepared
def _turns(scope: Scope, of_some: bool) -> Select[Any]:
    change = scope.entity_change.c
    kinds = ("relationship_added", "relationship_ended")
    return select(*(change[name] for name in _Turn._fields)).where(
        change.kind.in_(kinds), *_among(change.entity_id, of_some)
    )


@prepared
def _never_begun(_: Scope, of_some: bool) -> Select[Any]:
    """Select the relations all of whose evidence states that they are over.

    Not needed under `as_of`: there, all visible evidence has a position, and so `load_intervals`
    finds the end. Of all entities, the few relations with an end are found first; those of some
    entities are few themselves, and found by an index.
    """
    relation, evidence = rows.relation.c, rows.evidence.c
    ended = select(evidence.relation_id).where(
        evidence.vault_id == VAULT_ID, evidence.has_ended.is_(True)
    )
    found = _among(relation.source_id, of_some) or [relation.id.in_(ended)]
    begun = func.sum(case((evidence.has_ended.is_(True), 0), else_=1))
    columns = relation.source_id, relation.target_id, relation.kind
    return (
        select(*columns)
        .join(rows.evidence, evidence.relation_id == relation.id)
        .where(relation.vault_id == VAULT_ID, evidence.vault_id == VAULT_ID)
        .where(relation.origin == ASSERTED, *found)
        .group_by(*columns)
        .having(begun == 0)
    )
