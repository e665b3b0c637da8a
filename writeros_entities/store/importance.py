"""How important an entity is."""

HALF_IMPORTANT = 10
"""Mentions at which an entity is half as important as it can be."""


def importance(mentions: int) -> float:
    """Return an entity's importance in 0-1 from how often it is mentioned: m / (m + 10).

    It grows with every mention and depends on no other entity, so that a later chapter changes no
    earlier answer.
    """
    return mentions / (mentions + HALF_IMPORTANT)
