"""Measure how long the program takes to start."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from asking import LIGHTLY

from writeros_entities.session import Session

STARTS = 7

_PROGRAM = "from writeros_entities.surfaces.cli import main; main()"

_WITHOUT_TORCH = """
import sys
try:
    main()
finally:
    assert "torch" not in sys.modules
"""


def measure_help() -> float:
    """Return the median seconds of `--help` in a fresh interpreter."""
    return statistics.median(_run("--help") for _ in range(STARTS))


def measure_tools(vault: Path, scratch: Path) -> float:
    """Return the median seconds from starting a server to its answer to tools/list."""
    with Session.open(vault, database=_database(vault, scratch), embedding_model="") as session:
        session.call("sync", LIGHTLY)
    return statistics.median(_list_tools(vault, scratch) for _ in range(STARTS))


def measure_cold_search(vault: Path, database: str) -> float:
    """Return the median seconds of one hybrid `search` in a new interpreter.

    The index must have vectors of the built-in model. Fails if torch is imported.
    """
    options = ["--vault", str(vault), "--database", database]
    program = f"{_PROGRAM.removesuffix('main()')}{_WITHOUT_TORCH}"
    return statistics.median(
        _time([program, *options, "search", f"who saw the river from window {at}"])
        for at in range(STARTS)
    )


def _run(*arguments: str) -> float:
    return _time([_PROGRAM, *arguments])


def _time(program: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", *program], check=True, capture_output=True)
    return time.perf_counter() - started


def _database(vault: Path, scratch: Path) -> str:
    return f"sqlite:///{scratch / f'{vault.name}-watched.sqlite3'}"


def _list_tools(vault: Path, scratch: Path) -> float:
    options = ["--vault", str(vault), "--database", _database(vault, scratch)]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "benchmark", "version": "1"}
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *options, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        _ask(process, {"id": 1, "method": "initialize", "params": hello})
        _tell(process, {"method": "notifications/initialized"})
        answer = _ask(process, {"id": 2, "method": "tools/list"})
        taken = time.perf_counter() - started
        assert b'"tools"' in answer
        process.kill()
    return taken


def _tell(process: subprocess.Popen[bytes], message: dict[str, object]) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], message: dict[str, object]) -> bytes:
    _tell(process, message)
    assert process.stdout is not None
    return process.stdout.readline()
