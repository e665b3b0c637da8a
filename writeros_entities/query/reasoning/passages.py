"""Reasoning over entities: from a question to entities, the paths between them, and passages.

entities   those that the question names, exactly or nearly
paths      the strongest paths between them; a path's strength is the product of its edges'
entity     of an entity: importance × strength of the best path through it (1 if the question
           names it); of a passage: the greatest of the entities that it mentions
walk       of a passage: its score in a random walk that starts from the search results and the
           notes that the question names, and follows shared names (see `walking`)
score      walk · (1 + weight · entity), with the walk divided by its maximum

Entities multiply the walk's score and add nothing of their own. If they were added, a name that is
in the question and everywhere in the vault would outrank the passage that only the second step of
the walk reaches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select

from writeros_entities.store.chunks import visible_chunks

if TYPE_CHECKING:
    from writeros_entities.graph.paths import Path
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.store.view import View


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A chunk with its score, its parts (walk, search, entities), and the nodes it mentions.

    `nodes` has only nodes on the paths, highest score first; `walk_score` and `base_score` are
    divided by the maximum over all chunks.
    """

    chunk_id: int
    score: float
    walk_score: float
    base_score: float
    entity_score: float
    nodes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Mentioning:
    """The chunks that mention entities of the paths.

    `scores` has the best of them; `nodes` has all of them, each with the nodes that it mentions,
    highest score first.
    """

    scores: Mapping[int, float]
    nodes: Mapping[int, tuple[int, ...]]


def find_mentioning(
    view: View, snapshot: Snapshot, entity_scores: Mapping[int, float], most: int
) -> Mentioning:
    """Return the chunks that mention the scored entities, with scores for the best `most`.

    A chunk scores as its best entity. Ties are broken by the sum of its entities' scores, then by
    reading order.
    """
    mentioned = chunks_mentioning(view, snapshot, entity_scores)
    nodes = {
        chunk: tuple(sorted(found, key=lambda node: (-entity_scores[node], node)))
        for chunk, found in mentioned.items()
    }
    places = _places(view, nodes)

    def order(chunk: int) -> tuple[object, ...]:
        together = sum(entity_scores[node] for node in nodes[chunk])
        return -round(entity_scores[nodes[chunk][0]], 9), -round(together, 9), places[chunk]

    best = sorted(nodes, key=order)[:most]
    return Mentioning({chunk: entity_scores[nodes[chunk][0]] for chunk in best}, nodes)


def rank_chunks(
    view: View,
    walked: Mapping[int, float],
    searched: Mapping[int, float],
    mentioning: Mentioning,
    weight: float,
) -> list[Reasoned]:
    """Return every chunk that the walk, the search or the entities found, best first.

    `walked` and `searched` have scores by chunk id; ties are in reading order.
    """
    places = _places(view, [*walked, *searched, *mentioning.scores])
    walk, base = _normalised(walked), _normalised(searched)
    reasoned = []
    for chunk in places:
        entity = mentioning.scores.get(chunk, 0.0)
        reasoned.append(
            Reasoned(
                chunk,
                raised(walk.get(chunk, 0.0), entity, weight),
                walk.get(chunk, 0.0),
                base.get(chunk, 0.0),
                entity,
                mentioning.nodes.get(chunk, ()),
            )
        )
    return sorted(reasoned, key=lambda one: (-round(one.score, 9), places[one.chunk_id]))


def raised(walk: float, entity: float, weight: float) -> float:
    """Return the score of a passage: the walk's, raised by that of its best entity."""
    return walk * (1 + weight * entity)


def _places(view: View, chunk_ids: Iterable[int]) -> dict[int, int]:
    """Return the index of each chunk in reading order: the manuscript first, then notes by path."""
    chunks = visible_chunks(view)
    ids = np.unique(np.fromiter(chunk_ids, np.int64))
    return dict(zip(ids.tolist(), chunks.rows_of(ids).tolist(), strict=True))


def connect(
    snapshot: Snapshot, seeds: Sequence[int], *, hops: int, min_strength: float, most: int
) -> list[Path]:
    """Return the strongest paths between seeds, or from a single seed to its neighbourhood.

    Returns at most `MOST_PATHS` paths between seeds, at most `most` from a single one.
    """
    from writeros_entities.graph.neighbourhood import find_neighbourhood
    from writeros_entities.graph.paths import MOST_PATHS, find_paths

    network = snapshot.network()
    targets = list(seeds)
    limit = MOST_PATHS
    if len(seeds) == 1:
        near = find_neighbourhood(network, seeds, hops, min_strength=min_strength)
        targets = [int(node) for node in near.nodes[1 : most + 1]]
        limit = most
    return find_paths(network, seeds, targets, hops=hops, limit=limit, min_strength=min_strength)


def score_entities(
    snapshot: Snapshot, seeds: Iterable[int], paths: Iterable[Path]
) -> dict[int, float]:
    """Return the score of each node that is named or lies on a path: importance × strength."""
    strength = dict.fromkeys(seeds, 1.0)
    for path in paths:
        for node in path.nodes:
            strength[node] = max(strength.get(node, 0.0), path.strength)
    return {node: float(snapshot.importance[node]) * best for node, best in strength.items()}


def chunks_mentioning(view: View, snapshot: Snapshot, nodes: Iterable[int]) -> dict[int, set[int]]:
    """Return the chunks that mention any of these nodes, each with the nodes that it mentions."""
    mention = view.mention
    node_of = {int(snapshot.nodes.ids[node]): node for node in nodes}
    mentioned: dict[int, set[int]] = defaultdict(set)
    statement = select(mention.c.chunk_id, mention.c.entity_id).distinct()
    for row in view.all_among(statement, mention.c.entity_id, sorted(node_of)):
        mentioned[row.chunk_id].add(node_of[row.entity_id])
    return mentioned


def _normalised(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {chunk: score / best if best > 0 else 0.0 for chunk, score in scores.items()}
