"""The JSON schemas of a capability, small enough to be sent to a model on every turn.

    for tool in tool_definitions(capabilities):
        tool["inputSchema"]["properties"]["as_of"]    # {"type": ["integer", "string"], ...}

The tool list takes up the client's context on each turn. An input schema therefore contains only
what a caller needs: no titles, no references, no `null` where leaving the field out means the same,
and in tools no limits that are hardly ever reached, as an error reports these. An output schema
contains only the names and types of the top-level fields; it is dropped if the list would still be
too long.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from pydantic import BaseModel

    from writeros_entities.capability import Capability, Request, Response

Schema: TypeAlias = dict[str, Any]
"""A JSON schema; the type of a value depends on the keyword."""

TOOL_LIST_TOKENS = 9_000
"""Limit for the list of all tools, at four characters per token."""

CHARACTERS_PER_TOKEN = 4

_NO_DEFAULT: tuple[object, ...] = (None, [], {})
_SAID_BY_THEIR_NAMES = ("limit", "offset")
_LENGTHS = ("minLength", "maxLength", "minItems", "maxItems")


def input_schema(request: type[Request]) -> Schema:
    """Return the flat JSON schema of a request, with its fields in snake_case."""
    whole = _as_declared(request, "validation")
    definitions = whole.get("$defs", {})
    schema: Schema = {
        "type": "object",
        "properties": {
            name: _compact(field, definitions)
            for name, field in whole.get("properties", {}).items()
        },
    }
    if "required" in whole:
        schema["required"] = list(whole["required"])
    schema["additionalProperties"] = False
    return schema


def output_schema(response: type[Response]) -> Schema:
    """Return the JSON schema of a response, one level deep."""
    whole = _as_declared(response, "serialization")
    definitions = whole.get("$defs", {})
    properties = {
        name: _outline(field, definitions) for name, field in whole.get("properties", {}).items()
    }
    return {"type": "object", "properties": properties}


def tool_definitions(capabilities: Iterable[Capability[Any, Any]]) -> list[Schema]:
    """Return capabilities as tools, without output schemas if the list would exceed its limit."""
    tools = [tool_definition(capability) for capability in capabilities]
    listed = json.dumps(tools, ensure_ascii=False, separators=(",", ":"))
    if len(listed) > TOOL_LIST_TOKENS * CHARACTERS_PER_TOKEN:
        for tool in tools:
            del tool["outputSchema"]
    return tools


def tool_definition(capability: Capability[Any, Any]) -> Schema:
    """Return a capability as a tool of the MCP specification."""
    schema = input_schema(capability.request)
    for name in _SAID_BY_THEIR_NAMES:
        schema["properties"].get(name, {}).pop("description", None)
    schema["properties"] = {
        name: _without_the_obvious(field) for name, field in schema["properties"].items()
    }
    return {
        "name": capability.name,
        "title": title(capability),
        "description": description(capability),
        "inputSchema": schema,
        "outputSchema": output_schema(capability.response),
        "annotations": _annotations(capability),
    }


def _without_the_obvious(field: Schema) -> Schema:
    """Return a field without limits on lengths, a minimum of 0 or 1, or a default of false."""
    plain = field.get("type") == "integer" and field.get("minimum") in (0, 1)
    return {
        keyword: _without_the_obvious(value) if isinstance(value, dict) else value
        for keyword, value in field.items()
        if keyword not in _LENGTHS
        and not (plain and keyword == "minimum")
        and not (keyword == "default" and value is False)
    }


def _annotations(capability: Capability[Any, Any]) -> Schema:
    """Return the tool's annotations; `destructiveHint` is only meaningful for tools that write."""
    hints = {
        "readOnlyHint": not capability.writes,
        "idempotentHint": capability.idempotent,
        "openWorldHint": False,
    }
    return {**hints, "destructiveHint": False} if capability.writes else hints


def title(capability: Capability[Any, Any]) -> str:
    """Return a capability's name in words."""
    return capability.name.replace("_", " ").capitalize()


def description(capability: Capability[Any, Any]) -> str:
    """Return the first two paragraphs of a capability's help, each on one line.

    Further ones (formulas, exit codes) are for a person, in `--help` and the documentation.
    """
    paragraphs = capability.help.split("\n\n")[:2]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


@cache
def _as_declared(model: type[BaseModel], mode: Literal["validation", "serialization"]) -> Schema:
    """Return a model's schema as pydantic generates it, cached; callers must not modify it."""
    return model.model_json_schema(by_alias=mode == "serialization", mode=mode)


def _compact(field: Schema, definitions: Schema) -> Schema:
    field = _follow(field, definitions)
    compact: Schema = {}
    options = [
        _compact(option, definitions)
        for option in field.get("anyOf", ())
        if option.get("type") != "null"
    ]
    if len(options) == 1:
        compact |= options[0]
    elif options and all(set(option) == {"type"} for option in options):
        compact["type"] = [option["type"] for option in options]
    elif options:
        compact["anyOf"] = options
    for keyword, value in field.items():
        if keyword in ("title", "anyOf") or (keyword == "default" and value in _NO_DEFAULT):
            continue
        if keyword == "const":
            compact["enum"] = [value]
        elif keyword in ("items", "additionalProperties") and isinstance(value, dict):
            compact[keyword] = _compact(value, definitions)
        elif keyword == "prefixItems":
            compact[keyword] = [_compact(item, definitions) for item in value]
        elif keyword == "properties":
            compact[keyword] = {name: _compact(inner, definitions) for name, inner in value.items()}
        else:
            compact[keyword] = value
    return compact


def _outline(field: Schema, definitions: Schema) -> Schema:
    types = _types(field, definitions)
    if not types:
        return {}
    return {"type": types[0] if len(types) == 1 else types}


def _types(field: Schema, definitions: Schema) -> list[str]:
    """Return the types that a value may have, or an empty list if any is allowed."""
    field = _follow(field, definitions)
    found: list[str] = []
    for option in field.get("anyOf") or field.get("oneOf") or [field]:
        option = _follow(option, definitions)
        if "anyOf" in option or "oneOf" in option:
            found += _types(option, definitions)
        elif isinstance(option.get("type"), str):
            found.append(option["type"])
        else:
            return []
    return list(dict.fromkeys(found))


def _follow(field: Schema, definitions: Schema) -> Schema:
    if "$ref" not in field:
        return field
    target = definitions[field["$ref"].rpartition("/")[2]]
    return {
        **{keyword: value for keyword, value in target.items() if keyword != "description"},
        **{keyword: value for keyword, value in field.items() if keyword != "$ref"},
    }
