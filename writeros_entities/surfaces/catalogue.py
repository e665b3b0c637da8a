"""The capabilities of a vault, known without opening its index.

Help, tool lists and completion need only names and declarations. These come from the vault's
settings and plugins, without loading the database and its libraries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities.capability import Capability
from writeros_entities.errors import NotFoundError
from writeros_entities.settings import load_settings

if TYPE_CHECKING:
    from writeros_entities.plugins import Plugins


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The capabilities of a vault by name, and the plugins that provide some of them."""

    capabilities: Mapping[str, Capability]
    plugins: Plugins | None = None

    def summaries(self) -> dict[str, dict[str, str]]:
        """Return the first sentence of the help of each, by family and name, families in order."""
        from writeros_entities.capabilities import Capabilities

        if isinstance(self.capabilities, Capabilities):
            return self.capabilities.summaries()
        return {
            family: {one.name: one.summary for one in members}
            for family, members in group_by_family(self.capabilities).items()
        }


def read_catalogue(vault: Path | None, database: str | None = None) -> Catalogue:
    """Read a vault's settings and load its plugins to find its capabilities.

    Raises SettingsError for invalid settings, PluginError for a name used twice.
    """
    from writeros_entities.capabilities import collect_capabilities
    from writeros_entities.plugins import load_plugins
    from writeros_entities.workspace import find_vault

    plugins = load_plugins(load_settings(find_vault(vault), database=database))
    return Catalogue(collect_capabilities(plugins), plugins)


def group_by_family(
    capabilities: Mapping[str, Capability],
) -> dict[str, list[Capability]]:
    """Return the capabilities by family, built-in families first, each sorted by name."""
    families: dict[str, list[Capability]] = {name: [] for name in Capability.FAMILIES}
    for _, capability in sorted(capabilities.items()):
        families.setdefault(capability.family, []).append(capability)
    return {family: members for family, members in families.items() if members}


def select_tools(
    capabilities: Mapping[str, Capability],
    families: Iterable[str] | None = None,
    names: Iterable[str] | None = None,
) -> dict[str, Capability]:
    """Return the capabilities to offer to a model, in the order of the help.

    They are those of some families and those with some names (`all` for every one); without either,
    those whose declaration offers them. Raises NotFoundError, with the nearest names, for a family
    without capabilities, or a name that none has.
    """
    grouped = group_by_family(capabilities)
    wanted_families = _known(families, grouped, "family of capabilities")
    wanted = _known(names, [*capabilities, EVERY_TOOL], "capability")
    is_default = families is None and names is None
    return {
        capability.name: capability
        for family, members in grouped.items()
        for capability in members
        if family in wanted_families
        or capability.name in wanted
        or EVERY_TOOL in wanted
        or (is_default and capability.offered)
    }


EVERY_TOOL = "all"
"""Stands for the names of all capabilities."""


def _known(asked: Iterable[str] | None, known: Collection[str], what: str) -> set[str]:
    from writeros_entities.names import nearest_or_all

    wanted = set(asked or ())
    for name in sorted(wanted.difference(known)):
        raise NotFoundError(what, name, nearest_or_all(name, known))
    return wanted
