import subprocess
import sys
from importlib import metadata

from writeros_entities import Settings
from writeros_entities.plugins import load_plugins

MODULES = sorted(
    point.value
    for point in metadata.entry_points(group="writeros_entities")
    if point.value.startswith("writeros_plugins.")
)
HEAVY = {"torch", "numpy", "sqlmodel", "yaml", "mcp", "writeros_plugins.english"}


def test_the_built_ins_are_found_and_active() -> None:
    infos = load_plugins(Settings()).infos
    expected = {"chunker", "discovery", "entity_types", "gazetteer", "partial_names"}
    expected |= {
        "reading_orders",
        "scene_linking",
        "technical_knowledge",
        "token_counters",
    }
    assert expected <= infos.keys()
    assert {name: infos[name].error for name in expected} == dict.fromkeys(expected)


def test_the_default_settings_name_what_built_ins_register() -> None:
    settings = Settings()
    plugins = load_plugins(settings)
    assert plugins.chunker(settings.chunker).name == "headings"
    assert plugins.token_counter(settings.token_counter).name == "words"
    assert tuple(order.name for order in plugins.reading_orders()) == settings.reading_orders
    assert [base.name for base in plugins.knowledge_bases()] == ["technical"]
    assert "person" in plugins.entity_types


def test_detection_hooks_are_given_the_settings_of_the_workspace(make_note, make_lexicon) -> None:
    plugins = load_plugins(Settings(common_words=("isolde",)))
    arguments = {"note": make_note("Isolde was gone."), "lexicon": make_lexicon("Isolde")}
    assert plugins.gather("detect_entities", **arguments) == ([], [])


IMPORTING = f"""
import importlib, sys
for module in {MODULES!r}:
    importlib.import_module(module)
    if heavy := set(sys.modules) & {HEAVY!r}:
        sys.exit(f"{{module}} loads {{heavy}}")
"""


def test_importing_a_built_in_loads_nothing_heavy() -> None:
    run = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
