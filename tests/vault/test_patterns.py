"""Regular expressions mean the same on all Pythons, those before 3.11.5 included.

There, a possessive repetition whose last item fails after its beginning has moved on all the same
(CPython issue 106052). Python 3.11.2, which Debian 12 has, found no wikilink because of it.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

import pytest
import writeros_plugins

import writeros_entities
from writeros_entities.vault.markdown.patterns import run_of

ONE_CHARACTER = {op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY}
REPETITIONS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}


def frail_items(parsed: Any) -> Iterator[str]:
    """Return what is repeated possessively and can fail after its first character."""
    for code, value in parsed:
        if code is op.POSSESSIVE_REPEAT and not (is_one_character(value[2]) or is_firm(value[2])):
            yield str(value[2])
        for part in parts(code, value):
            yield from frail_items(part)


def parts(code: Any, value: Any) -> list[Any]:
    if code is op.BRANCH:
        return list(value[1])
    if code is op.ATOMIC_GROUP:
        return [value]
    if code in REPETITIONS or code is op.SUBPATTERN or code in (op.ASSERT, op.ASSERT_NOT):
        return [value[-1]]
    return []


def is_firm(item: Any) -> bool:
    """Tell whether an item can fail only where it begins, or else has a last alternative that
    never matches and takes the engine back to there.
    """
    first, *rest = item
    code, value = first
    if code is op.BRANCH and not rest:
        return is_never(*value[1][-1]) or all(is_firm(part) for part in value[1])
    return (code in ONE_CHARACTER or (code in REPETITIONS and is_one_character(value[2]))) and all(
        code in REPETITIONS and value[0] == 0 for code, value in rest
    )


def is_never(node: Any, *others: Any) -> bool:
    """Tell whether a pattern is `(?!)`, which some Pythons have a node of its own for."""
    code, value = node
    return not others and (
        code is op.FAILURE or (code is op.ASSERT_NOT and value[0] == 1 and not list(value[1]))
    )


def is_one_character(item: Any) -> bool:
    return len(item) == 1 and item[0][0] in ONE_CHARACTER


def modules() -> Iterator[ModuleType]:
    for package in (writeros_entities, writeros_plugins):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            spec = importlib.util.find_spec(found.name)
            assert spec is not None and spec.origin is not None
            if "re.compile(" in Path(spec.origin).read_text("utf-8"):
                yield importlib.import_module(found.name)


def patterns(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        yield from patterns(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from patterns(one)


def test_no_possessive_repetition_can_fail_in_the_middle_of_an_item() -> None:
    found = [
        (module.__name__, name, item)
        for module in modules()
        for name, value in vars(module).items()
        for pattern in patterns(value)
        for item in frail_items(parser.parse(pattern.pattern, pattern.flags))
    ]
    assert found == []


@pytest.mark.parametrize("frail", [r"(?:ab?c)++", r"(?:x|%(?!%))*+", r"(?:\[[^]]*+\])*+"])
def test_an_item_that_may_fail_late_is_noticed(frail: str) -> None:
    assert list(frail_items(parser.parse(frail)))


def test_a_run_ends_where_its_last_whole_item_does() -> None:
    repeated = re.compile(run_of("ab?c", least=1))
    assert not list(frail_items(parser.parse(repeated.pattern)))
    assert [found.group() for found in repeated.finditer("abcac abca")] == ["abcac", "abc"]


def test_a_run_gives_back_nothing() -> None:
    assert re.match(run_of("ab") + "ab", "ababab") is None
