"""Features of an entity that do not depend on triples: the vector of its text, and its type.

    x = (v, u)      v: the text's vector of 384 dimensions, or zeros; u: the type, hashed to one of
                    32 coordinates with a sign

The separate type is informative even if there are no vectors of texts.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from writeros_entities import Endpoint

if TYPE_CHECKING:
    from writeros_plugins.transe.model import Floats

TEXT = 384
TYPE = 32
FEATURES = TEXT + TYPE


def describe(endpoints: Sequence[Endpoint]) -> Floats:
    """Return the features of entities, (entities, FEATURES)."""
    found = np.zeros((len(endpoints), FEATURES), np.float32)
    for row, one in enumerate(endpoints):
        if one.vector is not None and len(one.vector) == TEXT:
            found[row, :TEXT] = one.vector
        if one.type:
            code = zlib.crc32(one.type.encode())
            found[row, TEXT + code % TYPE] = 1.0 if code & 0x1000 else -1.0
    return found
