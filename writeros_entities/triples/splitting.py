"""Which triples are held out, and the false ones that they are told apart from.

Both follow from the names in a triple and from a seed alone, so that the same facts give the same
split, in whatever order they come.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from writeros_entities.values import Facts

Ints: TypeAlias = NDArray[np.int64]

WAYS = (0, 1, 2, 3, 0, 1, 2, 3, 4)
"""How false triples are made, in turn; the last is rarer, for relations may imply each other."""

TRIES = 64
"""How often a false triple is looked for before a triple goes without one."""


def hold_out(facts: Facts, share: float, number: int = 0) -> NDArray[np.bool_]:
    """Return which triples are held out: about `share` of them, by a hash of what each says.

    Other numbers hold out others: with a share of a fifth, 0 to 4 hold out each triple once.
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
    triples: Ints, known: Ints, types: Sequence[str], seed: int = 0
) -> tuple[Ints, Ints]:
    """Return false triples, and for each the row of the true one that it is made of.

    In turn, one end is replaced by an entity that stands at that end of that relation, by one of
    the same type, and by a neighbour of the other end; the triple is turned round; or the relation
    is replaced by another that knows such types. What is known to be true is never returned.
    """
    random = np.random.default_rng(seed)
    true = {tuple(row) for row in known.tolist()} | {tuple(row) for row in triples.tolist()}
    slots: dict[tuple[int, int], set[int]] = defaultdict(set)
    near: dict[int, set[int]] = defaultdict(set)
    alike: dict[str, list[int]] = defaultdict(list)
    for head, relation, tail in known.tolist():
        slots[relation, 0].add(head)
        slots[relation, 2].add(tail)
        near[head].add(tail)
        near[tail].add(head)
    for entity, name in enumerate(types):
        alike[name].append(entity)
    fitting: dict[tuple[str, str], set[int]] = defaultdict(set)
    for head, relation, tail in known.tolist():
        fitting[types[head], types[tail]].add(relation)
    pools = {key: sorted(some) for key, some in slots.items()}
    neighbours = {key: sorted(some) for key, some in near.items()}
    made: list[tuple[int, int, int]] = []
    origin: list[int] = []
    for row, (head, relation, tail) in enumerate(triples.tolist()):
        for attempt in range(TRIES):
            end = int(random.integers(2)) * 2
            own, other = (head, tail) if end == 0 else (tail, head)
            way = WAYS[(row + attempt) % len(WAYS)]
            pool = (
                pools.get((relation, end), []),
                alike[types[own]],
                neighbours.get(other, []),
                [],
                sorted(fitting[types[head], types[tail]]),
            )[way]
            if way == 3:
                candidate = (tail, relation, head)
            elif not pool:
                continue
            else:
                chosen = pool[int(random.integers(len(pool)))]
                if way == 4:
                    candidate = (head, chosen, tail)
                else:
                    candidate = (chosen, relation, tail) if end == 0 else (head, relation, chosen)
            if candidate not in true and candidate[0] != candidate[2]:
                made.append(candidate)
                origin.append(row)
                break
    return np.array(made, np.int64).reshape(-1, 3), np.array(origin, np.int64)
