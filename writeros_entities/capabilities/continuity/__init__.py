"""The continuity family: where the vault contradicts itself."""

from writeros_entities.capabilities.continuity.checking import check_continuity

__all__ = ["check_continuity"]
