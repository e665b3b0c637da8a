"""The capabilities of the framework, one module a family, and how any of them is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from writeros_entities.capabilities import entities, vault
from writeros_entities.errors import NotFoundError, PluginError

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, Response
    from writeros_entities.plugins import Plugins
    from writeros_entities.workspace import Workspace

BUILT_IN: tuple[Capability[Any, Any], ...] = (
    vault.sync,
    vault.status,
    vault.rebuild,
    vault.migrate,
    vault.doctor,
    vault.list_plugins,
    entities.extract_entities,
    entities.list_entities,
    entities.get_entity,
    entities.find_mentions,
    entities.search_by_entities,
)


def collect_capabilities(plugins: Plugins) -> dict[str, Capability[Any, Any]]:
    """Return the framework's capabilities and those that plugins add, by name.

    Raises PluginError where a plugin's capability has the name of a built-in one.
    """
    collected = {capability.name: capability for capability in BUILT_IN}
    for name, added in plugins.capabilities.items():
        if name in collected:
            raise PluginError(f"A plugin adds a capability {name!r}, which the framework has.")
        collected[name] = added
    return collected


def call(workspace: Workspace, name: str, arguments: Mapping[str, Any]) -> Response:
    """Run a capability on plain arguments.

    Raises NotFoundError, with the nearest names, for one that does not exist, and any other
    WriterosError for what a caller can mend.
    """
    known = collect_capabilities(workspace.plugins)
    if name not in known:
        from writeros_entities.names import nearest_names

        raise NotFoundError("capability", name, nearest_names(name, known))
    response: Response = known[name].call(workspace, arguments)
    return response
