"""The graph family: connections between entities, paths and communities."""

from writeros_entities.capabilities.graph.communities import find_communities
from writeros_entities.capabilities.graph.drawing import draw_entity_graph
from writeros_entities.capabilities.graph.graph import get_entity_graph
from writeros_entities.capabilities.graph.paths import find_paths

__all__ = ["draw_entity_graph", "find_communities", "find_paths", "get_entity_graph"]
