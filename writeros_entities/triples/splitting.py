"""Split triples into training and held-out parts, and make false triples (negatives).

Both depend only on the names in a triple and on a seed, so that the same facts are split alike,
whatever their order.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from writeros_entities.arrays import Flags, Integers
    from writeros_entities.values import Facts

Key = TypeVar("Key")
Triple: TypeAlias = tuple[int, int, int]

WAYS = (*("slot", "type", "neighbour", "turned") * 2, "relation")
"""How negatives are made, in turn; the last is rarer, as relations may imply each other."""

TRIES = 64
"""How many negatives are tried for a triple before it goes without one."""


def hold_out(facts: Facts, share: float, number: int = 0) -> Flags:
    """Return flags of the held-out triples: about `share` of them, by a hash of each triple.

    Each `number` holds out a different part: with a share of a fifth, 0 to 4 hold out each triple
    once.
    """
    held = []
    for head, relation, tail in facts.triples.tolist():
        ends = facts.endpoints[head].key, facts.endpoints[tail].key
        place = _hash(facts.relations[relation], *ends)
        held.append(number * share <= place < (number + 1) * share)
    return np.array(held, np.bool_)


def _hash(*words: str) -> float:
    digest = hashlib.blake2b("\0".join(words).encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") / 2**48


def hard_negatives(
    triples: Integers, known: Integers, types: Sequence[str]
) -> tuple[Integers, Integers]:
    """Return negatives, and for each the row of the true triple from which it was made.

    In turn, one end is replaced by an entity that fills that end of that relation, by one of the
    same type, or by a neighbour of the other end; the triple is reversed; or the relation is
    replaced by another between such types. Known triples are never returned.
    """
    random = np.random.default_rng(0)
    true = {tuple(row) for row in known.tolist()} | {tuple(row) for row in triples.tolist()}
    pools = _Pools.of(known, types)
    made: list[Triple] = []
    origin: list[int] = []
    for row, (head, relation, tail) in enumerate(triples.tolist()):
        for attempt in range(TRIES):
            end = int(random.integers(2)) * 2
            way = WAYS[(row + attempt) % len(WAYS)]
            candidate = pools.falsify((head, relation, tail), end, way, random)
            if candidate not in true and candidate[0] != candidate[2]:
                made.append(candidate)
                origin.append(row)
                break
    return np.array(made, np.int64).reshape(-1, 3), np.array(origin, np.int64)


@dataclass(frozen=True, eq=False)
class _Pools:
    """Replacements for the parts of a triple, in ascending order.

    Entities by relation and end, by type, and by neighbour; relations by the types of both ends. An
    end is 0 for the head and 2 for the tail.
    """

    types: Sequence[str]
    slots: Mapping[tuple[int, int], list[int]]
    alike: Mapping[str, list[int]]
    neighbours: Mapping[int, list[int]]
    fitting: Mapping[tuple[str, str], list[int]]

    @classmethod
    def of(cls, known: Integers, types: Sequence[str]) -> _Pools:
        slots: dict[tuple[int, int], set[int]] = defaultdict(set)
        alike: dict[str, set[int]] = defaultdict(set)
        neighbours: dict[int, set[int]] = defaultdict(set)
        fitting: dict[tuple[str, str], set[int]] = defaultdict(set)
        for head, relation, tail in known.tolist():
            slots[relation, 0].add(head)
            slots[relation, 2].add(tail)
            neighbours[head].add(tail)
            neighbours[tail].add(head)
            fitting[types[head], types[tail]].add(relation)
        for entity, name in enumerate(types):
            alike[name].add(entity)
        return cls(types, _sorted(slots), _sorted(alike), _sorted(neighbours), _sorted(fitting))

    def falsify(self, triple: Triple, end: int, way: str, random: np.random.Generator) -> Triple:
        """Return a known triple changed in one of the WAYS.

        The result may be true by chance.
        """
        head, relation, tail = triple
        if way == "turned":
            return tail, relation, head
        pool = self._pool(triple, end, way)
        chosen = pool[int(random.integers(len(pool)))]
        if way == "relation":
            return head, chosen, tail
        return (chosen, relation, tail) if end == 0 else (head, relation, chosen)

    def _pool(self, triple: Triple, end: int, way: str) -> Sequence[int]:
        head, relation, tail = triple
        if way == "slot":
            return self.slots[relation, end]
        if way == "type":
            return self.alike[self.types[triple[end]]]
        if way == "neighbour":
            return self.neighbours[triple[2 - end]]
        return self.fitting[self.types[head], self.types[tail]]


def _sorted(pools: Mapping[Key, set[int]]) -> dict[Key, list[int]]:
    return {key: sorted(pool) for key, pool in pools.items()}
