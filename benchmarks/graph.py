"""Measure the graph: loading, neighbourhoods, paths and communities.

    python benchmarks/graph.py

Relations are random; a few entities have very many, as in a story. Each question is about a
different entity.
"""

from __future__ import annotations

import gc
import random
import resource
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from asking import insert_entities, median_ms

from writeros_entities.graph.communities import find_communities
from writeros_entities.graph.neighbourhood import find_neighbourhood
from writeros_entities.graph.network import Network, build_network
from writeros_entities.graph.paths import find_paths
from writeros_entities.query.graph.snapshots import load_graph
from writeros_entities.query.relations.asserted import load_relations
from writeros_entities.session import Session
from writeros_entities.store import rows
from writeros_entities.store.maintenance import refresh_statistics

ENTITIES, RELATIONS = 100_000, 500_000
GROUPS, MEMBERS, BONDS = 200, 50, 50_000
QUESTIONS = 60

_RELATION = (
    *("id", "vault_id", "source_id", "target_id", "kind", "origin", "strength", "confidence"),
    "evidence_count",
)


@dataclass(frozen=True, slots=True)
class GraphFigures:
    """Milliseconds, except `load_seconds` and `megabytes` (of the snapshot in memory)."""

    load_seconds: float
    megabytes: float
    direct_ms: float
    two_hops_ms: float
    three_hops_ms: float
    answer_ms: float
    paths_ms: float


def measure_graph(
    scratch: Path, entities: int = ENTITIES, relations: int = RELATIONS
) -> GraphFigures:
    """Measure queries on a graph of the given numbers of entities and relations, loaded once."""
    root = scratch / "graph"
    (root / ".obsidian").mkdir(parents=True)
    with Session.open(root, database=f"sqlite:///{scratch / 'graph.sqlite3'}") as session:
        first = insert_entities(session, entities)
        _insert_relations(session, first, entities, relations)
        chance = random.Random(7)
        asked = iter(chance.sample(range(entities), 6 * QUESTIONS))
        with session.view() as view:
            gc.collect()
            before, began = _resident_megabytes(), time.perf_counter()
            snapshot = load_graph(view, session.plugins.ontology)
            network = snapshot.network()
            load = time.perf_counter() - began
            gc.collect()
            megabytes = _resident_megabytes() - before
            assert snapshot.importance.max() > 0

            def take(number: int = QUESTIONS) -> list[int]:
                return [next(asked) for _ in range(number)]

            return GraphFigures(
                load_seconds=load,
                megabytes=megabytes,
                direct_ms=median_ms(lambda at: load_relations(view, [first + at]), take()),
                two_hops_ms=median_ms(lambda at: find_neighbourhood(network, [at], 2), take()),
                three_hops_ms=median_ms(lambda at: find_neighbourhood(network, [at], 3), take()),
                answer_ms=median_ms(
                    lambda at: session.call("get_entity_graph", {"center_entity": f"e{at}"}),
                    take(),
                ),
                paths_ms=median_ms(
                    lambda pair: find_paths(network, [pair[0]], [pair[1]], hops=4, limit=5),
                    list(zip(take(), take(), strict=True)),
                ),
            )


def measure_communities() -> float:
    """Return the median milliseconds for communities of 10,000 entities with 50,000 relations."""
    networks = [_planted(seed) for seed in range(6)]
    find_communities(networks.pop())
    return median_ms(find_communities, networks)


def _planted(seed: int) -> Network:
    """Return a network of groups that are mostly connected within themselves."""
    chance = np.random.default_rng(seed)
    size = GROUPS * MEMBERS
    source = chance.integers(0, size, BONDS)
    near = source // MEMBERS * MEMBERS + chance.integers(0, MEMBERS, BONDS)
    far = chance.integers(0, size, BONDS)
    target = np.where(chance.random(BONDS) < 0.8, near, far)
    return build_network(size, source, target, chance.uniform(0.1, 1.0, BONDS))


def _insert_relations(session: Session, first: int, entities: int, relations: int) -> None:
    chance = np.random.default_rng(7)
    popular = (entities * chance.random(relations) ** 2).astype(int)
    others = chance.integers(0, entities, relations)
    strengths = chance.uniform(0.3, 1.0, relations).round(4)
    kinds = ("knows", "ally_of", "enemy_of", "serves", "lives_in")
    vault_id = session.vault_id
    with session.database.write() as connection:
        rows.insert_rows(
            connection,
            rows.relation,
            _RELATION,
            [
                (
                    *(first + at, vault_id, first + int(popular[at]), first + int(others[at])),
                    *(kinds[at % len(kinds)], "asserted"),
                    *(float(strengths[at]), float(strengths[at]), 1),
                )
                for at in range(relations)
            ],
        )
        refresh_statistics(connection)


def _resident_megabytes() -> float:
    """Return the current resident memory of the process."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(measure_graph(Path(folder)))
    print(f"communities {measure_communities():.0f} ms")
