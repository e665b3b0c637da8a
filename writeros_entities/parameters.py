"""The parameters of a request as a JSON schema that every client takes.

    parameters_schema(ListEntities)["properties"]["as_of"]    # {"type": "string", ...}

Some clients of MCP refuse a tool, or drop it in silence, if a parameter may have one of several
types, or if its schema contains references. Therefore a schema is flat: nested models are written
out, and each parameter has one type. There are no titles, and no `null` where leaving the parameter
out means the same.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from writeros_entities.errors import PluginError

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema: TypeAlias = dict[str, Any]
"""A JSON schema; the type of a value depends on the keyword."""

_NO_DEFAULT: tuple[object, ...] = (None, [], {})
_CHOICES = ("anyOf", "oneOf", "allOf")


def parameters_schema(request: type[BaseModel]) -> Schema:
    """Return the flat JSON schema of a request, with its fields in snake_case.

    Raises PluginError for a field whose type cannot be written without a choice or a reference.
    """
    whole = _as_declared(request)
    definitions = whole.get("$defs", {})
    schema: Schema = {"type": "object", "properties": {}}
    for name, field in whole.get("properties", {}).items():
        try:
            schema["properties"][name] = _flat(field, definitions, ())
        except _NotFlatError as error:
            raise PluginError(f"The parameter {name!r} of {request.__name__} {error}") from None
    if "required" in whole:
        schema["required"] = list(whole["required"])
    schema["additionalProperties"] = False
    return schema


@cache
def _as_declared(request: type[BaseModel]) -> Schema:
    """Return a request's schema as pydantic generates it, cached; callers must not modify it."""
    return request.model_json_schema(by_alias=False)


class _NotFlatError(Exception):
    """A type cannot be written as a flat schema; the message ends a sentence."""


def _flat(field: Schema, definitions: Schema, above: tuple[str, ...]) -> Schema:
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        if name in above:
            raise _NotFlatError(f"contains {name} in itself; name things by their ids instead.")
        above = (*above, name)
        target = {key: value for key, value in definitions[name].items() if key != "description"}
        return _flat(target | {k: v for k, v in field.items() if k != "$ref"}, definitions, above)
    options = [one for choice in _CHOICES for one in field.get(choice, ())]
    options = [one for one in options if one.get("type") != "null"]
    if len(options) > 1 or isinstance(field.get("type"), list):
        raise _NotFlatError("has a choice of types; give it one (ChapterName takes numbers too).")
    flat = _flat(options[0], definitions, above) if options else {}
    for keyword, value in field.items():
        if keyword in ("title", *_CHOICES) or (keyword == "default" and value in _NO_DEFAULT):
            continue
        if keyword == "const":
            flat["enum"] = [value]
        elif keyword in ("items", "additionalProperties") and isinstance(value, dict):
            flat[keyword] = _flat(value, definitions, above)
        elif keyword == "prefixItems":
            flat["items"] = _only([_flat(item, definitions, above) for item in value])
        elif keyword in ("properties", "patternProperties"):
            flat[keyword] = {
                name: _flat(inner, definitions, above) for name, inner in value.items()
            }
        else:
            flat[keyword] = value
    return flat


def _only(items: list[Schema]) -> Schema:
    if any(item != items[0] for item in items):
        raise _NotFlatError("is a list of several types; give all of its items one.")
    return items[0]
