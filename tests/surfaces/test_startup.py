import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from writeros_entities import Session

TESTS = Path(__file__).parents[1]
NUMBERS = {"numpy", "scipy", "sknetwork"}
HTTP = {"sse_starlette", "starlette", "uvicorn"}
HEAVY = {"alembic", "mcp", "rich", "sqlalchemy", "sqlmodel", "torch", "watchdog"} | HTTP | NUMBERS

TOY_PROGRAM = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from surfaces.toys import open_toys, read_toys
from writeros_entities.surfaces.cli import build_cli
build_cli(read_toys, open_toys)()
"""

REAL_PROGRAM = "from writeros_entities.surfaces.cli import main; main()"


def imported(program: str, *arguments: str) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    modules = re.findall(r"^import time:.*\|\s*(\S+)$", done.stderr, re.MULTILINE)
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["serve", "--help"], ["completion", "zsh"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    modules = imported(REAL_PROGRAM, *arguments)
    assert "click" in modules
    assert modules.isdisjoint(HEAVY)


def test_what_pytorch_has_made_is_freed_at_the_end() -> None:
    program = """
import sys, types
from writeros_entities.surfaces.cli import main
class Tensor:
    def __del__(self):
        print("freed")
tensor = Tensor()
tensor.itself = tensor
del tensor
sys.modules["torch"] = types.ModuleType("torch")
main()
"""
    command = [sys.executable, "-c", program, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.stdout.splitlines()[1:] == ["freed"]


def test_a_fast_command_whose_answer_is_piped_needs_no_rich() -> None:
    assert imported(TOY_PROGRAM, "list-people").isdisjoint(HEAVY)


def test_a_plain_question_needs_no_library_of_numbers(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    database = f"sqlite:///{tmp_path / 'index.sqlite3'}"
    where = ["--vault", str(tmp_path), "--database", database]
    with Session.open(tmp_path, database=database) as session:
        session.call("sync", {})
    for command in ("status", "list-entities"):
        assert imported(REAL_PROGRAM, *where, command).isdisjoint(NUMBERS)


def test_a_process_that_reads_notes_for_a_sync_imports_no_database() -> None:
    program = """
from writeros_entities.plugins import load_plugins
from writeros_entities.settings import Settings
from writeros_entities.sync.worker import Stages
from writeros_entities.sync.drafting.pipeline import Pipeline
settings = Settings()
Stages(Pipeline(load_plugins(settings), settings), room=0)
"""
    assert imported(program).isdisjoint(HEAVY)


def test_listing_tools_imports_no_database() -> None:
    program = f"""
import sys, asyncio
sys.path.insert(0, {str(TESTS)!r})
from mcp import Client
from surfaces.toys import TOYS, open_toys
from writeros_entities.surfaces.mcp import build_lazy_server
async def main():
    async with Client(build_lazy_server(open_toys, TOYS)) as client:
        await client.list_tools()
asyncio.run(main())
"""
    assert imported(program).isdisjoint(HEAVY - {"mcp", "rich"} - HTTP)


def test_the_program_is_a_module_too() -> None:
    command = [sys.executable, "-m", "writeros_entities", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.stdout.startswith("writeros-entities")


def test_a_closed_pipe_ends_a_command_quietly() -> None:
    command = [sys.executable, "-c", TOY_PROGRAM, "recite", "--length", "9000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(240)


def serve_toys() -> subprocess.Popen[bytes]:
    """Start a server of toys, with pipes to all that it hears and says."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", TOY_PROGRAM, "serve"]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)


def test_a_client_that_goes_before_its_answer_ends_a_server_quietly() -> None:
    with serve_toys() as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.close()
        assert process.wait(240) == 0
        assert process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_server_quietly(stop: signal.Signals) -> None:
    with serve_toys() as process:
        assert process.stdin is not None and process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        process.send_signal(stop)
        assert process.wait(240) == 0
        assert process.stderr.read() == b""
