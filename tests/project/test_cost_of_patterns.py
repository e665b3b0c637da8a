"""No pattern costs more than its text is long.

A paragraph of dots, or of spaces, must not stop a sync: a pattern that is tried from each of them,
over all those behind it, takes hours for a note of a few hundred kilobytes. See `ambiguity`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType

import pytest
import writeros_plugins

import writeros_entities

from .ambiguity import growths

SEARCHING = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
MATCHING = frozenset({"match", "fullmatch"})

TRIED_AT_ONE_PLACE = {
    "writeros_entities.vault.markdown.fields._VALUES",
    "writeros_plugins.continuity.facts._PERSON_AGES",
}
"""Patterns that are kept in a collection or returned, and only matched, where a name ends."""

OF_SHORT_TEXTS = {
    # names of files and folders have at most 255 bytes
    "writeros_entities.vault.files.disk._CONFLICT_COPY",
    # the URL of a database
    "writeros_entities.store.database._without_password",
}

BUILT_IN_FUNCTIONS = {
    "writeros_entities.story.finding",  # a name, escaped
    "writeros_entities.vault.decisions",  # a phrase, escaped, and the templates of languages
    "writeros_entities.vault.threads",  # the words of all languages, escaped
    "writeros_entities.capabilities.search.excerpts",  # words, escaped
    "writeros_entities.capabilities.entities.written",  # the names of an entity, escaped
    "writeros_entities.sync.plan",  # a file's name, escaped
    "writeros_entities.vault.files.config",  # the folders that the writer excluded in Obsidian
    "writeros_entities.vault.markdown.regions",  # a run of one character
    "writeros_plugins.continuity.attributes",  # a word of the writer's, escaped
    "writeros_plugins.reading_orders.names",  # the words of all languages, escaped
    "writeros_entities.language.dates",  # a language's words and the names of months, escaped
    "writeros_entities.language.spoken",  # a language's verbs of saying, escaped
    "writeros_plugins.reading_orders.sessions",
}
"""Modules whose functions build patterns of what they are given, and of what."""

IMPORTS_PYTORCH = "writeros_plugins.minilm.sentences"
"""A module that takes longer to import than all others, and has no patterns."""


@dataclass
class Use:
    """Where a pattern stands, and what is done with it: `search`, `match`, …, or `other`."""

    names: set[str] = field(default_factory=set)
    ways: set[str] = field(default_factory=set)

    @property
    def is_searched(self) -> bool:
        is_other = "other" in self.ways and self.names.isdisjoint(TRIED_AT_ONE_PLACE)
        return is_other or not self.ways.isdisjoint(SEARCHING)

    @property
    def is_whole(self) -> bool:
        return self.ways == {"fullmatch"}


def modules() -> Iterator[ModuleType]:
    for package in (writeros_entities, writeros_plugins):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith(("__main__", IMPORTS_PYTORCH)):
                yield importlib.import_module(found.name)


@cache
def collect() -> tuple[dict[tuple[str | bytes, int], Use], set[str]]:
    """Return all patterns with their uses, and the modules with functions that build more."""
    held = {
        module: {name: some for name, value in vars(module).items() if (some := patterns(value))}
        for module in modules()
    }
    names = {name for named in held.values() for name in named}
    sources = {
        module: list(ast.walk(ast.parse(source)))
        for module in held
        for source in [inspect.getsource(module)]
        if not names.isdisjoint(words := re.findall(r"\w+", source)) or "re" in words
    }
    ways = defaultdict(set)
    for module, nodes in sources.items():
        for name, way in named_uses(nodes):
            ways[f"{module.__name__}.{name}" if name.startswith("_") else name].add(way)
    found: dict[tuple[str | bytes, int], Use] = defaultdict(Use)
    building = set()
    for module, named in held.items():
        for name, some in named.items():
            place = f"{module.__name__}.{name}"
            of_name = ways[place if name.startswith("_") else name]
            is_one = isinstance(vars(module)[name], re.Pattern)
            for pattern in some:
                use = found[pattern.pattern, pattern.flags]
                use.names.add(place)
                use.ways |= of_name if is_one else {"other"}
    for module, nodes in sources.items():
        for function, call in inline_calls(nodes):
            try:
                pattern = compiled(call, vars(module))
            except NameError:
                building.add(module.__name__)
                continue
            use = found[pattern.pattern, pattern.flags]
            if call.func.attr != "compile":  # type: ignore[attr-defined]
                use.names.add(f"{module.__name__}.{function}")
                use.ways.add(call.func.attr)  # type: ignore[attr-defined]
    return found, building


def patterns(value: object) -> list[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return [pattern for one in value for pattern in patterns(one)]
    return []


def named_uses(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield the names that a module reads, each with the method called of it, or `other`."""
    of_method = {
        id(node.value): node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in {*SEARCHING, *MATCHING, "pattern"}
    }
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, of_method.get(id(node), "other")
        elif isinstance(node, ast.Attribute):
            yield node.attr, of_method.get(id(node), "other")


def inline_calls(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls such as `re.search(…)`, and `re.compile(…)` in functions."""
    for function in nodes:
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=way)) if way in {
                        *SEARCHING,
                        *MATCHING,
                        "compile",
                    }:
                        yield function.name, node


def compiled(call: ast.Call, names: dict[str, object]) -> re.Pattern[str]:
    """Return the pattern of a call; NameError if it is not made of a module's names alone."""
    pattern = eval(compile(ast.Expression(call.args[0]), "", "eval"), dict(names))
    flags = re.NOFLAG
    for one in ast.walk(call):
        match one:
            case ast.Attribute(value=ast.Name(id="re"), attr=name) if name.isupper():
                flags |= getattr(re, name)
    return re.compile(pattern, flags)


@pytest.mark.timeout(1_200)
def test_no_text_makes_a_pattern_slow() -> None:
    found, building = collect()
    slow = [
        (sorted(use.names)[0], growth)
        for (pattern, flags), use in found.items()
        if use.names.isdisjoint(OF_SHORT_TEXTS)
        for growth in growths(pattern, flags, searched=use.is_searched, whole=use.is_whole)
    ]
    assert slow == []
    assert building == BUILT_IN_FUNCTIONS


def test_every_exemption_is_needed() -> None:
    found, _ = collect()
    names = {name for use in found.values() for name in use.names}
    assert names >= TRIED_AT_ONE_PLACE | OF_SHORT_TEXTS
    for (pattern, flags), use in found.items():
        if use.names & OF_SHORT_TEXTS:
            assert list(growths(pattern, flags, searched=use.is_searched, whole=use.is_whole))


@pytest.mark.parametrize(
    ("pattern", "word"),
    [
        ("a+b", "aa"),  # from each of many a, over all of them
        ("a++b", "aa"),
        (r"\s*$", "\t"),
        (r"[.!?]+[)]*\s", "!!"),
        (r"(?:a*)*b", "a"),
        (r"(?:a|a)*b", "a"),
        (r"(?:\w+ ?)*x", "00"),
        ("a*a*b", "a"),
        (r"\w(?:\w*x)?", "00"),
        (r"x(?=\w*y)", "x0"),
        (r"\bif\b[^.]*\bx", "if\x00"),
        (r"(a|b)\1*c", "aa"),
    ],
)
def test_a_slow_pattern_is_noticed_by_the_word_that_makes_it_slow(pattern: str, word: str) -> None:
    assert [one.word for one in growths(pattern, 0, searched=True, whole=False)] == [word]


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!a)a+b",
        r"\b\w+x",
        r"\w+",
        r"(?<![.!?])[.!?]++[)]*\s",
        r"\b(?:the|an)\s+(?:\w+\s+){0,3}x",
        r"\bif\b[^.]{0,200}\bx",
        r"\b(?:\w+ )*+",
        r"\x01(?<=\w\x01)\x01*\w",
    ],
)
def test_a_run_that_is_read_once_is_fast(pattern: str) -> None:
    assert list(growths(pattern, 0, searched=True, whole=False)) == []


def test_a_run_that_is_tried_at_one_place_is_fast() -> None:
    assert list(growths("a+b", 0, searched=False, whole=False)) == []
    assert list(growths(r"\s*(.*\S)\s*", 0, searched=False, whole=True)) != []
