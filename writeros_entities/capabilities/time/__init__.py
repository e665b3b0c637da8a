"""The time family: how entities and their relations change along reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.time.analyze_entity_evolution import AnalyzeEntityEvolution
    from writeros_entities.capabilities.time.get_entity_history import GetEntityHistory
    from writeros_entities.capabilities.time.get_relationship_timeline import (
        GetRelationshipTimeline,
    )
    from writeros_entities.capabilities.time.list_events import ListEvents
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["AnalyzeEntityEvolution", "GetEntityHistory", "GetRelationshipTimeline", "ListEvents"]
