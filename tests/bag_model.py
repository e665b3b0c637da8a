"""A model for tests: words are counted in a few hundred buckets, and some words are one word."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence

from writeros_entities import hookimpl

SAME = {"boat": "ship", "vessel": "ship", "ocean": "sea", "killed": "murdered", "infant": "child"}
"""Words of one meaning: what this model knows more than full text does."""

DIMENSIONS = 256


class BagModel:
    """Vectors of counted words."""

    name = "bag"
    identity = "bag-1"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of unit length for each text with a word in it."""
        return [_vector(text) for text in texts]


@hookimpl
def register_embedding_models() -> list[BagModel]:
    return [BagModel()]


def _vector(text: str) -> list[float]:
    counts = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        digest = hashlib.blake2b(SAME.get(word, word).encode(), digest_size=4).digest()
        counts[int.from_bytes(digest) % DIMENSIONS] += 1.0
    length = math.sqrt(sum(count * count for count in counts)) or 1.0
    return [count / length for count in counts]
