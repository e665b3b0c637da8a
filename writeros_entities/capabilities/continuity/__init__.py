"""The continuity family: find contradictions in the vault, and who knows what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.continuity.check_continuity import CheckContinuity
    from writeros_entities.capabilities.continuity.who_knows import WhoKnows
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["CheckContinuity", "WhoKnows"]
