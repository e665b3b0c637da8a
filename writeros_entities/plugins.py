"""Loading plugins and asking them.

    plugins = load_plugins(settings)
    chunker = plugins.chunker("headings")
    mentions, failures = plugins.gather("detect_entities", note=note, lexicon=lexicon)

A broken plugin is reported and left out; the others go on. A name taken twice, and a name in the
settings that nothing has, are errors. What plugins register is asked for once, at loading, so that
which plugins are active never depends on what was called since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import pluggy

from writeros_entities import hookspecs, protocols
from writeros_entities.answers import check_answers, check_known
from writeros_entities.capability import Capability
from writeros_entities.errors import NotFoundError, PluginError, SettingsError
from writeros_entities.ontology import Ontology
from writeros_entities.values import (
    DerivedName,
    Diagnostic,
    EntityType,
    InferredRelation,
    KnownEntity,
    Mention,
    ProposedName,
    RelationKind,
    Score,
    Topic,
)

if TYPE_CHECKING:
    from types import ModuleType

    from writeros_entities.protocols import Chunker, KnowledgeBase, ReadingOrder, TokenCounter
    from writeros_entities.settings import Settings

ENTRY_POINT_GROUP = hookspecs.PROJECT

REGISTERED: Mapping[str, tuple[str, type]] = {
    "register_capabilities": ("capability", Capability),
    "register_chunkers": ("chunker", protocols.Chunker),
    "register_token_counters": ("token counter", protocols.TokenCounter),
    "register_embedding_models": ("embedding model", protocols.EmbeddingModel),
    "register_priority_strategies": ("priority strategy", protocols.PriorityStrategy),
    "register_context_builders": ("context builder", protocols.ContextBuilder),
    "register_entity_types": ("entity type", EntityType),
    "register_relation_kinds": ("relation kind", RelationKind),
    "register_knowledge_bases": ("knowledge base", protocols.KnowledgeBase),
    "register_relation_models": ("relation model", protocols.RelationModel),
    "register_reading_orders": ("reading order", protocols.ReadingOrder),
    "register_continuity_rules": ("continuity rule", protocols.ContinuityRule),
}
"""What each `register_*` hook returns: what it is called, and what it has to be."""

GATHERED: Mapping[str, type] = {
    "propose_entities": ProposedName,
    "derive_names": DerivedName,
    "detect_entities": Mention,
    "link_mention": Score,
    "infer_relations": InferredRelation,
    "extract_topics": Topic,
}
"""What each item that a verb hook returns has to be."""

PLUGIN_FAILED = "plugin-failed"

_NO_HOOK = "It implements no hook; a function that does stands under @hookimpl."

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


def describe_failures(
    failures: Sequence[PluginFailure], code: str = PLUGIN_FAILED
) -> list[Diagnostic]:
    """Return a diagnostic for each hook call that a plugin broke off, once for each reason."""
    messages = [f"Plugin {each.plugin!r}, {each.hook}: {each.error}" for each in failures]
    return [Diagnostic(code, message) for message in dict.fromkeys(messages)]


class Registered(NamedTuple):
    """A named thing, and the plugin that it comes from."""

    thing: Any
    plugin: str


@dataclass(frozen=True, eq=False)
class Plugins:
    """The plugins of one workspace: hooks to call, and named things to choose from."""

    settings: Settings
    manager: pluggy.PluginManager
    infos: Mapping[str, PluginInfo]
    registered: Mapping[str, Mapping[str, Registered]]

    def gather(
        self, hook: str, check: Callable[[list[Any]], None] | None = None, /, **arguments: Any
    ) -> tuple[list[Any], list[PluginFailure]]:
        """Call a verb hook and join the items that all plugins return, in order of plugin name.

        A hook that takes settings is given this workspace's. A plugin that raises, or returns what
        the hook is not for, or items for which `check` raises, is named in the failures; the
        answers of the others still count.
        """
        caller = getattr(self.manager.hook, hook)
        if caller.spec is not None and "settings" in caller.spec.argnames:
            arguments.setdefault("settings", self.settings)
        try:
            return _join(hook, caller(**arguments), check), []
        except Exception:
            return self._gather_one_by_one(hook, arguments, check)

    def notify(self, hook: str, **arguments: Any) -> list[PluginFailure]:
        """Call an observation hook; a plugin that raises is named, and changes nothing."""
        failures = []
        for plugin, call in self._callers(hook):
            try:
                call(**arguments)
            except Exception as error:
                failures.append(PluginFailure(plugin, hook, describe_error(error)))
        return failures

    def identity(self, *hooks: str) -> str:
        """Return what identifies the plugins behind these hooks: their names and versions."""
        return " ".join(
            f"{info.name}={info.version}"
            for info in self.describe()
            if not set(hooks).isdisjoint(info.hooks)
        )

    @property
    def capabilities(self) -> Mapping[str, Capability[Any, Any]]:
        """Every capability that plugins add, by name."""
        return self.named("register_capabilities")

    @property
    def entity_types(self) -> Mapping[str, EntityType]:
        """Every type of entity that a plugin knows, by name."""
        return self.named("register_entity_types")

    @cached_property
    def ontology(self) -> Ontology:
        """Every kind of relation that a plugin knows, and the words for them."""
        kinds = self.named("register_relation_kinds").values()
        return Ontology(kinds, self.settings.relation_keys)

    def chunker(self, name: str) -> Chunker:
        """Return the chunker of that name; raises SettingsError, naming the known ones."""
        chunker: Chunker = self.choose("register_chunkers", name)
        return chunker

    def token_counter(self, name: str) -> TokenCounter:
        """Return the token counter of that name; raises SettingsError, naming the known ones."""
        counter: TokenCounter = self.choose("register_token_counters", name)
        return counter

    def knowledge_bases(self, names: Iterable[str] | None = None) -> list[KnowledgeBase]:
        """Return the knowledge bases of those names, or all of them."""
        hook = "register_knowledge_bases"
        return [self.choose(hook, name) for name in (self.named(hook) if names is None else names)]

    def known_entities(self, names: Iterable[str] | None = None) -> list[KnownEntity]:
        """Return the entities of the knowledge bases of those names, or of all of them.

        Raises PluginError for a knowledge base that fails, or breaks its contract.
        """
        return [known for base in self.knowledge_bases(names) for known in self._entities(base)]

    def _entities(self, base: KnowledgeBase) -> list[KnownEntity]:
        try:
            known = list(base.entities())
            check_answers(known, KnownEntity)
            check_known(known)
        except Exception as error:
            plugin = self.registered["register_knowledge_bases"][base.name].plugin
            raise PluginError(
                f"The knowledge base {base.name!r} of plugin {plugin!r} cannot be read: "
                f"{describe_error(error)}. Until it can, disable the plugin "
                "(setting disabled_plugins)."
            ) from error
        return known

    def reading_orders(self) -> list[ReadingOrder]:
        """Return the readers of reading order that the settings list, in that order."""
        return [
            self.choose("register_reading_orders", name) for name in self.settings.reading_orders
        ]

    def named(self, hook: str) -> Mapping[str, Any]:
        """Return everything registered through one `register_*` hook, by name."""
        return {name: registered.thing for name, registered in self.registered[hook].items()}

    def choose(self, hook: str, name: str) -> Any:
        """Return what is registered under a name; raises SettingsError, naming the known ones."""
        things = self.registered[hook]
        if name not in things:
            what, _ = REGISTERED[hook]
            known = ", ".join(sorted(things)) or "none: is the plugin that has it disabled, broken?"
            raise SettingsError(f"There is no {what} named {name!r}. Known: {known}.")
        return things[name].thing

    def describe(self) -> list[PluginInfo]:
        """Return every plugin found, active or not, with what it provides, sorted by name."""
        return [info for _, info in sorted(self.infos.items())]

    def _gather_one_by_one(
        self, hook: str, arguments: Mapping[str, Any], check: Callable[[list[Any]], None] | None
    ) -> tuple[list[Any], list[PluginFailure]]:
        items: list[Any] = []
        failures: list[PluginFailure] = []
        for plugin, call in self._callers(hook):
            try:
                items += _join(hook, call(**arguments), check)
            except Exception as error:
                failures.append(PluginFailure(plugin, hook, describe_error(error)))
        return items, failures

    def _callers(self, hook: str) -> Iterator[tuple[str, Callable[..., Any]]]:
        for info in self.describe():
            if hook in info.hooks:
                yield info.name, _caller(self.manager, info.name, hook)


def load_plugins(
    settings: Settings, extra: Mapping[str, ModuleType | object] | None = None
) -> Plugins:
    """Load every plugin that an entry point names, and those given as `extra` by name.

    Each call returns a fresh object. A plugin that cannot be imported, that implements a hook which
    does not exist, or that fails to register what it has is left out and described as broken.
    Raises PluginError for a name taken twice, by two plugins or by two things of one kind, and
    SettingsError for a disabled plugin that does not exist.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    found = _find(extra or {})
    _check_disabled(settings, found)
    infos: dict[str, PluginInfo] = {}
    # The plugin that is registered last answers first.
    for name in sorted(found, reverse=True):
        infos[name] = _load(manager, found[name], is_disabled=name in settings.disabled_plugins)
    registered: dict[str, dict[str, Registered]] = {hook: {} for hook in REGISTERED}
    for name in sorted(infos):
        infos[name] = _register_things(manager, infos[name], settings, registered)
    _check_inverses(registered["register_relation_kinds"])
    return Plugins(settings, manager, infos, registered)


class _Found(NamedTuple):
    name: str
    distribution: str
    version: str
    load: Callable[[], object]


def _find(extra: Mapping[str, ModuleType | object]) -> dict[str, _Found]:
    found: dict[str, _Found] = {}
    points = metadata.entry_points(group=ENTRY_POINT_GROUP)
    described = _describe_distributions(points)
    for point in points:
        distribution, version = described[id(point.dist)]
        if point.name in found and found[point.name].distribution != distribution:
            raise PluginError(
                f"Two distributions, {found[point.name].distribution!r} and {distribution!r}, "
                f"offer a plugin named {point.name!r}. Uninstall one of them."
            )
        found[point.name] = _Found(point.name, distribution, version, point.load)
    for name, plugin in extra.items():
        if name in found:
            raise PluginError(
                f"A plugin named {name!r} is given although distribution "
                f"{found[name].distribution!r} already offers one of that name."
            )
        found[name] = _Found(name, "given", "0", partial(_identity, plugin))
    return found


def _describe_distributions(points: metadata.EntryPoints) -> dict[int, tuple[str, str]]:
    """Return name and version by identity: for either, all of the metadata is read."""
    distributions = {id(point.dist): point.dist for point in points}
    return {
        key: (one.name, one.version) if one else ("unknown", "0")
        for key, one in distributions.items()
    }


def _identity(plugin: object) -> object:
    return plugin


def _check_disabled(settings: Settings, found: Iterable[str]) -> None:
    for name in settings.disabled_plugins:
        if name not in found:
            known = ", ".join(sorted(found))
            raise SettingsError(
                f"Setting disabled_plugins names {name!r}, which is no plugin. Known: {known}."
            )


def _load(manager: pluggy.PluginManager, found: _Found, *, is_disabled: bool) -> PluginInfo:
    info = PluginInfo(found.name, "active", found.distribution, found.version)
    if is_disabled:
        return replace(info, status="disabled")
    try:
        plugin = found.load()
    except (Exception, SystemExit) as error:
        return replace(info, status="broken", error=f"cannot be imported: {describe_error(error)}")
    try:
        manager.register(plugin, name=found.name)
        hooks = _checked_hooks(manager, plugin)
    except (pluggy.PluginValidationError, NotFoundError, ValueError) as error:
        if manager.has_plugin(found.name):
            manager.unregister(name=found.name)
        return replace(info, status="broken", error=str(error))
    if not manager.get_hookcallers(plugin):
        manager.unregister(name=found.name)
        return replace(info, status="broken", error=_NO_HOOK)
    version = str(getattr(plugin, "__version__", found.version))
    return replace(info, version=version, hooks=tuple(hooks))


def _checked_hooks(manager: pluggy.PluginManager, plugin: object) -> list[str]:
    """Return the hooks that a plugin implements; pluggy takes unknown ones in silence."""
    hooks = []
    for caller in manager.get_hookcallers(plugin) or ():
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
    """Add what a plugin registers to what is registered, and to its description."""
    things: list[tuple[str, Any]] = []
    for hook in REGISTERED:
        if hook not in info.hooks:
            continue
        try:
            answers = _caller(manager, info.name, hook)(settings=settings)
            things += [(hook, thing) for thing in _checked(hook, answers)]
        except Exception as error:
            manager.unregister(name=info.name)
            failure = f"{hook} failed: {describe_error(error)}"
            return replace(info, status="broken", hooks=(), error=failure)
    for hook, thing in things:
        owner = registered[hook].get(thing.name)
        if owner is not None:
            raise _taken(f"{REGISTERED[hook][0]} {thing.name!r}", owner.plugin, info.name)
        registered[hook][thing.name] = Registered(thing, info.name)
    provides = (f"{hook.removeprefix('register_')}: {thing.name}" for hook, thing in things)
    return replace(info, provides=tuple(provides))


def _check_inverses(kinds: Mapping[str, Registered]) -> None:
    """Check that no kind of relation, read from its other end, has the name of another kind."""
    for kind, plugin in kinds.values():
        other = kinds.get(kind.inverse)
        if other is not None and other.thing is not kind:
            what = f"relation kind {kind.inverse!r}, one as the inverse of {kind.name!r}"
            raise _taken(what, other.plugin, plugin)


def _taken(what: str, first: str, second: str) -> PluginError:
    """Return the error for a name that two things have, of one plugin or of two."""
    if first == second:
        return PluginError(f"Plugin {first!r} registers the {what} twice.")
    return PluginError(
        f"Plugins {first!r} and {second!r} both register the {what}. "
        "Disable one of them (setting disabled_plugins)."
    )


def _checked(hook: str, answers: Iterable[Iterable[Any]]) -> list[Any]:
    """Return things that have all that their kind has to have, without asking for values."""
    what, kind = REGISTERED[hook]
    things = [thing for answer in answers for thing in answer]
    for thing in things:
        has = set(dir(thing))
        missing = [name for name in dir(kind) if not name.startswith("_") and name not in has]
        if missing:
            raise TypeError(f"{thing!r} is no {what}: it has no {', no '.join(missing)}")
    if kind in (EntityType, RelationKind):
        check_answers(things, kind)
    return things


def _caller(manager: pluggy.PluginManager, plugin: str, hook: str) -> Callable[..., Any]:
    others = manager.get_plugins() - {manager.get_plugin(plugin)}
    return manager.subset_hook_caller(hook, others)


def _join(
    hook: str, answers: Iterable[Iterable[Any]], check: Callable[[list[Any]], None] | None
) -> list[Any]:
    """Return the items of all answers; raises for one that the hook is not for."""
    items = [item for answer in answers for item in answer]
    if hook in GATHERED:
        check_answers(items, GATHERED[hook])
    if check is not None:
        check(items)
    return items


def describe_error(error: BaseException) -> str:
    """Return what went wrong, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
