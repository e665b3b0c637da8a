"""List the installed plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from writeros_entities.capabilities.answers import Answer, table
from writeros_entities.capability import Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.workspace import Workspace


class ListPlugins(Request["PluginList"]):
    """Nothing to choose."""


class ListedPlugin(Answer):
    """A plugin: its origin, what it provides, and its error, if any."""

    name: str
    status: Literal["active", "disabled", "broken"]
    distribution: str
    version: str
    hooks: list[str]
    provides: list[str]
    error: str | None


class PluginList(Response):
    """All installed plugins."""

    plugins: list[ListedPlugin]

    def as_text(self) -> str:
        """Return the plugins as a table."""
        rows = (
            (
                plugin.name,
                plugin.status,
                plugin.distribution,
                plugin.error or _provided(plugin),
            )
            for plugin in self.plugins
        )
        return table(["plugin", "status", "from", "provides"], rows)


@capability(family="vault", offered=False)
def list_plugins(session: Workspace, request: ListPlugins) -> PluginList:
    """List the plugins: active, disabled and broken ones, and what each provides."""
    return PluginList(plugins=[ListedPlugin.of(info) for info in session.plugins.describe()])


def _provided(plugin: ListedPlugin) -> str:
    """Return what a plugin provides: registered things by kind, then its other hooks."""
    kinds: dict[str, list[str]] = {}
    for item in plugin.provides:
        kind, _, name = item.partition(": ")
        kinds.setdefault(kind.replace("_", " "), []).append(name)
    described = [f"{kind}: {', '.join(names)}" for kind, names in kinds.items()]
    hooks = [hook for hook in plugin.hooks if not hook.startswith("register_")]
    return "; ".join([*described, *hooks])
