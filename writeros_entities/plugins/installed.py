"""Find the installed plugins: those named by entry points, and those passed as objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.errors import PluginError
from writeros_entities.hookspecs import PROJECT

if TYPE_CHECKING:
    from types import ModuleType

ENTRY_POINT_GROUP = PROJECT


class Installed(NamedTuple):
    """A plugin that can be loaded, and its distribution."""

    name: str
    distribution: str
    version: str
    load: Callable[[], object]


def find_installed(extra: Mapping[str, ModuleType | object]) -> dict[str, Installed]:
    """Return the installed plugins and those given as `extra`, by name.

    Raises PluginError if two have the same name.
    """
    found: dict[str, Installed] = {}
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    described = _describe_distributions(points)
    for point in points:
        distribution, version = described[id(point.dist)]
        if point.name in found and found[point.name].distribution != distribution:
            raise PluginError(
                f"Two distributions, {found[point.name].distribution!r} and {distribution!r}, "
                f"offer a plugin named {point.name!r}. Uninstall one of them."
            )
        found[point.name] = Installed(point.name, distribution, version, point.load)
    for name, plugin in extra.items():
        if name in found:
            raise PluginError(
                f"A plugin named {name!r} is given although distribution "
                f"{found[name].distribution!r} already offers one of that name."
            )
        found[name] = Installed(name, "given", "0", partial(_identity, plugin))
    return found


def _describe_distributions(points: metadata.EntryPoints) -> dict[int, tuple[str, str]]:
    """Return (name, version) by the distribution's `id()`: `metadata` is parsed each time."""
    distributions = {id(point.dist): point.dist for point in points}
    described = {key: one.metadata if one else None for key, one in distributions.items()}
    return {
        key: (one["Name"], one["Version"]) if one else ("unknown", "0")
        for key, one in described.items()
    }


def _identity(plugin: object) -> object:
    return plugin
