"""Generate calls of any capability from the declaration of its request.

New capabilities are covered automatically: each field gets all values that its type implies, and
fields of free text get the words passed in. A field for which neither applies is an error, so that
none is forgotten.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic.fields import FieldInfo

from writeros_entities.capabilities import Capabilities
from writeros_entities.capability import Capability
from writeros_entities.errors import RequestError, WriterosError
from writeros_entities.session import Session

BUILT_IN = tuple(Capabilities({}).values())
"""The capabilities of the framework."""

UNBOUNDED = frozenset(
    {"sync", "rebuild", "migrate", "list_plugins", "evaluate_relations", "decide"}
)
"""Capabilities that have no `as_of`: they read no index, are about all of it, or are the writer's.
"""

MACHINE = frozenset({"vault", "database", "database_bytes", "revision", "last_sync", "writer"})
"""What `status` says of the machine and of the index's history."""

_LEFT_OUT = frozenset({"as_of", "output"})
_INSTEAD = {"brief_scene": ("scene", "cast", "place", "after", "at")}
"""Fields of which the first is needed, or else `cast`, which goes with the others."""

_MOST = 40
"""The greatest of numbers without end that is worth asking for."""


@dataclass(frozen=True)
class Words:
    """Words from a vault: names of entities, notes, folders, and texts to ask about."""

    names: tuple[str, ...]
    notes: tuple[str, ...]
    texts: tuple[str, ...]
    folders: tuple[str, ...] = ()
    types: tuple[str, ...] = ("person", "place")
    kinds: tuple[str, ...] = ("co_occurs_with",)
    rules: tuple[str, ...] = ("confusable-names", "attribute-conflict")

    def for_field(self, name: str) -> tuple[Any, ...] | None:
        """Return values for a field of free text by its name; None for an unknown field."""
        pairs = tuple(list(pair) for pair in pairwise(self.names))
        lists = {"to": pairs[:1], "mentioning": [[name] for name in self.names[:2]]}
        return {
            **dict.fromkeys(("entity", "other", "center_entity", "source", "target"), self.names),
            **dict.fromkeys(("speaker", "addressee", "person", "renamed_to"), self.names),
            "about": (*self.names[:2], ", ".join(self.names[:2]), *self.texts[:2]),
            **dict.fromkeys(("head_entity", "subject"), self.names),
            **dict.fromkeys(("tail_entity", "object"), self.names[1:] + self.names[:1]),
            **dict.fromkeys(("relation", "predicate"), self.kinds),
            **dict.fromkeys(("head_type", "tail_type", "subject_type", "object_type"), self.types),
            **dict.fromkeys(("query", "text", "passage", "question"), self.texts),
            **dict.fromkeys(("note", "scene", "chapter", "path", "after"), self.notes),
            "place": self.names,
            "cast": pairs[:2],
            **dict.fromkeys(("at", "from_date", "to_date"), (*self.notes, "1902", "3 May 1205")),
            "entities": pairs + tuple([name] for name in self.names),
            "line": self.texts,
            "later": self.texts,
            "containing": tuple(name[:3] for name in self.names[:2]),
            "below": self.folders,
            "folder": self.folders,
            "types": tuple([name] for name in self.types),
            "entity_type": tuple([name] for name in self.types),
            "entity_types": tuple([name] for name in self.types),
            "note_types": tuple([name] for name in self.types),
            "kinds": tuple([name] for name in self.kinds),
            "kind": ("moves", "dies"),
            "strategy": ("usage", "recency", "narrative", "relevance"),
            "builder": ("tiers",),
            "language": ("en", "de"),
            "token_counter": ("characters",),
            "rules": tuple([name] for name in self.rules),
            "to": tuple(lists["to"]),
            "mentioning": tuple(lists["mentioning"]),
        }.get(name)


def questions(capability: Capability[Any, Any], words: Words) -> Iterator[dict[str, Any]]:
    """Yield arguments: each value of each required field, then of each optional one in turn.

    Lists have the highest limit, so that nothing is cut off. What is asked for by a default is not
    asked for again by its value.
    """
    return distinct(capability, _every_value(capability, words))


def distinct(
    capability: Capability[Any, Any], asked: Iterable[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Leave out arguments that make the same request as earlier ones."""
    known = set()
    for arguments in asked:
        try:
            request = capability.parse(arguments).model_dump_json()
        except RequestError:
            request = repr(sorted(arguments.items()))
        if request not in known:
            known.add(request)
            yield arguments


def _every_value(capability: Capability[Any, Any], words: Words) -> Iterator[dict[str, Any]]:
    fields = {
        name: _values(capability, name, field, words)
        for name, field in capability.request.model_fields.items()
        if name not in _LEFT_OUT
    }
    needed = [
        name for name, field in capability.request.model_fields.items() if field.is_required()
    ] or list(_INSTEAD.get(capability.name, ())[:1])
    whole = {
        name: values[-1]
        for name, values in fields.items()
        if name in ("limit", "top_k", "max_nodes", "max_members")
    }
    firsts = [dict(zip(needed, row, strict=True)) for row in _rows([fields[n] for n in needed])]
    for first in firsts:
        yield whole | first
    for at, (name, values) in enumerate((n, v) for n, v in fields.items() if n not in needed):
        first = firsts[at % len(firsts)]
        if name in _INSTEAD.get(capability.name, ()):
            first = {"cast": fields["cast"][0]}
        for value in values:
            yield whole | first | {name: value}


def ask(session: Session, name: str, arguments: dict[str, Any], folder: Path) -> str:
    """Return all that an answer shows (data, text, a written file), or the error's message."""
    if name == "draw_entity_graph" and arguments.get("format") == "html":
        file = folder / "asked.html"
        file.unlink(missing_ok=True)
        arguments = arguments | {"output": str(file)}
    try:
        answer = session.call(name, arguments)
    except WriterosError as error:
        return f"{type(error).__name__}: {error}"
    if name == "status":
        return answer.model_dump_json(exclude=set(MACHINE))
    shown = f"{answer.model_dump_json()}\n{answer.as_text()}"
    if "output" in arguments:
        shown += file.read_text("utf-8").partition("<script>")[0]
    return shown


def _rows(columns: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return rows in which each value of each column occurs at least once."""
    longest = max((len(values) for values in columns), default=1)
    return [tuple(values[at % len(values)] for values in columns) for at in range(longest)]


def _values(
    capability: Capability[Any, Any], name: str, field: FieldInfo, words: Words
) -> tuple[Any, ...]:
    known = words.for_field(name)
    if known is not None:
        return known
    least, most = _bounds(field)
    kind = _plain(field.annotation)
    if get_origin(kind) is Literal:
        return get_args(kind)
    if get_origin(kind) is tuple and get_origin(_plain(get_args(kind)[0])) is Literal:
        return tuple([value] for value in get_args(_plain(get_args(kind)[0])))
    if kind is bool:
        return (False, True)
    if kind is int:
        return tuple(sorted({int(least), min(int(most), _MOST)}))
    if kind is float:
        return (max(least, 0.05) if most > 0 else least, most)
    raise AssertionError(f"Say in tests/asking.py what to ask {capability.name} for: {name}.")


def _bounds(field: FieldInfo) -> tuple[float, float]:
    bounds = field.metadata
    most = next(
        (float(str(one.le)) for one in bounds if isinstance(one, annotated_types.Le)), _MOST
    )
    usual = 0.0 if most > 0 else most - _MOST
    least = next(
        (float(str(one.ge)) for one in bounds if isinstance(one, annotated_types.Ge)), usual
    )
    return least, float(most)


def _plain(kind: Any) -> Any:
    """Return a type without its annotations and without None."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        first, *_ = (one for one in get_args(kind) if one is not type(None))
        return _plain(first)
    return kind
