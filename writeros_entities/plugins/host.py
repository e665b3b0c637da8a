"""The plugins of a workspace: hooks to call, and named things to choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pluggy

from writeros_entities.answers import check_answers, check_counts, check_known
from writeros_entities.capability import Capability
from writeros_entities.errors import (
    FAULTS,
    PluginError,
    SettingsError,
    WriterosError,
    describe_error,
)
from writeros_entities.ontology import Ontology
from writeros_entities.plugins.contracts import CHOOSING, REGISTERED, join_answers
from writeros_entities.settings import BY_LANGUAGE
from writeros_entities.values import Diagnostic, EntityType, KnownEntity, RelationKind
from writeros_entities.vault.order.chapters import place_of

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.protocols import (
        Chunker,
        KnowledgeBase,
        Language,
        ReadingOrder,
        TokenCounter,
    )
    from writeros_entities.settings import Settings


PLUGIN_FAILED = "plugin-failed"


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A hook call that failed."""

    plugin: str
    hook: str
    error: str


@dataclass(frozen=True, slots=True)
class PluginInfo:
    """A plugin, as `list_plugins` shows it."""

    name: str
    status: Literal["active", "disabled", "broken"]
    distribution: str
    version: str
    hooks: tuple[str, ...] = ()
    provides: tuple[str, ...] = ()
    error: str | None = None


class Registered(NamedTuple):
    """A registered thing, and the name of its plugin."""

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
        self, hook: str, check: Callable[[list[Any]], None] | None = None, /, **arguments: object
    ) -> tuple[list[Any], list[PluginFailure]]:
        """Call a verb hook and join the items that all plugins return, in order of plugin name.

        A hook that takes settings gets this workspace's. If a plugin raises, returns invalid items,
        or items for which `check` raises, it is named in the failures; the results of the others
        are kept.
        """
        caller = getattr(self.manager.hook, hook)
        if caller.spec is not None and "settings" in caller.spec.argnames:
            arguments.setdefault("settings", self.settings)
        try:
            return join_answers(hook, caller(**arguments), check), []
        except FAULTS:
            return self._gather_one_by_one(hook, arguments, check)

    def notify(self, hook: str, **arguments: object) -> list[PluginFailure]:
        """Call an observation hook; return the plugins that raised."""
        failures = []
        for plugin, call in self._callers(hook):
            try:
                call(**arguments)
            except FAULTS as error:
                failures.append(PluginFailure(plugin, hook, describe_error(error)))
        return failures

    def identity(self, *hooks: str) -> str:
        """Return an identity of the plugins with these hooks: their names and versions."""
        return " ".join(
            f"{info.name}={info.version}"
            for info in self.describe()
            if not set(hooks).isdisjoint(info.hooks)
        )

    @property
    def capabilities(self) -> Mapping[str, Capability]:
        """Every capability that plugins add, by name."""
        return self.named("register_capabilities")

    @property
    def entity_types(self) -> Mapping[str, EntityType]:
        """Every type of entity that a plugin knows, by name."""
        return self.named("register_entity_types")

    @property
    def languages(self) -> Mapping[str, Language]:
        """Every language that a plugin knows, by code."""
        return self.named("register_languages")

    @cached_property
    def words(self) -> tuple[Words, ...]:
        """The words of every language that a plugin knows."""
        return tuple(language.words for language in self.languages.values())

    @cached_property
    def ontology(self) -> Ontology:
        """Every kind of relation that a plugin knows, and the words for them."""
        kinds = self.named("register_relation_kinds")
        keys = tuple(self.settings.relation_keys.items())
        return _ontology(tuple(kinds.values()), keys, self.words)

    def chunker(self, name: str) -> Chunker:
        """Return the chunker of this name; raises SettingsError with the known ones."""
        chunker: Chunker = self.choose("register_chunkers", name)
        return chunker

    def token_counter(self, name: str) -> TokenCounter:
        """Return the token counter of this name; raises SettingsError with the known ones."""
        return _CheckedCounter(name, self.choose("register_token_counters", name))

    def knowledge_bases(self, names: Iterable[str] | None = None) -> list[KnowledgeBase]:
        """Return the knowledge bases of these names, or all of them."""
        hook = "register_knowledge_bases"
        return [self.choose(hook, name) for name in (self.named(hook) if names is None else names)]

    def known_entities(self, names: Iterable[str] | None = None) -> list[KnownEntity]:
        """Return the entities of the knowledge bases of these names, or of all of them.

        Raises PluginError if a knowledge base fails or breaks its contract.
        """
        return [known for base in self.knowledge_bases(names) for known in self._entities(base)]

    def _entities(self, base: KnowledgeBase) -> list[KnownEntity]:
        try:
            known = list(base.entities())
            check_answers(known, KnownEntity)
            check_known(known)
        except FAULTS as error:
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

    def place_of(self, chapter: str) -> tuple[int, ...]:
        """Return the place in reading order by which a chapter is called; () for any other name."""
        return place_of(chapter, self.reading_orders())

    def named(self, hook: str) -> Mapping[str, Any]:
        """Return everything registered through one `register_*` hook, by name."""
        return {name: registered.thing for name, registered in self.registered[hook].items()}

    def choose(self, hook: str, name: str) -> Any:
        """Return the thing registered under a name; raises SettingsError with the known ones."""
        things = self.registered[hook]
        if name not in things:
            what, _ = REGISTERED[hook]
            known = ", ".join(sorted(things)) or "none (its plugin may be disabled or broken)"
            message = f"There is no {what} named {name!r}. Known: {known}."
            for setting, chosen in self._chosen():
                if CHOOSING[setting] == hook and name == chosen:
                    message += f" Setting {setting} names it: install its plugin or change that."
            raise SettingsError(message)
        return things[name].thing

    def unavailable(self) -> Iterator[WriterosError]:
        """Yield an error for each name in the settings of what no plugin registers or can read."""
        for setting, name in self._chosen():
            try:
                self.choose(CHOOSING[setting], name)
                if setting == "knowledge_bases":
                    self.known_entities([name])
            except (SettingsError, PluginError) as error:
                yield error

    def _chosen(self) -> Iterator[tuple[str, str]]:
        """Yield each setting that chooses among registered things, with each name in it.

        Not the embedding model that nobody has chosen: search does without it.
        """
        for setting in CHOOSING:
            value: str | Sequence[str] = getattr(self.settings, setting)
            if setting != "embedding_model" or value != BY_LANGUAGE:
                names = [value] if isinstance(value, str) else value
                yield from ((setting, name) for name in names if name)

    def describe(self) -> list[PluginInfo]:
        """Return every plugin found, active or not, with what it provides, sorted by name."""
        return [info for _, info in sorted(self.infos.items())]

    def _gather_one_by_one(
        self, hook: str, arguments: Mapping[str, object], check: Callable[[list[Any]], None] | None
    ) -> tuple[list[Any], list[PluginFailure]]:
        items: list[Any] = []
        failures: list[PluginFailure] = []
        for plugin, call in self._callers(hook):
            try:
                items += join_answers(hook, call(**arguments), check)
            except FAULTS as error:
                failures.append(PluginFailure(plugin, hook, describe_error(error)))
        return items, failures

    def _callers(self, hook: str) -> Iterator[tuple[str, Callable[..., Any]]]:
        for info in self.describe():
            if hook in info.hooks:
                yield info.name, caller_of(self.manager, info.name, hook)


@dataclass(frozen=True, slots=True)
class _CheckedCounter:
    """A token counter whose faults are its own, not those of the chunker or builder that asks."""

    name: str
    counter: TokenCounter

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the counts; raises PluginError if the counter fails or breaks its contract."""
        try:
            return check_counts(self.counter.count(texts), texts)
        except FAULTS as error:
            raise PluginError(
                f"The token counter {self.name!r} failed: {describe_error(error)}."
            ) from error


def describe_failures(
    failures: Sequence[PluginFailure], code: str = PLUGIN_FAILED
) -> list[Diagnostic]:
    """Return a diagnostic for each failed hook call, without repeats."""
    messages = [f"Plugin {each.plugin!r}, {each.hook}: {each.error}" for each in failures]
    return [Diagnostic(code, message) for message in dict.fromkeys(messages)]


def caller_of(manager: pluggy.PluginManager, plugin: str, hook: str) -> Callable[..., Any]:
    """Return a function that calls the hook of one plugin only."""
    others = manager.get_plugins() - {manager.get_plugin(plugin)}
    return manager.subset_hook_caller(hook, others)


@lru_cache(maxsize=8)
def _ontology(
    kinds: tuple[RelationKind, ...],
    keys: tuple[tuple[str, str], ...],
    words: tuple[Words, ...],
) -> Ontology:
    """Return the ontology of these kinds, built once: most workspaces of a process share it."""
    of_persons = {kind.name: kind.inverse for kind in kinds if "person" in kind.domain}
    labels = [item for one in words for item in _labels(one, of_persons)]
    return Ontology(kinds, dict(keys), dict(reversed(labels)))


def _labels(words: Words, of_persons: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """Yield the labels of a language, each with a kind's words for it: `clerk` lists who works."""
    yield from words.labels.items()
    yield from words.roles.items()
    for noun, stated in words.nouns.items():
        inverse = next((of_persons[one] for one in stated if one in of_persons), None)
        if inverse:
            yield noun, inverse
