"""Measure the relation model: the time to score a triple, to infer a relation, and to train.

    python benchmarks/transe.py                  # prints a table
    python benchmarks/transe.py --most 10000     # trains on at most that many triples

The training triples are generated: three for each entity, of twenty kinds, trained like a vault's,
together with the shipped facts. Times are processor times; short ones are the best of several runs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from writeros_plugins.transe import TransE

from writeros_entities import Endpoint, Facts

DIMENSIONS = 384
KINDS = 50
SIZES = (1_000, 10_000, 100_000)


def generated(triples: int, kinds: int) -> Facts:
    """Return random triples of entities with random vectors."""
    random = np.random.default_rng(0)
    count = max(10, triples // 3)
    vectors = random.standard_normal((count, DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    types = ("person", "place", "faction")
    endpoints = tuple(
        Endpoint(f"generated/{at}", f"Name {at}", types[at % 3], tuple(vector.tolist()))
        for at, vector in enumerate(vectors)
    )
    rows = random.integers(0, count, (triples, 3))
    rows[:, 1] = random.integers(0, kinds, triples)
    rows = rows[rows[:, 0] != rows[:, 2]]
    names = tuple(f"kind_{at:02}" for at in range(kinds))
    return Facts(endpoints, names, np.unique(rows, axis=0))


def best_ms(work: Callable[[], object], times: int = 200) -> float:
    """Return the least processor time of several runs, in milliseconds."""
    found = []
    for _ in range(times):
        began = time.process_time_ns()
        work()
        found.append(time.process_time_ns() - began)
    return min(found) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=int, default=SIZES[-1], help="triples to train on at most")
    args = parser.parse_args()
    model = TransE(ships=False)
    facts = generated(1_000, KINDS)
    scorer = model.place(model.train(facts), facts.endpoints)
    head, relation, tail = (np.array([at]) for at in (1, 2, 3))
    every = np.arange(KINDS)
    print("| what | at | bar | processor time |\n|---|---|---|---|")
    single = best_ms(lambda: scorer.score(head, relation, tail))
    print(f"| score a triple | one at a time | ≤ 0.05 ms | {single:.3f} ms |")
    inferred = best_ms(lambda: np.argsort(-scorer.score(head, every, tail)))
    print(f"| infer a relation | {KINDS} kinds | ≤ 5 ms | {inferred:.3f} ms |")
    learning = TransE()
    for size in SIZES:
        if size <= args.most:
            facts = generated(size, 20)
            began = time.process_time()
            learning.train(facts)
            spent = time.process_time() - began
            print(f"| learn | {size:,} triples and what ships |  | {spent:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
