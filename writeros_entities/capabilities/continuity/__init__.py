"""The continuity family: find contradictions in the vault."""

from writeros_entities.capabilities.continuity.checking import check_continuity

__all__ = ["check_continuity"]
