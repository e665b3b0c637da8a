"""The return types of hooks, and checks that plugins keep to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from writeros_entities import protocols
from writeros_entities.answers import check_answers
from writeros_entities.capability import Capability
from writeros_entities.parameters import parameters_schema
from writeros_entities.values import (
    Calendar,
    DerivedName,
    EntityType,
    InferredRelation,
    Mention,
    ProposedName,
    RelationKind,
    Score,
    ToldEvent,
    Topic,
)

REGISTERED: Mapping[str, tuple[str, type]] = {
    "register_capabilities": ("capability", Capability),
    "register_chunkers": ("chunker", protocols.Chunker),
    "register_token_counters": ("token counter", protocols.TokenCounter),
    "register_embedding_models": ("embedding model", protocols.EmbeddingModel),
    "register_languages": ("language", protocols.Language),
    "register_priority_strategies": ("priority strategy", protocols.PriorityStrategy),
    "register_context_builders": ("context builder", protocols.ContextBuilder),
    "register_entity_types": ("entity type", EntityType),
    "register_relation_kinds": ("relation kind", RelationKind),
    "register_knowledge_bases": ("knowledge base", protocols.KnowledgeBase),
    "register_relation_models": ("relation model", protocols.RelationModel),
    "register_reading_orders": ("reading order", protocols.ReadingOrder),
    "register_calendars": ("calendar", Calendar),
    "register_continuity_rules": ("continuity rule", protocols.ContinuityRule),
}
"""For each `register_*` hook, the name and the type of the things that it returns."""

NAMED_BY: Mapping[str, str] = {"register_languages": "code"}
"""For each `register_*` hook whose things have no `name`, the attribute that names them."""

CHOOSING: Mapping[str, str] = {
    "chunker": "register_chunkers",
    "token_counter": "register_token_counters",
    "context_builder": "register_context_builders",
    "embedding_model": "register_embedding_models",
    "relation_model": "register_relation_models",
    "knowledge_bases": "register_knowledge_bases",
    "language": "register_languages",
    "reading_orders": "register_reading_orders",
}
"""For each setting that chooses among registered things, the hook that registers them."""

GATHERED: Mapping[str, type] = {
    "read_calendars": Calendar,
    "propose_entities": ProposedName,
    "derive_names": DerivedName,
    "detect_entities": Mention,
    "link_mention": Score,
    "infer_relations": InferredRelation,
    "tell_events": ToldEvent,
    "extract_topics": Topic,
}
"""The type of the items that each verb hook returns."""


def check_things(hook: str, answers: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the registered things; raises TypeError if one lacks an attribute of its protocol.

    Raises ValueError for what is no name, and PluginError for a capability that clients of MCP
    could not call. No other attribute is read, as properties may be slow or fail.
    """
    what, kind = REGISTERED[hook]
    things = [thing for answer in answers for thing in answer]
    for thing in things:
        if type(thing) is kind:
            continue
        missing = sorted(_public_names(kind).difference(dir(thing)))
        if missing:
            raise TypeError(f"{thing!r} is not a valid {what}: it lacks {', '.join(missing)}")
    if kind in (Calendar, EntityType, RelationKind):
        check_answers(things, kind)
    for thing in things:
        name = name_of(hook, thing)
        if not (isinstance(name, str) and name.strip() and name.isprintable()):
            raise ValueError(f"the name of a {what} must be a text on one line, not {name!r}")
        if kind is Capability:
            parameters_schema(thing.request)
    return things


def name_of(hook: str, thing: Any) -> Any:
    """Return the name by which a registered thing is chosen."""
    return getattr(thing, NAMED_BY.get(hook, "name"))


@cache
def _public_names(kind: type) -> frozenset[str]:
    return frozenset(name for name in dir(kind) if not name.startswith("_"))


def join_answers(
    hook: str, answers: Iterable[Iterable[Any]], check: Callable[[list[Any]], None] | None
) -> list[Any]:
    """Return the items of all answers; raises TypeError or ValueError if one is invalid."""
    items = [item for answer in answers for item in answer]
    if hook in GATHERED:
        check_answers(items, GATHERED[hook])
    if check is not None:
        check(items)
    return items
