"""The framework's capabilities, one package per family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities import (
    context,
    continuity,
    entities,
    graph,
    relations,
    search,
    time,
    vault,
)
from writeros_entities.errors import PluginError

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.plugins import Plugins

BUILT_IN: tuple[Capability[Any, Any], ...] = (
    vault.sync,
    vault.status,
    vault.rebuild,
    vault.migrate,
    vault.doctor,
    vault.list_plugins,
    vault.list_notes,
    vault.read_note,
    vault.decide,
    vault.list_questions,
    entities.extract_entities,
    entities.list_entities,
    entities.get_entity,
    entities.find_mentions,
    entities.find_uses,
    entities.list_note_entities,
    entities.search_by_entities,
    relations.infer_relationship,
    relations.find_related_entities,
    relations.validate_knowledge,
    relations.evaluate_relations,
    search.search,
    search.find_related_notes,
    search.find_speeches,
    graph.get_entity_graph,
    graph.draw_entity_graph,
    graph.find_paths,
    graph.find_communities,
    graph.get_family_tree,
    time.get_entity_history,
    time.analyze_entity_evolution,
    time.get_relationship_timeline,
    time.list_events,
    search.reason_over_entities,
    context.build_context,
    context.context_for_text,
    context.brief_scene,
    continuity.check_continuity,
    continuity.who_knows,
)


def collect_capabilities(plugins: Plugins) -> dict[str, Capability[Any, Any]]:
    """Return the built-in capabilities and those of plugins, by name.

    Raises PluginError if a plugin's capability has the name of a built-in one.
    """
    collected = {capability.name: capability for capability in BUILT_IN}
    for name, (added, plugin) in plugins.registered["register_capabilities"].items():
        if name in collected:
            raise PluginError(
                f"Plugin {plugin!r} has a capability named {name!r}, which the framework has. "
                "Disable the plugin (setting disabled_plugins)."
            )
        collected[name] = added
    return collected
