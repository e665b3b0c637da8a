"""Types of numpy's arrays, by what they hold; they are imported for type checking alone."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.signedinteger]
"""Ids (always int64), places in other arrays, and counts, in a width that holds them."""

Floats: TypeAlias = NDArray[np.float64]
"""Scores, strengths and shares."""

Scores: TypeAlias = NDArray[np.floating]
"""Scores in the width in which a plugin's model gives them."""

Flags: TypeAlias = NDArray[np.bool_]
"""What is so, by place."""

Vector: TypeAlias = NDArray[np.float32]
"""An embedding, shape (dimensions,)."""

Vectors: TypeAlias = NDArray[np.float32]
"""Embeddings, shape (number, dimensions)."""

Keys: TypeAlias = NDArray[np.uint64]
"""Hashes that stand for words and phrases."""

Hashes: TypeAlias = NDArray[np.bytes_]
"""Digests of texts, as raw bytes."""
