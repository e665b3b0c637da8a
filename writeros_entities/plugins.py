"""Loading plugins and asking them.

    plugins = load_plugins(settings)
    chunker = plugins.chunker("headings")
    mentions, failures = plugins.gather("detect_entities", note=note, lexicon=lexicon)

A broken plugin is reported and left out; the others go on. A name taken twice, and a name in the
settings that nothing has, are errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import pluggy

from writeros_entities import hookspecs
from writeros_entities.errors import PluginError, SettingsError

if TYPE_CHECKING:
    from types import ModuleType

    from writeros_entities.capability import Capability
    from writeros_entities.protocols import Chunker, KnowledgeBase, ReadingOrder, TokenCounter
    from writeros_entities.settings import Settings
    from writeros_entities.values import EntityType

ENTRY_POINT_GROUP = hookspecs.PROJECT

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PluginInfo:
    """One plugin as `list_plugins` shows it."""

    name: str
    status: Literal["active", "disabled", "broken"]
    distribution: str
    version: str
    hooks: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A hook call that a plugin broke off."""

    plugin: str
    hook: str
    error: str


@dataclass
class Plugins:
    """The plugins of one workspace: hooks to call, and named things to choose from."""

    settings: Settings
    manager: pluggy.PluginManager
    infos: dict[str, PluginInfo] = field(default_factory=dict)

    def gather(self, hook: str, **arguments: Any) -> tuple[list[Any], list[PluginFailure]]:
        """Call a verb hook and join the items that all plugins return, in order of plugin name.

        A hook that takes settings is given this workspace's. A plugin that raises is named in the
        failures; the answers of the others still count.
        """
        caller = getattr(self.manager.hook, hook)
        if caller.spec is not None and "settings" in caller.spec.argnames:
            arguments.setdefault("settings", self.settings)
        try:
            answers = caller(**arguments)
        except Exception:
            return self._gather_one_by_one(hook, arguments)
        return [item for answer in reversed(answers) for item in answer], []

    def notify(self, hook: str, **arguments: Any) -> list[PluginFailure]:
        """Call an observation hook; a plugin that raises is named, and changes nothing."""
        failures = []
        for plugin, call in self._callers(hook):
            try:
                call(**arguments)
            except Exception as error:
                failures.append(_failure(plugin, hook, error))
        return failures

    def identity(self, *hooks: str) -> str:
        """Return what identifies the plugins behind these hooks: their names and versions."""
        return " ".join(
            f"{name}={info.version}"
            for name, info in sorted(self.infos.items())
            if info.status == "active" and not set(hooks).isdisjoint(info.hooks)
        )

    @cached_property
    def capabilities(self) -> Mapping[str, Capability[Any, Any]]:
        """Every capability that plugins add, by name."""
        return self._register("register_capabilities", "capability")

    @cached_property
    def entity_types(self) -> Mapping[str, EntityType]:
        """Every type of entity that a plugin knows, by name."""
        return self._register("register_entity_types", "entity type")

    def chunker(self, name: str) -> Chunker:
        """Return the chunker of that name; raises SettingsError, naming the known ones."""
        known: Mapping[str, Chunker] = self._register("register_chunkers", "chunker")
        return _choose("chunker", known, name)

    def token_counter(self, name: str) -> TokenCounter:
        """Return the token counter of that name; raises SettingsError, naming the known ones."""
        known: Mapping[str, TokenCounter]
        known = self._register("register_token_counters", "token counter")
        return _choose("token counter", known, name)

    def knowledge_bases(self, names: Iterable[str] | None = None) -> list[KnowledgeBase]:
        """Return the knowledge bases of those names, or all of them."""
        known: Mapping[str, KnowledgeBase]
        known = self._register("register_knowledge_bases", "knowledge base")
        if names is None:
            return list(known.values())
        return [_choose("knowledge base", known, name) for name in names]

    def reading_orders(self) -> list[ReadingOrder]:
        """Return the readers of reading order that the settings list, in that order."""
        known: Mapping[str, ReadingOrder]
        known = self._register("register_reading_orders", "reading order")
        return [_choose("reading order", known, name) for name in self.settings.reading_orders]

    def named(self, hook: str) -> Mapping[str, Any]:
        """Return everything registered through one `register_*` hook, by name."""
        return self._register(hook, hook.removeprefix("register_").replace("_", " "))

    @cached_property
    def _registered(self) -> dict[str, dict[str, Any]]:
        return {}

    def _register(self, hook: str, what: str) -> Mapping[str, Any]:
        if hook in self._registered:
            return self._registered[hook]
        owners: dict[str, str] = {}
        things: dict[str, Any] = {}
        for plugin, call in list(self._callers(hook)):
            try:
                answers = [thing for answer in call(settings=self.settings) for thing in answer]
            except Exception as error:
                self._mark_broken(plugin, f"{hook} failed: {_describe(error)}")
                continue
            for thing in answers:
                if thing.name in things:
                    raise PluginError(
                        f"Plugins {owners[thing.name]!r} and {plugin!r} both register a {what} "
                        f"named {thing.name!r}. Disable one of them (setting disabled_plugins)."
                    )
                owners[thing.name] = plugin
                things[thing.name] = thing
        self._registered[hook] = things
        return things

    def _callers(self, hook: str) -> Iterator[tuple[str, Callable[..., Any]]]:
        everyone = self.manager.get_plugins()
        for name, plugin in sorted(self.manager.list_name_plugin()):
            if plugin is not None and hasattr(plugin, hook):
                yield name, self.manager.subset_hook_caller(hook, everyone - {plugin})

    def _gather_one_by_one(
        self, hook: str, arguments: Mapping[str, Any]
    ) -> tuple[list[Any], list[PluginFailure]]:
        items: list[Any] = []
        failures: list[PluginFailure] = []
        for plugin, call in self._callers(hook):
            try:
                items += [item for answer in call(**arguments) for item in answer]
            except Exception as error:
                failures.append(_failure(plugin, hook, error))
        return items, failures

    def _mark_broken(self, plugin: str, error: str) -> None:
        self.manager.unregister(name=plugin)
        info = self.infos[plugin]
        self.infos[plugin] = PluginInfo(
            plugin, "broken", info.distribution, info.version, error=error
        )

    def describe(self) -> list[PluginInfo]:
        """Return every plugin found, active or not, with what it provides, sorted by name."""
        for spec in _register_hooks():
            self.named(spec)
        described = []
        for name, info in sorted(self.infos.items()):
            plugin = self.manager.get_plugin(name)
            provides = [] if plugin is None else self._provided_by(plugin)
            described.append(
                PluginInfo(
                    name,
                    info.status,
                    info.distribution,
                    info.version,
                    info.hooks,
                    tuple(provides),
                    info.error,
                )
            )
        return described

    def _provided_by(self, plugin: object) -> list[str]:
        others = self.manager.get_plugins() - {plugin}
        provides = []
        for hook in _register_hooks():
            if hasattr(plugin, hook):
                caller = self.manager.subset_hook_caller(hook, others)
                kind = hook.removeprefix("register_")
                answers = caller(settings=self.settings)
                provides += [f"{kind}: {thing.name}" for answer in answers for thing in answer]
        return provides


def load_plugins(
    settings: Settings, extra: Mapping[str, ModuleType | object] | None = None
) -> Plugins:
    """Load every plugin that an entry point names, and those given as `extra` by name.

    Each call returns a fresh object. A plugin that cannot be imported, or that implements a hook
    which does not exist, is left out and described as broken. Raises PluginError for two plugins
    of one name, SettingsError for a disabled plugin that does not exist.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    plugins = Plugins(settings, manager)
    found = _find(extra or {})
    _check_disabled(settings, found)
    for name, (distribution, version, load) in sorted(found.items()):
        if name in settings.disabled_plugins:
            plugins.infos[name] = PluginInfo(name, "disabled", distribution, version)
            continue
        error, hooks, own_version = _register_plugin(manager, name, load)
        status: Literal["active", "broken"] = "broken" if error else "active"
        plugins.infos[name] = PluginInfo(
            name, status, distribution, own_version or version, hooks, error=error
        )
    return plugins


_Found = dict[str, tuple[str, str, Callable[[], object]]]


def _find(extra: Mapping[str, ModuleType | object]) -> _Found:
    found: _Found = {}
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        distribution = point.dist.name if point.dist else "unknown"
        version = point.dist.version if point.dist else "0"
        if point.name in found and found[point.name][0] != distribution:
            raise PluginError(
                f"Two distributions, {found[point.name][0]!r} and {distribution!r}, offer a plugin "
                f"named {point.name!r}. Uninstall one of them."
            )
        found[point.name] = (distribution, version, point.load)
    for name, plugin in extra.items():
        if name in found:
            raise PluginError(
                f"A plugin named {name!r} is given although distribution {found[name][0]!r} "
                "already offers one of that name."
            )
        found[name] = ("given", "0", partial(_identity, plugin))
    return found


def _identity(plugin: object) -> object:
    return plugin


def _register_plugin(
    manager: pluggy.PluginManager, name: str, load: Callable[[], object]
) -> tuple[str | None, tuple[str, ...], str | None]:
    try:
        plugin = load()
        manager.register(plugin, name=name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        manager.unregister(name=name)
        return _describe(error), (), None
    except Exception as error:
        return f"cannot be imported: {_describe(error)}", (), None
    callers = manager.get_hookcallers(plugin) or []
    version = getattr(plugin, "__version__", None)
    return None, tuple(sorted(caller.name for caller in callers)), version


def _check_disabled(settings: Settings, found: _Found) -> None:
    for name in settings.disabled_plugins:
        if name not in found:
            known = ", ".join(sorted(found))
            raise SettingsError(
                f"Setting disabled_plugins names {name!r}, which is no plugin. Known: {known}."
            )


def _choose(what: str, known: Mapping[str, T], name: str) -> T:
    if name not in known:
        names = ", ".join(sorted(known)) or "none: is the plugin that has it disabled or broken?"
        raise SettingsError(f"There is no {what} named {name!r}. Known: {names}.")
    return known[name]


def _register_hooks() -> list[str]:
    return [name for name in vars(hookspecs) if name.startswith("register_")]


def _failure(plugin: str, hook: str, error: Exception) -> PluginFailure:
    return PluginFailure(plugin, hook, _describe(error))


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
