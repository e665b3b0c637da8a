"""Regular expressions that mean the same on every Python that the product runs on."""

from __future__ import annotations


def whole(item: str) -> str:
    """Return a pattern that takes an item whole or, where it is not all there, nothing of it.

    For what a possessive repetition repeats: before Python 3.11.5, `(?:ab?c)++` kept what its last
    try had read before it failed, and what had to follow was then looked for too late (CPython
    issue 106052). An item that can only fail at its first character needs no such care.
    """
    return f"(?={item}){item}"
