"""When relations are over, as intervals of reading positions, as of a view's own.

A relation is over from where the text says so, or replaces it by another, until it begins again. A
relation of which the vault states only that it is over, without any position, is over throughout.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from writeros_entities.query.relations.asserted import ASSERTED, Edge
from writeros_entities.store import rows
from writeros_entities.values import ALWAYS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from writeros_entities.graph.intervals import Intervals
    from writeros_entities.store.view import View


def load_intervals(
    view: View, entity_ids: Collection[int] | None = None
) -> Mapping[Edge, Intervals]:
    """Return the intervals in which relations are over: of all entities, or with these as sources.

    Relations that never end are left out.
    """
    change = view.entity_change
    over: dict[Edge, list[tuple[int, int | None]]] = {}
    for ended in _among(change.c.entity_id, entity_ids):
        statement = (
            select(
                change.c.entity_id.label("source_id"),
                change.c.other_id.label("target_id"),
                change.c.previous.label("kind"),
            )
            .where(change.c.kind == "relationship_ended", *ended)
            .distinct()
        )
        over |= {edge: [] for edge in view.fetch(Edge, statement)}
    turns: dict[Edge, list[tuple[int, int, bool]]] = defaultdict(list)
    kinds = ("relationship_added", "relationship_ended")
    for among in _among(change.c.entity_id, {edge.source_id for edge in over}):
        columns = ("entity_id", "other_id", "kind", "previous", "new", "visible_from", "ordinal")
        statement = select(*(change.c[name] for name in columns))
        for row in view.all(statement.where(change.c.kind.in_(kinds), *among)):
            is_over = row.kind == "relationship_ended"
            kind = row.previous if is_over else row.new
            edge = Edge(row.entity_id, row.other_id, kind)
            turns[edge].append((row.visible_from, row.ordinal, is_over))
    for edge, intervals in over.items():
        for position, _, is_over in sorted(turns[edge]):
            if is_over:
                intervals.append((position, None))
            elif intervals and intervals[-1][1] is None:
                intervals[-1] = (intervals[-1][0], position)
    for edge in _never_begun(view, entity_ids):
        over.setdefault(edge, [(ALWAYS, None)])
    return {edge: tuple(intervals) for edge, intervals in over.items()}


def _never_begun(view: View, entity_ids: Collection[int] | None) -> Iterator[Edge]:
    """Yield the relations all of whose evidence states that they are over.

    Not needed under `as_of`: there, all visible evidence has a position, and so `load_intervals`
    finds the end. Of all entities, the few relations with an end are found first; those of some
    entities are few themselves, and found by an index.
    """
    if view.as_of is not None:
        return
    relation, evidence = rows.relation.c, rows.evidence.c
    is_own = (relation.vault_id == view.vault_id, evidence.vault_id == view.vault_id)
    ended = select(evidence.relation_id).where(is_own[1], evidence.has_ended.is_(True))
    of_these = [relation.id.in_(ended)] if entity_ids is None else []
    begun = func.sum(case((evidence.has_ended.is_(True), 0), else_=1))
    columns = relation.source_id, relation.target_id, relation.kind
    for among in _among(relation.source_id, entity_ids):
        statement = (
            select(*columns)
            .join(rows.evidence, evidence.relation_id == relation.id)
            .where(*is_own, relation.origin == ASSERTED, *of_these, *among)
            .group_by(*columns)
            .having(begun == 0)
        )
        yield from view.fetch(Edge, statement)


def _among(
    column: ColumnElement[int], entity_ids: Collection[int] | None
) -> Iterable[list[ColumnElement[bool]]]:
    if entity_ids is None:
        return [[]]
    return [[column.in_(batch)] for batch in rows.batches(sorted(entity_ids))]
