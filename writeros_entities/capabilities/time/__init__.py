"""The time family: how entities are told along reading order."""

from writeros_entities.capabilities.time.evolution import analyze_entity_evolution
from writeros_entities.capabilities.time.history import get_entity_history

__all__ = ["analyze_entity_evolution", "get_entity_history"]
