"""The time family: how entities and what is between them change along the manuscript."""

from writeros_entities.capabilities.time.timeline import get_relationship_timeline

__all__ = ["get_relationship_timeline"]
