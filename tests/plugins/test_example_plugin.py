"""A stranger's plugin, installed as a distribution of its own, works on all three surfaces."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from ..installing import EXAMPLES, install

VAULT = {
    "Cast/Isolde.md": "---\ntype: person\n---\nShe owns a *great* deal.\n",
    "Fleet/Gull.md": "---\ntype: vessel\n---\nA tender of the old kind.\n",
    "Manuscript/01 - Low water.md": "# Low water\n\nIsolde went aboard the *Sea Wren* at noon.\n",
    "Manuscript/02 - Spring tide.md": (
        "# Spring tide\n\nHMS Petrel met the Sea Wren, and the _Gull_ lay by.\n"
    ),
}


@dataclass(frozen=True)
class Installed:
    """The program in a process of its own, which finds the example among its plugins."""

    vault: Path
    database: str
    environment: dict[str, str]

    def run_python(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            env=self.environment,
            cwd=self.vault,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def run(self, *arguments: str) -> str:
        return self.run_python(*self.command, *arguments)

    def run_json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json"))

    @property
    def command(self) -> list[str]:
        program = ["-m", "writeros_entities.surfaces.cli"]
        return [*program, "--vault", str(self.vault), "--database", self.database]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install("writeros-shipwrights", tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def installed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Sync a small vault with the example installed; the tests only read."""
    folder = tmp_path_factory.mktemp("sea")
    for path, text in VAULT.items():
        note = folder / "vault" / path
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(text, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONUTF8": "1"}
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environment[variable] = str(folder)
    program = Installed(folder / "vault", f"sqlite:///{folder / 'index.sqlite3'}", environment)
    program.run("sync")
    return program


def test_the_example_uses_the_public_api_alone() -> None:
    tree = ast.parse(
        (EXAMPLES / "writeros-shipwrights" / "writeros_shipwrights.py").read_text("utf-8")
    )
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module for module in modules if (module or "").startswith("writeros")}
    assert ours == {"writeros_entities"}


def test_the_plugin_is_listed_with_what_it_provides(installed: Installed) -> None:
    plugins = {one["name"]: one for one in installed.run_json("list-plugins")["plugins"]}
    assert plugins["shipwrights"] == {
        "name": "shipwrights",
        "status": "active",
        "distribution": "writeros-shipwrights",
        "version": "1",
        "hooks": [
            "propose_entities",
            "register_capabilities",
            "register_continuity_rules",
            "register_entity_types",
            "register_priority_strategies",
        ],
        "provides": [
            "capabilities: list_ships",
            "priority_strategies: voyage",
            "entity_types: vessel",
            "continuity_rules: sunk-ship",
        ],
        "error": None,
    }


def test_its_detector_makes_entities_of_ships_without_a_note(installed: Installed) -> None:
    listed = installed.run_json("list-entities", "--types", "vessel")["entities"]
    found = {one["name"]: (one["status"], one["mention_count"]) for one in listed}
    assert found == {
        "Gull": ("noted", 1),
        "HMS Petrel": ("suggested", 1),
        "Sea Wren": ("suggested", 2),
    }


def test_its_entities_obey_the_reading_position(installed: Installed) -> None:
    ships = installed.run_json("list-ships", "--as-of", "1")["ships"]
    assert [ship["name"] for ship in ships] == ["Sea Wren"]


def test_its_strategy_ranks_by_reading_position(installed: Installed) -> None:
    program = """
from writeros_entities import RankedChunk, Session
with Session.open(".") as session:
    strategy = session.plugins.choose("register_priority_strategies", "voyage")
    chunks = [RankedChunk(i, 1, 0, 0.0, position) for i, position in enumerate([7, None, 0, 2])]
    print(*[chunk.position for chunk in strategy.rank(chunks)])
"""
    assert installed.run_python("-c", program) == "0 2 7 None\n"


def test_its_capability_is_a_command_like_any_other(installed: Installed) -> None:
    overview = installed.run("--help")
    assert "Ships:\n  list-ships " in overview
    assert "--as-of TEXT" in installed.run("list-ships", "--help")
    assert installed.run("list-ships").splitlines() == [
        "3 ships",
        "",
        "- *Sea Wren* (mentions: 2)",
        "- *Gull* (mentions: 1)",
        "- *HMS Petrel* (mentions: 1)",
    ]


ASKED: tuple[dict[str, int], ...] = ({}, {"limit": 1}, {"as_of": 1})


@pytest.mark.anyio
async def test_its_capability_gives_equal_data_on_every_surface(installed: Installed) -> None:
    from_command = [
        installed.run_json(
            "list-ships",
            *(word for name, value in asked.items() for word in (f"--{name}", f"{value}")),
        )
        for asked in ASKED
    ]

    program = f"""
import json
from writeros_entities import Session
from writeros_entities.surfaces.prompts import call, tools
with Session.open(".", database={installed.database!r}) as session:
    [tool] = [tool for tool in tools(session.capabilities) if tool["name"] == "list_ships"]
    answers = [call(session, "list_ships", asked) for asked in {ASKED!r}]
    print(json.dumps([tool, answers]))
"""
    tool_for_agent, from_agent = json.loads(installed.run_python("-c", program))

    server = StdioServerParameters(
        command=sys.executable,
        args=[*installed.command, "serve", "--answers", "data"],
        env=installed.environment,
    )
    async with Client(stdio_client(server)) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        results = [await client.call_tool("list_ships", asked) for asked in ASKED]

    assert tools["list_ships"].description == tool_for_agent["description"]
    assert tools["list_ships"].input_schema == tool_for_agent["input_schema"]
    assert [len(answer["ships"]) for answer in from_command] == [3, 1, 1]
    assert [result.structured_content for result in results] == from_agent == from_command
