"""The server, tested by what the makers of the protocol test servers with."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.asking import BUILT_IN
from writeros_entities.surfaces.briefs import TEMPLATES

from ..surfaces.http_server import REAL_PROGRAM, TOKEN, Running, serving
from .programs import ROOT, Programs, install

NOVEL = ROOT / "vault_fixtures" / "novel"
FIXTURE_PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.conformance.fixture_server import main
main()
"""


@pytest.fixture(scope="session")
def programs() -> Programs:
    return install()


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the options that choose the novel, and an index of it that is not there yet."""
    index = tmp_path_factory.mktemp("index") / "index.sqlite3"
    return ["--vault", str(NOVEL), "--database", f"sqlite:///{index}"]


@pytest.fixture(scope="module")
def product(where: list[str]) -> Iterator[Running]:
    http = ["--http", "--port", "0", "--no-token"]
    with serving(REAL_PROGRAM, *where, "serve", "--watch", *http) as running:
        yield running


def test_the_product_passes_the_suite(programs: Programs, product: Running) -> None:
    address = f"http://127.0.0.1:{product.port}/mcp"
    done = programs.suite(address, "product.yml")
    assert done.returncode == 0, done.stdout
    assert "✓ dns-rebinding-protection: 2 passed, 0 failed" in done.stdout
    assert "✓ resources-subscribe: 1 passed, 0 failed" in done.stdout
    assert "✓ logging-set-level: 1 passed, 0 failed" in done.stdout


def test_declarations_become_what_the_suite_asks_for(programs: Programs) -> None:
    with serving(FIXTURE_PROGRAM) as running:
        done = programs.suite(f"http://127.0.0.1:{running.port}/mcp", "suite.yml")
    assert done.returncode == 0, done.stdout
    assert "✓ tools-call-with-progress: 1 passed, 0 failed" in done.stdout
    assert "✓ tools-call-with-logging: 1 passed, 0 failed" in done.stdout


def test_the_inspector_finds_no_fault_with_the_tools(programs: Programs, product: Running) -> None:
    address = f"http://127.0.0.1:{product.port}/mcp"
    arguments = ("--transport", "http", "--method", "tools/list", "--strict", "--format", "json")
    done = programs.inspect(address, *arguments)
    assert done.returncode == 0, done.stderr
    listed = json.loads(done.stdout)["result"]["tools"]
    assert {tool["name"] for tool in listed} == {one.name for one in BUILT_IN if one.offered}


def test_the_inspector_is_let_in_with_the_token_alone(programs: Programs, where: list[str]) -> None:
    with serving(REAL_PROGRAM, *where, "serve", "--http", "--port", "0") as running:
        asked = [f"http://127.0.0.1:{running.port}/mcp", "--transport", "http", "--quiet"]
        asked += ["--method", "prompts/list", "--format", "json"]
        allowed = programs.inspect(*asked, "--header", f"Authorization: Bearer {TOKEN}")
        refused = programs.inspect(*asked, "--stored-auth-only")
    assert allowed.returncode == 0, allowed.stderr
    prompts = json.loads(allowed.stdout)["result"]["prompts"]
    assert [prompt["name"] for prompt in prompts] == [template.name for template in TEMPLATES]
    assert refused.returncode != 0


def test_the_inspector_calls_a_tool_over_standard_input_and_output(
    programs: Programs, where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "serve.py"
    script.write_text(REAL_PROGRAM, "utf-8")
    server = [sys.executable, str(script), *where, "serve", "--tools=status", "--answers=data"]
    call = ["--method", "tools/call", "--tool-name", "status", "--format", "json", "--quiet"]
    done = programs.inspect(*server, *call)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["structuredContent"]["vault"] == str(NOVEL)
