"""The continuity family: find contradictions in the vault."""

from writeros_entities.capabilities.continuity.checking import CheckContinuity, check_continuity

__all__ = [
    "CheckContinuity",
    "check_continuity",
]
