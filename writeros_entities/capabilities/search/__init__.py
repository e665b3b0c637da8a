"""The search family: passages that answer a question, related notes, and who says what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.search.find_related_notes import FindRelatedNotes
    from writeros_entities.capabilities.search.find_speeches import FindSpeeches
    from writeros_entities.capabilities.search.reason_over_entities import ReasonOverEntities
    from writeros_entities.capabilities.search.search import Search
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["FindRelatedNotes", "FindSpeeches", "ReasonOverEntities", "Search"]
