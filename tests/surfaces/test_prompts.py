import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from tests.asking import BUILT_IN
from writeros_entities import NotFoundError, WriterosError
from writeros_entities.surfaces.cli import build_cli
from writeros_entities.surfaces.prompts import ToolFormat, call, tools

from .toys import TOYS, FakeWorkspace, open_toys, read_toys

Tool = dict[str, Any]

SHAPES: dict[ToolFormat, Callable[[Tool], tuple[str, str, Any]]] = {
    "anthropic": lambda tool: (tool["name"], tool["description"], tool["input_schema"]),
    "openai": lambda tool: tuple_of(tool["function"]),
    "openai-responses": lambda tool: tuple_of(tool),
    "gemini": lambda tool: tuple_of(tool),
    "mcp": lambda tool: (tool["name"], tool["description"], tool["inputSchema"]),
    "json-schema": lambda tool: (tool["title"], tool["description"], tool),
}


def tuple_of(tool: Tool) -> tuple[str, str, Any]:
    return tool["name"], tool["description"], tool["parameters"]


@pytest.mark.parametrize("format", SHAPES)
def test_every_capability_is_a_tool_in_every_format(format: ToolFormat) -> None:
    described = [SHAPES[format](tool) for tool in tools(TOYS, format)]
    assert {name for name, _, _ in described} == set(TOYS)
    for name, description, parameters in described:
        assert description.startswith(TOYS[name].summary)
        assert list(parameters["properties"]) == list(TOYS[name].request.model_fields)
        Draft202012Validator.check_schema(parameters)


def test_an_anthropic_tool_in_full() -> None:
    (tool,) = [tool for tool in tools(TOYS, "anthropic") if tool["name"] == "find_common"]
    assert tool == {
        "name": "find_common",
        "description": "Find what several people have in common.",
        "input_schema": {
            "type": "object",
            "properties": {
                "between": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Two names or more.",
                },
                "ratio": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": 1,
                    "default": 0.5,
                    "description": "How much they share at least.",
                },
                "count": {
                    "type": "integer",
                    "default": 3,
                    "description": "How many.",
                },
            },
            "required": ["between"],
        },
    }


def test_gemini_gets_only_the_keywords_it_reads() -> None:
    (tool,) = [tool for tool in tools(TOYS, "gemini") if tool["name"] == "list_people"]
    parameters = tool["parameters"]
    assert parameters["properties"]["as_of"] == {
        "type": "string",
        "description": "Nothing beyond this chapter (number or name).",
    }


def test_families_narrow_the_tools() -> None:
    assert [tool["name"] for tool in tools(TOYS, families=["graph"])] == ["find_common", "meet"]


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match=r"'anthropic', 'openai', .* or 'json-schema'"):
        tools(TOYS, "bedrock")  # type: ignore[arg-type]  # the mistake is the point


@pytest.mark.parametrize("arguments", [{"limit": 1}, '{"limit": 1}'])
def test_call_returns_the_answer_as_data(
    workspace: FakeWorkspace, arguments: dict[str, Any] | str
) -> None:
    assert call(workspace.as_workspace(), "list_people", arguments) == {
        "people": [{"name": "Elizabeth Bennet", "chapter": 1}],
        "total": 4,
        "as_of": None,
    }


def test_no_arguments_may_be_an_empty_text(workspace: FakeWorkspace) -> None:
    assert call(workspace.as_workspace(), "check_health", "") == {"broken": False}


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("get_entity", {"entity": "Liz"}, "Did you mean 'Elizabeth Bennet'"),
        ("get_entity", {"name": "Liz"}, r"known: entity"),
        ("get_entity", "{entity: Liz}", "not valid JSON"),
        ("get_entity", '["Liz"]', "JSON object"),
        ("get_entities", {}, "There is no capability 'get_entities'"),
    ],
)
def test_what_a_model_can_mend_is_raised(
    workspace: FakeWorkspace, name: str, arguments: Any, message: str
) -> None:
    with pytest.raises(WriterosError, match=message):
        call(workspace.as_workspace(), name, arguments)


CAPABILITIES = {one.name: one for one in BUILT_IN}


def tokens_of(listed: list[Tool]) -> float:
    """Return the length of names, descriptions and input schemas, at four bytes a token."""
    return (
        sum(
            len(f"{tool['name']}{tool['description']}".encode()) + len(compact(tool["parameters"]))
            for tool in listed
        )
        / 4
    )


def compact(schema: Tool) -> bytes:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode()


def test_the_default_tools_are_a_writers_and_few_enough_for_every_turn() -> None:
    listed = tools(CAPABILITIES, "openai-responses")
    assert {tool["name"] for tool in listed} == {
        *("search", "context_for_text", "build_context", "brief_scene", "get_entity"),
        *("list_entities", "find_mentions", "get_entity_history", "reason_over_entities"),
        *("read_note", "list_notes", "list_note_entities", "check_continuity"),
    }
    assert tokens_of(listed) < 3_600
    assert tokens_of(tools(CAPABILITIES, "openai-responses", names=["all"])) < 9_700


REFUSED = {"$ref", "$defs", "anyOf", "oneOf", "allOf", "prefixItems"}


def faults_of(schema: Any) -> Iterator[str]:
    """Yield what some clients refuse, wherever it stands in a schema."""
    if isinstance(schema, list):
        for one in schema:
            yield from faults_of(one)
    elif isinstance(schema, dict):
        yield from REFUSED & schema.keys()
        if isinstance(schema.get("type"), list):
            yield "type"
        for one in schema.values():
            yield from faults_of(one)


def test_no_tool_takes_what_some_clients_refuse() -> None:
    every = {one.name: one for one in (*BUILT_IN, *TOYS.values())}
    offered = tools(every, "mcp", names=["all"])
    found = {tool["name"]: [*faults_of(tool["inputSchema"])] for tool in offered}
    assert {name: faults for name, faults in found.items() if faults} == {}
    assert found.keys() == every.keys()


def test_help_describes_each_prompt_in_full() -> None:
    result = CliRunner().invoke(build_cli(read_toys, open_toys), ["prompts", "--help"])
    told = " ".join(result.output.split())
    assert "Brief me on a character, or anything else that has a name, as of a chapter." in told
    assert "Review a chapter for what contradicts anything told up to it." in told


def test_the_tools_are_printed_in_the_shape_that_was_asked_for() -> None:
    arguments = ["prompts", "tools", "--format", "openai", "--families", "graph"]
    printed = CliRunner().invoke(build_cli(read_toys, open_toys), arguments)
    assert printed.exit_code == 0, printed.output
    assert json.loads(printed.stdout) == tools(TOYS, "openai", ["graph"])
    named = ["prompts", "tools", "--tools", "count-words,recite", "--tools", "meet"]
    printed = CliRunner().invoke(build_cli(read_toys, open_toys), named)
    assert {tool["name"] for tool in json.loads(printed.stdout)} == {
        *("count_words", "recite", "meet")
    }
    wrong = CliRunner().invoke(
        build_cli(read_toys, open_toys), [*arguments, "--families", "entities, grape"]
    )
    assert wrong.exit_code == 1
    assert "graph" in wrong.stderr
