"""The same call gives the same data on the command line, over MCP and to an agent."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client

from writeros_entities.surfaces.cli import build_cli
from writeros_entities.surfaces.mcp import ServerOptions, build_server
from writeros_entities.surfaces.prompts import call

from .command_line import command_line
from .toys import TOYS, FakeWorkspace, open_toys, read_toys

CASES: list[tuple[str, dict[str, Any]]] = [
    ("check_health", {}),
    ("list_people", {}),
    ("list_people", {"limit": 2, "offset": 1, "reverse": True}),
    ("list_people", {"matchMode": "starts_with", "names": ["Gánz", "王"]}),
    ("list_people", {"as_of": 3}),
    ("list_people", {"as_of": "Chapter 3"}),
    ("get_entity", {"entity": "王熙鳳"}),
    ("count_words", {"text": "“It is a truth”\n\n  – universally", "triples": [["a", "b", "c"]]}),
    ("count_words", {"text": "--limit"}),
    ("find_common", {"between": ["Ann", "Bob"], "ratio": 0.25, "topK": 1}),
    ("recite", {"length": 500}),
    ("read_vault", {"notes": 2}),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("name", "arguments"), CASES)
async def test_a_call_gives_equal_data_on_every_surface(
    workspace: FakeWorkspace, name: str, arguments: dict[str, Any]
) -> None:
    from_agent = call(workspace.as_workspace(), name, arguments)
    options = ServerOptions(answers="data")
    async with Client(build_server(workspace.as_workspace(), options=options)) as client:
        result = await client.call_tool(name, arguments)
    words = command_line(TOYS[name], arguments)
    printed = CliRunner().invoke(build_cli(read_toys, open_toys), words)
    assert printed.exit_code == 0, printed.output
    assert not result.is_error
    assert result.structured_content == from_agent
    assert json.loads(printed.stdout) == from_agent
