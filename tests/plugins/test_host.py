"""The plugin host: who is loaded, who is left out and why, and how their answers are joined."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from writeros_entities import (
    Capability,
    DerivedName,
    EntityType,
    Note,
    PluginError,
    ProposedName,
    RelationKind,
    Request,
    Response,
    Settings,
    SettingsError,
    SyncOutcome,
    Topic,
    capability,
    hookimpl,
    hookspecs,
)
from writeros_entities.plugins import PluginInfo, Plugins, load_plugins
from writeros_entities.plugins.contracts import GATHERED, REGISTERED
from writeros_entities.plugins.loading import ENTRY_POINT_GROUP

NOTE = Note("One.md", "One", "", "", "", {})

Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Make some modules the only plugins that are installed, each a distribution of its own."""
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: ())

    def install(**plugins: object) -> None:
        points = []
        for name, plugin in plugins.items():
            module = f"installed_{name}"
            if plugin is not None:
                monkeypatch.setitem(sys.modules, module, plugin)
            points.append(entry_point(name, module))
        monkeypatch.setattr(
            metadata,
            "entry_points",
            lambda *, group: metadata.EntryPoints(points if group == ENTRY_POINT_GROUP else ()),
        )

    return install


def entry_point(name: str, module: str, distribution: str | None = None) -> metadata.EntryPoint:
    point = metadata.EntryPoint(name, module, "writeros_entities")
    described = {"Name": distribution or f"dist-{name}", "Version": "1.2"}
    vars(point)["dist"] = SimpleNamespace(metadata=described)
    return point


def plugin(*hooks: Callable[..., Any], version: str | None = None) -> ModuleType:
    module = ModuleType("a plugin")
    for hook in hooks:
        setattr(module, hook.__name__, hookimpl(hook))
    if version is not None:
        vars(module)["__version__"] = version
    return module


def topic(*names: str) -> ModuleType:
    """Return a plugin that finds these topics in every note."""

    def extract_topics() -> Iterable[Topic]:
        return [Topic(name, 1.0) for name in names]

    return plugin(extract_topics)


def failing() -> ModuleType:
    def extract_topics() -> Iterable[Topic]:
        yield Topic("halfway", 1.0)
        raise ValueError("no topic")

    return plugin(extract_topics)


def entity_types(*types: object) -> ModuleType:
    def register_entity_types() -> Iterable[object]:
        return types

    return plugin(register_entity_types)


def relation_kinds(*kinds: RelationKind) -> ModuleType:
    def register_relation_kinds() -> Iterable[RelationKind]:
        return kinds

    return plugin(register_relation_kinds)


def topics_of(plugins: Plugins) -> list[str]:
    found, failures = plugins.gather("extract_topics", note=NOTE)
    assert failures == []
    return [topic.name for topic in found]


def infos(plugins: Plugins) -> dict[str, PluginInfo]:
    return {info.name: info for info in plugins.describe()}


# -- Loading -------------------------------------------------------------------------------------


def test_plugins_are_found_by_entry_point_and_listed_by_name(install: Install) -> None:
    install(sails=topic("sails"), anchors=topic("anchors"))
    assert load_plugins(Settings()).describe() == [
        PluginInfo("anchors", "active", "dist-anchors", "1.2", ("extract_topics",)),
        PluginInfo("sails", "active", "dist-sails", "1.2", ("extract_topics",)),
    ]


def test_the_framework_works_without_any_plugin(install: Install) -> None:
    plugins = load_plugins(Settings())
    assert plugins.describe() == []
    assert plugins.gather("extract_topics", note=NOTE) == ([], [])
    assert plugins.identity("extract_topics") == ""


def test_every_load_gives_a_fresh_object(install: Install) -> None:
    install(sails=topic("sails"))
    assert topics_of(load_plugins(Settings())) == ["sails"]
    assert load_plugins(Settings(disabled_plugins=("sails",))).gather(
        "extract_topics", note=NOTE
    ) == ([], [])
    assert topics_of(load_plugins(Settings())) == ["sails"]


def test_a_plugin_that_cannot_be_imported_is_reported_and_the_others_go_on(
    install: Install,
) -> None:
    install(anchors=topic("anchors"), lost=None, sails=topic("sails"))
    plugins = load_plugins(Settings())
    assert topics_of(plugins) == ["anchors", "sails"]
    assert infos(plugins)["lost"] == PluginInfo(
        "lost",
        "broken",
        "dist-lost",
        "1.2",
        error="cannot be imported: ModuleNotFoundError: No module named 'installed_lost'",
    )


def test_a_plugin_that_exits_while_it_is_imported_is_broken(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exit(self: metadata.EntryPoint) -> object:
        raise SystemExit("go away")

    install(rude=topic("anything"))
    monkeypatch.setattr(metadata.EntryPoint, "load", exit)
    assert (
        infos(load_plugins(Settings()))["rude"].error == "cannot be imported: SystemExit: go away"
    )


def test_a_misspelt_hook_breaks_its_plugin_and_names_the_nearest_one(install: Install) -> None:
    def extract_topic() -> Iterable[Topic]:
        return []

    install(anchors=topic("anchors"), typo=plugin(extract_topic), weigh=topic("weigh"))
    plugins = load_plugins(Settings())
    assert infos(plugins)["typo"].status == "broken"
    assert infos(plugins)["typo"].error == (
        "There is no hook 'extract_topic'. Did you mean 'extract_topics'?"
    )
    assert topics_of(plugins) == ["anchors", "weigh"]


def test_a_misspelt_argument_breaks_its_plugin(install: Install) -> None:
    def extract_topics(notes: Note) -> Iterable[Topic]:
        return []

    install(typo=plugin(extract_topics), weigh=topic("weigh"))
    plugins = load_plugins(Settings())
    info = infos(plugins)["typo"]
    assert (info.status, info.hooks) == ("broken", ())
    assert "{'notes'}" in (info.error or "")
    assert topics_of(plugins) == ["weigh"]


def test_a_hook_of_a_newer_version_can_be_marked_optional(install: Install) -> None:
    def foresee_plot() -> Iterable[Topic]:
        return []

    future = topic("future")
    vars(future)["foresee_plot"] = hookimpl(optionalhook=True)(foresee_plot)
    install(future=future)
    assert infos(load_plugins(Settings()))["future"].hooks == ("extract_topics",)


# -- Disabling and names -------------------------------------------------------------------------


def test_a_disabled_plugin_is_not_even_imported(install: Install) -> None:
    install(lost=None, sails=topic("sails"))
    plugins = load_plugins(Settings(disabled_plugins=("lost",)))
    assert infos(plugins)["lost"] == PluginInfo("lost", "disabled", "dist-lost", "1.2")
    assert topics_of(plugins) == ["sails"]


def test_disabling_an_unknown_plugin_is_an_error_that_lists_the_known_ones(
    install: Install,
) -> None:
    install(sails=topic(), anchors=topic())
    with pytest.raises(SettingsError, match=r"there is no plugin 'sail'\. Known: anchors, sails\."):
        load_plugins(Settings(disabled_plugins=("sail",)))


def test_two_distributions_with_one_plugin_name_are_both_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = [entry_point("sails", "one", "first-dist"), entry_point("sails", "two", "second-dist")]
    monkeypatch.setattr(
        metadata, "entry_points", lambda *, group: points if group == ENTRY_POINT_GROUP else ()
    )
    with pytest.raises(PluginError, match=r"'first-dist' and 'second-dist', offer .* 'sails'"):
        load_plugins(Settings())


def test_one_distribution_that_is_found_twice_is_one_plugin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = [entry_point("os", "os", "dist"), entry_point("os", "os", "dist")]
    monkeypatch.setattr(
        metadata, "entry_points", lambda *, group: points if group == ENTRY_POINT_GROUP else ()
    )
    assert list(infos(load_plugins(Settings()))) == ["os"]


def test_a_given_plugin_cannot_take_the_name_of_an_installed_one(install: Install) -> None:
    install(sails=topic())
    with pytest.raises(PluginError, match=r"'sails' is given although distribution 'dist-sails'"):
        load_plugins(Settings(), {"sails": topic()})


def test_a_name_registered_twice_names_both_plugins(install: Install) -> None:
    install(
        navy=entity_types(EntityType("vessel", "vessels")),
        pirates=entity_types(EntityType("vessel", "vessels")),
    )
    with pytest.raises(
        PluginError,
        match=r"'navy' and 'pirates' both register the entity type 'vessel'\. Disable one",
    ):
        load_plugins(Settings())
    plugins = load_plugins(Settings(disabled_plugins=("pirates",)))
    assert list(plugins.entity_types) == ["vessel"]


def test_a_name_that_one_plugin_registers_twice_is_said_to_be_its_own(install: Install) -> None:
    install(navy=entity_types(EntityType("vessel", "vessels"), EntityType("vessel", "ships")))
    with pytest.raises(PluginError, match=r"'navy' registers the entity type 'vessel' twice\."):
        load_plugins(Settings())


def test_an_inverse_that_is_another_kind_names_both_plugins(install: Install) -> None:
    install(
        navy=relation_kinds(RelationKind("sails_on", inverse="carries")),
        porters=relation_kinds(RelationKind("carries"), RelationKind("meets", inverse="meets")),
    )
    message = "'porters' and 'navy' both register the relation kind 'carries', one as the inverse"
    with pytest.raises(PluginError, match=message):
        load_plugins(Settings())
    load_plugins(Settings(disabled_plugins=("porters",)))


def test_a_plugin_that_implements_no_hook_is_broken(install: Install) -> None:
    forgotten = ModuleType("a plugin")
    vars(forgotten)["extract_topics"] = list
    install(forgotten=forgotten)
    info = infos(load_plugins(Settings()))["forgotten"]
    assert info.status == "broken"
    assert info.error == "It implements no hook; mark functions that do with @hookimpl."


# -- Named things --------------------------------------------------------------------------------


class LastFirst:
    name = "last_first"

    def rank(self, chunks: list[Any]) -> list[Any]:
        return chunks[::-1]


class Lazy:
    name = "lazy"

    @property
    def identity(self) -> str:
        raise AssertionError("asked for before it is needed")

    dimensions = identity

    def embed(self, texts: list[str]) -> list[list[float]]:
        return []


def test_what_plugins_register_is_chosen_by_name(install: Install) -> None:
    def register_priority_strategies() -> Iterable[object]:
        yield LastFirst()

    install(ranks=plugin(register_priority_strategies))
    plugins = load_plugins(Settings())
    assert infos(plugins)["ranks"].provides == ("priority_strategies: last_first",)
    assert plugins.choose("register_priority_strategies", "last_first").rank([1, 2]) == [2, 1]
    with pytest.raises(SettingsError, match=r"no priority strategy named 'x'\. Known: last_first"):
        plugins.choose("register_priority_strategies", "x")
    with pytest.raises(SettingsError, match=r"no chunker named 'x'\. Known: none"):
        plugins.chunker("x")


def test_a_register_hook_is_called_once_with_the_settings(install: Install) -> None:
    calls = []

    def register_entity_types(settings: Settings) -> Iterable[EntityType]:
        calls.append(settings)
        return [EntityType("vessel", "vessels")]

    settings = Settings(never=("It",))
    install(navy=plugin(register_entity_types))
    plugins = load_plugins(settings)
    plugins.describe()
    assert list(plugins.entity_types) == ["vessel"]
    assert calls == [settings]


def test_registering_asks_a_model_for_nothing_but_its_name(install: Install) -> None:
    def register_embedding_models() -> Iterable[object]:
        return [Lazy()]

    install(models=plugin(register_embedding_models))
    assert infos(load_plugins(Settings()))["models"].status == "active"


def test_a_plugin_that_fails_to_register_is_broken_as_a_whole(install: Install) -> None:
    def register_entity_types() -> Iterable[EntityType]:
        yield EntityType("vessel", "vessels")
        raise OSError("no list of ships")

    broken = plugin(register_entity_types)
    vars(broken)["extract_topics"] = topic("ships").extract_topics
    install(navy=broken, sails=topic("sails"))
    plugins = load_plugins(Settings())
    info = infos(plugins)["navy"]
    assert (info.status, info.hooks, info.provides) == ("broken", (), ())
    assert info.error == "register_entity_types failed: OSError: no list of ships"
    assert plugins.entity_types == {}
    assert topics_of(plugins) == ["sails"]


def test_a_capability_that_some_clients_of_mcp_refuse_is_told_to_its_author(
    install: Install,
) -> None:
    class FindShip(Request):
        ship: int | str

    def find_ship(session: object, request: FindShip) -> Response:
        """Find a ship."""
        return Response()

    find_ship.__annotations__ = {"request": FindShip, "return": Response}
    declared = capability(family="ships")(find_ship)

    def register_capabilities() -> Iterable[Capability[Any, Any]]:
        return [declared]

    install(navy=plugin(register_capabilities), sails=topic("sails"))
    plugins = load_plugins(Settings())
    info = infos(plugins)["navy"]
    assert info.error == (
        "register_capabilities failed: PluginError: The parameter 'ship' of FindShip has a choice "
        "of types; give it one (ChapterName takes numbers too)."
    )
    assert topics_of(plugins) == ["sails"]


def test_a_thing_that_lacks_what_its_kind_needs_breaks_its_plugin(install: Install) -> None:
    install(navy=entity_types(SimpleNamespace(name="vessel", plural="vessels")))
    error = infos(load_plugins(Settings()))["navy"].error or ""
    assert error.endswith("is not a valid entity type: it lacks folders, personal, synonyms")


def test_a_field_that_holds_the_wrong_thing_breaks_its_plugin(install: Install) -> None:
    install(navy=entity_types(EntityType("vessel", "vessels", synonyms=("ships"))))  # type: ignore[arg-type]
    error = infos(load_plugins(Settings()))["navy"].error or ""
    assert error.endswith("TypeError: EntityType.synonyms must be tuple, not 'ships'")


@pytest.mark.parametrize("name", [["ships"], None, 7, "", " ", "two\nlines"])
def test_a_thing_whose_name_is_none_breaks_its_plugin_alone(install: Install, name: Any) -> None:
    def register_priority_strategies() -> Iterable[object]:
        strategy = LastFirst()
        strategy.name = name
        yield strategy

    install(navy=plugin(register_priority_strategies), sails=topic("sails"))
    plugins = load_plugins(Settings())
    assert infos(plugins)["navy"].error == (
        "register_priority_strategies failed: ValueError: the name of a priority strategy must be "
        f"a text on one line, not {name!r}"
    )
    assert topics_of(plugins) == ["sails"]


def test_the_host_knows_what_every_register_hook_returns() -> None:
    hooks = [name for name in vars(hookspecs) if name.startswith("register_")]
    assert list(REGISTERED) == hooks
    for hook, (_, kind) in REGISTERED.items():
        returned = inspect.signature(getattr(hookspecs, hook)).return_annotation
        assert returned.removeprefix("Iterable[").startswith(kind.__name__)


def test_the_host_knows_what_every_verb_returns() -> None:
    for hook, kind in GATHERED.items():
        returned = inspect.signature(getattr(hookspecs, hook)).return_annotation
        assert returned == f"Iterable[{kind.__name__}]"


# -- Calling -------------------------------------------------------------------------------------


def test_answers_are_joined_in_order_of_plugin_name(install: Install) -> None:
    install(c=topic("c1", "c2"), a=topic("a"), b=topic("b"))
    assert topics_of(load_plugins(Settings())) == ["a", "b", "c1", "c2"]
    install(b=topic("b"), a=topic("a"))
    assert topics_of(load_plugins(Settings(), {"aa": topic("aa")})) == ["a", "aa", "b"]


def test_a_plugin_may_answer_nothing(install: Install) -> None:
    def extract_topics() -> None:
        return None

    install(mute=plugin(extract_topics), sails=topic("sails"))
    assert topics_of(load_plugins(Settings())) == ["sails"]


def test_a_plugin_that_raises_is_named_and_the_others_still_count(install: Install) -> None:
    install(anchors=topic("anchors"), bad=failing(), sails=topic("sails"))
    found, failures = load_plugins(Settings()).gather("extract_topics", note=NOTE)
    assert [topic.name for topic in found] == ["anchors", "sails"]
    assert [(failure.plugin, failure.hook, failure.error) for failure in failures] == [
        ("bad", "extract_topics", "ValueError: no topic")
    ]


def test_a_plugin_that_answers_with_no_list_is_named(install: Install) -> None:
    def extract_topics() -> int:
        return 7

    install(bad=plugin(extract_topics), sails=topic("sails"))
    found, failures = load_plugins(Settings()).gather("extract_topics", note=NOTE)
    assert [topic.name for topic in found] == ["sails"]
    assert [failure.plugin for failure in failures] == ["bad"]


def test_a_hook_that_takes_settings_is_given_the_workspaces(install: Install) -> None:
    def propose_entities(settings: Settings) -> Iterable[ProposedName]:
        return [ProposedName(name, "person", 3, 3, 0.9) for name in settings.never]

    install(names=plugin(propose_entities))
    plugins = load_plugins(Settings(never=("It", "They")))
    proposals, failures = plugins.gather("propose_entities", note=NOTE)
    assert ([one.name for one in proposals], failures) == (["It", "They"], [])


def test_a_plugin_can_be_an_object_with_state(install: Install) -> None:
    class Deriver:
        def __init__(self, title: str) -> None:
            self.title = title

        @hookimpl
        def derive_names(self, name: str) -> Iterator[DerivedName]:
            yield DerivedName(f"{self.title} {name}", 0.5)

    plugins = load_plugins(Settings(), {"captain": Deriver("Captain"), "mate": Deriver("Mate")})
    names, failures = plugins.gather(
        "derive_names", name="Vane", aliases=(), entity_type="person", gender=None
    )
    assert [name.form for name in names] == ["Captain Vane", "Mate Vane"]
    assert failures == []


def test_an_observer_that_raises_is_named_and_the_others_are_told(install: Install) -> None:
    told = []

    def note_synced(outcome: SyncOutcome) -> None:
        told.append(outcome.revision)

    def broken() -> None:
        raise ValueError("deaf")

    broken.__name__ = "note_synced"
    install(a=plugin(note_synced), b=plugin(broken), c=plugin(note_synced))
    failures = load_plugins(Settings()).notify("note_synced", outcome=SyncOutcome(3))
    assert told == [3, 3]
    assert [(failure.plugin, failure.error) for failure in failures] == [("b", "ValueError: deaf")]


# -- Identity ------------------------------------------------------------------------------------


def test_the_identity_of_hooks_is_names_and_versions_of_those_behind_them(
    install: Install,
) -> None:
    types = entity_types(EntityType("vessel", "vessels"))
    install(sails=topic("sails"), anchors=topic("anchors"), types=types)
    assert load_plugins(Settings()).identity("extract_topics") == "anchors=1.2 sails=1.2"
    without = load_plugins(Settings(disabled_plugins=("anchors",)))
    assert without.identity("extract_topics") == "sails=1.2"


def test_a_plugins_own_version_counts_more_than_its_distributions(install: Install) -> None:
    def extract_topics() -> Iterable[Topic]:
        return []

    install(sails=plugin(extract_topics, version="7"))
    first = load_plugins(Settings())
    install(sails=plugin(extract_topics, version="8"))
    second = load_plugins(Settings())
    assert first.identity("extract_topics") == "sails=7"
    assert second.identity("extract_topics") == "sails=8"


def test_the_identity_does_not_depend_on_what_was_called_before(install: Install) -> None:
    install(bad=failing(), sails=topic("sails"))
    plugins = load_plugins(Settings())
    before = plugins.identity("extract_topics")
    plugins.gather("extract_topics", note=NOTE)
    plugins.describe()
    assert plugins.identity("extract_topics") == before == "bad=1.2 sails=1.2"
