"""Types of arrays of triples: numbers of entities and relations, scores, and flags."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.floating]
Flags: TypeAlias = NDArray[np.bool_]
