"""The graph family: connections between entities, paths and communities."""

from writeros_entities.capabilities.graph.communities import FindCommunities, find_communities
from writeros_entities.capabilities.graph.graph import GetEntityGraph, get_entity_graph
from writeros_entities.capabilities.graph.paths import FindPaths, find_paths

__all__ = [
    "FindCommunities",
    "FindPaths",
    "GetEntityGraph",
    "find_communities",
    "find_paths",
    "get_entity_graph",
]
