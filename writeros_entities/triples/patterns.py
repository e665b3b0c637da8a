"""What relations of a graph can be seen to be like, where nobody says it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from writeros_entities.triples.arrays import Ints

FEWEST = 10
SHARE = 0.7
"""A relation of so many triples, so large a share of them there turned round too, is symmetric."""


def find_symmetric(triples: Ints, relations: Sequence[str]) -> frozenset[str]:
    """Return the relations that look symmetric in these triples, (n, 3)."""
    known = {tuple(row) for row in triples.tolist()}
    counts = Counter(relation for _, relation, _ in known)
    turned = Counter(relation for head, relation, tail in known if (tail, relation, head) in known)
    return frozenset(
        relations[relation]
        for relation, count in counts.items()
        if count >= FEWEST and turned[relation] >= SHARE * count
    )
