"""The capabilities for agents: tool definitions for a model's API, and a way to run what it asks.

    definitions = tools(workspace.capabilities, format="anthropic")
    system = instructions(workspace.capabilities)
    ...
    for block in message.content:
        if block.type == "tool_use":
            try:
                result, failed = call(workspace, block.name, block.input), False
            except WriterosError as error:
                result, failed = str(error), True

`call` returns the data that the command line prints with `--json` and that an MCP client gets as
structured content; `await acall(…)` is the same. An error that the caller can fix, such as an
unknown name or an invalid argument, is raised as WriterosError, whose message is meant to be shown
to the model.

    prompt(workspace, "scene_brief", {"scene": "Bad Ink"})

returns a prompt filled from the vault; `briefs` has all of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from writeros_entities.errors import NotFoundError, RequestError
from writeros_entities.parameters import Schema
from writeros_entities.surfaces.catalogue import select_tools
from writeros_entities.surfaces.schema import instruct, tool_definition

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.session import Session

ToolFormat: TypeAlias = Literal[
    "anthropic", "openai", "openai-responses", "gemini", "mcp", "json-schema"
]

_GEMINI_KEYWORDS = {
    *("type", "description", "enum", "default", "format"),
    *("items", "minItems", "maxItems", "properties", "required"),
    *("minimum", "maximum", "minLength", "maxLength", "pattern"),
}


def tools(
    capabilities: Mapping[str, Capability],
    format: ToolFormat = "anthropic",
    families: Iterable[str] | None = None,
    names: Iterable[str] | None = None,
) -> list[Schema]:
    """Return tool definitions in the shape that a model's API takes.

    They are the capabilities of some families and those with some names (`["all"]` for every one);
    without either, those that an agent of a writer needs. Raises NotFoundError for a format, a
    family or a name that is not known.
    """
    if format not in _SHAPES:
        raise NotFoundError("tool format", format, get_args(ToolFormat))
    chosen = select_tools(capabilities, families, names)
    return [_SHAPES[format](tool_definition(one)) for one in chosen.values()]


def instructions(
    capabilities: Mapping[str, Capability],
    families: Iterable[str] | None = None,
    names: Iterable[str] | None = None,
) -> str:
    """Return what a model should know of these tools together, as part of its system prompt.

    The tools are chosen as by `tools`. Raises NotFoundError for a family or a name that is not
    known.
    """
    return instruct(select_tools(capabilities, families, names))


def call(workspace: Session, name: str, arguments: Mapping[str, object] | str) -> dict[str, Any]:
    """Run a capability that a model called, and return its answer as data.

    Arguments may be JSON text, as in some APIs. Raises WriterosError, with a message for the model,
    if the model can fix the call.
    """
    return workspace.call(name, _parse(name, arguments)).model_dump(mode="json")


async def acall(
    workspace: Session, name: str, arguments: Mapping[str, object] | str
) -> dict[str, Any]:
    """Run a capability as `call` does, in a worker thread; see `Session.acall`."""
    return (await workspace.acall(name, _parse(name, arguments))).model_dump(mode="json")


def prompt(workspace: Session, name: str, arguments: Mapping[str, str | int | None]) -> str:
    """Return the text of a prompt, filled from the vault, with the vault's text marked as quoted.

    A chapter may be given by its number. Raises WriterosError for an unknown prompt, argument or
    name.
    """
    from writeros_entities.surfaces.briefs import fill

    return fill(workspace, name, arguments)


def _parse(name: str, arguments: Mapping[str, object] | str) -> Mapping[str, object]:
    if not isinstance(arguments, str):
        return arguments
    try:
        parsed = json.loads(arguments or "{}")
    except json.JSONDecodeError as error:
        raise RequestError(f"{name}: the arguments are not valid JSON ({error}).") from None
    if not isinstance(parsed, dict):
        raise RequestError(f"{name}: the arguments have to be a JSON object.")
    return parsed


def _as_anthropic(tool: Schema) -> Schema:
    return {
        "name": tool["name"],
        "description": tool["description"],
        "input_schema": tool["inputSchema"],
    }


def _as_openai(tool: Schema) -> Schema:
    return {"type": "function", "function": _as_function(tool)}


def _as_openai_responses(tool: Schema) -> Schema:
    # Strict mode requires all fields to be required and nullable, which would lose our defaults.
    return {"type": "function", **_as_function(tool), "strict": False}


def _as_function(tool: Schema) -> Schema:
    return {
        "name": tool["name"],
        "description": tool["description"],
        "parameters": tool["inputSchema"],
    }


def _as_gemini(tool: Schema) -> Schema:
    return {**_as_function(tool), "parameters": _gemini_schema(tool["inputSchema"])}


def _as_json_schema(tool: Schema) -> Schema:
    named = {"title": tool["name"], "description": tool["description"]}
    return {**named, **tool["inputSchema"]}


def _gemini_schema(schema: Schema) -> Schema:
    """Return the schema reduced to the subset of OpenAPI that the Gemini API accepts."""
    kept = {keyword: value for keyword, value in schema.items() if keyword in _GEMINI_KEYWORDS}
    if "properties" in kept:
        kept["properties"] = {
            name: _gemini_schema(inner) for name, inner in kept["properties"].items()
        }
    if "items" in kept:
        kept["items"] = _gemini_schema(kept["items"])
    return kept


_SHAPES: dict[str, Callable[[Schema], Schema]] = {
    "anthropic": _as_anthropic,
    "openai": _as_openai,
    "openai-responses": _as_openai_responses,
    "gemini": _as_gemini,
    "mcp": lambda tool: tool,
    "json-schema": _as_json_schema,
}
