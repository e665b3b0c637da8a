"""The shipped facts in `facts.tsv`, and the weights trained on them.

`entities.npz` has the facts' entities with the vectors of their texts, `weights.npz` the weights,
and `report.json` their evaluation. `benchmarks/train_relations.py` creates these files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from writeros_entities import Endpoint, Facts, TrainedModel

FACTS = "facts.tsv"
FILES = ("entities.npz", "weights.npz", "report.json")
SYMMETRIC = frozenset(
    {
        *("alternative_to", "similar_to", "compatible_with", "sibling_of", "spouse_of"),
        *("cousin_of", "lover_of", "friend_of", "enemy_of", "rival_of", "ally_of", "borders"),
    }
)
"""Relations of the facts that hold in both directions and are listed once."""


def read_files() -> list[bytes]:
    """Return the files made from the facts, as bytes."""
    folder = files(__package__)
    return [(folder / name).read_bytes() for name in FILES]


@cache
def digest_files() -> str:
    """Return a hash of these files."""
    return blake2b(b"\0".join(read_files()), digest_size=6).hexdigest()


def read_facts() -> list[tuple[str, str, str]]:
    """Return the facts as (head, relation, tail), with the keys of entities."""
    lines = (files(__package__) / FACTS).read_text("utf-8").splitlines()
    found = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(head, relation, tail) for head, relation, tail in found]


@cache
def read_shipped() -> TrainedModel:
    """Return the shipped weights, their report, and the entities that they know."""
    _, weights, report = read_files()
    return TrainedModel(weights, json.loads(report), read_endpoints(), facts_of(read_endpoints()))


def facts_of(endpoints: tuple[Endpoint, ...]) -> Facts:
    """Return the facts with numbered entities; relations are in alphabetical order."""
    relations = tuple(sorted({name for _, name, _ in read_facts()}))
    triples = _triples(endpoints, relations)
    return Facts(endpoints, relations, np.unique(triples, axis=0), SYMMETRIC)


def _triples(endpoints: Sequence[Endpoint], relations: Sequence[str]) -> NDArray[np.int64]:
    """Return the facts by the numbers of these entities and relations."""
    number = {one.key: at for at, one in enumerate(endpoints)}
    place = {name: at for at, name in enumerate(relations)}
    rows = [(number[head], place[name], number[tail]) for head, name, tail in read_facts()]
    return np.array(rows, np.int64)


@cache
def read_endpoints() -> tuple[Endpoint, ...]:
    """Return the entities of the facts."""
    with np.load(BytesIO(read_files()[0]), allow_pickle=False) as stored:
        rows = zip(stored["keys"], stored["names"], stored["types"], strict=True)
        vectors = stored["vectors"].astype(np.float32)
        return tuple(
            Endpoint(str(key), str(name), str(kind), tuple(vector.tolist()))
            for (key, name, kind), vector in zip(rows, vectors, strict=True)
        )


def joined_with_shipped(facts: Facts) -> Facts:
    """Return facts joined with the shipped ones; entities with equal keys are merged."""
    own = {one.key for one in facts.endpoints}
    endpoints = (*facts.endpoints, *(one for one in read_endpoints() if one.key not in own))
    shipped = {name for _, name, _ in read_facts()}
    relations = (*facts.relations, *sorted(shipped - {*facts.relations}))
    triples = np.concatenate([facts.triples, _triples(endpoints, relations)])
    symmetric = facts.symmetric | SYMMETRIC
    return Facts(endpoints, relations, np.unique(triples, axis=0), symmetric, facts.text_model)
