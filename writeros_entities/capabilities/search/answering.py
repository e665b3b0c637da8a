"""Reasoning over entities: from a question to entities, the paths between them, and passages.

entities   those that the question names, exactly or nearly
paths      the strongest paths between them; a path's strength is the product of its edges'
entity     of an entity: importance × strength of the best path through it (1 if the question
           names it); of a passage: the greatest of the entities that it mentions
proofs     of the strongest path between each two that the question names exactly: for each step
           the passage that states it, or that mentions both of its ends
walk       of a passage: its score in a random walk that starts from the proofs, the search results
           and the notes that the question names, and follows shared names (see `walking`)
score      walk · (1 + weight · entity), with the walk divided by its maximum; the walk's alone if
           the question names only one entity, which search has looked for already

A path counts for as much as it is strong: that two were once in one list says little about a
question that names both. Entities multiply the walk's score and add nothing of their own. If they
were added, a name that is in the question and everywhere in the vault would outrank the passage
that only the second step of the walk reaches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import select

from writeros_entities.graph.snapshot import Selection
from writeros_entities.store.chunks import visible_chunks

if TYPE_CHECKING:
    from writeros_entities.graph.paths import Path
    from writeros_entities.graph.snapshot import Snapshot
    from writeros_entities.view import View


ROOT = 2 / 3
"""The exponent of a path's strength in the probability that a walk starts from its proofs.

The greater the probability, the more often a proof comes first, and the less the rest of the
question counts. In four vaults, of 180 questions how two people are connected, 170 begin with a
proof, 151 at an exponent of 1; questions of several steps (docs/quality.md) lose nothing by it.
"""


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
    """The chunks that mention entities of the paths, or state something about them.

    `nodes` has the nodes that each mentions, highest score first, `scores` the score of the first;
    `stated` the chunks that state an edge. `shared` are those to find for the entities' sake.
    """

    nodes: Mapping[int, tuple[int, ...]]
    scores: Mapping[int, float]
    stated: Mapping[int, Collection[int]]
    shared: Sequence[int]

    @cached_property
    def _of_node(self) -> Mapping[int, set[int]]:
        chunks: dict[int, set[int]] = defaultdict(set)
        for chunk, nodes in self.nodes.items():
            for node in nodes:
                chunks[node].add(chunk)
        return chunks

    def proving(self, snapshot: Snapshot, edge: int) -> Collection[int]:
        """Return the chunks that prove an edge: they state it, or mention both of its ends."""
        one, other = snapshot.edges.ends(edge)
        return self.stated.get(edge) or self._of_node[one] & self._of_node[other]


def find_mentioning(
    view: View, snapshot: Snapshot, entity_scores: Mapping[int, float], most: int
) -> Mentioning:
    """Return the chunks that mention the scored entities, or state relations of theirs.

    `most` of them are shared among the entities: in turn, highest score first, each gets one more
    that mentions it, those first whose entities have the highest sum of scores, then in reading
    order.
    """
    mentioned = chunks_mentioning(view, snapshot, entity_scores)
    stated = _chunks_stating(view, snapshot, entity_scores)
    for edge, chunks in stated.items():
        for chunk in chunks:
            mentioned[chunk].update(entity_scores.keys() & {*snapshot.edges.ends(edge)})
    nodes = {
        chunk: tuple(sorted(found, key=lambda node: (-entity_scores[node], node)))
        for chunk, found in mentioned.items()
    }
    scores = {chunk: entity_scores[found[0]] for chunk, found in nodes.items()}
    return Mentioning(nodes, scores, stated, _share_out(view, nodes, entity_scores, most))


def _share_out(
    view: View, nodes: Mapping[int, Sequence[int]], entity_scores: Mapping[int, float], most: int
) -> list[int]:
    places = _places(view, nodes)

    def order(chunk: int) -> tuple[float, int]:
        return -round(sum(entity_scores[node] for node in nodes[chunk]), 9), places[chunk]

    waiting: dict[int, list[int]] = defaultdict(list)
    for chunk in sorted(nodes, key=order):
        for node in nodes[chunk]:
            waiting[node].append(chunk)
    turns = sorted(waiting, key=lambda node: (-round(entity_scores[node], 9), node))
    in_turn = chain.from_iterable(zip_longest(*(waiting[node] for node in turns)))
    return list(islice(dict.fromkeys(chunk for chunk in in_turn if chunk is not None), most))


def _chunks_stating(view: View, snapshot: Snapshot, nodes: Collection[int]) -> dict[int, set[int]]:
    """Return the edges at these nodes that chunks state, each with the chunks."""
    known = snapshot.edges
    edges = snapshot.edges_of(np.fromiter(nodes, np.int64), Selection())
    edge_of = {int(known.relation[edge]): int(edge) for edge in edges if known.relation[edge]}
    evidence = view.evidence
    statement = select(evidence.c.relation_id, evidence.c.chunk_id)
    statement = statement.where(evidence.c.chunk_id.is_not(None))
    stated: dict[int, set[int]] = defaultdict(set)
    for row in view.all_among(statement, evidence.c.relation_id, sorted(edge_of)):
        stated[edge_of[row.relation_id]].add(row.chunk_id)
    return stated


def find_proofs(
    view: View,
    snapshot: Snapshot,
    paths: Iterable[Path],
    mentioning: Mentioning,
    searched: Mapping[int, float],
) -> dict[int, float]:
    """Return the chunks that prove the steps of paths, each with its part of a walk's start.

    Of each step the chunk that search likes best is taken, and gets its share of the path's
    strength. Together they get the strength of the strongest path, raised to `ROOT`.
    """
    parts: dict[int, float] = defaultdict(float)
    strongest = 0.0
    for path in paths:
        strongest = max(strongest, path.strength)
        for edge in path.edges:
            proving = mentioning.proving(snapshot, edge)
            if proving:
                places = _places(view, proving)
                best = min(proving, key=lambda one: (-searched.get(one, 0.0), places[one]))
                parts[best] += path.strength / path.hops
    whole = sum(parts.values())
    begun = strongest**ROOT
    return {chunk: begun * part / whole for chunk, part in parts.items()}


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
    places = _places(view, [*walked, *searched, *mentioning.shared])
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
    snapshot: Snapshot, seeds: Sequence[int], selection: Selection, *, hops: int, most: int
) -> list[Path]:
    """Return the strongest paths between seeds, or from a single seed to the `most` nearest."""
    from writeros_entities.graph.neighbourhood import find_neighbourhood
    from writeros_entities.graph.paths import find_paths

    network = snapshot.network(selection)
    least, allowed = selection.min_strength, snapshot.allowed(selection, seeds)
    targets = list(seeds)
    if len(seeds) == 1:
        near = find_neighbourhood(network, seeds, hops, min_strength=least, allowed=allowed)
        targets = [int(node) for node in near.nodes[1 : most + 1]]
    return find_paths(network, seeds, targets, hops=hops, min_strength=least, allowed=allowed)


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
