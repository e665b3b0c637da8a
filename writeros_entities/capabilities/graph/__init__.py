"""The graph family: connections between entities, paths and communities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from writeros_entities.capabilities import find_request

if TYPE_CHECKING:
    from writeros_entities.capabilities.graph.draw_entity_graph import DrawEntityGraph
    from writeros_entities.capabilities.graph.find_communities import FindCommunities
    from writeros_entities.capabilities.graph.find_paths import FindPaths
    from writeros_entities.capabilities.graph.get_entity_graph import GetEntityGraph
    from writeros_entities.capabilities.graph.get_family_tree import GetFamilyTree
else:

    def __getattr__(name: str) -> object:
        return find_request(__name__, name)


__all__ = ["DrawEntityGraph", "FindCommunities", "FindPaths", "GetEntityGraph", "GetFamilyTree"]
