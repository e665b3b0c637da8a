"""The time family: how entities and their relations change along reading order."""

from writeros_entities.capabilities.time.events import ListEvents, list_events
from writeros_entities.capabilities.time.evolution import (
    AnalyzeEntityEvolution,
    analyze_entity_evolution,
)
from writeros_entities.capabilities.time.history import GetEntityHistory, get_entity_history
from writeros_entities.capabilities.time.timeline import (
    GetRelationshipTimeline,
    get_relationship_timeline,
)

__all__ = [
    "AnalyzeEntityEvolution",
    "GetEntityHistory",
    "GetRelationshipTimeline",
    "ListEvents",
    "analyze_entity_evolution",
    "get_entity_history",
    "get_relationship_timeline",
    "list_events",
]
