"""A part of a graph with what a drawing shows: names, notes, communities, coordinates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import func, select

from writeros_entities.capabilities.graph.snapshots import read_entities, shown
from writeros_entities.graph.drawing import Drawing, DrawnEdge, DrawnNode
from writeros_entities.graph.network import build_network
from writeros_entities.graph.snapshot import ORIGINS
from writeros_entities.store import rows
from writeros_entities.store.lexicon import display_names

if TYPE_CHECKING:
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.store.rows import Row
    from writeros_entities.view import View

Names = tuple[tuple[int | None, str], ...]


def draw(
    view: View, snapshot: Snapshot, nodes: Sequence[int], edges: Sequence[int], title: str
) -> Drawing:
    """Return a drawing of these nodes and edges of a snapshot, with coordinates computed."""
    from writeros_entities.graph.communities import find_communities
    from writeros_entities.graph.layout import place_nodes

    local = {node: at for at, node in enumerate(nodes)}
    all_edges = snapshot.edges
    source = np.array([local[int(all_edges.source[edge])] for edge in edges], np.int64)
    target = np.array([local[int(all_edges.target[edge])] for edge in edges], np.int64)
    strength = np.array([all_edges.strength[edge] for edge in edges], np.float64)
    network = build_network(len(nodes), source, target, strength)
    groups = find_communities(network)
    places = place_nodes(len(nodes), source, target, strength, groups)
    entities = read_entities(view, snapshot, nodes)
    ids = [row.id for row in entities.values()]
    own = display_names(view, ids)
    met = _names_met(view, ids)
    paths = paths_of(view, ids)
    drawn = [
        DrawnNode(
            id=entities[node].key,
            name=own.get(entities[node].id, entities[node].name),
            type=entities[node].type,
            mentions=int(snapshot.nodes.mentions[node]),
            importance=round(float(snapshot.importance[node]), 4),
            x=round(float(places[at][0]), 3),
            y=round(float(places[at][1]), 3),
            since=shown(int(snapshot.nodes.visible_from[node])),
            names=met.get(entities[node].id, ()),
            path=paths.get(entities[node].id),
        )
        for at, node in enumerate(nodes)
    ]
    lines = [
        DrawnEdge(
            source=entities[int(all_edges.source[edge])].key,
            target=entities[int(all_edges.target[edge])].key,
            kind=all_edges.kinds[all_edges.kind[edge]],
            origin=ORIGINS[all_edges.origin[edge]],
            strength=round(float(all_edges.strength[edge]), 4),
            count=int(all_edges.count[edge]),
            first=shown(int(all_edges.first[edge])),
            last=shown(int(all_edges.last[edge])),
            since=shown(int(all_edges.visible_from[edge])),
            over=all_edges.over.get(edge, ()),
        )
        for edge in edges
    ]
    return Drawing(title, drawn, lines, read_chapters(view))


def read_chapters(view: View) -> list[tuple[int, str]]:
    """Return the reading positions of the manuscript, each with the first title there."""
    note = view.note
    statement = (
        select(note.c.position, func.min(note.c.title).label("title"))
        .where(note.c.position.is_not(None))
        .group_by(note.c.position)
        .order_by(note.c.position)
    )
    return [(row.position, row.title) for row in view.all(statement)]


def read_topics(view: View, entity_ids: Sequence[int], most: int) -> Mapping[int, list[str]]:
    """Return, by entity, the topics of the notes that mention it, greatest confidence first."""
    mention, chunk, topic = view.mention, view.chunk, view.topic
    found: dict[int, list[str]] = defaultdict(list)
    for batch in rows.batches(entity_ids):
        pairs = (
            select(mention.c.entity_id, chunk.c.note_id)
            .join(chunk, chunk.c.id == mention.c.chunk_id)
            .where(mention.c.entity_id.in_(batch))
            .distinct()
            .subquery()
        )
        total = func.sum(topic.c.confidence)
        statement = (
            select(pairs.c.entity_id, topic.c.name)
            .join(topic, topic.c.note_id == pairs.c.note_id)
            .group_by(pairs.c.entity_id, topic.c.name)
            .order_by(pairs.c.entity_id, total.desc(), topic.c.name)
        )
        for row in view.all(statement):
            if len(found[row.entity_id]) < most:
                found[row.entity_id].append(row.name)
    return found


def _names_met(view: View, entity_ids: Sequence[int]) -> dict[int, Names]:
    """Return the names by which a reader knows each entity, each with the position it is met from.

    These are the name met first and the entity's own.
    """
    alias, entity = view.alias, view.entity
    forms: dict[int, list[Row]] = defaultdict(list)
    statement = (
        select(alias.c.entity_id, alias.c.form, alias.c.visible_from, entity.c.name)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(alias.c.visible_from.is_not(None))
        .order_by(alias.c.visible_from, alias.c.weight.desc(), alias.c.form)
    )
    for row in view.all_among(statement, alias.c.entity_id, entity_ids):
        forms[row.entity_id].append(row)
    names: dict[int, Names] = {}
    for entity_id, met in forms.items():
        first = (met[0].visible_from, met[0].form)
        own = [(row.visible_from, row.form) for row in met if row.form == row.name]
        at_once = bool(own) and own[0][0] == first[0]
        names[entity_id] = tuple(own) if at_once else (first, *own)
    return names


def paths_of(view: View, entity_ids: Sequence[int]) -> dict[int, str]:
    """Return the paths of the notes that are about some entities, by entity."""
    entity, note = view.entity, view.note
    statement = select(entity.c.id, note.c.path).join(note, note.c.id == entity.c.note_id)
    return {row.id: row.path for row in view.all_among(statement, entity.c.id, entity_ids)}
