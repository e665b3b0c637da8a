"""The graph family: connections between entities, paths and communities."""

from writeros_entities.capabilities.graph.communities import FindCommunities, find_communities
from writeros_entities.capabilities.graph.drawing import DrawEntityGraph, draw_entity_graph
from writeros_entities.capabilities.graph.family import GetFamilyTree, get_family_tree
from writeros_entities.capabilities.graph.graph import GetEntityGraph, get_entity_graph
from writeros_entities.capabilities.graph.paths import FindPaths, find_paths

__all__ = [
    "DrawEntityGraph",
    "FindCommunities",
    "FindPaths",
    "GetEntityGraph",
    "GetFamilyTree",
    "draw_entity_graph",
    "find_communities",
    "find_paths",
    "get_entity_graph",
    "get_family_tree",
]
