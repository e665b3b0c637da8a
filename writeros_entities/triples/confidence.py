"""How sure a rule is, by the pairs of which it was seen to hold: holding / (pairs + LAPLACE)."""

from __future__ import annotations

LAPLACE = 5.0
"""What is added to the pairs of a rule, so that 3 of 3 are worth less than 9 of 12."""

FEWEST = 3
"""Pairs of which a rule has to hold."""


def confidence(holding: float, pairs: float) -> float:
    """Return the confidence of a rule that joins so many pairs and holds of some of them."""
    return holding / (pairs + LAPLACE)
