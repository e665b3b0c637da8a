"""The importance of an entity."""

HALF_IMPORTANT = 10
"""Number of mentions at which the importance is 0.5."""


def importance(mentions: int) -> float:
    """Return the importance of an entity, in 0-1, from its number of mentions m: m / (m + 10).

    It depends on no other entity, so that adding a later chapter changes no earlier answer.
    """
    return mentions / (mentions + HALF_IMPORTANT)
