"""The confidence of a rule: holding / (pairs + LAPLACE)."""

from __future__ import annotations

LAPLACE = 5.0
"""Added to the number of pairs, so that 3 of 3 count less than 9 of 12."""

FEWEST = 3
"""The least number of pairs for which a rule has to hold."""


def confidence(holding: float, pairs: float) -> float:
    """Return the confidence of a rule that joins `pairs` pairs and holds for `holding` of them."""
    return holding / (pairs + LAPLACE)
