"""The continuity family: find contradictions in the vault, and who knows what."""

from writeros_entities.capabilities.continuity.checking import CheckContinuity, check_continuity
from writeros_entities.capabilities.continuity.knowledge import WhoKnows, who_knows

__all__ = [
    "CheckContinuity",
    "WhoKnows",
    "check_continuity",
    "who_knows",
]
