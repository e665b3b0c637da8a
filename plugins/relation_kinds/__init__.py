"""Relation kinds for fiction, then for organisations, software and everything else.

They are in `kinds.json`, in groups, each with the words that writers use for it, separated by
commas. If several kinds share a word, the first whose domain and range fit is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any

from writeros_entities import RelationKind, hookimpl

__version__ = "5"

_LISTS = frozenset(field.name for field in fields(RelationKind) if field.default == ())


@hookimpl
def register_relation_kinds() -> Iterable[RelationKind]:
    """Return every kind, those for fiction first."""
    return read_kinds()


@cache
def read_kinds() -> tuple[RelationKind, ...]:
    """Return the kinds of the data file, in its order."""
    groups = json.loads((files(__package__) / "kinds.json").read_text("utf-8"))
    return tuple(RelationKind(**_values(kind)) for group in groups.values() for kind in group)


def _values(written: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value.split(", ")) if name in _LISTS else value
        for name, value in written.items()
    }
