"""Load the installed plugins, and collect what they register."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from importlib import metadata
from types import FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import pluggy

from writeros_entities import hookspecs
from writeros_entities.errors import (
    FAULTS,
    NotFoundError,
    PluginError,
    SettingsError,
    describe_error,
)
from writeros_entities.hookspecs import PROJECT
from writeros_entities.plugins.contracts import REGISTERED, check_things, name_of
from writeros_entities.plugins.host import PluginInfo, Plugins, Registered, caller_of

if TYPE_CHECKING:
    from writeros_entities.settings import Settings


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


_HOOKABLE = (FunctionType, MethodType, staticmethod, classmethod)
"""What pluggy takes for a hook, if it is marked as one."""

_MARK = f"{PROJECT}_impl"
"""The attribute by which pluggy marks it."""

_NO_HOOK = "It implements no hook; mark functions that do with @hookimpl."


def load_plugins(
    settings: Settings, extra: Mapping[str, ModuleType | object] | None = None
) -> Plugins:
    """Load every plugin named by an entry point, and those given as `extra` by name.

    Each call returns a new object. A plugin that cannot be imported, that implements an unknown
    hook, or whose `register_*` hook fails is left out and described as broken. Raises PluginError
    for a name used by two plugins or by two things of one kind, and SettingsError for a disabled
    plugin that does not exist.
    """
    manager = _Manager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    found = find_installed(extra or {})
    _check_disabled(settings, found)
    infos: dict[str, PluginInfo] = {}
    registered: dict[str, dict[str, Registered]] = {hook: {} for hook in REGISTERED}
    # A plugin's prints must not mix with the answers of a command or a server.
    with redirect_stdout(sys.stderr):
        # pluggy calls the plugin that was registered last first.
        for name in sorted(found, reverse=True):
            infos[name] = _load(manager, found[name], is_disabled=name in settings.disabled_plugins)
        for name in sorted(infos):
            infos[name] = _register_things(manager, infos[name], settings, registered)
    _check_inverses(registered["register_relation_kinds"])
    return Plugins(settings, manager, infos, registered)


class _Manager(pluggy.PluginManager):
    """Examines only the functions of a module for hooks, not all that it imports, which is slow."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        if not isinstance(plugin, ModuleType):
            return super().parse_hookimpl_opts(plugin, name)
        function = vars(plugin).get(name)
        return getattr(function, _MARK, None) if isinstance(function, _HOOKABLE) else None


def _check_disabled(settings: Settings, found: Iterable[str]) -> None:
    for name in settings.disabled_plugins:
        if name not in found:
            known = ", ".join(sorted(found))
            raise SettingsError(
                f"Setting disabled_plugins: there is no plugin {name!r}. Known: {known}."
            )


def _load(manager: pluggy.PluginManager, found: Installed, *, is_disabled: bool) -> PluginInfo:
    info = PluginInfo(found.name, "active", found.distribution, found.version)
    if is_disabled:
        return replace(info, status="disabled")
    try:
        plugin = found.load()
    except FAULTS as error:
        return replace(info, status="broken", error=f"cannot be imported: {describe_error(error)}")
    try:
        manager.register(plugin, name=found.name)
        callers = manager.get_hookcallers(plugin) or []
        hooks = _checked_hooks(callers)
    except (pluggy.PluginValidationError, NotFoundError, ValueError) as error:
        if manager.has_plugin(found.name):
            manager.unregister(name=found.name)
        return replace(info, status="broken", error=str(error))
    if not callers:
        manager.unregister(name=found.name)
        return replace(info, status="broken", error=_NO_HOOK)
    version = str(getattr(plugin, "__version__", found.version))
    return replace(info, version=version, hooks=tuple(hooks))


def _checked_hooks(callers: Iterable[pluggy.HookCaller]) -> list[str]:
    """Return the hooks that a plugin implements, by name; raises NotFoundError for unknown ones.

    pluggy itself ignores unknown hooks.
    """
    hooks = []
    for caller in callers:
        if caller.has_spec():
            hooks.append(caller.name)
        elif not all(implementation.optionalhook for implementation in caller.get_hookimpls()):
            from difflib import get_close_matches

            nearest = get_close_matches(caller.name, vars(hookspecs))
            raise NotFoundError("hook", caller.name, nearest)
    return sorted(hooks)


def _register_things(
    manager: pluggy.PluginManager,
    info: PluginInfo,
    settings: Settings,
    registered: dict[str, dict[str, Registered]],
) -> PluginInfo:
    """Add the things that a plugin registers to `registered`, and to its description."""
    things: list[tuple[str, Any]] = []
    for hook in REGISTERED:
        if hook not in info.hooks:
            continue
        try:
            answers = caller_of(manager, info.name, hook)(settings=settings)
            things += [(hook, thing) for thing in check_things(hook, answers)]
        except FAULTS as error:
            manager.unregister(name=info.name)
            failure = f"{hook} failed: {describe_error(error)}"
            return replace(info, status="broken", hooks=(), error=failure)
    for hook, thing in things:
        name = name_of(hook, thing)
        owner = registered[hook].get(name)
        if owner is not None:
            raise _taken(f"{REGISTERED[hook][0]} {name!r}", owner.plugin, info.name)
        registered[hook][name] = Registered(thing, info.name)
    provides = (
        f"{hook.removeprefix('register_')}: {name_of(hook, thing)}" for hook, thing in things
    )
    return replace(info, provides=tuple(provides))


def _check_inverses(kinds: Mapping[str, Registered]) -> None:
    """Check that no inverse of a relation kind has the name of another kind."""
    for kind, plugin in kinds.values():
        other = kinds.get(kind.inverse)
        if other is not None and other.thing is not kind:
            what = f"relation kind {kind.inverse!r}, one as the inverse of {kind.name!r}"
            raise _taken(what, other.plugin, plugin)


def _taken(what: str, first: str, second: str) -> PluginError:
    """Return the error for a name that is registered twice, by one plugin or by two."""
    if first == second:
        return PluginError(f"Plugin {first!r} registers the {what} twice.")
    return PluginError(
        f"Plugins {first!r} and {second!r} both register the {what}. "
        "Disable one of them (setting disabled_plugins)."
    )
