"""Load the graph of a vault as a view shows it, and cache it until the index changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import func, select

from writeros_entities.graph.cooccurrence import NOWHERE, find_pairs
from writeros_entities.graph.snapshot import ORIGINS, TOGETHER, Edges, Nodes, Snapshot
from writeros_entities.names import fold_name
from writeros_entities.query.entities.listing import entities_by_id
from writeros_entities.query.graph.windows import load_occurrences
from writeros_entities.query.relations.asserted import ASSERTED
from writeros_entities.query.relations.turns import load_intervals
from writeros_entities.store import rows
from writeros_entities.store.lexicon import display_names

if TYPE_CHECKING:
    from sqlalchemy import Select

    from writeros_entities.arrays import Integers
    from writeros_entities.graph.intervals import Intervals
    from writeros_entities.ontology import Ontology
    from writeros_entities.store.view import View

_NEVER = (1, NOWHERE, "", 0, 0)
"""The sort key of an entity that is never mentioned: after all others."""


def load_graph(view: View, ontology: Ontology) -> Snapshot:
    """Return the snapshot of a view; the last few are cached until the index changes."""
    return view.kept("graph", lambda: read_graph(view, ontology))


def read_graph(view: View, ontology: Ontology) -> Snapshot:
    """Read every visible entity, relation and co-occurrence.

    A symmetric relation, stored either way, goes out from whoever appears first.
    """
    relation = rows.relation.c
    statement = view.relations(
        relation.origin == ASSERTED, relation.source_id != relation.target_id
    )
    relations = _columns(
        view,
        statement,
        (
            *("source_id", "target_id", "kind", "id", "strength", "confidence"),
            *("evidence_count", "first_position", "last_position", "visible_from"),
        ),
    )
    nodes = _read_nodes(view, {*relations["source_id"], *relations["target_id"]})
    return Snapshot(nodes, _read_edges(view, ontology, nodes, relations))


def _columns(
    view: View, statement: Select[Any], names: Sequence[str]
) -> dict[str, tuple[Any, ...]]:
    """Return the rows of a statement by column: building arrays from these is much faster."""
    selected = statement.subquery()
    found = view.all(select(*(selected.c[name] for name in names)))
    columns = list(zip(*found, strict=True)) or [()] * len(names)
    return dict(zip(names, columns, strict=True))


def _read_nodes(view: View, related: set[int]) -> Nodes:
    """Read the entities that are mentioned, noted or related, in order of first appearance.

    Entities that are never mentioned come last. Neither ids nor names that the reader has not met
    may decide the order: they may depend on later chapters.
    """
    entity = view.entity
    appearances = _appearances(view)
    columns = (entity.c.id, entity.c.type, entity.c.status, entity.c.visible_from)
    found = [
        row
        for row in view.all(select(*columns))
        if row.id in appearances or row.status == "noted" or row.id in related
    ]
    names = display_names(view, [row.id for row in found])
    kept = [
        (
            *appearances.get(row.id, _NEVER),
            *(fold_name(names.get(row.id, "")), row.type, row.id, _or_nowhere(row.visible_from)),
        )
        for row in found
    ]
    kept.sort()
    types = tuple(sorted({row[6] for row in kept}))
    number = {name: at for at, name in enumerate(types)}
    return Nodes(
        ids=np.array([row[7] for row in kept], np.int64),
        type=np.array([number[row[6]] for row in kept], np.int64),
        types=types,
        mentions=np.array([row[4] for row in kept], np.int64),
        position=np.array([row[1] for row in kept], np.int64),
        visible_from=np.array([row[8] for row in kept], np.int64),
    )


def _appearances(view: View) -> dict[int, tuple[int, int, str, int, int]]:
    """Return each entity's first mention as a sort key, manuscript first, and its mention count."""
    mention, chunk, note = view.mention, view.chunk, view.note
    statement = (
        select(mention.c.entity_id, note.c.position, note.c.path, mention.c.start)
        .join(chunk, chunk.c.id == mention.c.chunk_id)
        .join(note, note.c.id == chunk.c.note_id)
    )
    firsts: dict[int, tuple[int, int, str, int]] = {}
    counts: dict[int, int] = {}
    for entity_id, position, path, start in view.all(statement):
        place = (0, _or_nowhere(position), path, start)
        firsts[entity_id] = min(firsts.get(entity_id, place), place)
        counts[entity_id] = counts.get(entity_id, 0) + 1
    return {entity_id: (*place, counts[entity_id]) for entity_id, place in firsts.items()}


def _read_edges(
    view: View, ontology: Ontology, nodes: Nodes, relations: Mapping[str, tuple[Any, ...]]
) -> Edges:
    index = nodes.index
    kinds = (TOGETHER, *sorted({*relations["kind"]} - {TOGETHER}))
    number = {name: at for at, name in enumerate(kinds)}
    source = np.array([index.get(row, -1) for row in relations["source_id"]], np.int64)
    target = np.array([index.get(row, -1) for row in relations["target_id"]], np.int64)
    kind = np.array([number[name] for name in relations["kind"]], np.int64)
    symmetric = [number[name] for name in kinds if ontology.kind(name).symmetric]
    turned = np.isin(kind, symmetric) & (target < source)
    source, target = np.where(turned, target, source), np.where(turned, source, target)
    order = np.lexsort((kind, target, source))
    order = order[(source[order] >= 0) & (target[order] >= 0)]
    pairs = find_pairs(load_occurrences(view, index), len(nodes.ids))
    size = len(pairs.source)

    def joined(column: Any, added: Any) -> Any:
        return np.concatenate([column[order], added])

    def numbers(name: str) -> Any:
        return np.array(relations[name], np.int64)

    def places(name: str) -> Any:
        return np.array([_or_nowhere(place) for place in relations[name]], np.int64)

    def shares(name: str) -> Any:
        return np.array(relations[name], np.float64).round(4)

    asserted = np.full(len(source), ORIGINS.index("asserted"))
    together = np.full(size, ORIGINS.index("co-occurrence"))
    nothing = np.zeros(size, np.int64)
    return Edges(
        source=joined(source, pairs.source),
        target=joined(target, pairs.target),
        kind=joined(kind, nothing),
        kinds=kinds,
        origin=joined(asserted, together),
        relation=joined(numbers("id"), nothing),
        strength=joined(shares("strength"), pairs.strength),
        confidence=joined(shares("confidence"), pairs.strength),
        count=joined(numbers("evidence_count"), pairs.count),
        first=joined(places("first_position"), pairs.first),
        last=joined(places("last_position"), pairs.last),
        visible_from=joined(places("visible_from"), pairs.visible_from),
        over=_over(view, relations, order),
    )


def _over(
    view: View, relations: Mapping[str, tuple[Any, ...]], order: Integers
) -> dict[int, Intervals]:
    """Return the intervals in which relations are over, by the index of the edge in `order`.

    Relations that never end are left out.
    """
    intervals = load_intervals(view)
    if not intervals:
        return {}
    stated = (relations[name] for name in ("source_id", "target_id", "kind"))
    rows_over = {at: key for at, key in enumerate(zip(*stated, strict=True)) if key in intervals}
    return {
        edge: intervals[rows_over[at]] for edge, at in enumerate(order.tolist()) if at in rows_over
    }


def nodes_of(snapshot: Snapshot, entity_ids: Iterable[int]) -> list[int]:
    """Return the nodes of entities, ascending; entities not in the graph are left out."""
    index = snapshot.nodes.index
    return sorted({index[entity_id] for entity_id in entity_ids if entity_id in index})


def read_entities(view: View, snapshot: Snapshot, nodes: Iterable[int]) -> Mapping[int, Any]:
    """Return the entity rows of nodes, by node."""
    wanted = {int(node): int(snapshot.nodes.ids[node]) for node in nodes}
    found = entities_by_id(view, list(wanted.values()))
    return {node: found[entity_id] for node, entity_id in wanted.items()}


def count_passages(view: View, entity_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of chunks that mention each entity."""
    mention = view.mention
    chunks = func.count(mention.c.chunk_id.distinct()).label("chunks")
    statement = select(mention.c.entity_id, chunks).group_by(mention.c.entity_id)
    found = view.all_among(statement, mention.c.entity_id, entity_ids)
    return {row.entity_id: row.chunks for row in found}


def shown(position: int) -> int | None:
    """Return a position as answers contain it: None if outside the manuscript."""
    return None if position == NOWHERE else int(position)


def _or_nowhere(position: int | None) -> int:
    return NOWHERE if position is None else position
