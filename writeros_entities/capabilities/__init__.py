"""The framework's capabilities, one package per family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from writeros_entities.errors import PluginError

if TYPE_CHECKING:
    from writeros_entities.capability import Capability, Request
    from writeros_entities.plugins import Plugins

BUILT_IN: Mapping[str, Mapping[str, str]] = {
    "vault": {
        "decide": (
            "Write a decision into the note of decisions: what a note is, who is who, what "
            "is no name."
        ),
        "doctor": (
            "Check the index against the files and itself, and list what is wrong with the notes."
        ),
        "list_notes": "List the notes: the manuscript in order, then the others by path.",
        "list_plugins": (
            "List the plugins: active, disabled and broken ones, and what each provides."
        ),
        "list_questions": "List what the writer could decide, with lines for `decide`.",
        "migrate": (
            "Bring the database's schema to this version, and the index up to date with the"
            " plugins."
        ),
        "read_note": (
            "Read a note or a part of it, as far as a reader may see it, without the "
            "author's comments."
        ),
        "rebuild": "Delete the index and build it again from the files.",
        "status": (
            "Show what the index holds: notes, passages, entities, mentions, links, problems."
        ),
        "sync": "Bring the index up to date with the vault: only what changed is read again.",
    },
    "entities": {
        "describe_voice": (
            "Describe how somebody speaks: how long, with which words, what she calls whom, "
            "with quotes."
        ),
        "extract_entities": (
            "Find who and what is mentioned in a text, linked to the vault's entities."
        ),
        "find_mentions": (
            "Find where an entity is mentioned, with a quote, the place, and who else may be meant."
        ),
        "find_uses": (
            "Find where an entity's names are written: links, prose, properties, tags, "
            "canvases, files."
        ),
        "get_entity": (
            "Show what the index holds on one entity: names, note, relations, counts by chapter."
        ),
        "list_entities": (
            "List the people, places, factions and things of the vault, most mentioned first."
        ),
        "list_note_entities": (
            "List who and what is named in a note, a section or a span of lines, most "
            "mentioned first."
        ),
        "search_by_entities": (
            "Find passages that mention any, or all, of some entities, best first."
        ),
    },
    "relations": {
        "evaluate_relations": (
            "Report how well the relation model does on held-out relations, beside simple rules."
        ),
        "find_related_entities": (
            "Find the entities in a given relation to one, asserted before inferred."
        ),
        "infer_relationship": (
            "Infer how two entities are related: asserted, derived and known relations, "
            "then guesses."
        ),
        "validate_knowledge": (
            "Say whether a statement about two entities is valid, uncertain or unlikely, and why."
        ),
    },
    "graph": {
        "draw_entity_graph": (
            "Draw into a file what `get_entity_graph` shows: a web page, a canvas, Mermaid,"
            " GraphML, data."
        ),
        "find_communities": (
            "Find who and what belongs together: groups of closely connected entities."
        ),
        "find_paths": (
            "Find how entities are connected: paths of up to four relations, each with its "
            "evidence."
        ),
        "get_entity_graph": (
            "Show what is connected with an entity, or the most important entities and "
            "their relations."
        ),
        "get_family_tree": (
            "Show somebody's family: parents, siblings, cousins, in-laws, as told and as "
            "follows from it."
        ),
    },
    "time": {
        "analyze_entity_evolution": (
            "Analyse an entity over time: mentions and names by chapter, changes, absences, status."
        ),
        "get_entity_history": (
            "Show how an entity changes along the manuscript: names, relations, statuses, "
            "with quotes."
        ),
        "get_relationship_timeline": (
            "Show how strong an entity's relationships are, since when, and how they fade."
        ),
        "list_events": (
            "List what happens: who does what, to whom and where, in reading order, with quotes."
        ),
    },
    "search": {
        "find_related_notes": (
            "Find the notes related to a note: similar in meaning, or about the same entities."
        ),
        "find_speeches": (
            "Find who says what in the manuscript, and to whom, with how certain that is."
        ),
        "reason_over_entities": (
            "Answer a question over several hops: its entities, their connections, and passages."
        ),
        "search": (
            "Search the vault's text by words, by meaning and by the names in the query, "
            "best first."
        ),
    },
    "context": {
        "brief_scene": (
            "Sum up what to know for a scene: cast, place, time, relations, open threads, voices."
        ),
        "build_context": (
            "Pack what the vault says about some entities into a prompt of limited length."
        ),
        "context_for_text": (
            "Find a text's entities, and pack what the vault says about them into a prompt."
        ),
    },
    "continuity": {
        "check_continuity": (
            "Look for places where the vault contradicts itself, each with the two quotes "
            "that clash."
        ),
        "who_knows": (
            "Tell who knows something: who was there, who was told, by whom, and since "
            "which chapter."
        ),
    },
}
"""The names of the built-in capabilities by family, with the first sentence of each one's help.

All that is known of them without importing their modules, which takes longer than most answers.
"""

_FAMILY_OF = {name: family for family, names in BUILT_IN.items() for name in names}
_TOGETHER = {"list_notes": "notes", "migrate": "sync", "read_note": "notes", "rebuild": "sync"}
"""The modules with several capabilities; any other has the name of its own."""


class Capabilities(Mapping[str, "Capability"]):
    """The built-in capabilities and those of plugins, by name; each is imported when asked for."""

    def __init__(self, added: Mapping[str, Capability]) -> None:
        self._added = added

    def __getitem__(self, name: str) -> Capability:
        """Return the capability with a name; raises KeyError if there is none."""
        if name in self._added:
            return self._added[name]
        found: Capability = getattr(_module_of(name), name)
        return found

    def __iter__(self) -> Iterator[str]:
        """Yield the names, those of the framework first."""
        yield from _FAMILY_OF
        yield from self._added

    def __len__(self) -> int:
        """Return how many there are."""
        return len(_FAMILY_OF) + len(self._added)

    def asked_by(self, kind: type[Request[Any]]) -> dict[str, Capability]:
        """Return those whose request is of a kind, by name; other modules are not imported."""
        near = [name for name in _FAMILY_OF if _path_of(name) == kind.__module__]
        return {name: self[name] for name in (*near, *self._added) if self[name].request is kind}

    def summaries(self) -> dict[str, dict[str, str]]:
        """Return the first sentence of each one's help, by family and name, importing none."""
        found = {family: dict(names) for family, names in BUILT_IN.items()}
        for name, added in self._added.items():
            found.setdefault(added.family, {})[name] = added.summary
        return {family: dict(sorted(names.items())) for family, names in found.items()}


def _module_of(name: str) -> ModuleType:
    return import_module(_path_of(name))


def _path_of(name: str) -> str:
    return f"{__name__}.{_FAMILY_OF[name]}.{_TOGETHER.get(name, name)}"


def collect_capabilities(plugins: Plugins) -> Capabilities:
    """Return the built-in capabilities and those of plugins, by name.

    Raises PluginError if a plugin's capability has the name of a built-in one.
    """
    collected: dict[str, Capability] = {}
    for name, (added, plugin) in plugins.registered["register_capabilities"].items():
        if name in _FAMILY_OF:
            raise PluginError(
                f"Plugin {plugin!r} has a capability named {name!r}, which the framework has. "
                "Disable the plugin (setting disabled_plugins)."
            )
        collected[name] = added
    return Capabilities(collected)
