"""Load the graph of a vault as a view shows it, and cache it until the index changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import func, select

from writeros_entities.capabilities.graph.snapshot_files import SnapshotFile
from writeros_entities.capabilities.graph.windows import (
    LONGEST,
    are_repeated,
    find_occurrences,
    load_mentions,
)
from writeros_entities.graph.cooccurrence import NOWHERE, find_pairs
from writeros_entities.graph.network import places_of
from writeros_entities.graph.snapshot import ORIGINS, TOGETHER, Edges, Nodes, Snapshot
from writeros_entities.names import fold_name
from writeros_entities.store import rows
from writeros_entities.store.lexicon import display_names
from writeros_entities.story.asserted import ASSERTED, Edge, load_intervals
from writeros_entities.story.listing import entities_by_id

if TYPE_CHECKING:
    from writeros_entities.arrays import Integers
    from writeros_entities.capabilities.graph.windows import Mentions
    from writeros_entities.graph.cooccurrence import Pairs
    from writeros_entities.graph.network import Intervals
    from writeros_entities.ontology import Ontology
    from writeros_entities.view import View

_NEVER = np.iinfo(np.int64).max
"""The first place of an entity that is never mentioned: after all others."""

_RELATION = np.dtype(
    [
        *(("kind", "i4"), ("id", "i8"), ("source_id", "i8"), ("target_id", "i8")),
        *(("confidence", "f8"), ("evidence_count", "i4")),
        *(("first_position", "i4"), ("last_position", "i4"), ("visible_from", "i4")),
    ]
)
_ENTITY = np.dtype([("type", "i4"), ("id", "i8"), ("noted", "?"), ("visible_from", "i4")])


def load_graph(view: View, ontology: Ontology) -> Snapshot:
    """Return the snapshot of a view; the last few are cached until the index changes.

    Unless a sync is running, they lie in files as well.
    """
    return view.kept("graph", lambda: _open_graph(view, ontology))


def _open_graph(view: View, ontology: Ontology) -> Snapshot:
    if view.state is None:
        return read_graph(view, ontology)
    file = SnapshotFile(view, ontology)
    found = file.read()
    if found is None:
        found = read_graph(view, ontology)
        file.write(found)
    return found


def read_graph(view: View, ontology: Ontology) -> Snapshot:
    """Read every visible entity, relation and co-occurrence.

    A symmetric relation, stored either way, goes out from whoever appears first.
    """
    relations = _read_relations(view)
    mentions = load_mentions(view)
    nodes = _read_nodes(view, mentions, relations)
    node = places_of(nodes.ids, mentions.entity)
    occurrences = find_occurrences(view, mentions, node)
    del mentions, node
    pairs = find_pairs(occurrences, len(nodes.ids))
    return Snapshot(nodes, _read_edges(view, ontology, nodes, relations, pairs))


@dataclass(frozen=True, eq=False)
class _Relations:
    """The asserted relations by id; `columns` has the fields of _RELATION, `kinds` the kinds."""

    columns: Any
    kinds: tuple[str, ...]


def _read_relations(view: View) -> _Relations:
    relation = rows.relation.c
    first = view.vault_id * rows.IDS_PER_VAULT
    columns = view.relations(
        relation.origin == ASSERTED,
        relation.source_id != relation.target_id,
        # With the order below, SQLite reads the table as it lies: twice as fast as by an index.
        relation.id.between(first, first + rows.IDS_PER_VAULT - 1),
    ).subquery()
    places = "first_position", "last_position", "visible_from"
    statement = select(
        *(
            func.coalesce(columns.c[name], NOWHERE).label(name)
            if name in places
            else columns.c[name]
            for name in _RELATION.names or ()
        )
    ).order_by(columns.c.id)
    kinds = _Numbers()
    found = view.array(_RELATION, statement, kinds.__getitem__)
    ranks, names_of_kinds = kinds.ranked()
    found["kind"] = ranks[found["kind"]]
    return _Relations(found, names_of_kinds)


class _Numbers(dict[str, int]):
    """Numbers texts as they come."""

    def __missing__(self, text: str) -> int:
        return self.setdefault(text, len(self))

    def ranked(self) -> tuple[Integers, tuple[str, ...]]:
        """Return the rank of each number's text, and the texts in order."""
        texts = sorted(self)
        ranks = np.zeros(len(self), np.int32)
        ranks[[self[text] for text in texts]] = np.arange(len(self))
        return ranks, tuple(texts)


def _read_nodes(view: View, mentions: Mentions, relations: _Relations) -> Nodes:
    """Read the entities that are mentioned, noted or related, in order of first appearance.

    Entities that are never mentioned come last. Neither ids nor names that the reader has not met
    may decide the order: they may depend on later chapters.
    """
    entity = view.entity.c
    visible_from = func.coalesce(entity.visible_from, NOWHERE).label("visible_from")
    noted = (entity.status == "noted").label("noted")
    types = _Numbers()
    statement = select(entity.type, entity.id, noted, visible_from)
    found = view.array(_ENTITY, statement, types.__getitem__)
    ends = np.concatenate([relations.columns["source_id"], relations.columns["target_id"]])
    node = places_of(found["id"], mentions.entity)
    met = node >= 0
    counts = np.bincount(node[met], minlength=len(found)).astype(np.int32)
    first = np.full(len(found), _NEVER)
    np.minimum.at(first, node[met], mentions.places[met])
    kept = (counts > 0) | found["noted"] | np.isin(found["id"], ends)
    found, counts, first = found[kept], counts[kept], first[kept]
    ranks, names = types.ranked()
    used, type_ = np.unique(ranks[found["type"]], return_inverse=True)
    keys = found["id"], type_, _name_ranks(view, found["id"], counts, first), counts, first
    order = np.lexsort(keys)
    first = first[order]
    position = np.full(len(order), NOWHERE, np.int32)
    position[first < _NEVER] = mentions.positions[first[first < _NEVER] // LONGEST]
    return Nodes(
        ids=found["id"][order],
        type=type_[order].astype(np.int32),
        types=tuple(names[at] for at in used),
        mentions=counts[order],
        position=position,
        visible_from=found["visible_from"][order],
    )


def _name_ranks(view: View, ids: Integers, counts: Integers, first: Integers) -> Integers:
    """Return the ranks of the names of entities that nothing else tells apart; 0 for others."""
    order = np.lexsort((counts, first))
    tied = order[are_repeated(counts[order], first[order])]
    shown = display_names(view, ids[tied].tolist())
    names = [fold_name(shown.get(row, "")) for row in ids[tied].tolist()]
    number = {name: at for at, name in enumerate(sorted(set(names)))}
    ranks = np.zeros(len(ids), np.int32)
    ranks[tied] = [number[name] for name in names]
    return ranks


def _read_edges(
    view: View, ontology: Ontology, nodes: Nodes, relations: _Relations, pairs: Pairs
) -> Edges:
    stated = relations.columns
    kinds = (TOGETHER, *(kind for kind in relations.kinds if kind != TOGETHER))
    number = np.array([kinds.index(kind) for kind in relations.kinds], np.int32)
    kind = number[stated["kind"]]
    source, target = (places_of(nodes.ids, stated[end]) for end in ("source_id", "target_id"))
    symmetric = [at for at, name in enumerate(kinds) if ontology.kind(name).symmetric]
    turned = np.isin(kind, symmetric) & (target < source)
    source, target = np.where(turned, target, source), np.where(turned, source, target)
    order = np.lexsort((kind, target, source))
    order = order[(source[order] >= 0) & (target[order] >= 0)]
    together = len(pairs.source)

    def joined(column: Any, added: Any, type_: Any = np.int32) -> Any:
        return np.concatenate([column[order], added], dtype=type_, casting="same_kind")

    def shares(column: Any) -> Any:
        return joined(column.round(4), pairs.strength, np.float64)

    confidence = stated["confidence"]
    origin = np.zeros(len(order) + together, np.int8)
    origin[len(order) :] = ORIGINS.index("co-occurrence")
    nothing = np.zeros(together, np.int8)
    return Edges(
        source=joined(source, pairs.source),
        target=joined(target, pairs.target),
        kind=joined(kind, nothing),
        kinds=kinds,
        origin=origin,
        relation=joined(stated["id"], nothing, np.int64),
        strength=shares(1.0 - (1.0 - confidence) / stated["evidence_count"]),
        confidence=shares(confidence),
        count=joined(stated["evidence_count"], pairs.count),
        first=joined(stated["first_position"], pairs.first),
        last=joined(stated["last_position"], pairs.last),
        visible_from=joined(stated["visible_from"], pairs.visible_from),
        over=_over(view, relations, order),
    )


def _over(view: View, relations: _Relations, order: Integers) -> dict[int, Intervals]:
    """Return the intervals in which relations are over, by the index of the edge in `order`.

    Relations that never end are left out.
    """
    intervals = load_intervals(view)
    sources = relations.columns["source_id"][order]
    edges = np.flatnonzero(np.isin(sources, [source for source, _, _ in intervals]))
    found = relations.columns[["source_id", "target_id", "kind"]][order[edges]].tolist()
    keys = [Edge(source, target, relations.kinds[kind]) for source, target, kind in found]
    return {
        edge: intervals[key]
        for edge, key in zip(edges.tolist(), keys, strict=True)
        if key in intervals
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
